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
  const isRepeated = countTries(repetition)
  let entry = await enter(steps)
  for (let withdrawn = 0; entry.kind === 'claimed'; withdrawn++) {
    const { gate, permit } = openGate(steps, entry)
    let last = await attempt(permit)
    while (!gate.asked && (await isRepeated(last))) last = await attempt(permit)
    const { result, ending } = last
    const claim = entry.own.id
    const recorded = await settle(steps, claim, ending)
    // An early answer may have decided it, whatever stood in the way of the tail.
    const obstacle = ending.kind === 'failure' ? gate.obstacle : undefined
    const next = async () => {
      if (obstacle && 'claim' in obstacle) await outlive(steps, obstacle.claim)
      const isWanted = obstacle !== undefined || (gate.asked && (await isRepeated(last)))
      return isWanted ? await enter(steps) : undefined
    }
    // With its end not written down, the own claim would stand in the way.
    const again =
      recorded && withdrawn < WITHDRAWALS
        ? await next().catch((error: unknown) => {
            const reason = error instanceof Error ? error.message : String(error)
            steps.tell(`This is not tried again: ${reason}`)
          })
        : undefined
    if (!again) return { kind: 'tried', result, claim, recorded }
    entry = again
  }
  return entry
}

/** The commit point of a claim; the gate remembers that it was reached, and what stood in the way. */
function openGate(steps: Steps, entry: Extract<Entry, { kind: 'claimed' }>) {
  const gate: { asked: boolean; obstacle: Decision | undefined } = {
    asked: false,
    obstacle: undefined
  }
  const permit = async (sealed: Sealed) => {
    gate.asked = true
    await commit(steps, entry, sealed).catch((error: unknown) => {
      if (error instanceof Withheld) gate.obstacle = error.decision
      throw error
    })
  }
  return { gate, permit }
}

/** Counts the tries: resolves after the pause, and says whether another one follows. */
function countTries({ tries, pause }: Repetition) {
  let tried = 1
  return async ({ again }: Try<unknown>): Promise<boolean> => {
    if (!again || tried >= tries) return false
    await pause(tried++, again.after)
    return true
  }
}

/** Publishes without a memory: the tail goes as soon as it can. */
export async function publishUnremembered<R>(
  attempt: Attempt<R>,
  repetition: Repetition
): Promise<Once<R>> {
  const isRepeated = countTries(repetition)
  const permit = () => Promise.resolve()
  let last = await attempt(permit)
  while (await isRepeated(last)) last = await attempt(permit)
  return { kind: 'tried', result: last.result, recorded: false }
}
