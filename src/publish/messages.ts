// In words: the problems that keep a run from starting, and the errors that end a run or a target.
import { FileFault } from '../file/fault.ts'
import { GitHubError } from '../github/github.ts'
import { adviceFor } from '../http/errors.ts'
import { CancelledError, ProxyError } from '../http/exchange.ts'
import { Withheld } from '../ledger/steps.ts'
import type { Runner } from '../runner/runner.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import { tagOfRun } from './naming.ts'
import { ended, type OutcomeWord, type Reason, type Report } from './report.ts'

export const AGAIN = 'Run this job again.'
/** For what a re-run cannot mend, as it uses the workflow file of the first attempt; see `completeAdvice`. */
export const START_AGAIN = 'Fix the workflow on your default branch, and start it by hand.'
const FOUND = '`published` if the version is there, or `not-published` if it is not'
/** For a version in doubt. Of several targets, it must not settle the others. */
export const SETTLE_BY_HAND = `run a workflow by hand that has this step for this product alone, with \`mode: settle\` and \`settle-as\`: ${FOUND}.`

/**
 * An advice that says where to click, with what is known of this run filled in. `isSingle`: whether the run has one
 * target.
 */
export function completeAdvice(advice: string, runner: Runner, isSingle: boolean): string {
  const { context, input } = runner
  const tag = tagOfRun(runner)
  const given = input('mode')
  const mode = MODES.has(given) ? given : 'publish'
  const page = pageOf(context, 'README.md#run-it-by-hand')
  const button = page ? `[Add it](${page})` : 'This action’s README shows it: “Run it by hand”'
  const press = (chosen: string) => {
    const values = `mode \`${chosen}\`${tag && ` and tag \`${tag}\``}`
    return `Actions → ${context.workflow || 'this workflow'} → Run workflow with ${values}`
  }
  const isProposed = context.eventName.startsWith('pull_request')
  const again = isProposed
    ? 'Push the correction to this pull request.'
    : `Fix the workflow on your default branch. Then ${press(mode)}. No such button? ${button}.`
  const settling = `${press('settle')}, and settle-as ${FOUND}. No such button? ${button}.`
  return advice
    .replaceAll(START_AGAIN, () => again)
    .replaceAll(SETTLE_BY_HAND, () => (isSingle ? settling : SETTLE_BY_HAND))
}

/** The address of a page of this action's documentation; empty for an action without a repository of its own. */
export function pageOf(
  { serverUrl, actionRepository, actionRef }: Runner['context'],
  page: string
): string {
  return actionRepository && `${serverUrl}/${actionRepository}/blob/${actionRef || 'HEAD'}/${page}`
}

/** Something that has to be fixed first; without a `reason` it is `bad-input`. */
export type Problem = Fault & { readonly reason?: Reason }

/** The report of what has to be fixed first. A single problem becomes the message itself. */
export function problemReport(problems: readonly Problem[], runner: Runner): Report {
  const [first, second] = problems
  const { place = '' } = first ?? {}
  const reasons = new Set(problems.map(problem => problem.reason ?? 'bad-input'))
  const [reason = 'bad-input'] = reasons.size === 1 ? reasons : []
  const advice = againIn(place, reason, runner)
  if (first && !second) return ended('failed', reason, describeFault(first), advice)
  const nothing = nothingDone(runner.input('mode'))
  const message = `${nothing}: ${problems.length} problems have to be fixed first.`
  return { ...ended('failed', reason, message, advice), complaints: problems }
}

/** How to run again with the correction; empty where a plain re-run, or nothing special, will do. */
function againIn(place: string, reason: Reason, { input }: Runner): string {
  const isElsewhere = ['bad-file', 'no-changelog'].includes(reason) || place.endsWith('token')
  if (isElsewhere || ['check', 'audit'].includes(input('mode'))) return ''
  const isTyped = place === 'tag' || place === 'approved-plan'
  return isTyped ? `Start the workflow again with the right \`${place}\`.` : START_AGAIN
}

/** The report of an error after which certainly nothing was published; undefined for any other. */
export function explainKnown(error: unknown): Report | undefined {
  const stopped = (reason: Reason, why: string, advice = '') =>
    ended('failed', reason, `Nothing was published. ${why}`, advice)
  if (error instanceof FileFault) return stopped(error.reason, error.message)
  if (error instanceof CancelledError) return stopped('cancelled', 'The run was stopped early.')
  if (error instanceof Withheld) {
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return stopped('withheld', `The last bytes were held back: ${error.message}${why}.`, AGAIN)
  }
  return undefined
}

/** For each mode but `publish`: the verb for what was not done, and the heading of a failure. */
export const MODES = new Map([
  ['audit', { done: 'compared', failed: 'Audit failed' }],
  ['check', { done: 'checked', failed: 'Check failed' }],
  ['plan', { done: 'planned', failed: 'Nothing planned' }],
  ['settle', { done: 'recorded', failed: 'Settling failed' }]
])

/** What did not happen, by the mode, such as `Nothing was planned`. */
export function nothingDone(mode: string): string {
  return `Nothing was ${MODES.get(mode)?.done ?? 'published'}`
}

/** The report of what was thrown in a run or a target; `outcome` is for errors that are bugs. */
export function explainStop(error: unknown, runner: Runner, outcome: OutcomeWord): Report {
  const isGitHub = error instanceof GitHubError
  const known = explainKnown(isGitHub && runner.cancelled.aborted ? new CancelledError() : error)
  if (known) return known
  if (isGitHub) {
    const nothing = nothingDone(runner.input('mode'))
    const message = `${nothing}, since a request to GitHub failed (${error.message}).`
    return ended('failed', 'github', message, adviseOnGitHub(error))
  }
  const { message: what, stack = '' } = error instanceof Error ? error : new Error(String(error))
  runner.debug(stack)
  const message = `This should not have happened: ${what}`
  const advice =
    'Check the shop’s admin dashboard for this version, and report this bug with the log of a run with debug logging.'
  return ended(outcome, 'internal', message, advice)
}

export const PERMISSION_ADVICE = `Add these lines to the job, and keep its other permissions:
    permissions:
      contents: read
      deployments: write
${START_AGAIN}`

/** In a plan, where no release of a tag is seen: what to do if it has a draft. */
export const DRAFT_ADVICE =
  'If its release is a draft, add `contents: write` to the permissions of this job, and start the workflow again: ' +
  'GitHub shows drafts only with it, and `mode: plan` writes nothing.'

/** What to do when GitHub does not answer as it should. */
export function adviseOnGitHub(error: Error): string {
  if (!(error instanceof GitHubError)) return AGAIN
  if (error.cause instanceof ProxyError) return adviceFor(error.cause, '')
  if (error.status === 401) {
    return 'Check `github-token`: GitHub does not accept it. Without that input the job’s own token is used.'
  }
  if (error.missingPermission) return PERMISSION_ADVICE
  return error.denied
    ? 'Check that `github-token` can read this repository (`contents: read`).'
    : AGAIN
}
