// The modes of the memory: `settle` writes what a person says is true, `audit` compares releases with it.
import type { Artifact } from '../file/artifact.ts'
import { deadlineOf, type Standing } from '../ledger/ledger.ts'
import { type Found, type Settled, settleByHand } from '../ledger/settle.ts'
import { listReleases } from '../release/find-release.ts'
import type { Release } from '../release/release.ts'
import type { Fault } from '../runner/values.ts'
import type { Run } from './adapters.ts'
import type { TargetInputs } from './inputs.ts'
import { stepsOf, versionsOf } from './memory.ts'
import { explainMemory } from './memory-reports.ts'
import { describeRoute, type NamedTarget, nameTargets, routeOf } from './naming.ts'
import { endedEarly, type Report, type Subject } from './report.ts'

/** A version, and the file that was published as it, where one is given. */
export interface Settling extends NamedTarget {
  readonly tag: string
  readonly commit: string
  readonly artifact: Artifact | undefined
}

/** Records what the input `settle-as` says of one target. Nothing goes to the shop. */
export async function settleTarget(run: Run, settling: Settling): Promise<Report> {
  const { artifact, tag, commit } = settling
  const { route, versionName, title } = settling.named
  const file = await artifact?.digest()
  const { name: fileName = '', size = 0 } = artifact ?? {}
  const read = artifact && file ? { file: artifact.path, size, sha256: file.sha256 } : {}
  const subject: Subject = { route, versionName, title, changelog: '', ...read }
  const kind = run.inputs.settleAs === 'published' ? 'published' : 'not published'
  try {
    const steps = stepsOf(run, { route, versionName, tag, commit, fileName, size })
    return describeSettled(await settleByHand(steps, { kind, file }), kind, subject)
  } catch (error) {
    return explainMemory(error, run, subject)
  }
}

function describeSettled(settled: Settled, kind: Found['kind'], subject: Subject): Report {
  const name = `"${subject.versionName}"`
  const heading = 'Nothing recorded'
  const next = kind === 'published' ? 'No run will send it.' : 'The next run publishes it.'
  switch (settled.kind) {
    case 'settled':
      return endedEarly('settled', '', `${name} is recorded as ${kind}. ${next}`, '', subject)
    case 'known': {
      const known = kind === 'published' ? 'is already recorded as published' : 'is not in doubt'
      const message = `${name} ${known}, so nothing was recorded. ${next}`
      return endedEarly('settled', '', message, '', subject)
    }
    case 'busy': {
      const { runId } = settled.claim.claimant
      const message = `Nothing was recorded: run ${runId} may be publishing ${name} right now.`
      const end = new Date(deadlineOf(settled.claim)).toISOString().replace(/\.\d+/, '')
      const advice =
        'Wait until that run has ended. Then look in the shop, and run this again if needed. ' +
        'If it was killed, run its job again: that waits for nothing, and either publishes the version or ' +
        `lets you say what you find in the shop. Without that, this is refused until ${end}.`
      return { ...endedEarly('failed', 'busy', message, advice, subject), heading }
    }
    case 'contradicted': {
      const message = `Nothing was recorded: ${name} is recorded as published, which cannot be taken back.`
      const advice =
        'If it is really not in the shop, delete its deployment on GitHub, or publish the file as a new version.'
      return { ...endedEarly('failed', 'already-published', message, advice, subject), heading }
    }
  }
}

/** The newest so many releases are looked at. */
const MOST = 100
/** A younger release may still be on its way, in milliseconds. */
const YOUNG = 60 * 60 * 1000

/** The published releases, or what is wrong with `audit-since`. */
export async function listAudited({ inputs, releases }: Run): Promise<readonly Release[] | Fault> {
  const published = (await listReleases(releases)).filter(({ draft }) => !draft)
  const since = inputs.auditSince
  if (since === '' || published.some(({ tag }) => tag === since)) return published
  const message = `"${since}" is not the tag of a published release of this repository`
  return { place: 'audit-since', message }
}

