// Step 5: with all but the tail sent, whether the tail may go.
import type { Digest } from '../file/reading.ts'
import type { Claimed } from './claim.ts'
import {
  type Claim,
  type Decision,
  deadlineOf,
  decide,
  decideOrder,
  hasEnded,
  type OrderDecision
} from './ledger.ts'
import { describeSending, numberAt } from './record.ts'
import {
  type ProductSnapshot,
  pauseBeforeSnapshot,
  type Steps,
  type Stopwatch,
  takeSnapshot,
  Withheld
} from './steps.ts'

/** All in milliseconds. */
const WAIT_LIMIT = 20_000
/** For a lower version, whose run gives up after `WAIT_LIMIT` if it waits for this one; that shows after a lag. */
const LOWER_WAIT_LIMIT = 30_000
const WAIT_PAUSE = 2000
const RECORD_LIMIT = 10_000
const RECORD_PAUSE = 1000
/**
 * A snapshot that was asked for longer ago is not the last one. If the machine slept and no clock of it shows
 * that, two things are left: to others, the claim is living, then in doubt, so no run publishes until a person
 * says so; and the shop has long dropped a request of which nothing came for minutes.
 */
const FRESH = 30_000

/** The last word on a run's tail. */
export type LastDecision = Decision | OrderDecision
/** What holds a tail back. */
export type Obstacle = Exclude<LastDecision, { kind: 'proceed' }>

/** Why the tail is held back, as a clause without a period. */
export function describeObstacle(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'replay':
      return 'another run has published this version'
    case 'in doubt':
      return 'another run may have published this version'
    case 'yield':
    case 'contested':
      return `run ${obstacle.claim.claimant.runId} is publishing this version`
    case 'beside':
      return `run ${obstacle.claim.claimant.runId} is publishing the ${obstacle.claim.rank} version "${obstacle.claim.versionName}"`
    case 'contradicted':
      return 'something else marked this run’s deployment as a success'
    case 'lost':
      return 'something else wrote on this run’s deployment'
    case 'outranked':
      return `the higher version "${obstacle.versionName}" is published, or may be`
  }
}

/**
 * Decides whether the tail may go. Throws `Withheld` when the memory cannot be used, the time is over, or the request
 * has `ended`: what the shop refused early must not come into doubt, should this machine die now. Calls `tellLost` when
 * its `in_progress` may take effect later.
 */
export async function passCommitPoint(
  given: Steps,
  claimed: Claimed,
  file: Digest,
  ended?: AbortSignal,
  tellLost: () => void = () => undefined
): Promise<LastDecision> {
  const { own, sinceAsked } = claimed
  const steps: Steps = { ...given, sleep: ms => given.sleep(ms, ended) }
  try {
    if (ended?.aborted) throw new Withheld('the request ended before its last bytes')
    // An `in_progress` after the deadline would put the version in doubt until the `failure` follows.
    demandTime(steps, own, own.createdAt + sinceAsked.atMost())
    const sinceBegun = await recordInProgress(steps, own.id, describeSending(file), tellLost)
    return await decideLast(steps, claimed, sinceBegun)
  } catch (error) {
    if (error instanceof Withheld) throw error
    throw new Withheld('the record on GitHub could not be read or written', { cause: error })
  }
}

/** Records `in_progress`, again if the first write had no effect. Returns the time since GitHub's answer. */
async function recordInProgress(
  steps: Steps,
  own: number,
  text: string,
  tellLost: () => void
): Promise<Stopwatch> {
  const elapsed = steps.stopwatch()
  const write = () =>
    steps.deployments.record(own, 'in_progress', text).catch((error: unknown) => {
      if ((numberAt(error, 'status') ?? 500) >= 500) tellLost()
      throw error
    })
  try {
    await write()
  } catch (error) {
    if (elapsed.atMost() + RECORD_PAUSE > RECORD_LIMIT) throw error
    await steps.sleep(RECORD_PAUSE)
    const history = await steps.deployments.history(own)
    if (!history || !isInProgress(history)) await write()
  }
  return steps.stopwatch()
}

