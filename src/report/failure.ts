// What ended a run early: the one place where errors are caught, and become a result.
import { GitHubError } from '../github/github.ts'
import { CancelledError, uncaughtErrorOf } from '../http/exchange.ts'
import { CommitWithheld } from '../ledger/commit-point.ts'
import { ActionError, type Reason } from '../runner/action-error.ts'
import { AGAIN, adviseNewStart, advisePermission, nothingDone, type RunFacts } from './guidance.ts'
import { type Result, resultOf } from './result.ts'

/** A release that is not meant for this run, or a version that is there: the step stays green. */
const SKIPS: readonly Reason[] = ['event-action', 'prerelease', 'not-prerelease']
/** What a re-run cannot mend: it uses the workflow file of the first attempt. */
const NEEDS_NEW_START: readonly Reason[] = ['bad-input', 'commit', 'several-files', 'file-version']

/**
 * The result of an error before anything was published; `reason` is what aborted the run's signal, if anything did.
 */
export function resultOfError(error: unknown, facts: RunFacts, cancelled: AbortSignal): Result {
  const uncaught = cancelled.aborted ? uncaughtErrorOf(cancelled.reason) : undefined
  if (uncaught) return internal(uncaught)
  const fail = (reason: Reason, why: string, advice: string) =>
    resultOf('failed', `${nothingDone(facts)}: ${why}.`, { reason, advice })
  if (error instanceof ActionError) {
    const { reason, message, complaints } = error
    const anew = NEEDS_NEW_START.includes(reason) ? adviseNewStart(facts) : ''
    const advice = error.advice || anew
    return resultOf(SKIPS.includes(reason) ? 'skipped' : 'failed', message, {
      ...{ reason, advice, complaints }
    })
  }
  if (error instanceof CancelledError || cancelled.aborted) {
    return fail('cancelled', 'the run was cancelled', '')
  }
  if (error instanceof CommitWithheld) {
    return fail('withheld', `the last bytes were held back, since ${error.message}`, AGAIN)
  }
  if (error instanceof GitHubError) {
    if (error.missingPermission) {
      const why = `the job may not use deployments, which record what is published (${error.message})`
      return fail('permission', why, advisePermission(facts))
    }
    const advice = error.denied
      ? 'Check that `github-token` can read this repository, or leave it out.'
      : AGAIN
    return fail('github', `a request to GitHub failed (${error.message})`, advice)
  }
  return internal(error)
}

/** The result of a bug; `isDoubtful`: the version may be published nevertheless. */
export function internal(error: unknown, isDoubtful = false): Result {
  const what = error instanceof Error ? error.message : String(error)
  const doubt = isDoubtful ? 'The shop may have published it. ' : ''
  return resultOf(
    isDoubtful ? 'unknown' : 'failed',
    `${doubt}This should not have happened: ${what}`,
    {
      reason: 'internal',
      advice:
        'Look in the shop’s admin dashboard for this version before you run this job again, and report this with the log of a run in debug mode.'
    }
  )
}
