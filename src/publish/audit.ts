// `mode: audit`: whether every release reached the shop, by the memory alone. Reads only.
import type { Standing } from '../ledger/ledger.ts'
import type { Versions } from '../ledger/versions.ts'
import { listReleases } from '../release/find-release.ts'
import type { Release } from '../release/release.ts'
import type { Fault } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import type { TargetInputs } from './inputs.ts'
import { versionsOf } from './memory.ts'
import { explainMemory } from './memory-reports.ts'
import { describeRoute, nameTargets, routeOf } from './naming.ts'
import { endedEarly, type Report } from './report.ts'

/** The newest so many releases are looked at. */
const MOST = 100
/** A younger release may still be on its way, in milliseconds. */
const YOUNG = 60 * 60 * 1000

interface Row {
  readonly release: Release
  readonly versionName: string
  readonly state: Standing['state']
  /** It has claims, whatever became of them. */
  readonly claimed: boolean
}

/** The published releases, or what is wrong with `audit-since`. */
export async function listAudited({ inputs, releases }: Run): Promise<readonly Release[] | Fault> {
  const published = (await listReleases(releases)).filter(({ draft }) => !draft)
  const since = inputs.auditSince
  if (since === '' || published.some(({ tag }) => tag === since)) return published
  const message = `"${since}" is not the tag of a published release of this repository`
  return { place: 'audit-since', message }
}

/** Compares the releases with what the memory has for one target. */
export async function auditTarget(
  run: Run,
  target: TargetInputs,
  releases: readonly Release[]
): Promise<Report> {
  const route = routeOf(target)
  const subject = { route, versionName: '', title: '', changelog: '' }
  try {
    const versions = await versionsOf(run, route)
    const rows = await rowsOf(run, target, releases, versions)
    const newest = await versions.newestPublished()
    return { ...judge(rows, newest?.createdAt, describeRoute(route)), subject }
  } catch (error) {
    return explainMemory(error, run, subject)
  }
}

/** The releases that count for the target, the newest first, each with what the memory has of it. */
async function rowsOf(
  { inputs }: Run,
  target: TargetInputs,
  releases: readonly Release[],
  versions: Versions
): Promise<readonly Row[]> {
  const since = releases.find(({ tag }) => tag === inputs.auditSince)?.publishedAt ?? 0
  const candidates = releases
    .filter(({ publishedAt }) => publishedAt >= since && publishedAt <= versions.now - YOUNG)
    .filter(({ prerelease }) =>
      prerelease ? inputs.prerelease !== 'skip' : inputs.prerelease !== 'only'
    )
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, MOST)
  const rows: Row[] = []
  for (const release of candidates) {
    const tagged = { tag: release.tag, release, standIn: '', ownCommit: false }
    const { named, problems } = nameTargets({ ...inputs, targets: [target] }, tagged)
    const versionName = named[0]?.named.versionName ?? ''
    // The tag of another package of the same repository.
    if (problems.some(({ place }) => place === 'tag-pattern')) continue
    const claimed = versions.names.includes(versionName)
    const { state } = await versions.standing(versionName)
    rows.push({ release, versionName, state, claimed })
  }
  const oldest = rows.findLastIndex(({ state }) => state === 'published')
  return inputs.auditSince === '' && oldest >= 0 ? rows.slice(0, oldest + 1) : rows
}

function judge(rows: readonly Row[], newest: number | undefined, product: string): Report {
  const missing = rows.filter(({ state }) => state === 'none')
  const doubted = rows.filter(({ state }) => state === 'in doubt')
  const wrong = [...missing, ...doubted]
  const table = {
    head: ['Release', 'Version', 'State'],
    rows: rows.map(({ release, versionName, state }) => [release.tag, versionName, inWords(state)])
  }
  if (wrong.length === 0) {
    const message = `All ${rows.length} releases are published to product ${product}, or on their way.`
    return { ...endedEarly('audited', '', message), table }
  }
  const named = wrong.map(({ release, state }) => `${release.tag} (${inWords(state)})`).join(', ')
  const message = `${wrong.length} of ${rows.length} releases are not known to be published to product ${product}: ${named}.`
  const advice = [
    'Look in the shop. If a version is not there, run your publishing workflow by hand with the input `tag`. ' +
      'If it is there, record that with `mode: settle` and `settle-as: published`.'
  ]
  const lost = missing.filter(
    ({ claimed, release }) => !claimed && newest !== undefined && release.publishedAt < newest
  )
  if (lost.length > 0) {
    advice.push(
      `Older than the newest version that is recorded, and without any record: ${lost.map(({ release }) => release.tag).join(', ')}. ` +
        'Perhaps somebody deleted deployments of this repository, which are the memory.'
    )
  }
  const reason = missing.length > 0 ? 'missing' : 'in-doubt'
  const report = endedEarly('failed', reason, message, advice.join('\n'))
  return { ...report, heading: 'Releases are missing in the shop', table }
}

function inWords(state: Standing['state']): string {
  switch (state) {
    case 'none':
      return 'missing'
    case 'claimed':
    case 'committed':
      return 'being published'
    case 'published':
    case 'in doubt':
      return state
  }
}
