// The at-most-once steps: look, claim, look again, send, record, look a last time, release the tail, settle.
import {
  type Claim,
  type Claimant,
  type Decision,
  deadlineOf,
  decide,
  describePublished,
  describeSending,
  isLiving,
  type Look,
  type Status
} from './ledger.ts'

/** The deployments of one publication, as the steps need them. Every call has a time limit of its own. */
export interface Deployments {
  /** All claims with their histories. */
  look(): Promise<Look>
  /** The history of one claim, oldest first. */
  history(id: number): Promise<readonly Status[]>
  /** Creates a claim and gives its id; throws `AnswerLost` when it may have been created all the same. */
  create(claimant: Claimant): Promise<number>
  record(id: number, state: Recorded, description: string, link?: string): Promise<void>
}

export type Recorded = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive'

/** A request went out, and nobody knows what came of it. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** The tail must not be sent: the memory says so, or cannot be asked. */
export class Withheld extends Error {
  override readonly name = 'Withheld'
  readonly decision: Decision | undefined
  constructor(message: string, decision?: Decision, cause?: unknown) {
    super(message, { cause })
    this.decision = decision
  }
}

/** What the steps know of the run, and how it waits. */
export interface Steps {
  readonly deployments: Deployments
  /** All of a claimant but its nonce. */
  readonly claimant: Omit<Claimant, 'nonce'>
  /** Of the claim's seconds, those that are kept for the answer: later than that, no tail is sent. */
  readonly reserve: number
  readonly versionName: string
  nonce(): string
  /** Resolves after so many milliseconds, rejects when the run is cancelled. */
  sleep(ms: number): Promise<void>
  /** Tells the user of a wait, in a few words. */
  tell(message: string): void
}

export type Entry =
  | { readonly kind: 'claimed'; readonly id: number }
  | Extract<Decision, { kind: 'replay' | 'in doubt' }>

const SHOW_LIMIT = 15_000
const CONTEST_LIMIT = 20_000
const ROUNDS = 10

/** Steps 1 to 3: comes back with a claim of its own that no earlier run disputes, or with what is known. */
export async function enter(steps: Steps): Promise<Entry> {
  for (let round = 0; round < ROUNDS; round++) {
    const arriving = decide(await steps.deployments.look(), { kind: 'arriving' })
    if (arriving.kind === 'replay' || arriving.kind === 'in doubt') return arriving
    const own = await claim(steps)
    const decision = await undisputed(steps, own).catch(async (error: unknown) => {
      await retire(steps, own, 'failure')
      throw error
    })
    if (decision.kind === 'proceed') return { kind: 'claimed', id: own }
    await retire(steps, own, 'inactive')
    if (decision.kind === 'replay' || decision.kind === 'in doubt') return decision
    if (decision.kind === 'yield') await outlive(steps, decision.claim)
  }
  throw new Withheld('other runs kept claiming the same version; nothing was sent')
}

/** Step 2; when the answer is lost, the claim is found again by its nonce. */
async function claim(steps: Steps): Promise<number> {
  const nonce = steps.nonce()
  try {
    return await steps.deployments.create({ ...steps.claimant, nonce })
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error
    const found = await showing(steps, look =>
      look.claims.find(other => other.claimant.nonce === nonce)
    )
    if (found) return found.id
    throw error
  }
}

/** Step 3: waits until the own claim shows, then decides over all of them. */
async function undisputed(steps: Steps, own: number): Promise<Decision> {
  const seen = await showing(steps, look =>
    look.claims.some(other => other.id === own) ? look : undefined
  )
  if (!seen) throw new Withheld('the claim did not show up in the list of deployments in time')
  return decide(seen, { kind: 'claimed', own })
}

/** Looks, for 15 seconds at most, until there is what is looked for. */
async function showing<T>(steps: Steps, find: (look: Look) => T | undefined) {
  for (let waited = 0, pause = 500; ; waited += pause, pause = Math.min(pause * 2, 3000)) {
    const found = find(await steps.deployments.look())
    if (found !== undefined || waited >= SHOW_LIMIT) return found
    await steps.sleep(pause)
  }
}

