// What the memory has of every version of a product or benefit, from one list of GitHub's.
import type { Claimant, Listed, Standing } from './ledger.ts'
import { standingOf } from './ledger.ts'
import { type Deployments, look } from './steps.ts'

/** The versions that have claims. */
export interface Versions {
  /** By version name; of each, the claims with the lowest id first. */
  readonly claims: ReadonlyMap<string, readonly Listed[]>
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number
  /** What is known of a version; its histories are read once. */
  standing(versionName: string): Promise<Standing>
  /** The newest version that was published; undefined when the memory knows none. */
  newestPublished(): Promise<{ readonly versionName: string; readonly claim: Listed } | undefined>
}

/** Opens what a list holds; `history` reads one claim's. */
export function openVersions(
  { claims, now }: Pick<Versions, 'claims' | 'now'>,
  history: Deployments['history'],
  run: Pick<Claimant, 'runId' | 'runAttempt'>
): Versions {
  const known = new Map<string, Promise<Standing>>()
  const read = async (versionName: string) => {
    const list = async () => ({ claims: claims.get(versionName) ?? [], now })
    return standingOf(await look({ list, history }, run))
  }
  const standing = (versionName: string) => {
    const found = known.get(versionName) ?? read(versionName)
    known.set(versionName, found)
    return found
  }
  const newestPublished = async () => {
    const newest = ([, of]: readonly [string, readonly Listed[]]) => of.at(-1)?.id ?? 0
    for (const [versionName] of [...claims].toSorted((a, b) => newest(b) - newest(a))) {
      const found = await standing(versionName)
      if (found.state === 'published') return { versionName, claim: found.claim }
    }
    return undefined
  }
  return { claims, now, standing, newestPublished }
}
