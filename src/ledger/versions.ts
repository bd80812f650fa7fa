// What the memory has of every version of a product or benefit, each history read once.
import type { ClaimedVersion } from './deployments.ts'
import { type Claim, type Claimant, type Standing, standingOf } from './ledger.ts'
import { look } from './steps.ts'

/** The versions that have claims. */
export interface Versions {
  /** The newest claim first. */
  readonly names: readonly string[]
  /** GitHub's time, in milliseconds since 1970. */
  readonly now: number
  /** What is known of a version. */
  standing(versionName: string): Promise<Standing>
  /** The claim of the newest version that was published; undefined when the memory knows none. */
  newestPublished(): Promise<Claim | undefined>
}

/** Opens what GitHub lists. */
export function openVersions(
  { versions, now }: { readonly versions: readonly ClaimedVersion[]; readonly now: number },
  run: Pick<Claimant, 'runId' | 'runAttempt'>
): Versions {
  const names = versions.map(({ versionName }) => versionName)
  const known = new Map<string, Promise<Standing>>()
  const read = async (versionName: string): Promise<Standing> => {
    const found = versions.find(version => version.versionName === versionName)
    return found ? standingOf(await look(found.deployments, run)) : { state: 'none' }
  }
  const standing = (versionName: string) => {
    const found = known.get(versionName) ?? read(versionName)
    known.set(versionName, found)
    return found
  }
  const newestPublished = async () => {
    for (const name of names) {
      const found = await standing(name)
      if (found.state === 'published') return found.claim
    }
    return undefined
  }
  return { names, now, standing, newestPublished }
}
