// One version's view of the record, for one run: how it looks at what counts, writes, waits, and measures time.
import { GitHubError } from '../github/github-error.ts'
import { growing, poll, retry } from '../runner/retry.ts'
import { type ClaimHistory, type Deployments, LAG_MS } from './deployments.ts'
import {
  type Claim,
  type Claimant,
  type ListedClaim,
  type Look,
  mayHaveSent,
  type Rank
} from './rules.ts'

/** Measures the milliseconds since it was started. It gives two answers, since no clock of a machine is always right. */
export interface Stopwatch {
  /** By the monotonic clock, which nobody sets, and which may stop while the machine sleeps: never too much. */
  atLeast(): number
  /** By the clock that shows more. A clock that is set may make it too much. */
  atMost(): number
}

/** One version's view of the record, and how a run waits. */
export interface Ledger {
  readonly deployments: Deployments
  /** As `comparableName` gives it. */
  readonly versionName: string
  readonly tag: string
  /** The ref of its claims: the tag, or the run's commit where GitHub does not know the tag. */
  readonly ref: string
  readonly claimant: Claimant
  /** Compares another version with this one; undefined where their order does not count. */
  readonly rankOf?: ((versionName: string) => Rank) | undefined
  stopwatch(): Stopwatch
  /** Resolves after `ms` milliseconds; rejects when the run is canceled, or the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The same, but a canceled run may still pause for as long as it may write the end of its claim. */
  settlingPause(ms: number): Promise<void>
  log(message: string): void
}

/** A run that publishes. */
export interface Publisher extends Ledger {
  look(): Promise<Look>
}

/** How long GitHub may take to show something that was written. */
const SHOW_MAX_MS = 15_000
/** More than an upload takes. An older claim on a lower version is not in progress anymore. */
const DAY_MS = 24 * 60 * 60_000

/** How many histories are read at a time. */
const READ_AT_ONCE = 4

/** The record, and the version that a look is about. */
interface RecordView extends Pick<Ledger, 'versionName' | 'rankOf'> {
  readonly deployments: Pick<Deployments, 'list' | 'history'>
}

/**
 * Makes the looks of one run. They throw what GitHub's API throws.
 *
 * Each reads the history of every claim on the own version, however many there are, and none is kept from one look to the
 * next: a person may write on any of them, and correct a slip on the oldest. This number grows with what happens, and so do
 * the pages of the list, and the lower versions of the last day. Of higher versions, the claims are read newest first, each
 * claim, until one stops the run: behind a newer one that failed may stand an older one in doubt.
 */
export function openLook(view: RecordView): () => Promise<Look> {
  const { deployments, versionName, rankOf = () => undefined } = view
  return async () => {
    const { claims: listed, now } = await deployments.list()
    let lastDate = now

    const read = async <T extends ListedClaim>(some: readonly T[]): Promise<(T & Claim)[]> => {
      const histories = await Promise.all(some.map(({ id }) => deployments.history(id)))
      return some.map((claim, index) => {
        const history = histories[index]
        if (!history && now - claim.createdAt > LAG_MS) {
          throw new GitHubError(`GitHub did not show the statuses of deployment ${claim.id}`)
        }
        // Their answers come in any order.
        lastDate = Math.max(lastDate, history?.now ?? now)
        return { ...claim, statuses: history?.statuses ?? [] }
      })
    }

    const claims: Claim[] = []
    for (const some of inGroups(listed.filter(it => it.versionName === versionName))) {
      claims.push(...(await read(some)))
    }

    const ranked = listed
      .filter(it => it.versionName !== versionName)
      .map(claim => ({ ...claim, rank: rankOf(claim.versionName) }))
    const others: Look['others'][number][] = []
    for (const some of inGroups(ranked.toReversed().filter(({ rank }) => rank === 'higher'))) {
      others.push(...(await read(some)))
      if (others.some(higher => mayHaveSent(higher, now))) return { claims, others, now, lastDate }
    }

    const counts = ({ rank, createdAt }: (typeof ranked)[number]) =>
      rank === 'lower' && now - createdAt < DAY_MS
    for (const some of inGroups(ranked.filter(counts))) {
      others.push(...(await read(some)))
    }
    return { claims, others, now, lastDate }
  }
}

/** The claims in groups of as many as are read at once. */
function inGroups<T>(claims: readonly T[]): T[][] {
  const count = Math.ceil(claims.length / READ_AT_ONCE)
  return Array.from({ length: count }, (_, group) =>
    claims.slice(group * READ_AT_ONCE, (group + 1) * READ_AT_ONCE)
  )
}

/** By how much a timer may fire too early. */
const TIMER_ERROR_MS = 10
/** The shortest sleep. */
const LEAST_PAUSE_MS = 50

/**
 * Resolves once every run sees what was written on these claims: waits until this run sees it, and then for the lag, by
 * the monotonic clock. The lag does not count from GitHub's answer to the write: a run whose write is answered, but not
 * yet shown, could send while another one does. Throws a `GitHubError` if it does not show within 15 seconds.
 */
export async function waitUntilAllSee(
  ledger: Pick<Ledger, 'deployments' | 'sleep' | 'stopwatch'>,
  ids: readonly number[],
  isShown: (statuses: ClaimHistory['statuses']) => boolean
): Promise<void> {
  // Each list says the same lag, if any: it is a setting of the simulated GitHub.
  let lag = LAG_MS
  for (const id of ids) {
    lag = await waitUntilShown(ledger, id, isShown)
  }

  const shown = ledger.stopwatch()
  for (let left = lag; left > 0; left = lag - shown.atLeast()) {
    await ledger.sleep(Math.max(left + TIMER_ERROR_MS, LEAST_PAUSE_MS))
  }
}

/** Reads until the claim's history `isShown` and the list has the claim, since both lag. Returns the list's lag. */
async function waitUntilShown(
  { deployments, sleep }: Pick<Ledger, 'deployments' | 'sleep'>,
  id: number,
  isShown: (statuses: ClaimHistory['statuses']) => boolean
): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const history = await deployments.history(id)
    if (!history || !isShown(history.statuses)) return undefined

    const { claims, lag = LAG_MS } = await deployments.list()
    return claims.some(claim => claim.id === id) ? Math.min(lag, LAG_MS) : undefined
  }

  let waited = 0
  const lag = await poll(look, {
    pauseAfter: looked => {
      if (waited >= SHOW_MAX_MS) return undefined
      const pause = growing(250, 2, SHOW_MAX_MS, looked)
      waited += pause
      return pause
    },
    sleep: ms => sleep(ms)
  })
  if (lag !== undefined) return lag
  throw new GitHubError(`GitHub did not show in time what was recorded on deployment ${id}`)
}

/** How often a write is tried. */
const WRITE_TRIES = 4
/** The first pause between two of them. */
const WRITE_PAUSE_MS = 1000

/**
 * Writes, and tries again when the answer was lost (the write may have taken effect, but twice does no harm), or when
 * GitHub has a short rate limit. Throws the last error.
 */
export function writeAgain<T>(
  { sleep }: Pick<Ledger, 'sleep'>,
  write: () => Promise<T>
): Promise<T> {
  return retry(write, {
    pauseAfter: (error, tried) => {
      if (!(error instanceof GitHubError) || tried === WRITE_TRIES) return undefined

      const { isAnswerLost, limited, pause } = error
      const mayHelp = isAnswerLost || (limited && pause !== undefined)
      return mayHelp ? Math.max(WRITE_PAUSE_MS * tried, pause ?? 0) : undefined
    },
    sleep: ms => sleep(ms)
  })
}
