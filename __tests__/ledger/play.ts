// Plays simulated worlds one after another, and counts how they end.
import { breachesOf } from './promises.ts'
import { simulate } from './simulation.ts'
import type { World } from './world.ts'

/** How worlds ended. */
export interface Played {
  /** How many worlds broke a promise. */
  readonly failures: number
  /** The first few of them, with what they broke. */
  readonly broken: readonly string[]
  /** How often runs ended in which way; `again:` is the run after all the others. */
  readonly endings: ReadonlyMap<string, number>
}

/** Plays worlds one after another. */
export async function play(worlds: Iterable<World>): Promise<Played> {
  const broken: string[] = []
  const endings = new Map<string, number>()
  let failures = 0

  for (const world of worlds) {
    const report = await simulate(world)
    const reruns = report.stories.map(({ rerun }) => `again: ${rerun}`)
    for (const ending of [...report.outcomes, ...reruns, ...report.marks]) {
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
    }

    const breaches = breachesOf(report)
    if (breaches.length > 0 && ++failures <= 5) {
      broken.push(`${breaches.join(', ')} in ${JSON.stringify(world)}: ${JSON.stringify(report)}`)
    }
  }
  return { failures, broken, endings }
}
