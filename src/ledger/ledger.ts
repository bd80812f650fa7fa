// The at-most-once memory, decided: what the claims on a publication say about the next step. Pure.

/** What a deployment's status can say; GitHub has more states, which say nothing here. */
export interface Status {
  readonly id: number
  readonly state: string
  readonly description: string
  readonly environmentUrl: string
}

/** What the payload of a claim tells about the run that made it. */
export interface Claimant {
  readonly nonce: string
  readonly runId: string
  readonly runAttempt: number
  readonly job: string
  readonly commit: string
  readonly fileName: string
  /** For how long after its creation the run may need the claim, in seconds. */
  readonly deadline: number
}

/** A deployment of one publication, as a list shows it. */
export interface Listed {
  readonly id: number
  /** Milliseconds since 1970, by GitHub's clock. */
  readonly createdAt: number
  readonly claimant: Claimant
}

/** The same with its whole history, oldest status first. */
export interface Claim extends Listed {
  readonly statuses: readonly Status[]
}

export type ClaimState = 'published' | 'in doubt' | 'committed' | 'claimed' | 'over'

/** All claims on a publication at a moment of GitHub's clock. */
export interface Look {
  readonly claims: readonly Claim[]
  readonly now: number
}

/**
 * A claim's state, from its whole history: the latest status alone would not do, since other tools
 * mark deployments `inactive`.
 */
export function stateOf(claim: Claim, now: number): ClaimState {
  const states = claim.statuses.map(status => status.state)
  const late = now >= deadlineOf(claim)
  const begun = states.findLastIndex(state => state === 'in_progress' || state === 'error')
  if (states.includes('success')) return 'published'
  if (states.lastIndexOf('failure') > begun) return 'over'
  if (states.includes('error')) return 'in doubt'
  if (begun >= 0) return late ? 'in doubt' : 'committed'
  if (states.includes('inactive')) return 'over'
  return late ? 'over' : 'claimed'
}

/** When the claim's run gives up at the latest, in milliseconds of GitHub's clock. */
export function deadlineOf(claim: Claim): number {
  return claim.createdAt + claim.claimant.deadline * 1000
}

/**
 * The same claims, where those of this run's earlier attempts are past their deadlines: GitHub runs a job
 * again only when the attempt before has ended.
 */
export function endEarlierAttempts(
  claims: readonly Claim[],
  { runId, runAttempt }: Pick<Claimant, 'runId' | 'runAttempt'>
): readonly Claim[] {
  return claims.map(claim => {
    const { claimant } = claim
    const hasEnded = claimant.runId === runId && claimant.runAttempt < runAttempt
    return hasEnded ? { ...claim, claimant: { ...claimant, deadline: 0 } } : claim
  })
}

/** What is known of a publication: the strongest state among its claims, and a claim that has it. */
export type Standing =
  | { readonly state: 'none' }
  | { readonly state: Exclude<ClaimState, 'over'>; readonly claim: Claim }

const STRONGEST_FIRST = ['published', 'in doubt', 'committed', 'claimed'] as const

/** Of several claims the strongest counts: published, in doubt, committed, claimed, none. */
export function standingOf({ claims, now }: Look): Standing {
  for (const state of STRONGEST_FIRST) {
    const claim = claims.find(candidate => stateOf(candidate, now) === state)
    if (claim) return { state, claim }
  }
  return { state: 'none' }
}

/** Where a run stands when it looks. */
export type Stage =
  /** It has no claim. */
  | { readonly kind: 'arriving' }
  /** Its claim is among those seen; nothing is sent. */
  | { readonly kind: 'claimed'; readonly own: number }
  /** All but the tail is sent, and its `in_progress` is among the statuses seen. */
  | { readonly kind: 'committing'; readonly own: number }

export type Decision =
  | { readonly kind: 'proceed' }
  /** Somebody published it: nothing is to be sent. */
  | { readonly kind: 'replay'; readonly claim: Claim }
  /** Nobody can say whether it is published: a person must look. */
  | { readonly kind: 'in doubt'; readonly claim: Claim }
  /** Another run came first and lives: wait for it. */
  | { readonly kind: 'yield'; readonly claim: Claim }
  /** Somebody else wrote on the own claim, or its time is over: it is worth nothing any more. */
  | { readonly kind: 'lost'; readonly claim: Claim }
  /** A later run is about to send its tail; it has to yield, and is given a little time for it. */
  | { readonly kind: 'contested'; readonly claim: Claim }

/** What a run does next. The order of the questions is the order of the promises. */
export function decide(look: Look, stage: Stage): Decision {
  const { claims, now } = look
  const standing = standingOf(look)
  if (standing.state === 'published') return { kind: 'replay', claim: standing.claim }
  if (standing.state === 'in doubt') return { kind: 'in doubt', claim: standing.claim }
  if (stage.kind === 'arriving') return { kind: 'proceed' }

  const living = claims.filter(claim => isLiving(claim, now))
  const earlier = living.find(claim => claim.id < stage.own)
  if (earlier) return { kind: 'yield', claim: earlier }
  const own = claims.find(claim => claim.id === stage.own)
  if (own && !isIntact(own, now, stage)) return { kind: 'lost', claim: own }
  const later = living.find(claim => claim.id > stage.own && stateOf(claim, now) === 'committed')
  if (later && stage.kind === 'committing') return { kind: 'contested', claim: later }
  return { kind: 'proceed' }
}

/** Whether a claim's run may still send. */
export function isLiving(claim: Claim, now: number): boolean {
  const state = stateOf(claim, now)
  return state === 'claimed' || state === 'committed'
}

function isIntact(own: Claim, now: number, stage: Stage): boolean {
  const expected = stage.kind === 'committing' ? ['in_progress'] : []
  const states = own.statuses.map(status => status.state)
  return isLiving(own, now) && states.join() === expected.join()
}
