// Reports as outputs for later steps, as long as a job can pass them on. Pure.
import { VERSION_FIELDS } from '../shop/version.ts'
import { planOutputOf } from './approval.ts'
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
export function planOf(reports: Reports) {
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

/** The reports with outputs that a job can pass on: without their changelogs, where those are too long. */
export function fitOutputs(reports: Reports): Reports {
  const length = outputsOf(reports).reduce((sum, [, value]) => sum + value.length, 0)
  if (2 * length <= LIMIT) return reports
  const [first, ...others] = reports.map(report => {
    return { ...report, fields: { ...report.fields, changelog: null } }
  })
  return first ? [first, ...others] : reports
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
