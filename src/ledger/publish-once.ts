// Publishes a version at most once: the tries of its request, and step 5, which permits the tail or not.
import type { Digest } from '../file/reading.ts'
import { type Claim, type Decision, deadlineOf, decide, type Status } from './ledger.ts'
import { describeSending } from './record.ts'
import type { Claimed, Ending, Known, Steps } from './steps.ts'
import { end, enter, look, outlive, untilShown, Withheld } from './steps.ts'

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
  | Readonly<{ kind: 'tried'; result: R; claim?: number; recorded: boolean }>

/** How often a run ends its claim and makes another before it gives up. */
const WITHDRAWALS = 10
/** All in milliseconds. */
const WAIT_LIMIT = 20_000
const WAIT_PAUSE = 2000
const RECORD_LIMIT = 10_000
const RECORD_PAUSE = 1000
/** A look that began longer ago is not a last look: the machine may have slept since. */
const FRESH = 30_000
/** GitHub's times are whole seconds, rounded down; this makes up for it. */
const ROUNDING = 1000

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

type Obstacle = Exclude<Decision, { kind: 'proceed' }>

/** Why the tail is held back, as a clause without a period. */
export function why({ kind, claim }: Obstacle): string {
  const publishing = `run ${claim.claimant.runId} is publishing this version`
  return {
    replay: 'another run has published this version',
    'in doubt': 'another run may have published this version',
    yield: publishing,
    contested: publishing,
    lost: 'something else wrote on this run’s deployment'
  }[kind]
}

/** Step 5: whether the tail may go. Throws `Withheld` when the memory cannot be used, or the time is over. */
export async function commit(steps: Steps, { own, since }: Claimed, file: Digest) {
  try {
    // An `in_progress` after the deadline would put the version in doubt until the `failure` follows.
    demandTime(steps, own, own.createdAt + since())
    const begun = await begin(steps, own.id, describeSending(file))
    return await lastLook(steps, own, begun)
  } catch (error) {
    if (error instanceof Withheld) throw error
    throw new Withheld('the record on GitHub could not be read or written', { cause: error })
  }
}

/** Records `in_progress`, again if the first write had no effect. Gives GitHub's time after the write. */
async function begin(steps: Steps, own: number, text: string): Promise<number> {
  const elapsed = steps.stopwatch()
  const write = () => steps.deployments.record(own, 'in_progress', text)
  try {
    return await write()
  } catch (error) {
    if (elapsed() + RECORD_PAUSE > RECORD_LIMIT) throw error
    await steps.sleep(RECORD_PAUSE)
    const seen = await steps.deployments.history(own)
    return seen && isBegun(seen.statuses) ? seen.now : await write()
  }
}

/** Waits until this run's `in_progress` shows, then looks until a look is late enough; gives its decision. */
async function lastLook(steps: Steps, own: Claim, begun: number): Promise<Decision> {
  const hidden = 'GitHub did not show this run’s deployment as in progress in time'
  await untilShown(steps, new Withheld(hidden), async () => {
    const history = await steps.deployments.history(own.id)
    return history && isBegun(history.statuses) ? history : undefined
  })
  for (let waited = 0; ; ) {
    const age = steps.stopwatch()
    const seen = await look(steps.deployments, steps.claimant)
    demandTime(steps, own, seen.until)
    const decision = decide(seen, { kind: 'committing', own: own.id })
    // In milliseconds; by GitHub's clock, the look began at `until` less what it took, or later.
    const early = countsFrom(steps, seen.claims, own, begun) - (seen.until - age())
    // Another server may answer this look, one that lags more.
    const isHidden = !seen.claims.some(it => it.id === own.id && isBegun(it.statuses))
    if ((isHidden || decision.kind === 'contested') && waited < WAIT_LIMIT) {
      waited += WAIT_PAUSE
      await steps.sleep(WAIT_PAUSE)
    } else if (isHidden) {
      throw new Withheld('this run’s deployment is gone from the list')
    } else if (decision.kind === 'proceed' && early > 0) {
      await steps.sleep(early)
    } else if (decision.kind !== 'proceed' || age() <= FRESH) return decision
  }
}

function isBegun(statuses: readonly Status[]): boolean {
  return statuses.some(({ state }) => state === 'in_progress')
}

/**
 * From when on, in milliseconds of GitHub's clock, a look is a last look. What is written shows to all after
 * a lag. So if two runs got this far, one saw the other's `in_progress`, and did not send its tail:
 * - Both saw the other's claim: each looked a lag after its own `in_progress`, so the later saw the earlier.
 * - One saw no other claim: it looked, after its `in_progress`, less than a lag after the other's claim.
 *   The other looked two lags after its own claim, and saw that `in_progress`.
 * - Neither saw the other's claim: impossible, since each looked a lag after its own.
 * None of this depends on the claims' states, so deadlines, other tools, and people change nothing.
 */
function countsFrom({ lag }: Steps, claims: readonly Claim[], own: Claim, begun: number): number {
  if (claims.length === 1) return own.createdAt + ROUNDING + lag
  return Math.max(own.createdAt + lag, begun) + ROUNDING + lag
}

/** Throws `Withheld` when it is so late that the answer might come after the deadline. */
function demandTime(steps: Steps, own: Claim, now: number): void {
  if (now >= deadlineOf(own) - steps.reserve * 1000) {
    throw new Withheld('sending took longer than this run had reserved')
  }
}