/** Waits for another run: until its claim is settled, or its deadline has passed. */
export async function outlive(steps: Steps, other: Claim): Promise<void> {
  const { runId } = other.claimant
  for (let pause = 1000; ; pause = Math.min(pause * 1.5, 10_000)) {
    const { claims, now } = await steps.deployments.look()
    const still = claims.find(({ id }) => id === other.id)
    if (!still || !isLiving(still, now)) return
    const left = Math.ceil((deadlineOf(still) - now) / 1000)
    steps.tell(`waiting for run ${runId}, which is publishing this version (${left} s at most)`)
    await steps.sleep(Math.min(pause, Math.max(deadlineOf(still) - now, 1000)))
  }
}

/** Step 5: resolves when the tail may go, and rejects with `Withheld` when it must not. */
export async function commit(
  steps: Steps,
  own: number,
  file: { readonly sha256: string; readonly size: number }
): Promise<void> {
  try {
    await steps.deployments.record(own, 'in_progress', describeSending(file.sha256, file.size))
    await recorded(steps, own)
    const decision = await lastLook(steps, own)
    if (decision.kind !== 'proceed') throw new Withheld(why(decision), decision)
  } catch (error) {
    if (error instanceof Withheld) throw error
    throw new Withheld('the memory on GitHub could not be read or written', undefined, error)
  }
}

/**
 * Waits until the own `in_progress` shows. Only then does the last look prove anything: of two runs that
 * both get this far, the one that looks later sees the other's claim and its `in_progress`.
 */
async function recorded(steps: Steps, own: number): Promise<void> {
  for (let waited = 0, pause = 500; ; waited += pause, pause = Math.min(pause * 2, 3000)) {
    const history = await steps.deployments.history(own)
    if (history.some(({ state }) => state === 'in_progress')) return
    if (waited >= SHOW_LIMIT) break
    await steps.sleep(pause)
  }
  throw new Withheld('the claim did not show as in progress in time')
}

async function lastLook(steps: Steps, own: number): Promise<Decision> {
  for (let waited = 0; ; waited += 2000) {
    const look = await steps.deployments.look()
    const mine = look.claims.find(({ id }) => id === own)
    if (!mine) throw new Withheld('the claim is gone from the list of deployments')
    if (look.now >= deadlineOf(mine) - steps.reserve * 1000) {
      throw new Withheld('sending took longer than the claim allows')
    }
    const decision = decide(look, { kind: 'committing', own })
    if (decision.kind !== 'contested' || waited >= CONTEST_LIMIT) return decision
    await steps.sleep(2000)
  }
}

function why(decision: Decision): string {
  switch (decision.kind) {
    case 'proceed':
      return 'nothing is in the way'
    case 'replay':
      return 'another run has published this version'
    case 'in doubt':
      return 'another run may have published this version'
    case 'yield':
    case 'contested':
      return `run ${decision.claim.claimant.runId} is publishing this version`
    case 'lost':
      return 'something else wrote on this run’s deployment'
  }
}

/** How a sending ended, as far as the memory cares. */
export type Ending =
  | { readonly kind: 'success'; readonly versionId: string; readonly link?: string }
  | { readonly kind: 'failure'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** Step 6: writes down how it ended; false when that could not be written. */
export async function settle(steps: Steps, own: number, ending: Ending): Promise<boolean> {
  const record = (state: Recorded, text: string, link?: string) =>
    steps.deployments.record(own, state, text, link).then(
      () => true,
      () => false
    )
  switch (ending.kind) {
    case 'success': {
      const text = describePublished(steps.versionName, ending.versionId)
      if (ending.link && (await record('success', text, ending.link))) return true
      return record('success', text)
    }
    case 'failure':
      return record('failure', ending.reason)
    case 'unknown':
      return record('error', ending.reason)
  }
}

async function retire(steps: Steps, own: number, state: 'inactive' | 'failure'): Promise<void> {
  const text = state === 'inactive' ? 'another run publishes this version' : 'nothing was sent'
  // If it cannot be written, the claim ends at its deadline all the same.
  await steps.deployments.record(own, state, text).catch(() => undefined)
}
