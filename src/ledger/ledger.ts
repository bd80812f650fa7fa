// The rules of the at-most-once memory: what the claims on a publication mean for a run's next step. Pure.
import type { Rank } from '../release/tag.ts'

/** A deployment's status. Other tools may write states that are not used here. */
export type Status = Readonly<
  { id: number } & Record<'state' | 'description' | 'environmentUrl', string>
>

/** A claim's payload. `title` is empty if nobody knows it. `deadline`: how many seconds its run may need it. */
export type Claimant = Readonly<
  Record<'nonce' | 'runId' | 'job' | 'commit' | 'title' | 'fileName', string> &
    Record<'runAttempt' | 'deadline', number>
>
export type RunOf = Pick<Claimant, 'runId' | 'runAttempt'>

/** A deployment of ours, which claims a version, with its whole history, oldest status first. */
export interface Claim {
  readonly id: number
  /** Milliseconds since 1970, by GitHub's clock. */
  readonly createdAt: number
  readonly versionName: string
  readonly tag: string
  readonly claimant: Claimant
  readonly statuses: readonly Status[]
}
export type ListedClaim = Omit<Claim, 'statuses'>

/** All claims on a publication, lowest id first; `now` is GitHub's time, in milliseconds since 1970. */
export type Snapshot = Readonly<{ claims: readonly Claim[]; now: number }>

/** A claim on another version of the same product or benefit, and where that stands to the run's own. */
export type Rival = Claim & { readonly rank: NonNullable<Rank> }

// Of several claims, the strongest counts. `claimed`: no tail is sent yet; `committed`: its tail may go;
// `in doubt`: a tail may have been sent, and nobody knows the answer; `over`: certainly not published.
const STRONGEST_FIRST = ['published', 'in doubt', 'committed', 'claimed'] as const
export type ClaimState = (typeof STRONGEST_FIRST)[number] | 'over'

/** What `settle` writes on a claim, and what a run writes on its own; a person's `success` has no description. */
const SETTLED = /settled as published by run/
const OURS = /^$|published as version|settled as published by run/

/** A `success` in words that are not ours: some apps write one on every new deployment. */
export function isForeign({ state, description }: Status): boolean {
  return state === 'success' && !OURS.test(description)
}

function isPublished({ statuses }: Pick<Claim, 'statuses'>): boolean {
  return statuses.some(status => status.state === 'success' && !isForeign(status))
}

/** A claim's state, from its whole history: the last status may be an `inactive` that another tool wrote. */
export function stateOf(claim: Claim, now: number): ClaimState {
  const states = claim.statuses.map(status => status.state)
  const late = now >= deadlineOf(claim)
  if (isPublished(claim)) return 'published'
  if (isFailed(claim)) return 'over'
  if (states.includes('error')) return 'in doubt'
  if (states.includes('in_progress')) return late ? 'in doubt' : 'committed'
  // In other words than ours: until the deadline, the claim's run may still send, or end it.
  if (states.includes('success')) return late ? 'in doubt' : 'claimed'
  if (states.includes('inactive')) return 'over'
  return late ? 'over' : 'claimed'
}

/** When the claim's run has given up at the latest, in milliseconds of GitHub's clock. */
export function deadlineOf(claim: ListedClaim): number {
  return claim.createdAt + claim.claimant.deadline * 1000
}

/** Whether a claim's run may still send. */
export function isLiving(claim: Claim, now: number): boolean {
  const state = stateOf(claim, now)
  return state === 'claimed' || state === 'committed'
}

/** How a run describes its `failure`, before the reason. */
export const NOT_PUBLISHED = 'not published: '
/** Any other `failure` is an app's, which says nothing of a publication; a person's has no description. */
const OUR_FAILURE = /^$|^not published: |settled as not published by run/

/** Whether its run has said that it did not publish: then no run writes on the claim any more. */
export function isFailed({ statuses }: Pick<Claim, 'statuses'>): boolean {
  const begun = statuses.findLastIndex(({ state }) => /^(?:in_progress|error|success)$/.test(state))
  const ended = statuses.findLastIndex(({ state, description }) => {
    return state === 'failure' && OUR_FAILURE.test(description)
  })
  return !isPublished({ statuses }) && ended > begun
}

/** Whether its run has said how it ended. */
export function hasEnded(claim: Claim): boolean {
  return isPublished(claim) || isFailed(claim)
}

/** Whether it is an earlier attempt of `run`. That one has ended: GitHub starts an attempt only after it. */
export function isEarlierAttempt({ runId, runAttempt }: RunOf, run: RunOf): boolean {
  return runId === run.runId && runAttempt < run.runAttempt
}

