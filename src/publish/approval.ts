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
export function planOutputOf(parts: readonly PlannedPart[]) {
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

/** For each target, how it differs from the approval, a line for each key; undefined if it does not. */
export function whyNotApproved(approval: Approval, present: readonly PlannedPart[]) {
  const shown = (part: PlannedPart, key: PartKey) => `  ${key}: ${JSON.stringify(part[key])}`
  if (typeof approval === 'string') {
    const { digest } = planOutputOf(present)
    if (digest === approval) return present.map(() => undefined)
    const head = `The digest of the plan is ${digest}, and ${approval} was approved. What would be sent now, to compare with the summary of the approved plan:`
    return present.map(part => [head, ...KEYS.map(key => shown(part, key))].join('\n'))
  }
  const { length } = approval
  const counts =
    length === present.length ? [] : [`  targets: ${present.length}, approved: ${length}`]
  return present.map((part, index) => {
    const approved = approval[index] ?? part
    const differing = KEYS.filter(key => approved[key] !== part[key]).map(
      key => `${shown(part, key)}, approved: ${JSON.stringify(approved[key])}`
    )
    const lines = ['This differs from the approved plan:', ...counts, ...differing]
    return lines.length === 1 ? undefined : lines.join('\n')
  })
}
