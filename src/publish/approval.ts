// The approval of a plan: the plan as JSON and its digest, and how the present plan differs from it. Pure.
import { createHash } from 'node:crypto'
import { parseJson } from '../runner/values.ts'

/** The keys of a target's part, in the order of the output `plan`; the digest depends on that order. */
const KEYS = [
  ...(['base_url', 'product', 'benefit', 'version_name', 'title'] as const),
  ...(['file_name', 'size', 'sha256', 'changelog_sha256', 'changelog_format'] as const),
  ...(['upload', 'base64_file'] as const)
]
type PartKey = (typeof KEYS)[number]
/** What is planned for one target; `benefit` and `base64_file` are null where they play no part. */
export type PlannedPart = Readonly<Record<PartKey, string | number | null> & { sha256: string }>
/** What was approved: the digest of a plan, or the plan part by part. */
type Approval = string | readonly Readonly<Record<string, unknown>>[]

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The plan of all targets as JSON (the same bytes for the same plan), and the SHA-256 of that. */
export type PlanOutput = Readonly<Record<'json' | 'digest', string>>

/** The outputs for a plan of these targets. */
export function planOutputOf(parts: readonly PlannedPart[]): PlanOutput {
  const json = JSON.stringify(parts, KEYS)
  return { json, digest: digestOf(json) }
}

/** Parses `approved-plan`: a digest or a plan; undefined when empty. Throws an `Error` about other texts. */
export function parseApproval(text: string): Approval | undefined {
  if (text === '') return undefined
  const [, digest] = /^(?:sha256:)?([\da-f]{64})$/i.exec(text) ?? []
  if (digest !== undefined) return digest.toLowerCase()
  const parts = parseJson(text)
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isPart)) return parts
  throw new Error(
    'is neither the output `plan` of a run with `mode: plan` nor its digest (64 hexadecimal digits)'
  )
}

function isPart(value: unknown): value is Readonly<Record<PartKey, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  return KEYS.every(key => key in value) && Object.keys(value).length === KEYS.length
}

/** How what would be sent for a target differs from what was approved. */
export interface Difference {
  /** Where only a digest was approved, so that nobody knows what differs; the rows then hold the whole part. */
  readonly digests?: Readonly<{ present: string; approved: string }>
  readonly counts?: Readonly<{ present: number; approved: number }>
  readonly rows: readonly Readonly<{ key: string; present: unknown; approved?: unknown }>[]
}

/** For each target, how it differs from the approval; undefined if it does not. */
export function compareWithApproval(
  approval: Approval,
  parts: readonly PlannedPart[]
): readonly (Difference | undefined)[] {
  if (typeof approval === 'string') {
    const { digest } = planOutputOf(parts)
    if (digest === approval) return parts.map(() => undefined)
    const digests = { present: digest, approved: approval }
    return parts.map(part => ({ digests, rows: KEYS.map(key => ({ key, present: part[key] })) }))
  }
  const counts = { present: parts.length, approved: approval.length }
  const isOther = counts.present !== counts.approved
  return parts.map((part, index) => {
    const approved = approval[index] ?? part
    const rows = KEYS.filter(key => approved[key] !== part[key]).map(key => {
      return { key, present: part[key], approved: approved[key] }
    })
    if (isOther) return { counts, rows }
    return rows.length === 0 ? undefined : { rows }
  })
}
