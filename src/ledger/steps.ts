// The at-most-once steps around the sending: look, claim, look again, wait for others; and at the end, settle.
import { counted } from '../runner/text.ts'
import type { Claim, Claimant, Decision, Listed, Look, RunOf } from './ledger.ts'
import { deadlineOf, decide, isEarlierAttempt, isLiving } from './ledger.ts'
import { describe } from './record.ts'

/** The deployments of one publication. Each call has its own time limit; `now` is GitHub's clock. */
export interface Deployments {
  /** All claims, lowest id first. */
  list(): Promise<{ readonly claims: readonly Listed[]; readonly now: number }>
  /** Statuses, oldest first; undefined when GitHub knows no such claim, or not yet. */
  history(id: number): Promise<History | undefined>
  /** Creates a claim and gives its id; throws `AnswerLost` if it may have been created all the same. */
  create(claimant: Claimant): Promise<number>
  /** Adds a status, and gives the time by GitHub's clock. */
  record(id: number, state: Recorded, description: string, link?: string): Promise<number>
}

type Ended = 'success' | 'failure' | 'error' | 'inactive'
export type Recorded = 'in_progress' | Ended
export type History = Pick<Claim, 'statuses'> & Pick<Look, 'now'>

/** A request went out, and nobody knows what came of it. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** The tail must not be sent: the memory says so, or cannot be asked. */
export class Withheld extends Error {
  override readonly name = 'Withheld'
}