/** Compares the releases with what the memory has for one target; reads only. */
export async function auditTarget(
  run: Run,
  target: TargetInputs,
  releases: readonly Release[]
): Promise<Report> {
  const route = routeOf(target)
  const subject = { route, versionName: '', title: '', changelog: '' }
  try {
    const versions = await versionsOf(run, route)
    const rows: Row[] = []
    for (const release of candidatesOf(run, releases, versions.now)) {
      const versionName = nameIn(run, target, release)
      if (versionName === undefined) continue
      const { state } = await versions.standing(versionName)
      rows.push({ release, versionName, state, claimed: versions.names.includes(versionName) })
    }
    const oldest = rows.findLastIndex(({ claimed }) => claimed)
    const isCut = run.inputs.auditSince === '' && oldest >= 0
    const audited = isCut ? rows.slice(0, oldest + 1) : rows
    const newest = await versions.newestPublished()
    return { ...judge(audited, newest?.createdAt ?? 0, describeRoute(route)), subject }
  } catch (error) {
    return explainMemory(error, run, subject)
  }
}

/** The releases that count, the newest first. */
function candidatesOf({ inputs }: Run, releases: readonly Release[], now: number) {
  const { auditSince, prerelease: policy } = inputs
  const since = releases.find(({ tag }) => tag === auditSince)?.publishedAt ?? 0
  return releases
    .filter(({ publishedAt }) => publishedAt >= since && publishedAt <= now - YOUNG)
    .filter(({ prerelease }) => policy === 'publish' || prerelease === (policy === 'only'))
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, MOST)
}

/** The version that a release is for the target; undefined for the tag of another package of the repository. */
function nameIn({ inputs }: Run, target: TargetInputs, release: Release): string | undefined {
  const tagged = { tag: release.tag, release, standIn: '', ownCommit: false }
  const { named, problems } = nameTargets({ ...inputs, targets: [target] }, tagged)
  const isOther = problems.some(({ place }) => place === 'tag-pattern')
  return isOther ? undefined : named[0]?.named.versionName
}

interface Row {
  readonly release: Release
  readonly versionName: string
  readonly state: Standing['state']
  /** It has claims, whatever became of them. */
  readonly claimed: boolean
}

const IN_WORDS: Readonly<Record<Standing['state'], string>> = {
  none: 'missing',
  claimed: 'being published',
  committed: 'being published',
  published: 'published',
  'in doubt': 'in doubt'
}

function judge(rows: readonly Row[], newest: number, product: string): Report {
  const head = ['Release', 'Version', 'State']
  const cells = rows.map(row => [row.release.tag, row.versionName, IN_WORDS[row.state]])
  const table = { head, rows: cells }
  const missing = rows.filter(({ state }) => state === 'none')
  const wrong = [...missing, ...rows.filter(({ state }) => state === 'in doubt')]
  if (wrong.length === 0) {
    if (rows.length === 0) {
      const message = `There is no release to compare with product ${product}: see \`audit-since\`, \`tag-pattern\` and \`prerelease\`.`
      return { ...endedEarly('audited', '', message), heading: 'No release to compare' }
    }
    const message = `Every release that was looked at (${rows.length}) is published to product ${product}, or on its way.`
    return { ...endedEarly('audited', '', message), table }
  }
  const named = wrong.map(({ release, state }) => `${release.tag} (${IN_WORDS[state]})`).join(', ')
  const message = `Of the releases that were looked at (${rows.length}), these are not known to be published to product ${product}: ${named}.`
  const advice =
    'Look in the shop. If a version is not there, run your publishing workflow by hand with the input `tag`. ' +
    'If it is there, record that with `mode: settle` and `settle-as: published`. ' +
    'One that is in doubt and not there needs `settle-as: not-published` before it can be published.'
  const lost = missing.filter(({ claimed, release }) => !claimed && release.publishedAt < newest)
  const tags = lost.map(({ release }) => release.tag).join(', ')
  const hint =
    lost.length === 0
      ? ''
      : `\nOlder than the newest version that is recorded, and without any record: ${tags}. ` +
        'Perhaps somebody deleted deployments of this repository; they are the record of what is published.'
  const isMissing = missing.length > 0
  const heading = isMissing
    ? 'Not every release is published'
    : 'Not every release is known to be published'
  const reason = isMissing ? 'missing' : 'in-doubt'
  return { ...endedEarly('failed', reason, message, `${advice}${hint}`), heading, table }
}
