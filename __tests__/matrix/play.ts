// Owns how combinations are played: some at a time, each run followed by one in which all is well again.
import { beforeAll, describe, expect, test } from '@jest/globals'
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

/** A test for each combination that is tried, which expects no breach; gives what was told, in a test. */
export function testAll<T extends Combination>(
  title: string,
  combinations: readonly T[],
  play: (combination: T) => Promise<Played>
): () => Promise<ReadonlyMap<T, string>> {
  const rows = sampled(combinations)
  const played = new Map<T, Promise<Played>>()
  beforeAll(() => {
    const lanes: Promise<unknown>[] = Array.from({ length: TOGETHER }, () => Promise.resolve())
    for (const [index, row] of rows.entries()) {
      const lane = index % TOGETHER
      const one = (lanes[lane] ?? Promise.resolve()).then(() => play(row))
      played.set(row, one)
      lanes[lane] = one.catch(() => undefined)
    }
  })
  const named = rows.map(row => [`${row.fault}, ${row.phase}, ${row.mode}`, row] as const)
  const expectNone = async (_: string, row: T) => {
    expect((await played.get(row))?.breaches).toEqual([])
  }
  describe(title, () => test.each(named)('%s', expectNone, 90_000))
  return async () => {
    const told = [...played].map(async ([row, one]) => [row, (await one).told] as const)
    return new Map(await Promise.all(told))
  }
}

/**
 * The combinations that a day's work is tested with: each value of these words is met once at least. The
 * deep suite plays all of them.
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
