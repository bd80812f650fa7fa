// What happened to a target, in one shape, and how it becomes lines of the log and outputs for later steps.

import type { PlanOutput } from '../publish/approval.ts'
import type { TargetInputs } from '../publish/inputs.ts'
import type { Log } from '../runner/runner.ts'
import { describeFault, type Fault, textAt } from '../runner/values.ts'
import { VERSION_FIELDS } from '../shop/answer.ts'
import type { Route } from '../shop/publish.ts'

/** The outcomes, and how the log shows them. The order matters: worst first, and `worstOf` picks by it. */
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
const OF_RELEASE = ['draft', 'event', 'event-action', 'not-prerelease', 'prerelease'] as const
const OF_INPUTS = ['bad-input', 'commit', 'no-changelog', 'not-approved'] as const
const OF_FILE = ['bad-file', 'file-changed', 'file-version', 'no-file', 'several-files'] as const
const OF_RECORD = [
  'already-published',
  'busy',
  'contradicted',
  'different-content',
  'in-doubt',
  'withheld'
] as const
const OF_VERSIONS = [
  'lower-version',
  'missing',
  'no-deployments',
  'no-record',
  'permission'
] as const
const OF_SHOP = ['inconclusive', 'no-answer', 'not-sent', 'rejected', 'strange-answer'] as const
/** Why, in words that never change, since workflows compare them; `docs/troubleshooting.md` explains each. */
export const REASONS = [
  ...OF_RELEASE,
  ...OF_INPUTS,
  ...OF_FILE,
  ...OF_RECORD,
  ...OF_VERSIONS,
  ...OF_SHOP,
  'github',
  'cancelled',
  'internal'
] as const
export type Reason = '' | (typeof REASONS)[number]

/** What was published, or was to be, as far as the run got; `size` is in bytes. */
export interface Subject {
  readonly route: Route
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  /** What was taken out of the notes for buyers, each piece as it was written. */
  readonly removed?: readonly string[]
  /** The file's path, or an attached file's name and its tag. */
  readonly file?: string
  readonly size?: number
  readonly contents?: string
  readonly sha256?: string | undefined
}

/** What the end of a target is told of. */
export interface ToldTarget extends Subject {
  readonly target: TargetInputs
}

/** What is compared, for the summary; cells are plain text, not Markdown. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** How the file differs from the one that buyers have now; texts are plain, not Markdown. */
export interface Changes {
  /** The input that the file comes from. */
  readonly place: string
  /** What was found, or why nothing was compared, in a sentence. */
  readonly line: string
  readonly warnings: readonly string[]
  readonly tables: readonly Table[]
}

/** How it ended for one target; `advice` is what to do now, or empty. */
export interface Report {
  readonly outcome: OutcomeWord
  /** Shown in place of the outcome's title. */
  readonly heading?: string
  readonly reason: Reason
  readonly message: string
  readonly advice: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject?: Subject
  /** The changelog as buyers see it, in HTML that was cleaned. */
  readonly preview?: string
  readonly complaints: readonly Fault[]
  /** For the log, before all else, and for the summary. */
  readonly warnings?: readonly Readonly<{ text: string; title?: string }>[]
  readonly table?: Table
  readonly changes?: Changes
  /** Whether the log and the summary may show `download_url`. */
  readonly showLink: boolean
}

/** One report for each target, or one for all of them. */
export type Reports = readonly [Report, ...Report[]]

/** A report without a version record, complaints, or a link. */
export function ended(outcome: OutcomeWord, reason: Reason, message: string, advice = ''): Report {
  return { outcome, reason, message, advice, fields: {}, complaints: [], showLink: false }
}

/** The report that decides for the run: the first with the worst outcome. */
export function worstOf(reports: Reports): Report {
  const rank = ({ outcome }: Report) => Object.keys(OUTCOMES).indexOf(outcome)
  return reports.reduce((worst, report) => (rank(report) < rank(worst) ? report : worst))
}

/** The report with a warning that not all of it was told: words that fail change nothing about what happened. */
export function untold(report: Report, error: unknown): Report {
  const text = `Not all of this could be told: ${textAt(error, 'message')}`
  return { ...report, warnings: [...(report.warnings ?? []), { text }] }
}

