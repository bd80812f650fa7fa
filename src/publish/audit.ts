// `mode: audit`: is each release published? Compares GitHub's releases with the record, and asks no shop.
import { comparableName } from '../ledger/claim-format.ts'
import { type Survey, surveyVersions } from '../ledger/survey.ts'
import { listReleases, type Release } from '../release/release.ts'
import { openRanking, readTag } from '../release/tag.ts'
import { describeRoute } from '../report/guidance.ts'
import { type Result, resultOf } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import { counted, listNames } from '../runner/words.ts'
import type { Route } from '../shop/request.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { nameFrom, namesOf } from './prepare.ts'

/** In milliseconds. A release younger than this is not audited: its run may not have ended yet. */
const YOUNG = 60 * 60 * 1000

/** A release with what is recorded of it. */
interface Row extends Release {
  readonly versionName: string
  readonly state: State
}

/** `passed over`: a higher version is published, so this one cannot follow any more. */
type State = 'missing' | 'passed over' | 'published' | 'in doubt' | 'being published'

/** Audits the releases. Throws an `ActionError` about `audit-since`, or a record that is empty. */
export async function audit(env: Environment): Promise<Result> {
  const { config } = env
  const { auditSince, route } = config

  const releases = await listPublished(env, auditSince)
  const versions = await surveyVersions(env.deployments, env.runner.context)
  const { rows, unnamed } = await compare(releases, versions, config)
  const counting = auditSince === '' ? await sinceFirst(rows, versions, route) : rows

  const wanted = counting
    .filter(({ publishedAt }) => publishedAt <= versions.now - YOUNG)
    .filter(row => isWanted(row, config))

  const result = resultFor(wanted, route)
  if (unnamed.length === 0) return result

  const left = `There is no version in the tag of some releases, which were left out: ${listNames(unnamed)}.`
  return { ...result, warnings: [...result.warnings, left] }
}

/** The published releases, newest first, from the tag `since` on. */
async function listPublished({ github }: Environment, since: string): Promise<readonly Release[]> {
  const all = (await listReleases(github)).filter(({ draft }) => !draft)
  const releases = all.toSorted((a, b) => b.publishedAt - a.publishedAt)
  if (since === '') return releases

  const first = releases.find(({ tag }) => tag === since)
  if (first) return releases.filter(it => it.publishedAt >= first.publishedAt)

  const message = `audit-since: "${since}" is not the tag of a published release of this repository.`
  throw new ActionError('bad-input', message)
}

/** The releases, with what is recorded of each. */
interface Comparison {
  readonly rows: readonly Row[]
  /** The tags of those in whose tag there is no version. */
  readonly unnamed: readonly string[]
}

async function compare(
  releases: readonly Release[],
  versions: Survey,
  config: PublishConfig
): Promise<Comparison> {
  const rows: Row[] = []
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
    const versionName = nameFrom('version-name', config.versionName, names)
    const state = await stateOfRelease(versionName, versions, config)
    rows.push({ ...release, versionName, state })
  }
  return { rows, unnamed }
}

async function stateOfRelease(
  versionName: string,
  versions: Survey,
  { allowLower }: PublishConfig
): Promise<State> {
  // By itself first: other versions matter only if nothing is recorded of it.
  const { kind } = await versions.verdictOn(versionName)
  if (kind === 'published' || kind === 'in doubt') return kind
  if (kind === 'in progress') return 'being published'
  if (allowLower) return 'missing'

  const rankOf = await openRanking(comparableName(versionName))
  const verdict = await versions.verdictOn(versionName, rankOf)
  const isBelow = verdict.kind === 'higher' && verdict.state === 'published'
  return isBelow ? 'passed over' : 'missing'
}

/** Whether a release is one of those that this step publishes. */
function isWanted(row: Row, { prerelease }: PublishConfig): boolean {
  return prerelease === 'publish' || row.prerelease === (prerelease === 'only')
}

/**
 * From the oldest published release on: what is older came before this action was used, unless it is recorded. Throws an
 * `ActionError` if nothing is recorded at all.
 */
async function sinceFirst(
  rows: readonly Row[],
  versions: Survey,
  route: Route
): Promise<readonly Row[]> {
  const hasPublished = (await versions.findPublished(() => true)) !== undefined
  if (!hasPublished && rows.every(({ state }) => state !== 'in doubt')) {
    const message = `Nothing is recorded as published to ${describeRoute(route)}.`
    throw new ActionError('no-record', message, {
      advice: 'Set `audit-since` to the tag of the first release that is meant for the shop.'
    })
  }

  const oldest = rows.findLastIndex(({ state }) => state === 'published')
  // Versions are published, but under other names than these, so it is unclear where to start.
  if (oldest < 0 && hasPublished) return rows

  const isRecorded = ({ state }: Row) => state !== 'missing' && state !== 'passed over'
  return rows.filter((row, index) => index <= oldest || isRecorded(row))
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
  const message = `Of ${counted(rows.length, 'release')}, these are not known to be published to ${product}: ${names}.`
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
