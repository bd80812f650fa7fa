// Records how a claim ended, and goes on trying while GitHub fails.
import { GitHubError } from '../github/github-error.ts'
import { textAt } from '../runner/json.ts'
import { growing, retry } from '../runner/retry.ts'
import type { PublishResult } from '../shop/upload.ts'
import { describeEnd, describePublished } from './claim-format.ts'
import type { Ledger, Stopwatch } from './ledger.ts'

/** How certain an end is, as the state of a deployment. */
const STATES = { published: 'success', 'not published': 'failure', unknown: 'error' } as const

/**
 * In milliseconds: how long a run goes on trying to record a `success` or a `failure`. Without the one, the next run is in
 * doubt about a version that is there; without the other, nobody else may publish.
 */
const LONG_TRY = 120_000
/** In milliseconds: the same for an `error`. A claim that stays in progress comes to be in doubt by itself. */
const SHORT_TRY = 10_000
/** In milliseconds: the same while GitHub refuses. A fresh deployment may lag, and a refusal may pass, but not for minutes. */
const REFUSED_TRY = 15_000
/** In milliseconds: the first pause between two tries. */
const FIRST_PAUSE = 1000
/** In milliseconds: the longest, unless GitHub asks for more. */
const LONGEST_PAUSE = 15_000

/** Records how a claim ended. Returns false if GitHub did not take it; a canceled run has less time for it. */
export async function recordEnd(
  ledger: Ledger,
  claimId: number,
  end: PublishResult,
  sha256: string
): Promise<boolean> {
  const state = STATES[end.certainty]
  const description =
    end.certainty === 'published'
      ? describePublished(end.record.id, sha256)
      : describeEnd(end.certainty, end.why)
  const write = () => ledger.deployments.record(claimId, state, description)

  const written = retry(write, {
    pauseAfter: pausesWithin(state === 'error' ? SHORT_TRY : LONG_TRY, ledger),
    sleep: ms => ledger.settlingPause(ms)
  })
  return written.then(
    () => true,
    () => false
  )
}

/**
 * The pauses between tries that take `limit` milliseconds in all: those that GitHub asks for, as far as they fit. The last
 * try comes at the end of that time.
 */
function pausesWithin(limit: number, { stopwatch, log }: Pick<Ledger, 'stopwatch' | 'log'>) {
  const elapsed = stopwatch()
  let refused: Stopwatch | undefined

  return (error: unknown, tried: number): number | undefined => {
    const failure = error instanceof GitHubError ? error : undefined
    if (tried === 1) {
      log(`How this ended is not recorded yet: ${textAt(error, 'message')}. Trying again.`)
    }

    refused = failure?.denied ? (refused ?? stopwatch()) : undefined

    const leftOfAll = limit - elapsed.atLeast()
    const left = refused ? Math.min(leftOfAll, REFUSED_TRY - refused.atLeast()) : leftOfAll
    if (left <= 0) return undefined

    const pause = Math.max(growing(FIRST_PAUSE, 2, LONGEST_PAUSE, tried), failure?.asked ?? 0)
    return Math.min(pause, left)
  }
}
