// Publishes a version at most once: the tries of its request, and step 5, which permits the tail or not.
import type { Digest } from '../file/reading.ts'
import type { Claim, Decision, OrderDecision, Rival } from './ledger.ts'
import { deadlineOf, decide, decideOrder } from './ledger.ts'
import { describeSending } from './record.ts'
import type { Claimed, Ending, Known, Seen, Steps, Stopwatch } from './steps.ts'
import { end, enter, look, outlive, Withheld } from './steps.ts'

export interface Try<R> {
  readonly result: R
  readonly ending: Ending
  /** Only if the tail was not sent and a retry may help: pauses, then says whether to try again. */
  readonly again?: () => Promise<boolean>
}

/** Sends the request. Once only the tail is left, calls `permit`; sends the tail only if that resolves. */
export type Attempt<R> = (permit: (digest: Digest) => Promise<void>) => Promise<Try<R>>

/** What was known before, or the last try, with its claim's id, if any, and whether its end was recorded. */
export type Once<R> =
  | Known
  | Extract<OrderDecision, { kind: 'outranked' }>
  | Readonly<{ kind: 'tried'; result: R; claim?: number; recorded: boolean }>

/** How often a run ends its claim and makes another before it gives up. */
const WITHDRAWALS = 10
/** All in milliseconds. */
const WAIT_LIMIT = 20_000
const WAIT_PAUSE = 2000
const RECORD_LIMIT = 10_000
const RECORD_PAUSE = 1000
const LOOK_PAUSE = 250
/** A timer may end a little early. */
const TIMER_ERROR = 10
/**
 * A look that was asked for longer ago is not a last look. If the machine slept and no clock of it shows that,
 * two things are left: to others, the claim is living, then in doubt, so no run publishes until a person says
 * so; and the shop has long dropped a request of which nothing came for minutes.
 */
const FRESH = 30_000

/** Publishes with the memory. Throws what made `enter` fail, before anything was sent. */
export async function publishOnce<R>(steps: Steps, attempt: Attempt<R>): Promise<Once<R>> {
  let entry = await enter(steps)
  for (let withdrawn = 0; entry.kind === 'claimed'; withdrawn++) {
    const claimed = entry
    const gate: { asked: boolean; obstacle?: Obstacle } = { asked: false }
    const permit = async (digest: Digest) => {
      gate.asked = true
      const decision = await commit(steps, claimed, digest)
      if (decision.kind === 'proceed') return
      gate.obstacle = decision
      throw new Withheld(why(decision))
    }
    let last = await attempt(permit)
    // Until `permit` was asked, the claim has no `in_progress`, so the next try can use it, too.
    while (!gate.asked && (await last.again?.())) last = await attempt(permit)
    const { result, ending } = last
    const claim = claimed.own.id
    const recorded = await end(steps, claim, ending)
    // If the service answered before the tail, its answer may have decided: then nobody is waited for.
    const obstacle = ending.state === 'failure' ? gate.obstacle : undefined
    if (obstacle?.kind === 'outranked' && recorded) return obstacle
    const next = async () => {
      if (obstacle) await outlive(steps, obstacle.claim)
      else if (!gate.asked || !(await last.again?.())) return undefined
      return await enter(steps)
    }
    // If its end was not recorded, this run's own claim would block the next one.
    const again =
      recorded && withdrawn < WITHDRAWALS
        ? await next().catch((error: unknown) => {
            const reason = error instanceof Error ? error.message : String(error)
            steps.tell(`This is not tried again: ${reason}`)
          })
        : undefined
    if (!again) return { kind: 'tried', result, claim, recorded }
    entry = again
  }
  return entry
}

/** Publishes without the memory: nothing holds the tail back. Throws what `attempt` throws. */
export async function publishWithoutMemory<R>(attempt: Attempt<R>): Promise<Once<R>> {
  const permit = () => Promise.resolve()
  let last = await attempt(permit)
  while (await last.again?.()) last = await attempt(permit)
  return { kind: 'tried', result: last.result, recorded: false }
}

type Obstacle = Exclude<LastDecision, { kind: 'proceed' }>

/** Why the tail is held back, as a clause without a period. */
export function why(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'replay':
      return 'another run has published this version'
    case 'in doubt':
      return 'another run may have published this version'
    case 'yield':
    case 'contested':
      return `run ${obstacle.claim.claimant.runId} is publishing this version`
    case 'lost':
      return 'something else wrote on this run’s deployment'
    case 'outranked':
      return `the higher version "${obstacle.versionName}" is published, or may be`
  }
}

/** Step 5: whether the tail may go. Throws `Withheld` when the memory cannot be used, or the time is over. */
export async function commit(steps: Steps, claimed: Claimed, file: Digest) {
  const { own, sinceAsked } = claimed
  try {
    // An `in_progress` after the deadline would put the version in doubt until the `failure` follows.
    demandTime(steps, own, own.createdAt + sinceAsked.atMost())
    const begun = await begin(steps, own.id, describeSending(file))
    return await lastLook(steps, claimed, begun)
  } catch (error) {
    if (error instanceof Withheld) throw error
    throw new Withheld('the record on GitHub could not be read or written', { cause: error })
  }
}