export type Standing =
  | Readonly<{ state: 'none' }>
  | Readonly<{ state: (typeof STRONGEST_FIRST)[number]; claim: Claim }>

/** The strongest state among a publication's claims, and a claim that has it. */
export function standingOf({ claims, now }: Snapshot): Standing {
  for (const state of STRONGEST_FIRST) {
    const claim = claims.find(candidate => stateOf(candidate, now) === state)
    if (claim) return { state, claim }
  }
  return { state: 'none' }
}

/** When a run looks: before its claim, with its claim (id `own`), or with all but the tail sent. */
export type Stage = Readonly<{ kind: 'arriving' } | { kind: 'claimed' | 'committing'; own: number }>

export type Decision =
  | { readonly kind: 'proceed' }
  /** Somebody published it: nothing is to be sent. */
  | { readonly kind: 'replay'; readonly claim: Claim }
  /** Nobody can say whether it is published: a person must look. */
  | { readonly kind: 'in doubt'; readonly claim: Claim }
  /** Something else wrote `success` on the run's own claim, of which no tail was sent: a person must look. */
  | { readonly kind: 'contradicted'; readonly claim: Claim }
  /** Another run's living claim is earlier: wait for it. */
  | { readonly kind: 'yield'; readonly claim: Claim }
  /** Something else wrote on the run's own claim, or its deadline has passed: it no longer counts. */
  | { readonly kind: 'lost'; readonly claim: Claim }
  /** A later run has recorded `in_progress`. It will see this claim and yield: look again shortly. */
  | { readonly kind: 'contested'; readonly claim: Claim }

/** A higher version, with its claim: whether it is published is certain, or not. */
export interface Outranked {
  readonly state: 'published' | 'in doubt'
  readonly versionName: string
  readonly claim: Claim
}

/** What the order of versions says to a run that has sent all but the tail. */
export type OrderDecision =
  | { readonly kind: 'proceed' }
  /** A higher version is published, or may be: the run's own must not follow it. */
  | (Outranked & { readonly kind: 'outranked' })
  /** Another version is being sent: look again shortly. */
  | { readonly kind: 'beside'; readonly claim: Rival }

/** What a run does next. The order counts: what is or may be published comes first, then earlier claims. */
export function decide(snapshot: Snapshot, stage: Stage): Decision {
  const { claims, now } = snapshot
  const own = stage.kind === 'arriving' ? undefined : claims.find(({ id }) => id === stage.own)
  const isContradicted = own !== undefined && isMarked(own)
  const standing = standingOf({ claims: claims.filter(it => it !== own || !isContradicted), now })
  if (standing.state === 'published') return { kind: 'replay', claim: standing.claim }
  if (standing.state === 'in doubt') return { kind: 'in doubt', claim: standing.claim }
  if (isContradicted) return { kind: 'contradicted', claim: own }
  if (stage.kind === 'arriving') return { kind: 'proceed' }
  const living = claims.filter(claim => isLiving(claim, now))
  const earlier = living.find(claim => claim.id < stage.own)
  if (earlier) return { kind: 'yield', claim: earlier }
  const expected = stage.kind === 'committing' ? 'in_progress' : ''
  const isIntact = own?.statuses.map(({ state }) => state).join() === expected
  // Undefined while the list lags; the callers wait until the claim shows.
  if (own && !(isIntact && living.includes(own))) return { kind: 'lost', claim: own }
  const later = living.find(claim => claim.id > stage.own && stateOf(claim, now) === 'committed')
  if (later && stage.kind === 'committing') return { kind: 'contested', claim: later }
  return { kind: 'proceed' }
}

/** Whether anything but a person's `settle` wrote `success` on a claim. */
function isMarked({ statuses }: Claim): boolean {
  const successes = statuses.filter(({ state }) => state === 'success')
  return successes.length > 0 && !successes.some(({ description }) => SETTLED.test(description))
}

/** Decides by the order of versions. A lower one that is being sent is to come first, if it can. */
export function decideOrder(rivals: readonly Rival[], now: number): OrderDecision {
  const find = (rank: Rank, wanted: ClaimState) =>
    rivals.find(rival => rival.rank === rank && stateOf(rival, now) === wanted)
  for (const state of ['published', 'in doubt'] as const) {
    const claim = find('higher', state)
    if (claim) return { kind: 'outranked', state, versionName: claim.versionName, claim }
  }
  const rival = find('higher', 'committed') ?? find('lower', 'committed')
  return rival ? { kind: 'beside', claim: rival } : { kind: 'proceed' }
}
