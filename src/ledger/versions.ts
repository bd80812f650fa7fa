// What is recorded of all versions of a product, for the modes that only look.
import type { Deployments } from './deployments.ts'
import { comparableName, recordedVersionOf } from './record.ts'
import { type Claim, type HigherVersion, type JobRun, judge, type Rank } from './rules.ts'
import { hiddenHistory, openLooker } from './snapshot.ts'

/** What the record says of one version; `none`: nothing that counts. */
export type Standing =
  | Readonly<{ state: 'none' }>
  | Readonly<{ state: 'published' | 'in doubt' | 'in progress'; claim: Claim }>

export type RecordedVersions = Awaited<ReturnType<typeof listVersions>>

/** Whoever only looks does not wait until a claim's history shows. */
async function readKnown(deployments: Deployments, id: number) {
  const history = await deployments.history(id)
  if (!history) throw hiddenHistory({ id })
  return history
}

/** Lists a product's versions; histories are read when asked for, each once. Throws what listing them throws. */
export async function listVersions(deployments: Deployments, run: JobRun) {
  const listed = await deployments.list()
  const known = new Map<number, ReturnType<Deployments['history']>>()
  const reading = {
    list: async () => listed,
    history: (id: number) => {
      const history = known.get(id) ?? readKnown(deployments, id)
      known.set(id, history)
      return history
    }
  }
  const look = (versionName: string, rankOf?: (name: string) => Rank) => {
    const claimant = { ...run, commit: '', title: '', fileName: '' }
    const view = { ...deployments, ...reading }
    return openLooker({ deployments: view, versionName, claimant, rankOf }).look()
  }
  const standing = async (versionName: string): Promise<Standing> => {
    const verdict = judge(await look(comparableName(versionName)), run)
    if (verdict.kind === 'clear' || verdict.kind === 'higher') return { state: 'none' }
    return { state: verdict.kind, claim: verdict.claim }
  }
  /** The names of the versions with a claim, the first claimed first. */
  const names = [...new Set(listed.claims.map(({ versionName }) => versionName))]
  return {
    names,
    /** GitHub's time when they were listed, in milliseconds since 1970. */
    now: listed.now,
    standing,
    /** A higher version that stops a version; undefined if there is none. */
    higherThan: async (
      versionName: string,
      rankOf: (name: string) => Rank
    ): Promise<HigherVersion | undefined> => {
      const { others, now } = await look(comparableName(versionName), rankOf)
      const verdict = judge({ claims: [], others, now }, run)
      return verdict.kind === 'higher' ? verdict : undefined
    },
    /** The claim of the oldest published version; undefined if there is none. */
    oldestPublished: async (): Promise<Claim | undefined> => {
      for (const name of names) {
        const found = await standing(name)
        if (found.state === 'published') return found.claim
      }
      return undefined
    },
    /** A claim under another name that has published the same bytes; undefined if there is none. */
    withSameFile: async (sha256: string, versionName: string): Promise<Claim | undefined> => {
      for (const name of names.toReversed()) {
        const found = await standing(name)
        const isOther = name !== comparableName(versionName) && found.state === 'published'
        if (isOther && recordedVersionOf(found.claim).sha256 === sha256) return found.claim
      }
      return undefined
    }
  }
}
