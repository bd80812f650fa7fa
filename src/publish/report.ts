// What happened, in one shape for every reader, and as lines of the log.
import type { Log } from '../runner/runner.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import type { PlannedPart } from './approval.ts'

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

/** Why; stable words for machines. `docs/troubleshooting.md` has an entry for each. */
export const REASONS = [
  'already-published',
  'bad-file',
  'bad-input',
  'busy',
  'cancelled',
  'different-content',
  'draft',
  'event',
  'event-action',
  'file-changed',
  'file-version',
  'github',
  'in-doubt',
  'inconclusive',
  'internal',
  'lower-version',
  'missing',
  'no-answer',
  'no-changelog',
  'no-deployments',
  'no-file',
  'not-approved',
  'not-prerelease',
  'not-sent',
  'permission',
  'prerelease',
  'rejected',
  'several-files',
  'strange-answer',
  'withheld'
] as const

/** Empty when there is nothing to explain. */
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
  /** What is in it, for an archive. */
  readonly contents?: string
  readonly sha256?: string
}

/** How it ended for one target. */
export interface Report {
  readonly outcome: OutcomeWord
  /** What it is called, where that is not what the outcome is called in general. */
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
  /** What is wrong in particular; each gets an annotation of its own. */
  readonly complaints: readonly Fault[]
  /** What was looked at, for the summary: rows of cells, each as it is, not as Markdown. */
  readonly table?: {
    readonly head: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }
  /** Whether the log and the summary may show `download_url`. */
  readonly showLink: boolean
}

/** One report for each target, and at least one. */
export type Reports = readonly [Report, ...Report[]]

/** A report of something that ended before the service had a version. */
export function endedEarly(
  outcome: OutcomeWord,
  reason: Reason,
  message: string,
  advice = '',
  subject?: Subject
): Report {
  const base = { outcome, reason, message, advice, fields: {}, complaints: [], showLink: false }
  return subject ? { ...base, subject } : base
}

/** The report that counts for all: of the worst outcome, the first. */
export function worstOf(reports: Reports): Report {
  const rank = ({ outcome }: Report) => Object.keys(OUTCOMES).indexOf(outcome)
  return reports.reduce((worst, report) => (rank(report) < rank(worst) ? report : worst))
}

/** Something that has to be fixed first, and the word for it if it is the only one. */
export interface Problem extends Fault {
  readonly reason?: Reason
}

/** What a change of the workflow needs to take effect. */
export const START_AGAIN =
  'After you change the workflow on your default branch, start it by hand with this tag (Actions, your workflow, ' +
  '“Run workflow”): a re-run would use the workflow file as it was.'

/** What is fixed elsewhere than in the workflow. */
const ELSEWHERE: readonly Reason[] = ['bad-file', 'no-changelog']

/** The report of what has to be fixed first. One problem stands alone. */
export function problemReport(problems: readonly Problem[]): Report {
  const [first, ...others] = problems
  const reasons = new Set(problems.map(({ reason }) => reason ?? 'bad-input'))
  const [reason = 'bad-input'] = reasons.size === 1 ? reasons : []
  const advice = ELSEWHERE.includes(reason) ? '' : START_AGAIN
  if (first && others.length === 0) {
    return endedEarly('failed', reason, describeFault(first), advice)
  }
  const message = `Nothing was published: ${problems.length} problems have to be fixed first.`
  return { ...endedEarly('failed', reason, message, advice), complaints: problems }
}

/** Logs how a target ended, where the run's page shows it; `name` tells it from others, if there are some. */
export function logReport(log: Log, report: Report, name = ''): void {
  const { outcome, message, advice, fields, subject } = report
  const { level, title } = OUTCOMES[outcome]
  const called = report.heading ?? title
  const text = advice === '' ? message : `${message}\n${advice}`
  if (level === 'info') log.info(text)
  else log[level](text, name === '' ? called : `${called}: ${name}`)
  if (outcome === 'published') {
    if (subject?.sha256) log.info(`  sha256     ${subject.sha256}`)
    if (report.showLink && fields.download_url) log.info(`  download   ${fields.download_url}`)
  }
  // The log does not show titles.
  for (const one of report.complaints) log.error(describeFault(one), one.place)
}
