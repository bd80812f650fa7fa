// One publication, at most once: the steps around the tries, with and without a memory.
import { commit } from './commit.ts'
import type { Decision } from './ledger.ts'
import { type Ending, type Entry, enter, outlive, type Steps, settle, Withheld } from './steps.ts'

/** One try of the request. `again` is given when it may be repeated, after so many milliseconds: its tail was not sent. */
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
  | Exclude<Entry, { kind: 'claimed' }>

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
  const tries = countTries(repetition)
  let entry = await enter(steps)
  for (let withdrawn = 0; entry.kind === 'claimed'; withdrawn++) {
    const gate = gateOf(steps, entry)
    let last = await attempt(gate.permit)
    while (!gate.asked() && (await tries.again(last))) last = await attempt(gate.permit)
    const { result, ending } = last
    const claim = entry.own.id
    const recorded = await settle(steps, claim, ending)
    // An early answer may have decided it, whatever stood in the way of the tail.
    const obstacle = ending.kind === 'failure' ? gate.obstacle() : undefined
    // With its end not written down, the own claim would stand in the way.
    const next =
      recorded && withdrawn < WITHDRAWALS
        ? await enterAgain(steps, async () => {
            if (obstacle && 'claim' in obstacle) await outlive(steps, obstacle.claim)
            return obstacle !== undefined || (gate.asked() && (await tries.again(last)))
          })
        : undefined
    if (!next) return { kind: 'tried', result, claim, recorded }
    entry = next
  }
  return entry
}

/** A new claim, if one is wanted; undefined, and the user is told, when the memory cannot be asked. */
async function enterAgain(
  steps: Steps,
  isWanted: () => Promise<boolean>
): Promise<Entry | undefined> {
  try {
    return (await isWanted()) ? await enter(steps) : undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    steps.tell(`This is not tried again: ${reason}`)
    return undefined
  }
}

/** The commit point of a claim, which remembers that it was reached, and what stood in the way. */
function gateOf(steps: Steps, entry: Extract<Entry, { kind: 'claimed' }>) {
  let asked = false
  let obstacle: Decision | undefined
  return {
    asked: () => asked,
    obstacle: () => obstacle,
    permit: async (sealed: Sealed) => {
      asked = true
      await commit(steps, entry, sealed).catch((error: unknown) => {
        if (error instanceof Withheld) obstacle = error.decision
        throw error
      })
    }
  }
}

/** Counts the tries; `again` resolves after the pause when another one follows. */
function countTries({ tries, pause }: Repetition) {
  let tried = 1
  return {
    again: async ({ again }: Try<unknown>): Promise<boolean> => {
      if (!again || tried >= tries) return false
      await pause(tried++, again.after)
      return true
    }
  }
}

/** Publishes without a memory: the tail goes as soon as it can. */
export async function publishUnremembered<R>(
  attempt: Attempt<R>,
  repetition: Repetition
): Promise<Once<R>> {
  const tries = countTries(repetition)
  const permit = () => Promise.resolve()
  let last = await attempt(permit)
  while (await tries.again(last)) last = await attempt(permit)
  return { kind: 'tried', result: last.result, recorded: false }
}