export interface Steps {
  readonly deployments: Deployments
  readonly claimant: Omit<Claimant, 'nonce'>
  /** The last seconds of the claim, kept for the answer: no tail is sent in them. */
  readonly reserve: number
  /** In milliseconds, how long GitHub may hide from one reader what it shows to another. */
  readonly lag: number
  /** Starts measuring on this machine; the function it gives tells the milliseconds since. */
  stopwatch(): () => number
  /** Resolves after so many milliseconds, rejects when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** `since` tells how long ago the claim was asked for, in milliseconds. */
export type Claimed = Readonly<{ kind: 'claimed'; own: Claim; since: () => number }>
export type Known = Extract<Decision, { kind: 'replay' | 'in doubt' }>

/** All in milliseconds. */
const SETTLE_PAUSE = 1000
const SHOW_LIMIT = 15_000
const LONGEST_LOOK_AWAY = 30_000
const ROUNDS = 10

const CROWDED =
  'other runs kept trying to publish this version (add a `concurrency` group to the workflow), the last of them run'

/** All claims (earlier attempts' deadlines count as past), and GitHub's time before and after reading. */
export async function look(deployments: Pick<Deployments, 'list' | 'history'>, run: RunOf) {
  const { claims: listed, now } = await deployments.list()
  const claims: Claim[] = []
  let until = now
  for (const claim of listed) {
    const history = await deployments.history(claim.id)
    if (!history && now - claim.createdAt > SHOW_LIMIT) throw unreadable(claim)
    const { claimant } = claim
    const deadline = isEarlierAttempt(claimant, run) ? 0 : claimant.deadline
    const statuses = history?.statuses ?? []
    claims.push({ ...claim, claimant: { ...claimant, deadline }, statuses })
    until = history?.now ?? until
  }
  return { claims, now, until }
}

function unreadable({ id }: Listed): Error {
  return new Error(`The history of deployment ${id} could not be read: GitHub answered 404`)
}

/** Steps 1 to 3: comes back with a claim of its own that no earlier run disputes, or with what is known. */
export async function enter(steps: Steps): Promise<Claimed | Known> {
  let needed = false
  try {
    for (let round = 1; ; round++) {
      const seen = await look(steps.deployments, steps.claimant)
      const arriving = decide(seen, { kind: 'arriving' })
      if (arriving.kind === 'in doubt') await markDoubt(steps, arriving.claim)
      if (arriving.kind === 'replay' || arriving.kind === 'in doubt') return arriving
      needed ||= seen.claims.some(other => isLiving(other, seen.now))
      const since = steps.stopwatch()
      const id = await claim(steps)
      needed = true
      const { own, decision } = await undisputed(steps, id)
      if (decision.kind === 'proceed') return { kind: 'claimed', own, since }
      await end(steps, id, { state: 'inactive', text: 'another run publishes this version' })
      if (decision.kind === 'replay' || decision.kind === 'in doubt') return decision
      if (round === ROUNDS) throw new Withheld(`${CROWDED} ${decision.claim.claimant.runId}`)
      if (decision.kind === 'yield') await outlive(steps, decision.claim)
    }
  } catch (error) {
    if (!needed || error instanceof Withheld) throw error
    // This must not pass for a missing permission, without which some runs go on: a run that could claim has
    // it, and while another lives, none may publish without the memory.
    throw new Withheld(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// Marks an earlier attempt that died: else others would wait for its deadline, and nobody could settle it
// before. If its process is alive after all, it sees the mark at its last look, and sends nothing.
async function markDoubt(steps: Steps, { id, claimant, statuses }: Claim): Promise<void> {
  const isMarked = statuses.some(({ state }) => state === 'error')
  if (isMarked || !isEarlierAttempt(claimant, steps.claimant)) return
  const text = 'its attempt ended without an end written down'
  await steps.deployments.record(id, 'error', text).catch(() => undefined)
}

/** Step 2; when the answer is lost, the claim is found again by its nonce. */
async function claim(steps: Steps): Promise<number> {
  const nonce = crypto.randomUUID()
  try {
    return await steps.deployments.create({ ...steps.claimant, nonce })
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error
    const search = untilShown(steps, error, async () => {
      const { claims } = await steps.deployments.list()
      return claims.find(other => other.claimant.nonce === nonce)
    })
    const found = await search.catch(() => {
      // Not why the search failed: the claim may exist, so this must not read as a missing permission.
      throw error
    })
    return found.id
  }
}

/** Step 3: waits until the own claim shows, then decides over all of them; one that never shows is ended. */
async function undisputed(steps: Steps, id: number) {
  const hidden = new Withheld('GitHub did not list this run’s deployment in time')
  try {
    return await untilShown(steps, hidden, async () => {
      const all = await look(steps.deployments, steps.claimant)
      const own = all.claims.find(other => other.id === id)
      return own && { own, decision: decide(all, { kind: 'claimed', own: id }) }
    })
  } catch (error) {
    await end(steps, id, { state: 'failure', text: 'nothing was sent' })
    throw error
  }
}

/** Asks again as long as the answer is undefined, since GitHub's lists lag; throws `hidden` after 15 seconds. */
export async function untilShown<T>(
  { sleep }: Pick<Steps, 'sleep'>,
  hidden: Error,
  ask: () => Promise<T | undefined>
): Promise<T> {
  for (let waited = 0, pause = 500; ; waited += pause, pause = Math.min(pause * 2, 3000)) {
    const found = await ask()
    if (found !== undefined) return found
    if (waited >= SHOW_LIMIT) throw hidden
    pause = Math.min(pause, SHOW_LIMIT - waited)
    await sleep(pause)
  }
}

/** Waits for another claim to end, looking ever less often: a repository has 1,000 requests an hour. */
export async function outlive(steps: Steps, other: Claim): Promise<void> {
  const { runId } = other.claimant
  for (let pause = 1000; ; pause = Math.min(pause * 1.2, LONGEST_LOOK_AWAY)) {
    const ask = () => steps.deployments.history(other.id)
    const { statuses, now } = await untilShown(steps, unreadable(other), ask)
    if (!isLiving({ ...other, statuses }, now)) return
    const left = Math.max(deadlineOf(other) - now, 1000)
    const minutes = counted(Math.ceil(left / 60_000), 'minute')
    steps.tell(
      `Waiting for run ${runId}, which may still be publishing this version (${minutes} at most). ` +
        'If it was killed, cancel this run, and run that one again: it starts at once.'
    )
    await steps.sleep(Math.min(pause, left))
  }
}

/** How a claim ends: with `error` when nobody knows whether it published. */
export type Ending = Readonly<{ state: Ended; text: string; link?: string }>

/** Step 6: writes down the end, without the link if need be; false if it could not be written. */
export async function end(steps: Steps, own: number, { state, text, link }: Ending) {
  const write = (...linked: string[]) =>
    steps.deployments.record(own, state, describe(text), ...linked).then(
      () => true,
      () => false
    )
  if (link !== undefined && (await write(link))) return true
  if (await write()) return true
  // Twice does no harm, and a missing end keeps other runs waiting.
  await steps.sleep(SETTLE_PAUSE).catch(() => undefined)
  return await write()
}
