// What happened, in one shape for every reader, and as lines of the log.
import { strayError } from '../http/exchange.ts'
import type { Log } from '../runner/runner.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import type { PlannedPart } from './approval.ts'

/** From the worst to the best; one bad end is not hidden by good ones. */
const OUTCOMES = [
  ...(['unknown', 'failed', 'published', 'skipped'] as const),
  ...(['settled', 'planned', 'checked', 'audited'] as const)
] as const

export type OutcomeWord = (typeof OUTCOMES)[number]

/** Why; stable words for machines. */
export type Reason =
  | ''
  | 'already-published'
  | 'bad-file'
  | 'bad-input'
  | 'busy'
  | 'cancelled'
  | 'different-content'
  | 'draft'
  | 'event'
  | 'event-action'
  | 'file-changed'
  | 'file-version'
  | 'github'
  | 'in-doubt'
  | 'lower-version'
  | 'missing'
  | 'inconclusive'
  | 'internal'
  | 'no-answer'
  | 'no-changelog'
  | 'no-deployments'
  | 'no-file'
  | 'not-approved'
  | 'not-prerelease'
  | 'not-sent'
  | 'permission'
  | 'prerelease'
  | 'rejected'
  | 'several-files'
  | 'strange-answer'
  | 'withheld'

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
  /** What is in it, for an archive. */
  readonly contents?: string
  readonly sha256?: string
}

/** One message of its own at the top of the workflow's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

/** Rows of cells, each as it is, not as Markdown. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
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
  /** What was planned, to be approved. */
  readonly plan?: PlannedPart
  /** The changelog as buyers see it, in HTML that was cleaned. */
  readonly preview?: string
  readonly annotations: readonly Annotation[]
  /** What was looked at, for the summary. */
  readonly table?: Table
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

/** The report that counts for all: of the worst outcome, the first. */
export function worstOf(reports: Reports): Report {
  const rank = ({ outcome }: Report) => OUTCOMES.indexOf(outcome)
  return reports.reduce((worst, report) => (rank(report) < rank(worst) ? report : worst))
}

/** Something that has to be fixed first, and the word for it if it is the only one. */
export interface Problem extends Fault {
  readonly reason?: Reason
}

/** The report of what has to be fixed first. One problem stands alone; each of several is an annotation. */
export function problemReport(problems: readonly Problem[]): Report {
  const [first, ...others] = problems
  const reasons = new Set(problems.map(({ reason }) => reason ?? 'bad-input'))
  const [reason = 'bad-input'] = reasons.size === 1 ? reasons : []
  if (first && others.length === 0) return endedEarly('failed', reason, describeFault(first))
  const message = `Nothing was published: ${problems.length} problems have to be fixed first.`
  const annotations = problems.map(problem => {
    return { kind: 'error' as const, title: problem.place, message: problem.message }
  })
  return { ...endedEarly('failed', reason, message), annotations }
}

/** Logs how a target ended, where the run's page shows it; `name` tells it from others, if there are some. */
export function logReport(log: Log, report: Report, name = ''): void {
  const { outcome, annotations, advice, fields, showLink, subject } = report
  const text = advice === '' ? report.message : `${report.message}\n${advice}`
  const titled = (title: string) => (name === '' ? title : `${title}: ${name}`)
  switch (outcome) {
    case 'published':
      log.info(text)
      if (subject?.sha256) log.info(`  sha256     ${subject.sha256}`)
      if (showLink && fields.download_url) log.info(`  download   ${fields.download_url}`)
      break
    case 'settled':
    case 'planned':
    case 'checked':
    case 'audited':
      log.info(text)
      break
    case 'skipped':
      log.notice(text, titled('Skipped'))
      break
    case 'failed':
      // First: of many problems each has an annotation of its own, and the page shows ten at most.
      log.error(text, titled(report.heading ?? 'Not published'))
      break
    case 'unknown':
      log.error(text, titled('Outcome unknown'))
  }
  for (const { kind, title, message } of annotations) {
    // The log does not show titles.
    log[kind](describeFault({ place: title, message }), title)
  }
}

/** The same reports without credentials, since what is escaped later hides them from the runner's masks. */
export function withoutSecrets(reports: Reports, conceal: Conceal): Reports {
  const [first, ...others] = reports
  return [concealIn(first, conceal), ...others.map(report => concealIn(report, conceal))]
}

type Conceal = (text: string) => string

function concealIn(report: Report, conceal: Conceal): Report {
  const { subject, preview, table } = report
  const about = subject && {
    ...subject,
    versionName: conceal(subject.versionName),
    title: conceal(subject.title),
    changelog: conceal(subject.changelog)
  }
  return {
    ...report,
    message: conceal(report.message),
    advice: conceal(report.advice),
    annotations: report.annotations.map(({ kind, title, message }) => {
      return { kind, title: conceal(title), message: conceal(message) }
    }),
    fields: concealMembers(report.fields, conceal),
    ...(about ? { subject: about } : {}),
    ...(preview === undefined ? {} : { preview: conceal(preview) }),
    ...(table ? { table: { ...table, rows: table.rows.map(row => row.map(conceal)) } } : {})
  }
}

/** The names, too: the service may send any. Ids that no number can hold stay what they are. */
function concealMembers(object: object, conceal: Conceal): Readonly<Record<string, unknown>> {
  const entries = Object.entries(object)
  return Object.fromEntries(
    entries.map(([name, value]) => [conceal(name), concealValue(value, conceal)])
  )
}

function concealValue(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value)
  if (Array.isArray(value)) return value.map(item => concealValue(item, conceal))
  return typeof value === 'object' && value !== null ? concealMembers(value, conceal) : value
}

/** What an error that nobody caught stopped was not cancelled: the report names the error. */
export function blameStray(report: Report, { reason }: AbortSignal): Report {
  const stray = strayError(reason)
  if (!stray || report.reason !== 'cancelled') return report
  return {
    ...report,
    reason: 'internal',
    message: `Nothing was published. This should not have happened: ${stray.message}`,
    advice: 'Report this with the log of a run in debug mode.'
  }
}
