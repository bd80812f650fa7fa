// The mode `audit`: is every release published? It compares GitHub's releases with the memory, and reads only.
import type { RecordedVersions } from '../ledger/deployments.ts'
import type { Standing } from '../ledger/ledger.ts'
import { type Api, parseRelease, type Release } from '../release/release.ts'
import { readTag } from '../release/tag.ts'
import type { Fault } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import type { TargetInputs } from './inputs.ts'
import { explainMemory, versionsOf } from './memory.ts'
import { describeRoute, nameTargets } from './naming.ts'
import { ended, type Report } from './report.ts'

/** How many releases an audit lists at most, newest first. */
const MOST = 1000
/** In milliseconds. A release younger than this is not audited: its run may not have ended yet. */
const YOUNG = 60 * 60 * 1000

/** The published releases, newest first; `isCut`: there may be older ones. */
export interface Audited {
  readonly releases: readonly Release[]
  readonly isCut: boolean
}

/** Lists the published releases, or returns what is wrong with `audit-since`. Throws a `GitHubError`. */
export async function listAudited(api: Api, since: string): Promise<Audited | Fault> {
  const { items, isCut = false } = await api.readAll('GET /repos/{owner}/{repo}/releases', {}, MOST)
  const releases = items
    .map(parseRelease)
    .filter(release => release !== undefined)
    .filter(({ draft }) => !draft)
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
  if (since === '' || releases.some(({ tag }) => tag === since)) return { releases, isCut }
  const [among, advice] = isCut
    ? [`the newest ${MOST} releases of this repository`, '; set a later one']
    : ['the releases of this repository', '']
  const message = `"${since}" is not the tag of a published release among ${among}${advice}`
  return { place: 'audit-since', message }
}

/** Compares the releases with what the memory has for one target; reads only. Throws `CancelledError`. */
export async function auditTarget(run: Run, target: TargetInputs, audited: Audited) {
  const { auditSince, prerelease: policy } = run.inputs
  const product = describeRoute(target.route)
  try {
    const versions = await versionsOf(run, target.route)
    const rows = await rowsOf(run, target, audited, versions)
    const oldest = await versions.oldestPublished()
    // What is only on its way says nothing of the releases before it.
    const isUnknown = oldest === undefined && rows.every(({ state }) => state !== 'in doubt')
    if (auditSince === '' && isUnknown) return reportNothing(product)
    // Its release may be older than all that were listed.
    const first = audited.releases.at(-1)?.publishedAt ?? 0
    if (auditSince === '' && audited.isCut && oldest && oldest.createdAt < first) {
      return reportTooMany(product)
    }
    const counting = (auditSince === '' ? sinceFirst(rows, oldest !== undefined) : rows)
      .filter(({ publishedAt }) => publishedAt <= versions.now - YOUNG)
      .filter(({ prerelease }) => policy === 'publish' || prerelease === (policy === 'only'))
    const newest = await versions.newestPublished()
    // A typo in `tag-pattern` would look like success forever.
    if (counting.length === 0) run.runner.warning('No release was compared.', product)
    return judge(counting, newest?.createdAt ?? 0, product)
  } catch (error) {
    return explainMemory(error, run)
  }
}

/** A release with what the memory has of it; `claimed`: it has something. */
interface AuditRow extends Release {
  readonly versionName: string
  readonly state: Standing['state']
  readonly claimed: boolean
}

/** The releases whose tags fit, since `audit-since`, with their states. */
async function rowsOf(
  { inputs }: Run,
  target: TargetInputs,
  { releases }: Audited,
  { names, standing }: RecordedVersions
): Promise<AuditRow[]> {
  const since = releases.find(({ tag }) => tag === inputs.auditSince)?.publishedAt ?? 0
  const rows: AuditRow[] = []
  for (const release of releases.filter(({ publishedAt }) => publishedAt >= since)) {
    // A tag that does not fit belongs to another package of the repository.
    if (readTag(release.tag, inputs.tagPattern).kind === 'misfit') continue
    const tagged = { tag: release.tag, release, standIn: '', ownCommit: false }
    const { named } = nameTargets({ ...inputs, targets: [target] }, tagged)
    for (const { versionName } of named) {
      const { state } = await standing(versionName)
      rows.push({ ...release, versionName, state, claimed: names.includes(versionName) })
    }
  }
  return rows
}

