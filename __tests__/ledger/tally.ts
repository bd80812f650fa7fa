// Owns what must hold in every simulated world, and the counting of how worlds end.
import { type Report, simulate } from './simulation.ts'
import type { World } from './world.ts'

/** What is wrong with how a world ended; empty when every promise was kept. */
export function breachesOf(report: Report): string[] {
  const { versions, outcomes, excused, truthful, rerun, finally: last, finalVersions } = report
  const doubt = [...outcomes, rerun].some(
    outcome => outcome === 'in doubt' || outcome === 'unknown'
  )
  const faults: readonly (readonly [boolean, string])[] = [
    [versions > 1, `${versions} versions`],
    [finalVersions > 1, `${finalVersions} versions in the end`],
    [doubt && !excused, 'in doubt without a reason'],
    [
      rerun !== 'in doubt' && finalVersions !== 1,
      `${finalVersions} versions after the job ran again`
    ],
    [!/^(published|already published: .*)$/.test(last), `the last run ended with "${last}"`],
    [finalVersions !== 1, `${finalVersions} versions after a person looked`],
    [outcomes.includes('stuck'), 'a run never ended'],
    [!truthful, 'a run was told of another file than the one that is published']
  ]
  return faults.filter(([broken]) => broken).map(([, breach]) => breach)
}

export interface Tally {
  /** How many worlds broke a promise, and the first few of them, with what they broke. */
  readonly failures: number
  readonly broken: readonly string[]
  /** How often runs ended in which way; `again:` is the run after all the others. */
  readonly endings: ReadonlyMap<string, number>
}

/** Plays worlds one after another. */
export async function play(worlds: Iterable<World>): Promise<Tally> {
  const broken: string[] = []
  const endings = new Map<string, number>()
  const count = (ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1)
  let failures = 0
  for (const world of worlds) {
    const report = await simulate(world)
    for (const outcome of report.outcomes) count(outcome)
    count(`again: ${report.rerun}`)
    const breaches = breachesOf(report)
    if (breaches.length > 0 && ++failures <= 5) {
      broken.push(`${breaches.join(', ')} in ${JSON.stringify(world)}: ${JSON.stringify(report)}`)
    }
  }
  return { failures, broken, endings }
}
