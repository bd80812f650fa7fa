// The at-most-once steps before and after sending: look, claim, look again, wait for others, record the end.
import type { Rank } from '../release/tag.ts'
import { counted } from '../runner/text.ts'
import type { Claim, Claimant, Decision, Listed, Look, Rival, RunOf } from './ledger.ts'
import { deadlineOf, decide, isEarlierAttempt, isFailed, isLiving } from './ledger.ts'
import { cutToFit } from './record.ts'

/** What a list of deployments shows; `now` is GitHub's time. */
export interface Listing {
  /** The claims on the publication, lowest id first. */
  readonly claims: readonly Listed[]
  /** Those on other versions of the same product or benefit. */
  readonly others: readonly (Listed & { readonly versionName: string })[]
  readonly now: number
  /** How late lists may be, in milliseconds, if a stand-in for GitHub says so. */
  readonly lag?: number | undefined
}

/** The deployments of one publication. Each call has its own time limit. */
export interface Deployments {
  list(): Promise<Listing>
  /** Statuses, oldest first; undefined when GitHub does not know the claim (yet). */
  history(id: number): Promise<History | undefined>
  /** Creates a claim and gives its id. Throws `AnswerLost` if the claim may exist nevertheless. */
  create(claimant: Claimant): Promise<number>
  /** Adds a status. */
  record(id: number, state: Recorded, description: string, link?: string): Promise<void>
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

/** How long ago it was started, in milliseconds. Two answers, since no clock of a machine is always right. */
export interface Stopwatch {
  /** By the monotonic clock, which nobody sets, and which may stop while the machine sleeps: never too much. */
  atLeast(): number
  /** By the clock that shows more. A clock that is set may make it too much. */
  atMost(): number
}

/** The statuses of claims that are over by `failure`, by their ids: they are read once in a run. */
export type Failed = Map<number, Claim['statuses']>

export interface Steps {
  readonly deployments: Deployments
  readonly claimant: Omit<Claimant, 'nonce'>
  readonly failed: Failed
  /** Compares another version with this one; absent where their order does not count. */
  readonly rankOf?: ((versionName: string) => Rank) | undefined
  /** The last seconds before the claim's deadline. They are kept for the answer: no tail is sent in them. */
  readonly reserve: number
  /** In milliseconds: how much later GitHub may show something to one reader than to another. */
  readonly lag: number
  stopwatch(): Stopwatch
  /** Resolves after `ms` milliseconds; rejects when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** A run's own claim, with its age since it was asked for, and since GitHub answered. `lag` as in `Steps`. */
export interface Claimed {
  readonly kind: 'claimed'
  readonly own: Claim
  readonly sinceAsked: Stopwatch
  readonly sinceAnswered: Stopwatch
  readonly lag: number
}
export type Known = Extract<Decision, { kind: 'replay' | 'in doubt' }>

/** All in milliseconds. */
const SETTLE_PAUSE = 1000
const SHOW_LIMIT = 15_000
const LONGEST_LOOK_AWAY = 30_000
/** How many claims a run makes before it gives up, as other runs keep coming first. */
const ROUNDS = 10

const CROWDED =
  'other runs kept trying to publish this version (add a `concurrency` group to the workflow), the last of them run'

/** What a run sees of its publication, and of other versions where their order counts. */
export interface Seen extends Look {
  readonly rivals: readonly Rival[]
  /** GitHub's time at the last answer; `now` is that at the first. */
  readonly until: number
  readonly lag: number
}
type Looking = Pick<Steps, 'failed' | 'lag'> & {
  readonly claimant: RunOf
  readonly deployments: Pick<Deployments, 'list' | 'history'>
}

/** Reads all claims, with their histories. Earlier attempts of this run get a past deadline. */
export async function look(
  { deployments, claimant: run, failed, lag: usual }: Looking,
  rankOf: Steps['rankOf'] = () => undefined
): Promise<Seen> {
  const { claims: listed, others, now, lag: told = usual } = await deployments.list()
  const lag = Math.min(told, usual)
  let until = now
  const read = async (claim: Listed): Promise<Claim> => {
    const { id, createdAt, claimant } = claim
    let statuses = failed.get(id)
    if (!statuses) {
      const history = await deployments.history(id)
      if (!history && now - createdAt > SHOW_LIMIT) throw unreadable(claim)
      until = history?.now ?? until
      statuses = history?.statuses ?? []
    }
    // All see by now that it failed, so it is read once.
    if (isFailed({ statuses }) && now - createdAt >= lag) failed.set(id, statuses)
    const deadline = isEarlierAttempt(claimant, run) ? 0 : claimant.deadline
    return { ...claim, claimant: { ...claimant, deadline }, statuses }
  }
  const claims: Claim[] = []
  for (const claim of listed) claims.push(await read(claim))
  const rivals: Rival[] = []
  for (const { versionName, ...other } of others) {
    const rank = rankOf(versionName)
    // A lower one counts only while it may be sent.
    if (rank === undefined || (rank === 'lower' && now >= deadlineOf(other))) continue
    rivals.push({ versionName, rank, claim: await read(other) })
  }
  return { claims, rivals, now, until, lag }
}

function unreadable({ id }: Listed): Error {
  return new Error(`The history of deployment ${id} could not be read: GitHub answered 404`)
}

/** Steps 1 to 3: gives a claim that comes first, or what is known. Throws `Withheld` if a claim may exist. */
export async function enter(steps: Steps): Promise<Claimed | Known> {
  let needed = false
  try {
    for (let round = 1; ; round++) {
      const seen = await look(steps)
      const arriving = decide(seen, { kind: 'arriving' })
      if (arriving.kind === 'in doubt') await markDoubt(steps, arriving.claim)
      if (arriving.kind === 'replay' || arriving.kind === 'in doubt') return arriving
      needed ||= seen.claims.some(other => isLiving(other, seen.now))
      const sinceAsked = steps.stopwatch()
      const id = await claim(steps)
      needed = true
      const sinceAnswered = steps.stopwatch()
      const { own, lag, decision } = await undisputed(steps, id)
      if (decision.kind === 'proceed') {
        return { kind: 'claimed', own, sinceAsked, sinceAnswered, lag }
      }
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
      const seen = await look(steps)
      const own = seen.claims.find(other => other.id === id)
      return own && { own, lag: seen.lag, decision: decide(seen, { kind: 'claimed', own: id }) }
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
  for (let pause = 1000; ; pause = Math.min(pause * 1.2, LONGEST_LOOK_AWAY)) {
    const ask = () => steps.deployments.history(other.id)
    const { statuses, now } = await untilShown(steps, unreadable(other), ask)
    if (!isLiving({ ...other, statuses }, now)) return
    const left = Math.max(deadlineOf(other) - now, 1000)
    steps.tell(
      `Waiting for run ${other.claimant.runId}, which may still be publishing this version (${counted(Math.ceil(left / 60_000), 'minute')} at most). ` +
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