/** Takes snapshots until one is late enough; returns its decision. */
async function decideLast(
  steps: Steps,
  claimed: Claimed,
  sinceBegun: Stopwatch
): Promise<LastDecision> {
  const { own, sinceAnswered, lag } = claimed
  const early = lag - sinceAnswered.atLeast()
  if (early > 0) await steps.sleep(pauseBeforeSnapshot(early))
  for (let waited = 0; ; ) {
    const sinceTaken = steps.stopwatch()
    const ages = { claim: sinceAnswered.atLeast(), inProgress: sinceBegun.atLeast() }
    const snapshot = await takeSnapshot(steps, steps.rankOf)
    demandTime(steps, own, snapshot.until)
    const found = decideOver(snapshot, own.id)
    const rank = found.kind === 'beside' ? found.claim.rank : undefined
    const limit = rank === 'lower' ? LOWER_WAIT_LIMIT : WAIT_LIMIT
    if (isTemporary(found) && waited < limit) {
      if (found.kind === 'beside' && waited === 0) {
        const { versionName, claimant } = found.claim
        steps.tell(
          `Waiting for run ${claimant.runId}, which is publishing "${versionName}" (${limit / 1000} seconds at most).`
        )
      }
      await steps.sleep(WAIT_PAUSE)
      waited += WAIT_PAUSE
      continue
    }
    if (found.kind === 'hidden') throw new Withheld(found.why)
    // A run that waits for a lower version, as for an earlier run, is not waited for.
    if (found.kind === 'beside' && rank === 'higher') throw new Withheld(describeObstacle(found))
    if (found.kind !== 'proceed') return found
    const left = leftBefore(snapshot, ages)
    if (left <= 0 && sinceTaken.atMost() <= FRESH) return { kind: 'proceed' }
    await steps.sleep(pauseBeforeSnapshot(left))
  }
}

/** `hidden`: the snapshot does not show what this run has written; `why` is a clause. */
type SnapshotDecision = Decision | OrderDecision | Readonly<{ kind: 'hidden'; why: string }>

/** Decides over a snapshot: by the claims on this version, then by other versions. */
function decideOver(snapshot: ProductSnapshot, own: number): SnapshotDecision {
  const shown = snapshot.claims.find(({ id }) => id === own)
  // Another server may have answered, one that lags more.
  if (!shown) return { kind: 'hidden', why: 'this run’s deployment is gone from the list' }
  if (!isInProgress(shown)) {
    const why = 'GitHub did not show this run’s deployment as in progress in time'
    return { kind: 'hidden', why }
  }
  const decision = decide(snapshot, { kind: 'committing', own })
  return decision.kind === 'proceed' ? decideOrder(snapshot.rivals, snapshot.now) : decision
}

function isTemporary({ kind }: SnapshotDecision): boolean {
  return kind === 'hidden' || kind === 'contested' || kind === 'beside'
}

function isInProgress({ statuses }: Pick<Claim, 'statuses'>): boolean {
  return statuses.some(({ state }) => state === 'in_progress')
}

/** The ages of a run's claim and of its `in_progress` when a snapshot was asked for, in milliseconds. */
type Ages = Readonly<{ claim: number; inProgress: number }>

/**
 * How many milliseconds a snapshot came too early to be the last one. What is written shows to all after a
 * lag. So if two runs got this far, one saw the other's `in_progress`, and did not send its tail:
 * - Both saw the other's claim: each looked a lag after its own `in_progress`, so the later saw the earlier.
 * - One saw no other claim: it looked, after its `in_progress`, less than a lag after the other's claim.
 *   The other looked two lags after its own claim, and saw that `in_progress`.
 * - Neither saw the other's claim: impossible, since each looked a lag after its own.
 * None of this depends on the claims' states, so deadlines, other tools, and people change nothing; nor on
 * GitHub's clock or a machine's date: each run counts from answers that it got, by a clock that nobody sets.
 * If that clock stops while the machine sleeps, it waits longer than it must.
 * The same holds for runs on two versions whose order counts, as long as neither has ended.
 */
function leftBefore({ claims, rivals, now, lag }: ProductSnapshot, ages: Ages): number {
  const isAlone = claims.length === 1 && !rivals.some(rival => isOpen(rival, now))
  if (isAlone) return lag - ages.claim
  return Math.max(2 * lag - ages.claim, lag - ages.inProgress)
}

/** Whether its run may still do something, for all that its history shows. */
function isOpen(claim: Claim, now: number): boolean {
  return !hasEnded(claim) && now < deadlineOf(claim)
}

/** Throws `Withheld` when it is so late that the answer might come after the deadline. */
function demandTime(steps: Steps, own: Claim, now: number): void {
  if (now >= deadlineOf(own) - steps.reserve * 1000) {
    throw new Withheld('sending took longer than this run had reserved')
  }
}
