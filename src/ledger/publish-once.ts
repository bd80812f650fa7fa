// Publishes a version at most once: a claim, the tries of its request, and how the claim ended.
import type { Digest } from '../file/reading.ts'
import {
  type AlreadyDecided,
  acquireClaim,
  type Claimed,
  type Ending,
  recordEnd,
  waitForEnd
} from './claim.ts'
import { describeObstacle, type Obstacle, passCommitPoint } from './commit-point.ts'
import type { OrderDecision } from './ledger.ts'
import { type Steps, Withheld } from './steps.ts'

export interface Try<R> {
  readonly result: R
  readonly ending: Ending
  /** Only if the tail was not sent and a retry may help: pauses, then says whether to try again. */
  readonly waitToRetry?: () => Promise<boolean>
}

/** Sends the request. Once only the tail is left, calls `commit`; sends the tail only if that resolves. */
export type Attempt<R> = (commit: Commit) => Promise<Try<R>>
/** Rejects to withhold the tail, as soon as it can once `ended` fires: then the tail cannot be sent any more. */
type Commit = (digest: Digest, ended?: AbortSignal) => Promise<void>

/** What was decided before, or the last try, with its claim's id, if any, and whether its end was recorded. */
export type PublishOnceResult<R> =
  | AlreadyDecided
  | Extract<OrderDecision, { kind: 'outranked' }>
  | Readonly<{ kind: 'tried'; result: R; claim?: number; recorded: boolean }>

/** How often a run ends its claim and makes another before it gives up. */
const WITHDRAWALS = 10
/** In milliseconds: after it, a `failure` is written again, as an `in_progress` without an answer may follow the first. */
const LATE_PAUSE = 3000

/** Publishes with the memory. Throws what made `acquireClaim` fail, before anything was sent. */
export async function publishOnce<R>(
  steps: Steps,
  attempt: Attempt<R>
): Promise<PublishOnceResult<R>> {
  let entry = await acquireClaim(steps)
  for (let withdrawn = 0; entry.kind === 'claimed'; withdrawn++) {
    const claim = entry.own.id
    const claimTry = await tryWithClaim(steps, entry, attempt)
    const { last, obstacle } = claimTry
    const recorded = await recordEnd(steps, claim, last.ending)
    if (recorded && claimTry.isLost && last.ending.state === 'failure') {
      await steps.settlingPause(LATE_PAUSE).catch(() => undefined)
      await recordEnd(steps, claim, last.ending)
    }
    const tried = { kind: 'tried', result: last.result, claim, recorded } as const
    // If its end was not recorded, this run's own claim would block the next one.
    if (!recorded) return tried
    if (obstacle?.kind === 'outranked' || obstacle?.kind === 'contradicted') return obstacle
    const next = withdrawn < WITHDRAWALS ? await claimAgain(steps, claimTry) : undefined
    if (!next) return tried
    entry = next
  }
  return entry
}

/**
 * The last try with one claim, whether it came to the commit point, and what it met there. `isLost`: an `in_progress`
 * got no answer, so it may take effect after the end, and put the version in doubt.
 */
interface ClaimTry<R> {
  readonly last: Try<R>
  readonly reachedCommit: boolean
  readonly isLost: boolean
  readonly obstacle: Obstacle | undefined
}

/** Tries with a claim as long as its tail has not been asked for. */
async function tryWithClaim<R>(
  steps: Steps,
  claimed: Claimed,
  attempt: Attempt<R>
): Promise<ClaimTry<R>> {
  const met: { commit: boolean; lost: boolean; obstacle?: Obstacle } = {
    commit: false,
    lost: false
  }
  const commit: Commit = async (digest, ended) => {
    met.commit = true
    const decision = await passCommitPoint(steps, claimed, digest, ended, () => {
      met.lost = true
    })
    if (decision.kind === 'proceed') return
    met.obstacle = decision
    throw new Withheld(describeObstacle(decision))
  }
  let last = await attempt(commit)
  // Until the commit point, the claim has no `in_progress`, so the next try can use it, too.
  while (!met.commit && (await last.waitToRetry?.())) last = await attempt(commit)
  // If the service answered before the tail, its answer may have decided: then nobody is waited for.
  const obstacle = last.ending.state === 'failure' ? met.obstacle : undefined
  return { last, reachedCommit: met.commit, isLost: met.lost, obstacle }
}

/** Claims again once the obstacle is over, or if a retry may help; undefined ends the run. */
async function claimAgain<R>(
  steps: Steps,
  { last, reachedCommit, obstacle }: ClaimTry<R>
): Promise<Claimed | AlreadyDecided | undefined> {
  try {
    if (obstacle) {
      await waitForEnd(steps, obstacle.claim)
    } else {
      const isRepeated = reachedCommit && (await last.waitToRetry?.())
      if (!isRepeated) return undefined
    }
    return await acquireClaim(steps)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    steps.tell(`This is not tried again: ${reason}`)
    return undefined
  }
}

/** Publishes without the memory: nothing holds the tail back. Throws what `attempt` throws. */
export async function publishWithoutMemory<R>(attempt: Attempt<R>): Promise<PublishOnceResult<R>> {
  const commit = () => Promise.resolve()
  let last = await attempt(commit)
  while (await last.waitToRetry?.()) last = await attempt(commit)
  return { kind: 'tried', result: last.result, recorded: false }
}
