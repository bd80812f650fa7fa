// The at-most-once steps before and after sending: look, claim, look again, wait for others, record the end.
import { counted } from '../runner/text.ts'
import type { Claim, Claimant, Decision, Listed, Look, RunOf } from './ledger.ts'
import { deadlineOf, decide, isEarlierAttempt, isLiving } from './ledger.ts'
import { cutToFit } from './record.ts'

/** The deployments of one publication. Each call has its own time limit; `now` is GitHub's clock. */
export interface Deployments {
  /** All claims, lowest id first. */
  list(): Promise<{ readonly claims: readonly Listed[]; readonly now: number }>
  /** Statuses, oldest first; undefined when GitHub does not know the claim (yet). */
  history(id: number): Promise<History | undefined>
  /** Creates a claim and gives its id. Throws `AnswerLost` if the claim may exist nevertheless. */
  create(claimant: Claimant): Promise<number>
  /** Adds a status, and gives the time by GitHub's clock. */
  record(id: number, state: Recorded, description: string, link?: string): Promise<number>
}

type Ended = 'success' | 'failure' | 'error' | 'inactive'
export type Recorded = 'in_progress' | Ended
export type History = Pick<Claim, 'statuses'> & Pick<Look, 'now'>

/** A write was sent to GitHub, and nobody knows whether it took effect. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** The tail must not be sent: the memory says so or cannot be used, or the time is over. */
export class Withheld extends Error {
  override readonly name = 'Withheld'
}

export interface Steps {
  readonly deployments: Deployments
  readonly claimant: Omit<Claimant, 'nonce'>
  /** The last seconds before the claim's deadline. They are kept for the answer: no tail is sent in them. */
  readonly reserve: number
  /** In milliseconds: how much later GitHub may show something to one reader than to another. */
  readonly lag: number
  /** Starts measuring on this machine; the function it gives returns the milliseconds since then. */
  stopwatch(): () => number
  /** Resolves after `ms` milliseconds; rejects when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** `since` gives the milliseconds since the claim was requested, so its real age is never more. */
export type Claimed = Readonly<{ kind: 'claimed'; own: Claim; since: () => number }>
export type Known = Extract<Decision, { kind: 'replay' | 'in doubt' }>

/** All in milliseconds. */
const SETTLE_PAUSE = 1000
const SHOW_LIMIT = 15_000
const LONGEST_LOOK_AWAY = 30_000
/** How many claims a run makes before it gives up, as other runs keep coming first. */
const ROUNDS = 10

const CROWDED =
  'other runs kept trying to publish this version (add a `concurrency` group to the workflow), the last of them run'

/** All claims (earlier attempts get a past deadline), and GitHub's time at the first and the last answer. */
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

/** Steps 1 to 3: gives a claim that comes first, or what is known. Throws `Withheld` if a claim may exist. */
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
    // With `once: auto`, a missing permission lets a run publish without the memory. That must not happen
    // once this run may have a claim, or another run has a living one.
    throw new Withheld(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// Marks the claim of an earlier attempt that died. Without the mark, other runs wait until its deadline, and
// `settle` is refused until then. If its process is alive after all, its last look shows the mark.
async function markDoubt(steps: Steps, { id, claimant, statuses }: Claim): Promise<void> {
  const isMarked = statuses.some(({ state }) => state === 'error')
  if (isMarked || !isEarlierAttempt(claimant, steps.claimant)) return
  const text = 'its attempt ended without an end written down'
  await steps.deployments.record(id, 'error', text).catch(() => undefined)
}

/** Step 2: creates a claim. When the answer is lost, finds it again by its nonce. */
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
      // Not the search's own error: that could be a missing permission, and the claim may exist.
      throw error
    })
    return found.id
  }
}

/** Step 3: waits until this run's claim is listed, then decides over all. Ends a claim that never shows. */
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

/** Asks until the answer is not undefined, since GitHub's lists lag. Throws `hidden` after 15 seconds. */
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

/** Waits for another claim to end, looking less and less often: a repository has 1,000 requests an hour. */
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

/** How a claim ends; `error`: nobody knows whether the version was published. */
export type Ending = Readonly<{ state: Ended; text: string; link?: string }>

/** Step 6: records how a claim ended, without the link if GitHub refuses that. False if this failed. */
export async function end(steps: Steps, own: number, { state, text, link }: Ending) {
  const write = (...linked: string[]) =>
    steps.deployments.record(own, state, cutToFit(text), ...linked).then(
      () => true,
      () => false
    )
  if (link !== undefined && (await write(link))) return true
  if (await write()) return true
  // The same end twice does no harm; none at all keeps other runs waiting.
  await steps.sleep(SETTLE_PAUSE).catch(() => undefined)
  return await write()
}
