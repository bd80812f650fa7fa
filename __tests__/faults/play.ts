// Owns how combinations are played: some at a time, each run followed by one in which all is well again.
import { expect, test } from '@jest/globals'
import { DEEP } from '../support/deep.ts'

/** One combination, by the words that name it. */
export interface Combination {
  readonly fault: string
  readonly phase: string
  readonly mode: string
}

export interface Played {
  /** Such as `failed (rejected), then published`. */
  readonly told: string
  readonly breaches: readonly string[]
}

/** How many at a time: most of a combination is waiting. */
const TOGETHER = 20

/** A test that plays the combinations that are tried, and expects no breach. Returns how each ended, for the tests after it. */
export function testAll<T extends Combination>(
  title: string,
  combinations: readonly T[],
  play: (combination: T) => Promise<Played>
): ReadonlyMap<T, string> {
  const told = new Map<T, string>()
  const broken: string[] = []
  // One iterator for all lanes: each takes the next combination that nobody has.
  const rows = sampled(combinations).values()
  const lane = async () => {
    for (const row of rows) {
      const failed = (error: unknown) => ({ told: 'thrown', breaches: [String(error)] })
      const played = await play(row).catch(failed)
      told.set(row, played.told)
      const name = [row.fault, row.phase, row.mode].join(', ')
      broken.push(...played.breaches.map(breach => `${name}: ${breach}`))
    }
  }
  const playAll = async () => {
    await Promise.all(Array.from({ length: TOGETHER }, lane))
    expect(broken).toEqual([])
  }
  test(title, playAll, 600_000)
  return told
}

/**
 * The combinations of `npm test`: each fault, each phase and each mode is in one of them at least. The deep suite
 * plays all.
 */
function sampled<T extends Combination>(combinations: readonly T[]): readonly T[] {
  if (DEEP) return combinations
  const { length } = combinations
  const met = new Set<string>()
  // With a step that is prime, neighbors in the list, which are alike, come far from each other.
  const mixed = Array.from({ length }, (_, index) => combinations[(index * 7919) % length])
  return mixed
    .filter(combination => combination !== undefined)
    .filter(({ fault, phase, mode }) => {
      const values = [`fault ${fault}`, `phase ${phase}`, `mode ${mode}`]
      const brings = values.some(value => !met.has(value))
      for (const value of values) met.add(value)
      return brings
    })
}
