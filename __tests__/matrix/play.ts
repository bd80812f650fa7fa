// Owns how combinations are played: some at a time, each run followed by one in which all is well again.
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

/** Plays all of them; each one's promise is there at once, for the test that waits for it. */
export function playAll<T extends Combination>(
  combinations: readonly T[],
  play: (combination: T) => Promise<Played>
): ReadonlyMap<T, Promise<Played>> {
  const promises = new Map<T, Promise<Played>>()
  const lanes: Promise<unknown>[] = Array.from({ length: TOGETHER }, () => Promise.resolve())
  for (const [index, combination] of combinations.entries()) {
    const lane = index % TOGETHER
    const played = (lanes[lane] ?? Promise.resolve()).then(() => play(combination))
    promises.set(combination, played)
    lanes[lane] = played.catch(() => undefined)
  }
  return promises
}

/**
 * The combinations that a day's work is tested with: each value of these words is met once at least. The
 * deep suite plays all of them.
 */
export function sampled<T extends Combination>(combinations: readonly T[]): readonly T[] {
  if (DEEP) return combinations
  const { length } = combinations
  const met = new Set<string>()
  // With a step that is prime, neighbors in the list, which are alike, come far from each other.
  const mixed = Array.from({ length }, (_, index) => combinations[(index * 7919) % length])
  return mixed
    .filter(combination => {
      const values = (['fault', 'phase', 'mode'] as const).map(
        word => `${word} ${combination?.[word]}`
      )
      const brings = values.some(value => !met.has(value))
      for (const value of values) met.add(value)
      return brings
    })
    .filter(combination => combination !== undefined)
}

/** The name of a combination's test. */
export function nameOf({ fault, phase, mode }: Combination): string {
  return `${fault}, ${phase}, ${mode}`
}
