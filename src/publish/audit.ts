// `mode: audit`: is each release published? Compares GitHub's releases with the record, and asks no shop.

import type { GitHub } from '../github/github.ts'
import { listReleases, type Release } from '../github/releases.ts'
import { comparableName } from '../ledger/claim-format.ts'
import { type Survey, surveyVersions } from '../ledger/survey.ts'
import { openRanking, readTag } from '../release/tag.ts'
import { describeRoute } from '../report/guidance.ts'
import { type Result, resultOf } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import { counted, listNames } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { nameFrom, namesOf } from './prepare.ts'

/** A release younger than this is not audited: its run may not have ended yet. */
const YOUNG_MS = 60 * 60 * 1000

/** A release with the version that its tag names. */
interface NamedRelease extends Release {
  readonly versionName: string
}

/** A release with what is recorded of it. */
interface Row extends NamedRelease {
  readonly state: State
}

/** `passed over`: a higher version is published, so this one cannot follow any more. */
type State = 'missing' | 'passed over' | RecordedState
type RecordedState = 'published' | 'in doubt' | 'being published'

/** Audits the releases. Throws an `ActionError` about `audit-since`, or a record that is empty. */
export async function audit(env: Environment): Promise<Result> {
  const { config } = env
  const { auditSince, route } = config

  const releases = await listPublished(env.github, auditSince)
  const { named, unnamed } = nameVersions(releases, config)
  const versions = await surveyVersions(env.deployments, env.runner.context)
  const counting = auditSince === '' ? await sinceFirst(named, versions, route) : named

  // The record is asked for each release that is left: a request or more for each.
  const wanted = counting
    .filter(({ publishedAt }) => publishedAt <= versions.now - YOUNG_MS)
    .filter(release => isWanted(release, config))
  const rows: Row[] = []
  for (const release of wanted) {
    rows.push({ ...release, state: await stateOfRelease(release, versions, config) })
  }

  const result = resultFor(rows, route)
  if (unnamed.length === 0) return result

  const left = `There is no version in the tag of some releases, which were left out: ${listNames(unnamed)}.`
  return { ...result, warnings: [...result.warnings, left] }
}

/** The published releases, newest first, from the tag `since` on. */
async function listPublished(github: GitHub, since: string): Promise<readonly Release[]> {
  const all = (await listReleases(github)).filter(({ draft }) => !draft)
  const releases = all.toSorted((a, b) => b.publishedAt - a.publishedAt)
  if (since === '') return releases

  const first = releases.find(({ tag }) => tag === since)
  if (first) return releases.filter(it => it.publishedAt >= first.publishedAt)

  const message = `audit-since: "${since}" is not the tag of a published release of this repository.`
  throw new ActionError('bad-input', message)
}

/** The releases of this step's product. */
interface NamedReleases {
  readonly named: readonly NamedRelease[]
  /** The tags of those in whose tag there is no version. */
  readonly unnamed: readonly string[]
}

function nameVersions(releases: readonly Release[], config: PublishConfig): NamedReleases {
  const named: NamedRelease[] = []
  const unnamed: string[] = []
  for (const release of releases) {
    const { kind } = readTag(release.tag, config.tagPattern)
    // A tag that does not fit belongs to another package of the repository.
    if (kind === 'misfit') continue
    if (kind !== 'version' && config.versionName.includes('{version}')) {
      unnamed.push(release.tag)
      continue
    }

    const names = namesOf(config, { tag: release.tag, release })
    named.push({ ...release, versionName: nameFrom('version-name', config.versionName, names) })
  }
  return { named, unnamed }
}

async function stateOfRelease(
  { versionName }: NamedRelease,
  versions: Survey,
  { allowLower }: PublishConfig
): Promise<State> {
  const recorded = await recordedStateOf(versionName, versions)
  if (recorded) return recorded
  if (allowLower) return 'missing'

  const rankOf = await openRanking(comparableName(versionName))
  const higher = await versions.findPublished(claim => rankOf(claim.versionName) === 'higher')
  return higher ? 'passed over' : 'missing'
}

