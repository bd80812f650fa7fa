// The record of all versions of a product, for the modes that only look.
import { GitHubError } from '../github/github-error.ts'
import { comparableName } from './claim-format.ts'
import type { ClaimHistory, Deployments } from './deployments.ts'
import { openLook } from './ledger.ts'
import {
  type Claim,
  type JobRun,
  judge,
  type ListedClaim,
  type Rank,
  stateOf,
  type Verdict
} from './rules.ts'

/** All versions of a product, as a list of its deployments shows them. Histories are read when asked for, each once. */
export interface Survey {
  /** GitHub's time when they were listed, in milliseconds since 1970. */
  readonly now: number
  /** The claims, lowest id first; the list does not say how they ended. */
  readonly claims: readonly ListedClaim[]
  /** Judges the version as a run would that publishes it. Other versions count only if `rankOf` ranks them. */
  verdictOn(name: string, rankOf?: (name: string) => Rank): Promise<Verdict>
  /** The newest published claim of those that `fit`; undefined if there is none. Only their histories are read. */
  findPublished(fits: (claim: ListedClaim) => boolean): Promise<Claim | undefined>
}

/** Lists a product's versions. Throws what listing them throws. */
export async function surveyVersions(deployments: Deployments, run: JobRun): Promise<Survey> {
  const listed = await deployments.list()
  const { claims, now } = listed
  const known = new Map<number, ClaimHistory>()

  const history = async (id: number): Promise<ClaimHistory> => {
    const read = known.get(id) ?? (await deployments.history(id))
    // A mode that only looks does not wait until it shows.
    if (!read) throw new GitHubError(`GitHub did not show the statuses of deployment ${id}`)
    known.set(id, read)
    return read
  }

  const verdictOn: Survey['verdictOn'] = async (name, rankOf) => {
    const reading = { list: async () => listed, history }
    const versionName = comparableName(name)
    const look = openLook({ deployments: reading, versionName, rankOf })
    return judge(await look(), run)
  }

  const findPublished: Survey['findPublished'] = async fits => {
    for (const one of claims.filter(fits).toReversed()) {
      const claim = { ...one, statuses: (await history(one.id)).statuses }
      if (stateOf(claim, now) === 'published') return claim
    }
    return undefined
  }
  return { now, claims, verdictOn, findPublished }
}
