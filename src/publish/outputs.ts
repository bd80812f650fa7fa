// Reports as outputs for later steps, as long as a job can pass them on. Pure.
import { VERSION_FIELDS } from '../shop/version.ts'
import { type PlanOutput, planOutputOf } from './approval.ts'
import { type Report, type Reports, worstOf } from './report.ts'

/** Every output, as action.yml declares them. */
export const OUTPUT_NAMES = [
  'outcome',
  'reason',
  'version_id',
  ...VERSION_FIELDS,
  'sha256',
  'size',
  'plan',
  'plan_digest',
  'versions'
] as const

export type OutputName = (typeof OUTPUT_NAMES)[number]

/**
 * Every output with its value, in the declared order; the single ones are those of the first target. `versions`
 * has an object for each of the targets, also where one report is for all of them.
 */
export function outputsOf(
  reports: Reports,
  targets: number = reports.length
): (readonly [OutputName, string])[] {
  const { outcome, reason } = worstOf(reports)
  const records = Array.from({ length: targets }, (_, index) =>
    recordOf(reports[index] ?? reports[0])
  )
  const plan = planOf(reports)
  const own = { outcome, reason, plan: plan?.json, plan_digest: plan?.digest }
  const first = { ...records[0], ...own }
  return OUTPUT_NAMES.map(name => {
    const value = name === 'versions' ? stringify(records) : textOf(Reflect.get(first, name))
    return [name, value] as const
  })
}

/** The plan, when every target was planned. */
export function planOf(reports: Reports): PlanOutput | undefined {
  const parts = reports.flatMap(({ plan }) => plan ?? [])
  return parts.length === reports.length ? planOutputOf(parts) : undefined
}

/** One object for every target has every output, null where it is not known. */
function recordOf({ outcome, reason, subject, fields }: Report): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(VERSION_FIELDS.map(field => [field, null])),
    ...fields,
    outcome,
    reason,
    version_id: fields.id ?? null,
    sha256: subject?.sha256 ?? null,
    size: subject?.size ?? null
  }
}

/** GitHub takes 1 MiB for all outputs of a job, counted in UTF-16; the job has other steps. */
const LIMIT = 1_000_000
/** So many fields are named in a warning. */
const NAMED = 10
const DOCUMENTED: ReadonlySet<string> = new Set(VERSION_FIELDS)

/** The reports without their longest fields, so that the outputs fit, and a warning that names those. */
export function fitOutputs(reports: Reports): {
  readonly fitting: Reports
  /** Empty when everything fits. */
  readonly leftOut: string
} {
  let excess = outputsOf(reports).reduce((bytes, [, value]) => bytes + 2 * value.length, -LIMIT)
  const longestFirst = reports
    .flatMap(({ fields }, index) =>
      Object.entries(fields).map(([field, value]) => ({
        index,
        field,
        gain: gainOf(field, value, index)
      }))
    )
    .toSorted((a, b) => b.gain - a.gain)
  const dropped = longestFirst.filter(({ gain }) => {
    const needed = excess > 0
    if (needed) excess -= gain
    return needed
  })
  if (dropped.length === 0) return { fitting: reports, leftOut: '' }
  const without = (report: Report, index: number): Report => {
    const names = new Set(dropped.filter(it => it.index === index).map(({ field }) => field))
    const kept = Object.entries(report.fields).filter(([name]) => !names.has(name))
    return { ...report, fields: Object.fromEntries(kept) }
  }
  const [first, ...others] = reports
  const fitting: Reports = [without(first, 0), ...others.map((it, index) => without(it, index + 1))]
  const names = dropped
    .slice(0, NAMED)
    .map(({ index, field }) => (reports.length > 1 ? `${field} of versions[${index}]` : field))
  const more = dropped.length > NAMED ? ` and ${dropped.length - NAMED} more` : ''
  const leftOut =
    'The outputs of a job may have 1 MB in all, so these are left empty, and null in `versions`: ' +
    `${names.join(', ')}${more}. The changelog that was sent is in the log, ` +
    'and the record is in the shop.'
  return { fitting, leftOut }
}

/** The bytes that a field takes: in `versions`, where null stays of a documented one, and as the first target's. */
function gainOf(field: string, value: unknown, index: number): number {
  const documented = DOCUMENTED.has(field)
  const kept = documented ? 'null'.length : -JSON.stringify(field).length
  const single = documented && index === 0 ? textOf(value).length : 0
  const copies = field === 'id' ? 2 : 1
  return 2 * copies * (single + stringify(value).length - kept)
}

/** A field's value as an output: null and absent become empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : stringify(value)
}

/** JSON that keeps the digits of integers too large for a number. */
export function stringify(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${stringify(inner)}`
  )
  return `{${entries.join(',')}}`
}
