// What the steps of publishing at most once work with: the record, the clocks, and one look at everything that counts.
import { GitHubError } from '../github/github.ts'
import { AnswerLost, type ClaimHistory, type Deployments, LAG } from './deployments.ts'
import {
  type Claim,
  type Claimant,
  type ListedClaim,
  type Rank,
  type Snapshot,
  stateOf
} from './rules.ts'

/** How long ago it was started, in milliseconds. Two answers, since no clock of a machine is always right. */
export interface Stopwatch {
  /** By the monotonic clock, which nobody sets, and which may stop while the machine sleeps: never too much. */
  atLeast(): number
  /** By the clock that shows more. A clock that is set may make it too much. */
  atMost(): number
}

/** One version's view of the record, and how a run waits. */
export interface Steps {
  readonly deployments: Deployments
  /** As `comparableName` gives it. */
  readonly versionName: string
  readonly tag: string
  readonly claimant: Claimant
  /** Compares another version with this one; undefined where their order does not count. */
  readonly rankOf?: ((versionName: string) => Rank) | undefined
  stopwatch(): Stopwatch
  /** Resolves after `ms` milliseconds; rejects when the run is cancelled, or the signal fires. */
  sleep(ms: number, until?: AbortSignal): Promise<void>
  /** The same in a cancelled run, too, as long as it may write the end of its claim. */
  settlingPause(ms: number): Promise<void>
  log(message: string): void
}

/** A look at the record; `until` is GitHub's time at its last answer. */
export type Look = Snapshot & Readonly<{ until: number }>

/** Looks at the record; within a run, a claim that has failed is read once. */
export interface Looker {
  look(): Promise<Look>
  /** How late the last look may have been, in milliseconds. */
  lag(): number
}

/** A run that publishes: how it looks at the record, and the claims that it has made, the present one last. */
export type Publisher = Steps & Readonly<{ looker: Looker; mine: number[] }>

/** In milliseconds: how long something that was written may stay hidden. */
const SHOW_LIMIT = 15_000
/** In milliseconds. The request of an older claim has ended long ago. */
const DAY = 24 * 60 * 60_000

/** Makes the looks of one run. They throw what GitHub's API throws. */
export function openLooker({
  deployments,
  versionName,
  claimant,
  rankOf = () => undefined
}: Pick<Steps, 'deployments' | 'versionName' | 'claimant' | 'rankOf'>): Looker {
  const failed = new Map<number, Claim>()
  let last = LAG
  const look = async (): Promise<Look> => {
    const { claims: listed, now, lag = LAG } = await deployments.list()
    last = Math.min(lag, LAG)
    let until = now
    const read = async (claim: ListedClaim): Promise<Claim> => {
      const known = failed.get(claim.id)
      if (known) return known
      const history = await deployments.history(claim.id)
      if (!history && now - claim.createdAt > SHOW_LIMIT) throw hiddenHistory(claim)
      until = history?.now ?? until
      const whole = { ...claim, statuses: history?.statuses ?? [] }
      if (stateOf(whole, now, claimant) === 'failed') failed.set(claim.id, whole)
      return whole
    }
    const claims: Claim[] = []
    const others: Look['others'][number][] = []
    for (const claim of listed) {
      if (claim.versionName === versionName) {
        claims.push(await read(claim))
        continue
      }
      const rank = rankOf(claim.versionName)
      const counts = rank === 'higher' || (rank === 'lower' && now - claim.createdAt < DAY)
      if (counts) others.push({ ...(await read(claim)), rank })
    }
    return { claims, others, now, until }
  }
  return { look, lag: () => last }
}

/** The error of a claim whose history GitHub does not show. */
export function hiddenHistory({ id }: Pick<ListedClaim, 'id'>): GitHubError {
  return new GitHubError(`GitHub did not show the statuses of deployment ${id}`)
}

/** Reads a claim until its history `isShown` and the list has it, since both lag. Throws after 15 seconds. */
export async function waitUntilShown(
  { deployments, sleep }: Pick<Steps, 'deployments' | 'sleep'>,
  id: number,
  isShown: (statuses: ClaimHistory['statuses']) => boolean
): Promise<void> {
  const isListed = async () => (await deployments.list()).claims.some(claim => claim.id === id)
  let pause = 250
  for (let waited = 0; ; waited += pause, pause *= 2) {
    const history = await deployments.history(id)
    if (history && isShown(history.statuses) && (await isListed())) return
    if (waited >= SHOW_LIMIT) {
      throw new GitHubError(`GitHub did not show in time what was recorded on deployment ${id}`)
    }
    await sleep(pause)
  }
}

/** In milliseconds: a timer may end a little early, and the least between two looks. */
const [TIMER_ERROR, LEAST_PAUSE] = [10, 50]

/** Sleeps until the lag has passed, by the monotonic clock, since `shown` was started. */
export async function waitOutLag(
  { sleep }: Pick<Steps, 'sleep'>,
  shown: Stopwatch,
  lag: number
): Promise<void> {
  for (let left = lag - shown.atLeast(); left > 0; left = lag - shown.atLeast()) {
    await sleep(Math.max(left + TIMER_ERROR, LEAST_PAUSE))
  }
}

/** How often a write is made whose answer is lost, and the pause between, in milliseconds. */
const [WRITES, WRITE_PAUSE] = [4, 1000]

/** Writes again what got no answer. Throws the last error. */
export async function writeAgain<T>(
  { sleep }: Pick<Steps, 'sleep'>,
  write: () => Promise<T>
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof AnswerLost) || tries === WRITES) throw error
      await sleep(WRITE_PAUSE * tries)
    }
  }
}
