// What happened, in one shape for every reader: as lines of the log, and as outputs for later steps.
import type { Log } from '../runner/runner.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { VERSION_FIELDS } from '../shop/version.ts'
import { type PlannedPart, planOutputOf } from './approval.ts'

/** What an outcome is called, and how the log tells it; from the worst to the best, since no good end hides a bad one. */
export const OUTCOMES = {
  unknown: { mark: '⚠️', title: 'Outcome unknown', level: 'error' },
  failed: { mark: '❌', title: 'Not published', level: 'error' },
  published: { mark: '✅', title: 'Published', level: 'info' },
  skipped: { mark: '⏭️', title: 'Skipped', level: 'notice' },
  settled: { mark: '✅', title: 'Recorded, nothing sent', level: 'info' },
  planned: { mark: '📋', title: 'Plan, nothing sent', level: 'info' },
  checked: { mark: '✅', title: 'Checked, nothing published', level: 'info' },
  audited: { mark: '✅', title: 'Every release is published', level: 'info' }
} as const
export type OutcomeWord = keyof typeof OUTCOMES
/** Why, in stable words, from the event to the run itself; `docs/troubleshooting.md` has an entry for each. */
export const REASONS = [
  ...(['draft', 'event', 'event-action', 'not-prerelease', 'prerelease'] as const),
  ...(['bad-file', 'bad-input', 'file-changed', 'file-version', 'no-changelog'] as const),
  ...(['no-file', 'not-approved', 'several-files'] as const),
  ...(['already-published', 'busy', 'different-content', 'github', 'in-doubt'] as const),
  ...(['lower-version', 'missing', 'no-deployments', 'permission', 'withheld'] as const),
  ...(['inconclusive', 'no-answer', 'not-sent', 'rejected', 'strange-answer'] as const),
  ...(['cancelled', 'internal'] as const)
] as const
export type Reason = '' | (typeof REASONS)[number]

/** What was published, or was to be: known as far as the run got. */
export interface Subject {
  readonly route: Route
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  /** What was taken out of the notes for buyers, in a sentence. */
  readonly removed?: string
  /** As a user names it. */
  readonly file?: string
  readonly size?: number
  readonly contents?: string
  readonly sha256?: string | undefined
}

/** How it ended for one target, and what to do now, if anything. */
export interface Report {
  readonly outcome: OutcomeWord
  /** Replaces the title of the outcome. */
  readonly heading?: string
  readonly reason: Reason
  readonly message: string
  readonly advice: string
  /** The fields of the version record that are known. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject?: Subject
  readonly plan?: PlannedPart
  /** The changelog as buyers see it, in HTML that was cleaned. */
  readonly preview?: string
  readonly complaints: readonly Fault[]
  /** What was looked at, for the summary: rows of cells, each as it is, not as Markdown. */
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly string[][] }
  /** Whether the log and the summary may show `download_url`. */
  readonly showLink: boolean
}

/** One report for each target, or one for all of them. */
export type Reports = readonly [Report, ...Report[]]

/** A report of something that ended before the service had a version. */
export function ended(outcome: OutcomeWord, reason: Reason, message: string, advice = ''): Report {
  return { outcome, reason, message, advice, fields: {}, complaints: [], showLink: false }
}

/** The report that counts for all: of the worst outcome, the first. */
export function worstOf(reports: Reports): Report {
  const rank = ({ outcome }: Report) => Object.keys(OUTCOMES).indexOf(outcome)
  return reports.reduce((worst, report) => (rank(report) < rank(worst) ? report : worst))
}

/** Logs how a target ended, where the run's page shows it; `name` tells it from others, if there are some. */
export function logReport(log: Log, report: Report, name = ''): void {
  const { outcome, message, advice, fields, subject, complaints, showLink } = report
  const { level, title } = OUTCOMES[outcome]
  const text = advice === '' ? message : `${message}\n${advice}`
  if (level === 'info') log.info(text)
  else log[level](text, `${report.heading ?? title}${name && `: ${name}`}`)
  if (outcome === 'published') {
    if (subject?.sha256) log.info(`  sha256     ${subject.sha256}`)
    if (showLink && fields.download_url) log.info(`  download   ${fields.download_url}`)
  }
  // The log does not show titles.
  for (const one of complaints) log.error(describeFault(one), one.place)
}

/** Every output, as action.yml declares them. */
export const OUTPUT_NAMES = [
  ...(['outcome', 'reason', 'version_id'] as const),
  ...VERSION_FIELDS,
  ...(['sha256', 'size', 'plan', 'plan_digest', 'versions'] as const)
]

/** Every output, in the declared order: `versions` has `targets` objects, the others are those of the first. */
export function outputsOf(reports: Reports, targets: number = reports.length) {
  const { outcome, reason } = worstOf(reports)
  const versions = Array.from({ length: targets }, (_, at) => versionOf(reports[at] ?? reports[0]))
  const { json: plan, digest: plan_digest } = planOf(reports) ?? {}
  const own = { outcome, reason, plan, plan_digest, versions: stringify(versions) }
  const values: Readonly<Record<string, unknown>> = { ...versions[0], ...own }
  return OUTPUT_NAMES.map(name => [name, textOf(values[name])] as const)
}

/** The plan, when every target was planned. */
export function planOf(reports: Reports) {
  const parts = reports.flatMap(({ plan }) => plan ?? [])
  return parts.length === reports.length ? planOutputOf(parts) : undefined
}

function versionOf({ outcome, reason, subject, fields }: Report) {
  const { sha256 = null, size = null } = subject ?? {}
  const unknown = Object.fromEntries(VERSION_FIELDS.map(field => [field, null]))
  return { ...unknown, ...fields, outcome, reason, version_id: fields.id ?? null, sha256, size }
}

/** GitHub takes 1 MiB for all outputs of a job, counted in UTF-16; the job has other steps. */
const LIMIT = 1_000_000

/** The reports with outputs that a job can pass on: without their changelogs, where those are too long. */
export function fitOutputs(reports: Reports): Reports {
  const length = outputsOf(reports).reduce((sum, [, value]) => sum + value.length, 0)
  if (2 * length <= LIMIT) return reports
  const shorten = (report: Report) => ({ ...report, fields: { ...report.fields, changelog: null } })
  const [first, ...others] = reports
  return [shorten(first), ...others.map(shorten)]
}

/** A field's value as an output: null and absent become empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : stringify(value)
}

/** JSON that keeps the digits of integers too large for a number. */
function stringify(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
  return `{${members.map(([key, it]) => `${JSON.stringify(key)}:${stringify(it)}`).join(',')}}`
}