/** Records `in_progress`, again if the first write had no effect. Returns the time since GitHub's answer. */
async function begin(steps: Steps, own: number, text: string): Promise<Stopwatch> {
  const elapsed = steps.stopwatch()
  const write = () => steps.deployments.record(own, 'in_progress', text)
  try {
    await write()
  } catch (error) {
    if (elapsed.atMost() + RECORD_PAUSE > RECORD_LIMIT) throw error
    await steps.sleep(RECORD_PAUSE)
    const seen = await steps.deployments.history(own)
    if (!seen || !isBegun(seen)) await write()
  }
  return steps.stopwatch()
}

/** Looks until a look is late enough; returns its decision. */
async function lastLook(steps: Steps, claimed: Claimed, begun: Stopwatch): Promise<LastDecision> {
  const { own, sinceAnswered } = claimed
  const tooEarly = claimed.lag - sinceAnswered.atLeast()
  if (tooEarly > 0) await steps.sleep(pauseFor(tooEarly))
  for (let waited = 0; ; ) {
    const sinceLook = steps.stopwatch()
    const ages = { claimed: sinceAnswered.atLeast(), begun: begun.atLeast() }
    const seen = await look(steps, steps.rankOf)
    demandTime(steps, own, seen.until)
    const decision = decideLast(seen, own.id)
    const shown = seen.claims.find(({ id }) => id === own.id)
    // Another server may answer this look, one that lags more.
    const isHidden = shown === undefined || !isBegun(shown)
    const isWaiting = isHidden || decision.kind === 'contested' || decision.kind === 'beside'
    if (isWaiting && waited < WAIT_LIMIT) {
      if (decision.kind === 'beside' && waited === 0) steps.tell(describeWait(decision.rival))
      waited += WAIT_PAUSE
      await steps.sleep(WAIT_PAUSE)
      continue
    }
    if (shown === undefined) throw new Withheld('this run’s deployment is gone from the list')
    if (isHidden) throw new Withheld(HIDDEN)
    if (decision.kind === 'beside' && decision.rival.rank === 'higher') {
      const { versionName, claim } = decision.rival
      throw new Withheld(
        `run ${claim.claimant.runId} is publishing the higher version "${versionName}"`
      )
    }
    if (decision.kind !== 'proceed' && decision.kind !== 'beside') return decision
    const left = leftBefore(seen, ages)
    if (left <= 0 && sinceLook.atMost() <= FRESH) return { kind: 'proceed' }
    await steps.sleep(pauseFor(left))
  }
}

function pauseFor(left: number): number {
  return Math.max(left + TIMER_ERROR, LOOK_PAUSE)
}

const HIDDEN = 'GitHub did not show this run’s deployment as in progress in time'

type LastDecision = Decision | Exclude<OrderDecision, { kind: 'beside' }>

function decideLast(seen: Seen, own: number): Decision | OrderDecision {
  const decision = decide(seen, { kind: 'committing', own })
  return decision.kind === 'proceed' ? decideOrder(seen.rivals, seen.now) : decision
}

function describeWait({ versionName, claim }: Rival): string {
  const seconds = WAIT_LIMIT / 1000
  return `Waiting for run ${claim.claimant.runId}, which is publishing "${versionName}" (${seconds} seconds at most).`
}

function isBegun({ statuses }: Pick<Claim, 'statuses'>): boolean {
  return statuses.some(({ state }) => state === 'in_progress')
}

/**
 * How many milliseconds a look came too early to be the last one, going by the ages that its run's claim and
 * `in_progress` had when it was asked for. What is written shows to all after a lag. So if two runs got this
 * far, one saw the other's `in_progress`, and did not send its tail:
 * - Both saw the other's claim: each looked a lag after its own `in_progress`, so the later saw the earlier.
 * - One saw no other claim: it looked, after its `in_progress`, less than a lag after the other's claim.
 *   The other looked two lags after its own claim, and saw that `in_progress`.
 * - Neither saw the other's claim: impossible, since each looked a lag after its own.
 * None of this depends on the claims' states, so deadlines, other tools, and people change nothing; nor on
 * GitHub's clock or a machine's date: each run counts from answers that it got, by a clock that nobody sets.
 * If that clock stops while the machine sleeps, it waits longer than it must.
 * The same holds for runs on two versions whose order counts, as long as neither has ended.
 */
function leftBefore({ claims, rivals, now, lag }: Seen, ages: Ages): number {
  const isAlone = claims.length === 1 && !rivals.some(({ claim }) => isOpen(claim, now))
  if (isAlone) return lag - ages.claimed
  return Math.max(2 * lag - ages.claimed, lag - ages.begun)
}

/** In milliseconds. */
type Ages = Readonly<{ claimed: number; begun: number }>

/** Whether its run may still do something, for all that its history shows. */
function isOpen(claim: Claim, now: number): boolean {
  const hasEnded = claim.statuses.some(({ state }) => state === 'success' || state === 'failure')
  return !hasEnded && now < deadlineOf(claim)
}

/** Throws `Withheld` when it is so late that the answer might come after the deadline. */
function demandTime(steps: Steps, own: Claim, now: number): void {
  if (now >= deadlineOf(own) - steps.reserve * 1000) {
    throw new Withheld('sending took longer than this run had reserved')
  }
}