/**
 * Logs how a target ended, as an annotation if it needs attention. `name` tells it from other targets. Returns the
 * report, with a warning if that failed: outputs and summary have it nevertheless, and other targets are waiting.
 */
export function logReport(log: Log, report: Report, name = ''): Report {
  try {
    printReport(log, report, name)
    return report
  } catch (error) {
    return untold(report, error)
  }
}

function printReport(log: Log, report: Report, name: string): void {
  const { outcome, message, advice, fields, subject, complaints, showLink, changes } = report
  if (changes) log.info(changes.line)
  for (const text of changes?.warnings ?? []) log.warning(`${changes?.place}: ${text}`)
  for (const { text, title } of report.warnings ?? []) log.warning(text, title)
  const { level, title } = OUTCOMES[outcome]
  const text = advice === '' ? message : `${message}\n${advice}`
  if (level === 'info') log.info(text)
  else log[level](text, `${report.heading ?? title}${name && `: ${name}`}`)
  if (outcome === 'published') {
    if (subject?.sha256) log.info(`  sha256     ${subject.sha256}`)
    const link = fieldText(fields.download_url)
    if (showLink && link !== '') log.info(`  download   ${link}`)
  }
  // The log does not show an annotation's title, so the text has the place, too.
  for (const one of complaints) log.error(describeFault(one), one.place)
}

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
]

/** Every output, in the declared order. `versions` has `targets` objects; the others are the first's. */
export function outputsOf(reports: Reports, targets: number = reports.length, plan?: PlanOutput) {
  const { outcome, reason } = worstOf(reports)
  const versions = Array.from({ length: targets }, (_, at) =>
    versionRecordOf(reports[at] ?? reports[0])
  )
  const planned = { plan: plan?.json, plan_digest: plan?.digest }
  const own = { outcome, reason, ...planned, versions: stringify(versions) }
  const values: Readonly<Record<string, unknown>> = { ...versions[0], ...own }
  return OUTPUT_NAMES.map(name => [name, fieldText(values[name])] as const)
}

function versionRecordOf({ outcome, reason, subject, fields }: Report) {
  const { sha256 = null, size = null } = subject ?? {}
  const unknown = Object.fromEntries(VERSION_FIELDS.map(field => [field, null]))
  return { ...unknown, ...fields, outcome, reason, version_id: fields.id ?? null, sha256, size }
}

/** In bytes of UTF-16. GitHub takes 1 MiB for all outputs of a job, and other steps have outputs, too. */
const OUTPUT_LIMIT = 1_000_000

const isDocumented = (field: string) => VERSION_FIELDS.some(known => known === field)
const OTHERS = 'the fields that the shop does not document'
/** What may be left out, the least first, with the fields that stay. */
const CUTS: readonly (readonly [what: string, stays: (field: string) => boolean])[] = [
  ['', () => true],
  ['changelog', field => field !== 'changelog'],
  [OTHERS, isDocumented],
  [`changelog, and ${OTHERS}`, field => field !== 'changelog' && isDocumented(field)],
  ['every field of the version but id', field => field === 'id']
]

/** What `fitOutputs` has left out, in a sentence. */
export function describeCut(leftOut: string): string {
  return (
    'The outputs of a job may have 1 MB in all, so this is left empty, and null or missing in `versions`: ' +
    `${leftOut}. The changelog that was sent is in the log.`
  )
}

/** The reports without what would take the outputs over the limit, and what that is in words; empty if nothing. */
export function fitOutputs(reports: Reports, plan?: PlanOutput) {
  let fitted = { fitting: reports, leftOut: '' }
  for (const [leftOut, stays] of CUTS) {
    const shorten = (report: Report): Report => {
      const fields = Object.entries(report.fields).filter(([field]) => stays(field))
      return { ...report, fields: Object.fromEntries(fields) }
    }
    const [first, ...others] = reports
    fitted = { fitting: [shorten(first), ...others.map(shorten)], leftOut }
    const outputs = outputsOf(fitted.fitting, reports.length, plan)
    const length = outputs.reduce((sum, [, value]) => sum + value.length, 0)
    if (2 * length <= OUTPUT_LIMIT) break
  }
  return fitted
}

/** A field's value as an output: text as it is, null and undefined as an empty text, all else as JSON. */
export function fieldText(value: unknown): string {
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
