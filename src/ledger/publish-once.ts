// One publication, at most once: the steps around the tries, with and without a memory.
import { commit, why } from './commit.ts'
import type { Decision } from './ledger.ts'
import type { Sealed } from './record.ts'
import {
  type Claimed,
  type Ending,
  enter,
  type Known,
  outlive,
  type Steps,
  settle,
  Withheld
} from './steps.ts'

/** One try of the request. `again` is given when it may be repeated, after so many milliseconds: its tail was not sent. */
export interface Try<R> {
  readonly result: R
  readonly ending: Ending
  readonly again?: { readonly after?: number }
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
  | Known

/** Whether another try follows so many; resolves after the pause, of so many milliseconds if the service asks for it. */
export type Repetition = (tried: number, after: number | undefined) => Promise<boolean>

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
    const obstacle = ending.state === 'failure' ? gate.obstacle : undefined
    const next = async () => {
      if (obstacle) await outlive(steps, obstacle.claim)
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
function openGate(steps: Steps, entry: Claimed) {
  const gate: { asked: boolean; obstacle?: Exclude<Decision, { kind: 'proceed' }> } = {
    asked: false
  }
  const permit = async (sealed: Sealed) => {
    gate.asked = true
    const decision = await commit(steps, entry, sealed)
    if (decision.kind === 'proceed') return
    gate.obstacle = decision
    throw new Withheld(why(decision))
  }
  return { gate, permit }
}

/** Counts the tries. */
function countTries(repetition: Repetition) {
  let tried = 0
  return async ({ again }: Try<unknown>) => again !== undefined && repetition(++tried, again.after)
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
