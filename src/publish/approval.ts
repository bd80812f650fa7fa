// What a person approves: bytes and texts, not a job. The plan as outputs have it, and what differs from it. Pure.
import { createHash } from 'node:crypto'

/** The parts of a plan for one target, in the order of the output `plan`. */
const KEYS = [
  'base_url',
  'product',
  'benefit',
  'version_name',
  'title',
  'file_name',
  'size',
  'sha256',
  'changelog_sha256',
  'changelog_format'
] as const

/** What is planned for one target; `benefit` is null where the product's own file is published. */
export type PlannedPart = Readonly<Record<(typeof KEYS)[number], string | number | null>> & {
  readonly sha256: string
}

/** What was approved: a plan part by part, or the digest of one. */
export type Approval =
  | { readonly kind: 'digest'; readonly digest: string }
  | { readonly kind: 'plan'; readonly parts: readonly Readonly<Record<string, unknown>>[] }

/** A plan as the outputs have it. */
export interface PlanOutput {
  /** Compact JSON, one object a target. */
  readonly json: string
  /** The SHA-256 of the JSON in UTF-8, in hexadecimal digits. */
  readonly digest: string
}

/** What of a prepared target is planned. */
interface Prepared {
  readonly route: { readonly product: number; readonly benefit?: number }
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
  readonly artifact: { readonly name: string; readonly size: number }
}

/** The part of the plan for a target whose file has this digest. */
export function partOf(baseUrl: string, target: Prepared, sha256: string): PlannedPart {
  const { route, versionName, title, changelog, changelogFormat, artifact } = target
  return {
    base_url: baseUrl,
    product: route.product,
    benefit: route.benefit ?? null,
    version_name: versionName,
    title,
    file_name: artifact.name,
    size: artifact.size,
    sha256,
    changelog_sha256: digestOf(changelog),
    changelog_format: changelogFormat
  }
}

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The plan of all targets; the same plan gives the same bytes. */
export function planOutputOf(parts: readonly PlannedPart[]): PlanOutput {
  const json = JSON.stringify(parts, [...KEYS])
  return { json, digest: digestOf(json) }
}

/** Reads the input `approved-plan`; undefined when it is empty. Throws an `Error` about any other text. */
export function parseApproval(text: string): Approval | undefined {
  if (text === '') return undefined
  const [, digest] = /^(?:sha256:)?([\da-f]{64})$/i.exec(text) ?? []
  if (digest !== undefined) return { kind: 'digest', digest: digest.toLowerCase() }
  const error =
    'is neither the output `plan` of a run with `mode: plan` nor its digest (64 hexadecimal digits)'
  try {
    const parts: unknown = JSON.parse(text)
    if (Array.isArray(parts) && parts.length > 0 && parts.every(isPart))
      return { kind: 'plan', parts }
  } catch (cause) {
    throw new Error(error, { cause })
  }
  throw new Error(error)
}

function isPart(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === KEYS.length && KEYS.every(key => keys.includes(key))
}

/**
 * What keeps the target with this index from being sent, one line for each part that differs; undefined
 * when it is as approved.
 */
export function whyNotApproved(
  approval: Approval,
  present: readonly PlannedPart[],
  index: number
): string | undefined {
  const part = present[index]
  if (part === undefined) throw new Error(`there is no target ${index}`)
  const shown = (key: keyof PlannedPart) => `  ${key}: ${JSON.stringify(part[key])}`
  if (approval.kind === 'digest') {
    const { digest } = planOutputOf(present)
    if (digest === approval.digest) return undefined
    const head = `The digest of the plan is ${digest}, and ${approval.digest} was approved. What would be sent now, to compare with the summary of the approved plan:`
    return [head, ...KEYS.map(shown)].join('\n')
  }
  const { length } = approval.parts
  const counts =
    length === present.length ? [] : [`  targets: ${present.length}, approved: ${length}`]
  const approved = approval.parts[index] ?? part
  const differing = KEYS.filter(key => approved[key] !== part[key])
  const lines = differing.map(key => `${shown(key)}, approved: ${JSON.stringify(approved[key])}`)
  if (counts.length + lines.length === 0) return undefined
  return ['This differs from the approved plan:', ...counts, ...lines].join('\n')
}

/** What was read at the last moment is not the file that was approved. */
export class NotApprovedError extends Error {
  override readonly name = 'NotApprovedError'
  constructor(sha256: string, approved: string) {
    super(`The file was read with the SHA-256 ${sha256}, and ${approved} was approved.`)
  }
}
