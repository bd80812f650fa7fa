// What happened, in one shape for every reader, and as outputs for later steps. Pure.
import type { Route } from '../shop/publish.ts'
import { VERSION_FIELDS } from '../shop/version.ts'

export type OutcomeWord = 'published' | 'skipped' | 'planned' | 'checked' | 'failed' | 'unknown'

/** Why; stable words for machines. */
export type Reason =
  | ''
  | 'already-published'
  | 'bad-file'
  | 'bad-input'
  | 'cancelled'
  | 'crowded-out'
  | 'different-content'
  | 'draft'
  | 'event'
  | 'event-action'
  | 'file-changed'
  | 'file-version'
  | 'github'
  | 'in-doubt'
  | 'inconclusive'
  | 'internal'
  | 'no-answer'
  | 'no-changelog'
  | 'no-deployments'
  | 'no-file'
  | 'not-prerelease'
  | 'not-sent'
  | 'permission'
  | 'prerelease'
  | 'rejected'
  | 'several-files'
  | 'strange-answer'
  | 'withheld'

/** Every output, as `action.yml` declares them. */
export const OUTPUT_NAMES = [
  'outcome',
  'reason',
  'version_id',
  ...VERSION_FIELDS,
  'sha256',
  'size',
  'versions'
] as const

export type OutputName = (typeof OUTPUT_NAMES)[number]

/** What was published, or was to be: known as far as the run got. */
export interface Subject {
  readonly route: Route
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  /** As a user names it. */
  readonly file?: string
  readonly size?: number
  readonly sha256?: string
}

/** One message of its own at the top of the workflow's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

/** How it ended for one target. */
export interface Report {
  readonly outcome: OutcomeWord
  /** What a heading calls it, where that is not what the outcome is called in general. */
  readonly heading?: string
  readonly reason: Reason
  /** What happened, in a sentence or a few lines. */
  readonly message: string
  /** What to do now; empty when there is nothing. */
  readonly advice: string
  /** The fields of the version record that are known. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject?: Subject
  readonly annotations: readonly Annotation[]
  /** Whether the log and the summary may show `download_url`. */
  readonly showLink: boolean
}

/** One report for each target, and at least one. */
export type Reports = readonly [Report, ...Report[]]

/** A report of something that ended before there was a version. */
export function endedEarly(
  outcome: OutcomeWord,
  reason: Reason,
  message: string,
  advice = '',
  subject?: Subject
): Report {
  const base = { outcome, reason, message, advice, fields: {}, annotations: [], showLink: false }
  return subject ? { ...base, subject } : base
}

/** From the worst to the best; one bad end is not hidden by good ones. */
const SEVERITY: readonly OutcomeWord[] = [
  'unknown',
  'failed',
  'published',
  'skipped',
  'planned',
  'checked'
]

/** The report that speaks for all: of the worst outcome, the first. */
export function worstOf(reports: Reports): Report {
  const rank = ({ outcome }: Report) => SEVERITY.indexOf(outcome)
  return reports.reduce((worst, report) => (rank(report) < rank(worst) ? report : worst))
}

/**
 * Every output with its value, in the declared order; the single ones are those of the first target. `versions`
 * has an object for each of the targets, also where one report speaks for all of them.
 */
export function outputsOf(
  reports: Reports,
  targets: number = reports.length
): (readonly [OutputName, string])[] {
  const { outcome, reason } = worstOf(reports)
  const records = Array.from({ length: targets }, (_, index) =>
    recordOf(reports[index] ?? reports[0])
  )
  const first = { ...records[0], outcome, reason }
  return OUTPUT_NAMES.map(name => {
    const value = name === 'versions' ? stringify(records) : textOf(Reflect.get(first, name))
    return [name, value] as const
  })
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
