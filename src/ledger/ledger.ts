// The at-most-once memory, decided: what the claims on a publication say about the next step. Pure.

/** A deployment's status; GitHub has more states than are used here. */
export type Status = Readonly<
  { id: number } & Record<'state' | 'description' | 'environmentUrl', string>
>

/** A claim's payload; `deadline`: for how many seconds after its creation the run may need the claim. */
export type Claimant = Readonly<
  Record<'nonce' | 'runId' | 'job' | 'commit' | 'fileName', string> &
    Record<'runAttempt' | 'deadline', number>
>
export type RunOf = Pick<Claimant, 'runId' | 'runAttempt'>

/** A deployment of one publication, with its whole history, oldest status first. */
export interface Claim {
  readonly id: number
  /** Milliseconds since 1970, by GitHub's clock. */
  readonly createdAt: number
  readonly claimant: Claimant
  readonly statuses: readonly Status[]
}
export type Listed = Omit<Claim, 'statuses'>

/** All claims on a publication at a moment of GitHub's clock. */
export type Look = Readonly<{ claims: readonly Claim[]; now: number }>

/** Of several claims on a publication, the strongest counts. */
const STRONGEST_FIRST = ['published', 'in doubt', 'committed', 'claimed'] as const
export type ClaimState = (typeof STRONGEST_FIRST)[number] | 'over'

/** A claim's state, from its whole history: other tools mark deployments `inactive`. */
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

/** Whether a claim's run may still send. */
export function isLiving(claim: Claim, now: number): boolean {
  const state = stateOf(claim, now)
  return state === 'claimed' || state === 'committed'
}

/** Whether it has certainly ended: GitHub reruns a job only after its previous attempt has ended. */
export function isEarlierAttempt({ runId, runAttempt }: RunOf, run: RunOf): boolean {
  return runId === run.runId && runAttempt < run.runAttempt
}

export type Standing =
  | Readonly<{ state: 'none' }>
  | Readonly<{ state: (typeof STRONGEST_FIRST)[number]; claim: Claim }>

/** The strongest state among a publication's claims, and a claim that has it. */
export function standingOf({ claims, now }: Look): Standing {
  for (const state of STRONGEST_FIRST) {
    const claim = claims.find(candidate => stateOf(candidate, now) === state)
    if (claim) return { state, claim }
  }
  return { state: 'none' }
}

/** A run looks without a claim, with its claim and nothing sent, or with all but the tail sent. */
export type Stage = Readonly<{ kind: 'arriving' } | { kind: 'claimed' | 'committing'; own: number }>

export type Decision =
  | { readonly kind: 'proceed' }
  /** Somebody published it: nothing is to be sent. */
  | { readonly kind: 'replay'; readonly claim: Claim }
  /** Nobody can say whether it is published: a person must look. */
  | { readonly kind: 'in doubt'; readonly claim: Claim }
  /** Another run came first and lives: wait for it. */
  | { readonly kind: 'yield'; readonly claim: Claim }
  /** Somebody else wrote on the run's own claim, or its time is over: it is worthless now. */
  | { readonly kind: 'lost'; readonly claim: Claim }
  /** A later run is about to send its tail; it has to yield, and gets a little time to do so. */
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
  const expected = stage.kind === 'committing' ? 'in_progress' : ''
  const isIntact = own?.statuses.map(({ state }) => state).join() === expected
  if (own && !(isIntact && living.includes(own))) return { kind: 'lost', claim: own }
  const later = living.find(claim => claim.id > stage.own && stateOf(claim, now) === 'committed')
  if (later && stage.kind === 'committing') return { kind: 'contested', claim: later }
  return { kind: 'proceed' }
}
