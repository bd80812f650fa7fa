// What ends a run or a target early: the one union of failures, and what is said of each.
import { FileFault } from '../file/fault.ts'
import { GitHubError } from '../github/github.ts'
import { adviceFor } from '../http/errors.ts'
import { CancelledError, ProxyError } from '../http/exchange.ts'
import { NoDeployments } from '../ledger/deployments.ts'
import { UnreadableClaim } from '../ledger/record.ts'
import { Withheld } from '../ledger/steps.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import { ended, type Reason, type Report } from './outcome.ts'
import {
  AGAIN,
  adviseNewStart,
  advisePermission,
  deleteCommands,
  nothingDone,
  type RunFacts
} from './ways.ts'

/** The record on GitHub may not be used, does not exist there, has no such tag, or cannot be read or written. */
export type RecordFailure = Readonly<{
  kind: 'permission' | 'no deployments' | 'no tag' | 'record'
  error: Error
}>

export type Failure =
  | RecordFailure
  | Readonly<{ kind: 'cancelled' }>
  | Readonly<{ kind: 'file'; fault: FileFault }>
  /** The record did not let the run go on; `isSent`: when all but the last bytes of the request were sent. */
  | Readonly<{ kind: 'withheld'; error: Withheld; isSent: boolean }>
  | Readonly<{ kind: 'github'; error: GitHubError }>
  /** `isDoubtful`: it may have come after the last bytes. */
  | Readonly<{ kind: 'bug'; error: Error; isDoubtful: boolean }>

/** What was thrown; `isCancelled`: in a run that is to end early. `isDoubtful` is for errors that are bugs. */
export function failureOf(error: unknown, isCancelled: boolean, isDoubtful: boolean): Failure {
  const known = knownFailureOf(error)
  if (known) return known
  if (error instanceof GitHubError) {
    return isCancelled ? { kind: 'cancelled' } : { kind: 'github', error }
  }
  return {
    kind: 'bug',
    error: error instanceof Error ? error : new Error(String(error)),
    isDoubtful
  }
}

/** An error after which certainly nothing was published; undefined for any other. */
export function knownFailureOf(error: unknown): Failure | undefined {
  if (error instanceof FileFault) return { kind: 'file', fault: error }
  if (error instanceof CancelledError) return { kind: 'cancelled' }
  return error instanceof Withheld ? { kind: 'withheld', error, isSent: true } : undefined
}

/** Why the record could not be used, so that nothing was sent. */
export function recordFailureOf(error: Error): RecordFailure {
  if (error instanceof NoDeployments) return { kind: 'no deployments', error }
  if (!(error instanceof GitHubError)) return { kind: 'record', error }
  if (error.missingPermission) return { kind: 'permission', error }
  const isTagless = error.status === 422 && /No ref found/.test(error.message)
  return { kind: isTagless ? 'no tag' : 'record', error }
}

/** The report of a failure. */
export function reportFailure(failure: Failure, facts: RunFacts): Report {
  const nothing = nothingDone(facts)
  const failed = (reason: Reason, message: string, advice = '') =>
    ended('failed', reason, message, advice)
  switch (failure.kind) {
    case 'cancelled':
      return failed('cancelled', 'Nothing was published. The run was stopped early.')
    case 'file':
      return failed(failure.fault.reason, `${nothing}. ${failure.fault.message}`)
    case 'withheld': {
      const { cause, message } = failure.error
      const why = cause instanceof Error ? ` (${cause.message})` : ''
      const held = failure.isSent ? 'Nothing was published. The last bytes were held back' : nothing
      const advice = adviseOnUnreadable(failure.error, facts) ?? AGAIN
      return failed('withheld', `${held}: ${message}${why}.`, advice)
    }
    case 'permission': {
      const what = facts.mode === 'audit' ? 'read' : 'write'
      const why =
        `the job is not allowed to ${what} deployments, which record what is published, ` +
        `so that nothing is published twice (${failure.error.message})`
      return failed('permission', `${nothing}: ${why}.`, advisePermission(facts))
    }
    case 'no deployments': {
      const without = `To publish without that guard, set \`once: off\`. ${adviseNewStart(facts)}`
      const message = `${nothing}: ${failure.error.message}.`
      return failed('no-deployments', message, facts.mode === 'publish' ? without : '')
    }
    case 'no tag': {
      const advice = 'Check that the input `tag` is spelled as on the releases page.'
      return failed(
        'github',
        `${nothing}: there is no such tag (${failure.error.message}).`,
        advice
      )
    }
    case 'record': {
      const { error } = failure
      const why = `GitHub, which remembers what is published, could not be asked (${error.message})`
      return failed('github', `${nothing}: ${why}.`, adviseOnGitHub(error, facts))
    }
    case 'github': {
      const message = `${nothing}, since a request to GitHub failed (${failure.error.message}).`
      return failed('github', message, adviseOnGitHub(failure.error, facts))
    }
    case 'bug': {
      const doubt = failure.isDoubtful ? 'Nobody knows whether it is published. ' : ''
      const message = `${doubt}This should not have happened: ${failure.error.message}`
      const advice =
        'Check the shop’s admin dashboard for this version before you run this job again, and report this bug with ' +
        'the log of a run with debug logging.'
      return ended(failure.isDoubtful ? 'unknown' : 'failed', 'internal', message, advice)
    }
  }
}

