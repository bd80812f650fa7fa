// The rules of publishing at most once: what the claims on a version mean for a run's next step. Pure.

/** A status of ours on a deployment; statuses of other tools are never read. Times: milliseconds since 1970, GitHub's. */
export type Status = Readonly<{ id: number; state: string; description: string; createdAt: number }>

/** Where a file came from: built in the workspace, or attached to the release. */
export const FILE_SOURCES = ['workspace', 'release'] as const
export type FileSource = (typeof FILE_SOURCES)[number]

/** Who made a claim, and what for; a text is empty if it is not known. */
export interface Claimant {
  readonly runId: string
  readonly runAttempt: number
  readonly job: string
  /** The commit that the tag names. */
  readonly commit: string
  readonly title: string
  /** Undefined if it is not known. */
  readonly fileSource: FileSource | undefined
  readonly fileName: string
  /** In the workspace, since files in two folders may share a name; of an attached file, its name. */
  readonly filePath: string
  /** The inspected file's, in hexadecimal digits. */
  readonly sha256: string
}

/** One job of one attempt of a run. */
export type JobRun = Pick<Claimant, 'runId' | 'runAttempt' | 'job'>

/** A deployment that claims a version, for one upload of it that may reach its last bytes. */
export interface ListedClaim {
  readonly id: number
  readonly createdAt: number
  readonly versionName: string
  /** The version's; a mark's deployment may have another ref, since its tag need not exist. */
  readonly tag: string
  readonly claimant: Claimant
}

/** A claim with its whole history, oldest status first. */
export type Claim = ListedClaim & Readonly<{ statuses: readonly Status[] }>

/** How another version compares with the run's own; undefined if their order does not count. */
export type Rank = 'higher' | 'lower' | undefined

/** One look at the record: the claims on the run's version, and on others whose order counts. */
export interface Look {
  readonly claims: readonly Claim[]
  readonly others: readonly (Claim & { readonly rank: Rank })[]
  /** GitHub's time at its first answer: by a later one, a history that was read before would seem older than it is. */
  readonly now: number
  /** The latest time that GitHub said. */
  readonly lastDate: number
}

/** A claim that is in progress for longer is in doubt. No run waits so long for an answer. */
export const LIFETIME_MS = 15 * 60_000

/** `idle`: it never reached its last bytes, and no run heeds it. */
export type ClaimState = 'published' | 'in doubt' | 'in progress' | 'failed' | 'idle'

/**
 * A claim's state, from its whole history: the same for whoever looks. The order of its statuses matters in one case only:
 * a `failure` after every `error` is the last word of the run, or of a person, even if an `in_progress` that took effect
 * late follows it.
 * @param now GitHub's time, in milliseconds since 1970.
 */
export function stateOf({ statuses }: Pick<Claim, 'statuses'>, now: number): ClaimState {
  const states = statuses.map(({ state }) => state)
  if (states.includes('success')) return 'published'
  if (states.lastIndexOf('failure') > states.lastIndexOf('error')) return 'failed'
  if (states.includes('error')) return 'in doubt'

  const begun = beganAt({ statuses })
  if (begun === undefined) return 'idle'
  return now >= begun + LIFETIME_MS ? 'in doubt' : 'in progress'
}

/**
 * Whether a claim may have sent the version: it is in progress, in doubt, or published.
 * @param now GitHub's time, in milliseconds since 1970.
 */
export function mayHaveSent(claim: Claim, now: number): boolean {
  const state = stateOf(claim, now)
  return state === 'in progress' || state === 'in doubt' || state === 'published'
}

/** When the last bytes may first have gone out, by GitHub's clock; undefined if they have not. */
export function beganAt({ statuses }: Pick<Claim, 'statuses'>): number | undefined {
  return statuses.find(({ state }) => state === 'in_progress')?.createdAt
}

/** By GitHub's clock: from when on a person may look into the shop, since no run of the claim waits for an answer anymore. */
export function settledAt({ statuses, createdAt }: Pick<Claim, 'statuses' | 'createdAt'>): number {
  const begun = statuses.findLast(({ state }) => state === 'in_progress')
  return (begun?.createdAt ?? createdAt) + LIFETIME_MS
}

/** A higher version that is published, or may be. */
export interface HigherVersion {
  readonly state: 'published' | 'in doubt' | 'in progress'
  readonly claim: Claim
}

/** Why a run must send nothing. */
export type Stop =
  | Readonly<{ kind: 'published' | 'in doubt'; claim: Claim }>
  | (HigherVersion & Readonly<{ kind: 'higher' }>)

/** Whether anything stands in a run's way. */
export type Verdict =
  | Readonly<{ kind: 'clear' }>
  | Stop
  /** Another run is sending this version, or a lower one: this run waits for it. */
  | Readonly<{ kind: 'in progress'; claim: Claim; rank: 'same' | 'lower' }>

const STOPPING = ['published', 'in doubt'] as const
const OUTRANKING = [...STOPPING, 'in progress'] as const

/**
 * Judges a look: the one rule at arrival and at the commit point.
 * @param ownId The run's present claim, which is no other run's while it is in progress. One that others have marked as
 *   published, or in doubt, stops the run all the same.
 */
export function judge({ claims, others, now }: Omit<Look, 'lastDate'>, ownId?: number): Verdict {
  const find = <T extends Claim>(among: readonly T[], state: ClaimState) =>
    among.find(claim => stateOf(claim, now) === state)

  for (const kind of STOPPING) {
    const claim = find(claims, kind)
    if (claim) return { kind, claim }
  }

  const higher = others.filter(({ rank }) => rank === 'higher')
  for (const state of OUTRANKING) {
    const claim = find(higher, state)
    if (claim) return { kind: 'higher', state, claim }
  }

  const foreign = claims.filter(({ id }) => id !== ownId)
  const same = find(foreign, 'in progress')
  if (same) return { kind: 'in progress', claim: same, rank: 'same' }

  // Its last bytes may still be in flight. Only the higher version waits, so no two wait for each other.
  const below = others.filter(({ rank }) => rank === 'lower')
  const lower = find(below, 'in progress')
  if (lower) return { kind: 'in progress', claim: lower, rank: 'lower' }
  return { kind: 'clear' }
}
