// The rules of publishing at most once: what the claims on a version mean for a run's next step. Pure.

/** A status of ours on a deployment; statuses of other tools are never read. Times: milliseconds since 1970, GitHub's. */
export type Status = Readonly<{ id: number; state: string; description: string; createdAt: number }>

/** Who made a claim, and what for; a text is empty if it is not known. */
export interface Claimant {
  readonly runId: string
  readonly runAttempt: number
  readonly job: string
  /** The commit that the tag names. */
  readonly commit: string
  readonly title: string
  readonly fileName: string
  /** In the workspace, since files in two folders may share a name; of an attached file, its name and the tag, in words. */
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
  /** GitHub's time at its first answer. */
  readonly now: number
  /** GitHub's time at its last answer. */
  readonly lastDate: number
}

/** A claim that is in progress for longer is in doubt. No run waits so long for an answer. */
export const LIFETIME_MS = 15 * 60_000

/** `idle`: it never reached its last bytes, and no run heeds it. */
export type ClaimState = 'published' | 'in doubt' | 'in progress' | 'failed' | 'idle'

/**
 * A claim's state, from its whole history. The order of its statuses matters in one case only: a `failure` after every
 * `error` is the last word of the run, or of a person, even if an `in_progress` that took effect late follows it. `run` is
 * the one that looks: its own earlier attempts have ended, since GitHub starts an attempt only after the last.
 */
export function stateOf({ statuses, claimant }: Claim, now: number, run?: JobRun): ClaimState {
  const states = statuses.map(({ state }) => state)
  if (states.includes('success')) return 'published'
  if (states.lastIndexOf('failure') > states.lastIndexOf('error')) return 'failed'
  if (states.includes('error')) return 'in doubt'

  const begun = beganAt({ statuses })
  if (begun === undefined) return 'idle'

  const hasEnded = run !== undefined && isEarlierAttempt(claimant, run)
  return hasEnded || now >= begun + LIFETIME_MS ? 'in doubt' : 'in progress'
}

/**
 * Whether a claim may have sent the version: it is in progress, in doubt, or published.
 * @param now GitHub's time, in milliseconds since 1970.
 * @param run The one that looks; see `stateOf`.
 */
export function mayHaveSent(claim: Claim, now: number, run?: JobRun): boolean {
  const state = stateOf(claim, now, run)
  return state === 'in progress' || state === 'in doubt' || state === 'published'
}

/** When the last bytes may first have gone out, by GitHub's clock; undefined if they have not. */
export function beganAt({ statuses }: Pick<Claim, 'statuses'>): number | undefined {
  return statuses.find(({ state }) => state === 'in_progress')?.createdAt
}

/** By GitHub's clock: from when on a person may look into the shop, since no run of the claim waits for an answer any more. */
export function settledAt({ statuses, createdAt }: Claim): number {
  const begun = statuses.findLast(({ state }) => state === 'in_progress')
  return (begun?.createdAt ?? createdAt) + LIFETIME_MS
}

/** Whether it is an earlier attempt of the same job. */
export function isEarlierAttempt(other: JobRun, run: JobRun): boolean {
  return other.runId === run.runId && other.job === run.job && other.runAttempt < run.runAttempt
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
 * Judges a look: the one rule at arrival and at the commit point. `mine` are the run's own claims: one in progress is no
 * other run's (an earlier one has failed, though a list may show that late), but one that others have marked as published,
 * or in doubt, stops it.
 */
export function judge(
  { claims, others, now }: Omit<Look, 'lastDate'>,
  run: JobRun,
  mine: readonly number[] = []
): Verdict {
  const find = <T extends Claim>(among: readonly T[], state: ClaimState) =>
    among.find(claim => stateOf(claim, now, run) === state)

  for (const kind of STOPPING) {
    const claim = find(claims, kind)
    if (claim) return { kind, claim }
  }

  const higher = others.filter(({ rank }) => rank === 'higher')
  for (const state of OUTRANKING) {
    const claim = find(higher, state)
    if (claim) return { kind: 'higher', state, claim }
  }

  const foreign = claims.filter(({ id }) => !mine.includes(id))
  const same = find(foreign, 'in progress')
  if (same) return { kind: 'in progress', claim: same, rank: 'same' }

  // Its last bytes may still be in flight. Only the higher version waits, so no two wait for each other.
  const below = others.filter(({ rank }) => rank === 'lower')
  const lower = find(below, 'in progress')
  if (lower) return { kind: 'in progress', claim: lower, rank: 'lower' }
  return { kind: 'clear' }
}
