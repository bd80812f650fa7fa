// Plays combinations of faults: some at a time, each run followed by one in which all is well again.
import { expect, test } from '@jest/globals'
import { DEEP } from '../support/deep.ts'
import { playScene } from '../support/recording.ts'

/** One combination, by the words that name it. */
export interface Combination {
  readonly fault: string
  readonly phase: string
  readonly mode: string
}

export interface Played {
  /** Of its runs, such as `failed (rejected), then published`. */
  readonly outcomes: string
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
  const outcomes = new Map<T, string>()
  const broken: string[] = []

  // One iterator for all lanes: each takes the next combination that nobody has.
  const rows = sampled(combinations).values()
  const lane = async () => {
    for (const row of rows) {
      const failed = (error: unknown) => ({ outcomes: 'thrown', breaches: [String(error)] })
      const name = [row.fault, row.phase, row.mode].join(', ')
      const played = await playScene(name, () => play(row)).catch(failed)
      outcomes.set(row, played.outcomes)
      broken.push(...played.breaches.map(breach => `${name}: ${breach}`))
    }
  }

  const playAll = async () => {
    await Promise.all(Array.from({ length: TOGETHER }, lane))
    expect(broken).toEqual([])
  }
  test(title, playAll, 600_000)
  return outcomes
}

/**
 * The combinations of `npm test`: each fault, each phase and each mode is in one of them at least. The deep suite
 * plays all.
 */
function sampled<T extends Combination>(combinations: readonly T[]): readonly T[] {
  if (DEEP) return combinations
  const { length } = combinations
  const covered = new Set<string>()

  // With a step that is prime, neighbors in the list, which are alike, come far from each other.
  const mixed = Array.from({ length }, (_, index) => combinations[(index * 7919) % length])
  return mixed
    .filter(combination => combination !== undefined)
    .filter(({ fault, phase, mode }) => {
      const values = [`fault ${fault}`, `phase ${phase}`, `mode ${mode}`]
      const isNew = values.some(value => !covered.has(value))
      for (const value of values) covered.add(value)
      return isNew
    })
}
