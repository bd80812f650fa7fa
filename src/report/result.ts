// How a run ended, in one shape: each mode returns one, an error that ended it early becomes one in one place, and this
// folder puts it into log, outputs and summary.

import { GitHubError } from '../github/github-error.ts'
import { CommitWithheld } from '../ledger/commit-point.ts'
import type { TaggedRelease } from '../release/find-release.ts'
import { ActionError, type Complaint, type Reason } from '../runner/action-error.ts'
import { CancelledError, uncaughtErrorOf } from '../runner/cancellation.ts'
import { messageOf } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'
import type { Asked } from './asked.ts'
import { describePermissionRemedy, describeRemedy } from './guidance.ts'
import { rulesOf } from './modes.ts'

/** How the log and the summary show an outcome. */
interface OutcomeStyle {
  readonly mark: string
  /** The heading; a failed mode has its own. */
  readonly title: string
  readonly level: 'info' | 'notice' | 'error'
}

/** The outcomes. */
export const OUTCOMES = {
  published: { mark: '✅', title: 'Published', level: 'info' },
  skipped: { mark: '⏭️', title: 'Skipped', level: 'notice' },
  planned: { mark: '📋', title: 'Plan, nothing sent', level: 'info' },
  checked: { mark: '✅', title: 'Checked, nothing published', level: 'info' },
  marked: { mark: '✅', title: 'Marked, nothing sent', level: 'info' },
  failed: { mark: '❌', title: 'Not published', level: 'error' },
  unknown: { mark: '⚠️', title: 'Outcome unknown', level: 'error' }
} as const satisfies Record<string, OutcomeStyle>
type Outcome = keyof typeof OUTCOMES

/** The version that a run is about, as far as the run got. */
export interface Subject {
  readonly tagged?: TaggedRelease
  readonly versionName?: string
  readonly title?: string
  readonly changelog?: string
  /** The pieces that were taken out of the changelog, as they were written. */
  readonly removed?: readonly string[]
  /** The contents of an archive, in a line. */
  readonly contents?: string
  readonly route?: Route
  /** The file's path, or the name of an attached file and the tag. */
  readonly file?: string
  /** In bytes. */
  readonly size?: number
  readonly sha256?: string
}

