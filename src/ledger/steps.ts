// What the at-most-once steps work with: the deployments, the clocks, and a snapshot of all claims.
import type { Rank } from '../release/tag.ts'
import {
  type Claim,
  type Claimant,
  deadlineOf,
  isEarlierAttempt,
  isFailed,
  type ListedClaim,
  type Rival,
  type RunOf,
  type Snapshot
} from './ledger.ts'

/** What a list of deployments shows; `now` is GitHub's time. */
export interface DeploymentList {
  /** The claims on all versions of the product or benefit, lowest id first. */
  readonly claims: readonly ListedClaim[]
  readonly now: number
  /** How late lists may be, in milliseconds, if a stand-in for GitHub says so. */
  readonly lag?: number | undefined
}

/** The deployments of one publication. Each call has its own time limit. */
export interface Deployments {
  readonly versionName: string
  list(): Promise<DeploymentList>
  /** Statuses, oldest first; undefined when GitHub does not know the claim (yet). */
  history(id: number): Promise<ClaimHistory | undefined>
  /** Creates a claim and returns its id. Throws `AnswerLost` if the claim may exist nevertheless. */
  create(claimant: Claimant): Promise<number>
  record(id: number, state: RecordedState, description: string, link?: string): Promise<void>
}

/** How a claim may end; `error`: nobody knows whether the version was published. */
export type EndState = 'success' | 'failure' | 'error' | 'inactive'
export type RecordedState = 'in_progress' | EndState
export type ClaimHistory = Pick<Claim, 'statuses'> & Pick<Snapshot, 'now'>

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
export type FailedClaims = Map<number, Claim['statuses']>

export interface Steps {
  readonly deployments: Deployments
  readonly claimant: Omit<Claimant, 'nonce'>
  readonly failed: FailedClaims
  /** Compares another version with this one; absent where their order does not count. */
  readonly rankOf?: ((versionName: string) => Rank) | undefined
  /** The last seconds before the claim's deadline. They are kept for the answer: no tail is sent in them. */
  readonly reserve: number
  /** In milliseconds: how much later GitHub may show something to one reader than to another. */
  readonly lag: number
  stopwatch(): Stopwatch
  /** Resolves after `ms` milliseconds; rejects when the run is cancelled, or the signal fires. */
  sleep(ms: number, until?: AbortSignal): Promise<void>
  /** The same in a cancelled run, too, as long as it may write the end of its claim. */
  settlingPause(ms: number): Promise<void>
  tell(message: string): void
}

/** In milliseconds: how long something that was written may stay hidden. */
const SHOW_LIMIT = 15_000

/** All claims on a publication, and on other versions where their order counts. */
export interface ProductSnapshot extends Snapshot {
  readonly rivals: readonly Rival[]
  /** GitHub's time at the last answer; `now` is that at the first. */
  readonly until: number
  /** In milliseconds: how late this may be. */
  readonly lag: number
}

/** What a snapshot takes. Of the deployments, it only reads. */
export interface SnapshotSource extends Pick<Steps, 'failed' | 'lag'> {
  readonly claimant: RunOf
  readonly deployments: Pick<Deployments, 'versionName' | 'list' | 'history'>
}

/** Reads all claims, with their histories. Earlier attempts of this run get a past deadline. */
export async function takeSnapshot(
  { deployments, claimant: run, failed, lag: usual }: SnapshotSource,
  rankOf: Steps['rankOf'] = () => undefined
): Promise<ProductSnapshot> {
  const { claims: listed, now, lag: told = usual } = await deployments.list()
  const lag = Math.min(told, usual)
  let until = now
  const read = async (claim: ListedClaim): Promise<Claim> => {
    const { id, createdAt, claimant } = claim
    let statuses = failed.get(id)
    if (!statuses) {
      const history = await deployments.history(id)
      if (!history && now - createdAt > SHOW_LIMIT) throw unreadableHistory(claim)
      until = history?.now ?? until
      statuses = history?.statuses ?? []
    }
    // All see by now that it failed, so it is read once.
    if (isFailed({ statuses }) && now - createdAt >= lag) failed.set(id, statuses)
    const deadline = isEarlierAttempt(claimant, run) ? 0 : claimant.deadline
    return { ...claim, claimant: { ...claimant, deadline }, statuses }
  }
  const claims: Claim[] = []
  const rivals: Rival[] = []
  for (const claim of listed) {
    const isOwn = claim.versionName === deployments.versionName
    const rank = isOwn ? undefined : rankOf(claim.versionName)
    // A lower one counts only while it may be sent.
    const counts = rank === 'higher' || (rank === 'lower' && now < deadlineOf(claim))
    if (isOwn) claims.push(await read(claim))
    else if (counts) rivals.push({ ...(await read(claim)), rank })
  }
  return { claims, rivals, now, until, lag }
}

/** The error of a claim whose history stays hidden. */
export function unreadableHistory({ id }: ListedClaim): Error {
  return new Error(`The statuses of deployment ${id} could not be read: GitHub answered 404`)
}

/** Asks until the answer is not undefined, since GitHub's lists lag. Throws `hidden` after 15 seconds. */
export async function waitUntilShown<T>(
  { sleep }: Pick<Steps, 'sleep'>,
  hidden: Error,
  ask: () => Promise<T | undefined>
): Promise<T> {
  let pause = 500
  for (let waited = 0; ; ) {
    const found = await ask()
    if (found !== undefined) return found
    const left = SHOW_LIMIT - waited
    if (left <= 0) throw hidden
    pause = Math.min(pause, left)
    await sleep(pause)
    waited += pause
    pause = Math.min(pause * 2, 3000)
  }
}

/** In milliseconds: the least between two snapshots. */
const LEAST_PAUSE = 250
/** In milliseconds: a timer may end a little early. */
const TIMER_ERROR = 10

/** How long to sleep, in milliseconds, until another snapshot is worth its requests. */
export function pauseBeforeSnapshot(left: number): number {
  return Math.max(left + TIMER_ERROR, LEAST_PAUSE)
}