/** The recorded state of one version; undefined if it was not sent. One request tells that it is published. */
async function recordedStateOf(name: string, versions: Survey): Promise<RecordedState | undefined> {
  const compared = comparableName(name)
  const published = await versions.findPublished(claim => claim.versionName === compared)
  if (published) return 'published'

  const { kind } = await versions.verdictOn(name)
  if (kind === 'in doubt') return kind
  return kind === 'in progress' ? 'being published' : undefined
}

/** Whether a release is one of those that this step publishes. */
function isWanted(release: Release, { prerelease }: PublishConfig): boolean {
  return prerelease === 'publish' || release.prerelease === (prerelease === 'only')
}

/**
 * From the oldest published release on: what is older came before this action was used, unless it is recorded. Throws an
 * `ActionError` if nothing is recorded at all.
 */
async function sinceFirst(
  named: readonly NamedRelease[],
  versions: Survey,
  route: Route
): Promise<readonly NamedRelease[]> {
  const unsettled: NamedRelease[] = []
  let isInDoubt = false
  for (const [index, release] of [...named.entries()].toReversed()) {
    const state = await recordedStateOf(release.versionName, versions)
    if (state === 'published') return [...named.slice(0, index + 1), ...unsettled]
    if (state) unsettled.unshift(release)
    isInDoubt ||= state === 'in doubt'
  }

  // Versions are published, but under other names than these, so it is unclear where to start.
  if (await versions.findPublished(() => true)) return named
  if (isInDoubt) return unsettled

  const message = `Nothing is recorded as published to ${describeRoute(route)}.`
  throw new ActionError('no-record', message, {
    advice: 'Set `audit-since` to the tag of the first release that is meant for the shop.'
  })
}

function resultFor(rows: readonly Row[], route: Route): Result {
  const product = describeRoute(route)
  const missing = tagsOf(rows, 'missing')
  const subject = { route }
  if (rows.length === 0) {
    const message = `There is no release to compare with ${product}: see \`audit-since\`, \`tag-pattern\` and \`prerelease\`.`
    // Comparing nothing would look like success forever.
    return resultOf('audited', message, {
      heading: 'No release to compare',
      warnings: ['No release was compared.'],
      missing,
      subject
    })
  }

  const table = {
    head: ['Release', 'Version', 'State'],
    rows: rows.map(({ tag, versionName, state }) => [tag, versionName, state])
  }
  const wrong = rows.filter(({ state }) => state === 'missing' || state === 'in doubt')
  if (wrong.length === 0) {
    return resultOf('audited', describeNothingWrong(rows, product), { table, missing, subject })
  }

  const isMissing = missing.length > 0
  const names = firstTen(wrong.map(({ tag, state }) => `${tag} (${state})`))
  const verb = wrong.length === 1 ? 'is' : 'are'
  const message = `${wrong.length} of ${counted(rows.length, 'release')} ${verb} not known to be published to ${product}: ${names}.`
  return resultOf('failed', message, {
    table,
    missing,
    subject,
    reason: isMissing ? 'missing' : 'in-doubt',
    heading: `Not every release is ${isMissing ? '' : 'known to be '}published`,
    advice:
      'Look in the shop. If a version is there, mark it with `mode: mark-published`; for those that are missing, see “Catch up on missed releases” in docs/recipes.md.'
  })
}

/** The message of an audit that found nothing wrong. */
function describeNothingWrong(rows: readonly Row[], product: string): string {
  const passed = tagsOf(rows, 'passed over')
  if (passed.length === 0) {
    return `Every release that was looked at (${rows.length}) is published to ${product}, or on its way.`
  }
  return `No release that was looked at (${rows.length}) is missing from ${product}. Passed over, since a higher version is published: ${firstTen(passed)}.`
}

function tagsOf(rows: readonly Row[], wanted: State): string[] {
  return rows.filter(({ state }) => state === wanted).map(({ tag }) => tag)
}

function firstTen(names: readonly string[]): string {
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  return `${names.slice(0, 10).join(', ')}${more}`
}