/** The end of a run; texts are plain, not Markdown. */
export interface Result {
  readonly outcome: Outcome
  /** Empty when all went well. */
  readonly reason: Reason | ''
  /** In place of the outcome's level. */
  readonly level?: 'warning'
  /** In place of the outcome's title. */
  readonly heading?: string
  readonly message: string
  /** Advice after a failure; empty if there is none, or the reason's row in the documentation says it all. */
  readonly advice: string
  /** The next step after a success; empty if there is none. */
  readonly next: string
  readonly complaints: readonly Complaint[]
  /** Commands that do what is advised without the button. */
  readonly commands: readonly string[]
  readonly subject: Subject
  /** The version's fields, as the shop answered them, or as far as they are recorded. */
  readonly versionFields: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** The parts of a result that may be left out. */
const NOTHING = {
  next: '',
  complaints: [],
  commands: [],
  subject: {},
  versionFields: {},
  warnings: []
}

/**
 * A finished result.
 * @param parts The others; each that is not given is empty.
 */
export function resultOf(
  outcome: Outcome,
  message: string,
  { reason = '', advice = '', ...rest }: Partial<Result> = {}
): Result {
  return Object.freeze({
    ...NOTHING,
    outcome,
    reason,
    message,
    advice,
    ...rest
  })
}

/** A release that is not meant for this run: the step stays green. */
const SKIPS: readonly Reason[] = ['event-action', 'prerelease', 'not-prerelease']
/** Reasons that only a correction of the workflow mends, where the error says nothing better. */
const IN_WORKFLOW: readonly Reason[] = ['bad-input', 'several-files']

/**
 * The result of an error before anything was published.
 * @param error What was thrown.
 * @param cancelled The run's signal; an uncaught error that aborted it comes first.
 */
export function resultOfError(error: unknown, asked: Asked, cancelled: AbortSignal): Result {
  const uncaught = cancelled.aborted ? uncaughtErrorOf(cancelled.reason) : undefined
  if (uncaught) return resultOfBug(uncaught)

  // In a canceled run, other errors only follow from that.
  const isFollowing = cancelled.aborted && !(error instanceof ActionError)
  const first = isFollowing ? new CancelledError() : error
  return explainError(first, asked) ?? resultOfBug(error)
}

/** Whether an error has words of its own, those of `explainError`: it is neither the network's nor a bug. */
export function hasOwnWords(error: unknown): boolean {
  const kinds = [ActionError, CancelledError, CommitWithheld, GitHubError]
  return kinds.some(kind => error instanceof kind)
}

/** The result of an error that has words of its own; undefined for all others. */
function explainError(error: unknown, asked: Asked): Result | undefined {
  if (error instanceof ActionError) return resultOfActionError(error, asked)

  const fail = (reason: Reason, why: string, advice: string) =>
    resultOf('failed', `${rulesOf(asked.mode).nothingDone}: ${why}.`, { reason, advice })

  if (error instanceof CancelledError) {
    // A step's `timeout-minutes` ends it by the same signal as a person does.
    return fail('cancelled', 'the run was canceled, or its time was up', '')
  }

  if (error instanceof CommitWithheld) {
    const again = describeRemedy('run again', asked)
    return fail('withheld', `the last bytes were held back because ${error.message}`, again)
  }

  if (error instanceof GitHubError && error.missingPermission) {
    const why = `the job lacks a permission (${error.message})`
    return fail('permission', why, describePermissionRemedy(asked, permissionFor(error, asked)))
  }
  if (error instanceof GitHubError) {
    const why = `a request to GitHub failed (${error.message})`
    return fail('github', why, describeGitHubRemedy(error, asked))
  }
  return undefined
}

function resultOfActionError(error: ActionError, asked: Asked): Result {
  const { reason, message } = error
  return resultOf(SKIPS.includes(reason) ? 'skipped' : 'failed', message, {
    reason,
    advice: adviceOf(error, asked),
    complaints: firstOf(error.complaints)
  })
}

/** The advice about an error, and how to go on. */
function adviceOf({ reason, advice, remedy }: ActionError, asked: Asked): string {
  const usual = advice === '' && IN_WORKFLOW.includes(reason) ? 'correct workflow' : undefined
  const chosen = remedy ?? usual
  const goingOn = chosen === undefined ? '' : describeRemedy(chosen, asked)
  return [advice, goingOn].filter(Boolean).join(' ')
}

/** How many complaints are shown. */
const COMPLAINTS_SHOWN = 50

/** The first complaints, and how many more there are: a shop may have one about each of 90,000 fields that nobody sent. */
function firstOf(complaints: readonly Complaint[]): readonly Complaint[] {
  const left = complaints.length - COMPLAINTS_SHOWN
  if (left <= 0) return complaints
  return [
    ...complaints.slice(0, COMPLAINTS_SHOWN),
    { place: `${left} more`, message: 'are not shown' }
  ]
}

/** The line of the permission that a call lacked. */
function permissionFor({ resource }: GitHubError, { mode }: Asked): string {
  return resource === 'deployments' ? `deployments: ${rulesOf(mode).permission}` : 'contents: read'
}

function describeGitHubRemedy({ denied, status }: GitHubError, asked: Asked): string {
  if (denied) return 'Check that `github-token` can read this repository, or leave it out.'
  return status === 422 ? 'Check that the tag exists.' : describeRemedy('run again', asked)
}

/** The result of a bug. */
export function resultOfBug(error: unknown, { mayBePublished = false } = {}): Result {
  const what = messageOf(error)
  const doubt = mayBePublished ? 'The shop may have published it. ' : ''
  return resultOf(
    mayBePublished ? 'unknown' : 'failed',
    `${doubt}This should not have happened: ${what}`,
    {
      reason: 'internal',
      advice:
        'Look in the shop’s admin dashboard for this version before you start another run, and report this with the log of a run in debug mode.'
    }
  )
}
