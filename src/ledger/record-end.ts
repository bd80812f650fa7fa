// Records how a claim ended, and goes on trying while GitHub fails.
import { GitHubError } from '../github/github-error.ts'
import { growing, retry } from '../runner/retry.ts'
import { messageOf } from '../runner/words.ts'
import type { PublishResult } from '../shop/upload.ts'
import { describeEnd, describePublished } from './claim-format.ts'
import type { Ledger } from './ledger.ts'

/** How certain an end is, as the state of a deployment. */
const STATES = { published: 'success', 'not published': 'failure', unknown: 'error' } as const

/**
 * How long a run goes on trying to record a `success` or a `failure`. Without the one, the next run is in
 * doubt about a version that is there; without the other, nobody else may publish.
 */
const LONG_TRY_MS = 120_000
/** The same for an `error`. A claim that stays in progress comes to be in doubt by itself. */
const SHORT_TRY_MS = 10_000
/** The first pause between two tries. */
const FIRST_PAUSE_MS = 1000
/** The longest, unless GitHub asks for more. */
const LONGEST_PAUSE_MS = 15_000

/**
 * Records how a claim ended; a canceled run has less time for it. False if GitHub did not take it. Never rejects.
 * @param sha256 Of the file whose last bytes were sent; empty if none was.
 */
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
    pauseAfter: pausesWithin(state === 'error' ? SHORT_TRY_MS : LONG_TRY_MS, ledger),
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
  return (error: unknown, tried: number): number | undefined => {
    const failure = error instanceof GitHubError ? error : undefined
    if (tried === 1) {
      log(`How this ended is not recorded yet: ${messageOf(error)}. Trying again.`)
    }

    const left = limit - elapsed.atLeast()
    if (left <= 0) return undefined

    const pause = Math.max(growing(FIRST_PAUSE_MS, 2, LONGEST_PAUSE_MS, tried), failure?.asked ?? 0)
    return Math.min(pause, left)
  }
}
