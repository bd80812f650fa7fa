// What is recorded of all versions of a product, for the modes that only look.
import type { Deployments } from './deployments.ts'
import { comparableName } from './record.ts'
import { type Claim, type JobRun, judge, type Rank, type Verdict } from './rules.ts'
import { openLook } from './snapshot.ts'

/** Lists a product's versions; histories are read when asked for, each once. Throws what listing them throws. */
export async function listVersions(deployments: Deployments, run: JobRun) {
  const listed = await deployments.list()
  const known = new Map<number, ReturnType<Deployments['history']>>()
  const reading: Pick<Deployments, 'list' | 'history'> = {
    list: async () => listed,
    history: id => {
      const history = known.get(id) ?? deployments.history(id)
      known.set(id, history)
      return history
    }
  }
  /** What would stop a run that publishes the version. Other versions count if they are ranked. */
  const verdictOn = async (name: string, rankOf?: (name: string) => Rank): Promise<Verdict> => {
    const versionName = comparableName(name)
    return judge(
      await openLook({ deployments: reading, versionName, claimant: run, rankOf })(),
      run
    )
  }
  return {
    /** GitHub's time when they were listed, in milliseconds since 1970. */
    now: listed.now,
    verdictOn,
    /** The claim of the first published version that `fits`, the first claimed first; undefined if there is none. */
    findPublished: async (fits: (claim: Claim) => boolean): Promise<Claim | undefined> => {
      for (const name of new Set(listed.claims.map(({ versionName }) => versionName))) {
        const verdict = await verdictOn(name)
        if (verdict.kind === 'published' && fits(verdict.claim)) return verdict.claim
      }
      return undefined
    }
  }
}