/** From the oldest published release on: what is older came before this action was used, unless it is recorded. */
function sinceFirst(rows: readonly AuditRow[], hasPublished: boolean): readonly AuditRow[] {
  const oldest = rows.findLastIndex(({ state }) => state === 'published')
  // What is published has other names than these, so nobody knows where to start.
  if (oldest < 0 && hasPublished) return rows
  return rows.filter(({ state }, index) => index <= oldest || state !== 'none')
}

function reportNothing(product: string): Report {
  const message = `Nothing is recorded as published to product ${product}, so the releases cannot be compared with it.`
  const advice =
    'Set `audit-since` to the tag of the first release that is meant for the shop, or publish one first. ' +
    'If this action has published versions before, somebody has deleted deployments of this repository, which are the record of that: ' +
    'look in the shop, and record what is there with `mode: settle`.'
  return { ...ended('failed', 'no-record', message, advice), heading: 'Nothing is recorded' }
}

function reportTooMany(product: string): Report {
  const message = `More than ${MOST} releases came since the first version that is recorded as published to product ${product}.`
  return ended('failed', 'bad-input', message, 'Set `audit-since` to the tag of a later release.')
}

const IN_WORDS: Readonly<Record<Standing['state'], string>> = {
  none: 'missing',
  claimed: 'being published',
  committed: 'being published',
  published: 'published',
  'in doubt': 'in doubt'
}

/** Lists ten names at most; the table has them all. */
function tellSome(names: readonly string[]): string {
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  return `${names.slice(0, 10).join(', ')}${more}`
}

/** `newest`: when the newest published version was claimed, in milliseconds since 1970, or 0. */
function judge(rows: readonly AuditRow[], newest: number, product: string): Report {
  const cells = rows.map(({ tag, versionName, state }) => [tag, versionName, IN_WORDS[state]])
  const table = { head: ['Release', 'Version', 'State'], rows: cells }
  const missing = rows.filter(({ state }) => state === 'none')
  const wrong = [...missing, ...rows.filter(({ state }) => state === 'in doubt')]
  if (wrong.length === 0) {
    if (rows.length === 0) {
      const message = `There is no release to compare with product ${product}: see \`audit-since\`, \`tag-pattern\` and \`prerelease\`.`
      return { ...ended('audited', '', message), heading: 'No release to compare' }
    }
    const message = `Every release that was looked at (${rows.length}) is published to product ${product}, or on its way.`
    return { ...ended('audited', '', message), table }
  }
  const named = tellSome(wrong.map(({ tag, state }) => `${tag} (${IN_WORDS[state]})`))
  const message = `Of the releases that were looked at (${rows.length}), these are not known to be published to product ${product}: ${named}.`
  const advice =
    'Look in the shop. If a version is not there, run your publishing workflow by hand with the input `tag`. ' +
    'If it is there, record that with `mode: settle` and `settle-as: published`. ' +
    'One that is in doubt and not there needs `settle-as: not-published` before it can be published.'
  const lost = missing.filter(({ claimed, publishedAt }) => !claimed && publishedAt < newest)
  const tags = tellSome(lost.map(({ tag }) => tag))
  const hint =
    tags &&
    `\nReleased before the last recorded publication, and without any record: ${tags}. ` +
      'Perhaps somebody deleted deployments of this repository; they are the record of what is published. ' +
      'If they were never meant for the shop, set a later `audit-since`. To publish one now, set `order: any`.'
  const isMissing = missing.length > 0
  const heading = `Not every release is ${isMissing ? '' : 'known to be '}published`
  const reason = isMissing ? 'missing' : 'in-doubt'
  return { ...ended('failed', reason, message, `${advice}${hint}`), heading, table }
}
