// The record of all versions of a product, for the modes that only look.
import { GitHubError } from '../github/github-error.ts'
import { comparableName } from './claim-format.ts'
import type { ClaimHistory, Deployments } from './deployments.ts'
import { openLook } from './ledger.ts'
import { type Claim, type JobRun, judge, type Rank, type Verdict } from './rules.ts'

/** All versions of a product, as a list of its deployments shows them. Histories are read when asked for, each once. */
export interface Survey {
  /** GitHub's time when they were listed, in milliseconds since 1970. */
  readonly now: number
  /** Judges the version as a run would that publishes it. Other versions count only if `rankOf` ranks them. */
  verdictOn(name: string, rankOf?: (name: string) => Rank): Promise<Verdict>
  /** The claim of the first published version that `fits`, the first claimed first; undefined if there is none. */
  findPublished(fits: (claim: Claim) => boolean): Promise<Claim | undefined>
}

/** Lists a product's versions. Throws what listing them throws. */
export async function surveyVersions(deployments: Deployments, run: JobRun): Promise<Survey> {
  const listed = await deployments.list()
  const known = new Map<number, ClaimHistory>()
  const reading: Pick<Deployments, 'list' | 'history'> = {
    list: async () => listed,
    history: async id => {
      const history = known.get(id) ?? (await deployments.history(id))
      // A mode that only looks does not wait until it shows.
      if (!history) throw new GitHubError(`GitHub did not show the statuses of deployment ${id}`)
      known.set(id, history)
      return history
    }
  }

  const verdictOn: Survey['verdictOn'] = async (name, rankOf) => {
    const look = openLook({ deployments: reading, versionName: comparableName(name), rankOf })
    return judge(await look(), run)
  }

  const findPublished: Survey['findPublished'] = async fits => {
    for (const name of new Set(listed.claims.map(({ versionName }) => versionName))) {
      const verdict = await verdictOn(name)
      if (verdict.kind === 'published' && fits(verdict.claim)) return verdict.claim
    }
    return undefined
  }
  return { now: listed.now, verdictOn, findPublished }
}
