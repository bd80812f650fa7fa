// One publication, at most once: the steps around the tries, with and without a memory.
import { commit } from './commit.ts'
import type { Claim, Decision } from './ledger.ts'
import { type Ending, type Entry, enter, outlive, type Steps, settle, Withheld } from './steps.ts'

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

/** For how many rounds a run makes way for others before it gives up. */
const WITHDRAWALS = 10

/**
 * Publishes with the memory. Throws what keeps the memory from being asked before anything is sent; later
 * than that, the last try stands.
 */
export async function publishOnce<R>(
  steps: Steps,
  attempt: Attempt<R>,
  repetition: Repetition
): Promise<Once<R>> {
  let entry = await enter(steps)
  let tried = 1
  for (let withdrawn = 0; entry.kind === 'claimed'; ) {
    const gate = gateOf(steps, entry.own)
    const { result, ending, again } = await attempt(gate.permit)
    const repeats = again !== undefined && tried < repetition.tries
    if (repeats && !gate.asked()) {
      await repetition.pause(tried++, again.after)
      continue
    }
    const recorded = await settle(steps, entry.own.id, ending)
    const end = { kind: 'tried', result, claim: entry.own.id, recorded } as const
    // An early answer may have decided it, whatever stood in the way of the tail.
    const failed = ending.kind === 'failure'
    const obstacle = failed && withdrawn < WITHDRAWALS ? gate.obstacle() : undefined
    // With its end not written down, the own claim would stand in the way.
    if (!recorded || !(repeats || obstacle)) return end
    const next = await againFrom(steps, async () => {
      if (repeats) await repetition.pause(tried++, again.after)
      if (!obstacle) return
      withdrawn++
      if ('claim' in obstacle) await outlive(steps, obstacle.claim)
    })
    if (!next) return end
    entry = next
  }
  return entry
}

/** A new claim after a pause or a wait; undefined, and the user is told, when the memory cannot be asked. */
async function againFrom(steps: Steps, wait: () => Promise<void>): Promise<Entry | undefined> {
  try {
    await wait()
    return await enter(steps)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    steps.tell(`This is not tried again: ${reason}`)
    return undefined
  }
}

/** The commit point of one try, which remembers that it was reached, and what stood in the way. */
function gateOf(steps: Steps, own: Claim) {
  let asked = false
  let obstacle: Decision | undefined
  return {
    asked: () => asked,
    obstacle: () => obstacle,
    permit: async (sealed: Sealed) => {
      asked = true
      await commit(steps, own, sealed).catch((error: unknown) => {
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
