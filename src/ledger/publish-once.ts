// One publication, at most once: the steps around the tries, with and without a memory.
import type { Claim, Decision } from './ledger.ts'
import { commit, type Ending, enter, outlive, type Steps, settle, Withheld } from './once.ts'

/** One try of the request. `again` is given when it may be repeated, after so many milliseconds. */
export interface Try<R> {
  readonly result: R
  readonly ending: Ending
  readonly again?: { readonly after?: number }
}

/** The digest of what was sent, and its size in bytes. */
export interface Sealed {
  readonly sha256: string
  readonly size: number
}

/** Sends the request; calls `permit` when only the tail is left, and sends that only if it resolves. */
export type Attempt<R> = (permit: (sealed: Sealed) => Promise<void>) => Promise<Try<R>>

export type Once<R> =
  /** It was sent, or tried; `claim` and `recorded` tell of the memory, where there is one. */
  | {
      readonly kind: 'tried'
      readonly result: R
      readonly claim?: number
      readonly recorded: boolean
    }
  | { readonly kind: 'replay'; readonly claim: Claim }
  | { readonly kind: 'in doubt'; readonly claim: Claim }

/** How often the request is sent at most, and the pause before the next try, in milliseconds. */
export interface Repetition {
  readonly tries: number
  pause(tried: number, after: number | undefined): Promise<void>
}

/** Publishes with the memory. Throws what keeps the memory from being asked before anything is sent. */
export async function publishOnce<R>(
  steps: Steps,
  attempt: Attempt<R>,
  repetition: Repetition
): Promise<Once<R>> {
  let claim: number | undefined
  for (let tried = 1; ; tried++) {
    if (claim === undefined) {
      const entry = await enter(steps)
      if (entry.kind !== 'claimed') return entry
      claim = entry.id
    }
    const gate = gateOf(steps, claim)
    const { result, ending, again } = await attempt(gate.permit)
    const more = tried < repetition.tries
    if (again && more && !gate.asked()) {
      await repetition.pause(tried, again.after)
      continue
    }
    const recorded = await settle(steps, claim, ending)
    const obstacle = gate.obstacle()
    if (!recorded || !more || !(again || obstacle)) {
      return { kind: 'tried', result, claim, recorded }
    }
    if (again) await repetition.pause(tried, again.after)
    if (obstacle && 'claim' in obstacle) await outlive(steps, obstacle.claim)
    claim = undefined
  }
}

/** The commit point of one try, which remembers that it was reached, and what stood in the way. */
function gateOf(steps: Steps, claim: number) {
  let asked = false
  let obstacle: Decision | undefined
  return {
    asked: () => asked,
    obstacle: () => obstacle,
    permit: async (sealed: Sealed) => {
      asked = true
      await commit(steps, claim, sealed).catch((error: unknown) => {
        if (error instanceof Withheld) obstacle = error.decision
        throw error
      })
    }
  }
}

/** Publishes without a memory: the tail goes as soon as it can. */
export async function publishUnremembered<R>(
  attempt: Attempt<R>,
  repetition: Repetition
): Promise<Once<R>> {
  const permit = () => Promise.resolve()
  let last = await attempt(permit)
  for (let tried = 1; last.again && tried < repetition.tries; tried++) {
    await repetition.pause(tried, last.again.after)
    last = await attempt(permit)
  }
  return { kind: 'tried', result: last.result, recorded: false }
}