/** What to do when GitHub does not answer as it should. */
export function adviseOnGitHub(error: Error, facts: RunFacts): string {
  if (!(error instanceof GitHubError)) return adviseOnUnreadable(error, facts) ?? AGAIN
  if (error.cause instanceof ProxyError) return adviceFor(error.cause, '')
  if (error.status === 401) {
    return 'Check `github-token`: GitHub does not accept it. Without that input the job’s own token is used.'
  }
  if (error.missingPermission) return advisePermission(facts)
  return error.denied
    ? 'Check that `github-token` can read this repository (`contents: read`), or leave it out to use the job’s own.'
    : AGAIN
}

/** What to do about a deployment that stops every run; undefined for any other error. */
function adviseOnUnreadable(error: Error, { context }: RunFacts): string | undefined {
  const found = [error, error.cause].find(it => it instanceof UnreadableClaim)
  if (!found) return undefined
  const commands = found.id === undefined ? [] : deleteCommands(found.id, context)
  const lines = [
    `Delete it (deployments of ${context.serverUrl}/${context.repository})${commands.length > 0 ? ':' : '.'}`,
    ...commands,
    'If it stood for a version that is in the shop, record that with `mode: settle` then. After that, run this job again.'
  ]
  return lines.join('\n')
}

/** Something that has to be fixed first; without a `reason` it is `bad-input`. */
export type Problem = Fault & { readonly reason?: Reason }

/** The report of what has to be fixed first. A single problem becomes the message itself. */
export function reportProblems(problems: readonly Problem[], facts: RunFacts): Report {
  const [first, second] = problems
  const { place = '' } = first ?? {}
  const reasons = new Set(problems.map(problem => problem.reason ?? 'bad-input'))
  const [reason = 'bad-input'] = reasons.size === 1 ? reasons : []
  const isMode = problems.some(problem => problem.place === 'mode' || problem.meant === 'mode')
  const advice = isMode ? CORRECT_MODE : adviseCorrection(place, reason, facts)
  if (first && !second) return ended('failed', reason, describeFault(first), advice)
  const message = `${nothingDone(facts)}: ${problems.length} problems have to be fixed first.`
  return { ...ended('failed', reason, message, advice), complaints: problems }
}

/** Nothing may have been meant to be published. */
const CORRECT_MODE =
  'Correct `mode`, and start the workflow again with the mode that you want: `plan` sends nothing.'

/** How to run again with the correction; empty where a plain re-run, or nothing special, will do. */
function adviseCorrection(place: string, reason: Reason, facts: RunFacts): string {
  const isElsewhere = ['bad-file', 'no-changelog'].includes(reason) || place.endsWith('token')
  if (isElsewhere || ['check', 'audit'].includes(facts.mode)) return ''
  if (place !== 'tag' && place !== 'approved-plan') return adviseNewStart(facts)
  return reason === 'bad-input'
    ? `Start the workflow again with the right \`${place}\`.`
    : `If \`${place}\` is wrong, start the workflow again with the right one.`
}
