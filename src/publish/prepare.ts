// Before anything is sent: every target's names, text and file put together, or every problem in any of them.
import { inspectArchive } from '../file/archive.ts'
import { type Artifact, FileFault, openArtifact } from '../file/artifact.ts'
import { type Attached, downloadAsset, openAttached } from '../file/asset.ts'
import { findFile } from '../file/find.ts'
import { explainForeignVersion, type Versions } from '../file/versions.ts'
import { readRelease, type Tagged } from '../release/find-release.ts'
import type { Runner } from '../runner/runner.ts'
import { sizeText } from '../runner/text.ts'
import type { Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { type BuyerText, changelogOf } from './buyer-text.ts'
import type { TargetInputs } from './inputs.ts'
import { describeRoute, type Named, type NamedTarget, nameTargets, placeIn } from './naming.ts'
import type { Problem, Subject } from './report.ts'

/** One publication, ready to be sent. */
export interface Planned {
  readonly inputs: TargetInputs
  readonly route: Route
  readonly tag: string
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
  /** What was taken out of the notes for buyers, in a sentence; empty when nothing was. */
  readonly removed: string
  readonly artifact: Artifact
  /** What is in the archive, in a few words; empty for what is none. */
  readonly contents: string
}

/** What was prepared; `dispose` closes and removes what is open. */
export interface Prepared {
  readonly named: readonly NamedTarget[]
  readonly planned: readonly Planned[]
  readonly problems: readonly Problem[]
  dispose(): Promise<void>
}

/**
 * Prepares every target. With problems `known` already, nothing is downloaded. To settle a version, no text is
 * needed, and a file only where one is given.
 */
export async function prepare(
  run: Run,
  tagged: Tagged,
  known: readonly Fault[] = []
): Promise<Prepared> {
  const { named, problems: misnamed } = nameTargets(run.inputs, tagged)
  const problems: Problem[] = [...known, ...misnamed]
  const settles = run.inputs.mode === 'settle'
  const disposals: (() => Promise<void>)[] = []
  const dispose = async () => {
    // What stays behind in the runner's own folder must not change how the run ended.
    for (const end of disposals.toReversed()) await end().catch(() => undefined)
  }
  const open = openerOf(run, tagged, disposals)
  const planned: Planned[] = []
  try {
    for (const one of named) {
      const given = one.target.file.length + one.target.asset.length > 0
      if (settles && !given) continue
      const none = { text: '', removed: '' }
      const text = settles ? none : await textOf(run, tagged, one, problems)
      const skipped = known.length > 0 && one.target.asset.length > 0
      const file = skipped ? undefined : await openFile(run, tagged, one, open, problems)
      if (text === undefined || !file) continue
      const { route, versionName, title } = one.named
      const { changelogFormat } = one.target
      const { text: changelog, removed } = text
      const texts = { versionName, title, changelog, removed, changelogFormat }
      planned.push({ inputs: one.target, route, tag: tagged.tag, ...texts, ...file })
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { named, planned, problems, dispose }
}

/** The changelog; undefined, with a problem added, when there is none. */
async function textOf(
  run: Run,
  tagged: Tagged,
  { target, named }: NamedTarget,
  problems: Problem[]
): Promise<Extract<BuyerText, { text: string }> | undefined> {
  const add = (input: string, message: string) => {
    problems.push({ place: placeIn(target, input), message, reason: 'no-changelog' })
  }
  if (!tagged.release && target.changelog === '' && target.changelogFile === '') {
    add(
      'changelog',
      `the tag "${tagged.tag}" has no published release. If it has a draft, publish that on GitHub first ` +
        '(a job sees drafts only with `contents: write`). To publish the tag without a release, ' +
        'set `changelog` or `changelog-file`.'
    )
    return undefined
  }
  const changelog = await changelogOf(run, tagged, target, named)
  if ('text' in changelog) return changelog
  add(changelog.input, changelog.fault)
  return undefined
}

type Open = (target: TargetInputs, named: Named, versions: Versions) => Promise<Artifact>

/** The opened file; undefined, with a problem added, when it is not the one to publish. */
async function openFile(
  { inputs, runner }: Run,
  { standIn }: Tagged,
  { target, named }: NamedTarget,
  open: Open,
  problems: Problem[]
): Promise<Pick<Planned, 'artifact' | 'contents'> | undefined> {
  const input = target.asset.length > 0 ? 'asset' : 'file'
  const place = placeIn(target, input)
  try {
    // Where another release stands in, no name is of the wrong version.
    const { names, versionName } = named
    const versions: Versions = standIn === '' ? [names.version, versionName] : ['']
    const artifact = await open(target, named, versions)
    const compared = inputs.fileVersion === 'agree' && standIn === '' ? versions : undefined
    const message = compared && explainForeignVersion(artifact.name, target[input], compared)
    if (message !== undefined) problems.push({ place, message, reason: 'file-version' })
    const rules = { contents: named.contents, versions: compared }
    const inspection = await inspectArchive(artifact, rules)
    for (const warning of inspection.warnings) runner.warning(`${place}: ${warning}`)
    problems.push(...inspection.problems.map(problem => ({ place, ...problem })))
    if (message !== undefined || inspection.problems.length > 0) return undefined
    return { artifact, contents: inspection.contents }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    problems.push({ place, message: error.message, reason: error.reason })
  }
  return undefined
}

/** Opens a target's file; targets with the same file share it, so that it is opened and hashed once. */
function openerOf(run: Run, tagged: Tagged, disposals: (() => Promise<void>)[]): Open {
  const { runner, inputs, streamAsset, downloads } = run
  const { workspace, temp } = runner.context
  const opened = new Map<string, Promise<Artifact>>()
  const share = (key: string, path: () => Promise<string>, shown?: string) => {
    const open = async () => {
      const artifact = await openArtifact(await path(), workspace, [workspace, temp])
      disposals.push(() => artifact.close())
      return shown === undefined ? artifact : { ...artifact, path: shown }
    }
    const shared = opened.get(key) ?? open()
    opened.set(key, shared)
    return shared
  }
  const choose = openAttached({
    tag: tagged.tag,
    timeout: inputs.assetTimeout,
    look: () => lookAgain(run, tagged),
    sleep: ms => run.sleep(ms, runner.cancelled),
    tell: runner.info
  })
  return async (target, named, versions) => {
    if (target.asset.length === 0) {
      const path = await findFile(named.file, workspace, versions)
      return share(path, () => Promise.resolve(path))
    }
    const asset = await choose({ patterns: named.asset, versions })
    const download = async () => {
      runner.info(`Downloading "${asset.name}" from the release ${tagged.tag}`)
      const downloaded = await downloadAsset(asset, temp, streamAsset, downloads)
      disposals.push(downloaded.remove)
      return downloaded.path
    }
    return share(`asset ${asset.id}`, download, `${asset.name}, attached to ${tagged.tag}`)
  }
}

/** What is attached now: an event knows only what was attached when it happened. */
async function lookAgain({ releases }: Run, { release, tag }: Tagged): Promise<Attached> {
  if (release) return readRelease(release.id, releases)
  const message = `There is no published release for the tag "${tag}" that the file could be attached to. Create it first, or use \`file\`.`
  throw new FileFault('no-file', message)
}

/** What a report says about a target. */
export function subjectOf(
  { route, versionName, title, changelog, removed, artifact, contents }: Planned,
  sha256?: string
): Subject {
  const { path: file, size } = artifact
  const about = { route, versionName, title, changelog, removed, file, size, contents }
  return sha256 === undefined ? about : { ...about, sha256 }
}

/** Logs what a target is, before anything is done with it; several targets have groups of their own already. */
export async function announce(
  log: Pick<Runner, 'info' | 'block' | 'group'>,
  planned: Planned,
  baseUrl: string,
  isSingle: boolean
): Promise<void> {
  const { route, versionName, title, artifact, contents, changelog, changelogFormat } = planned
  const lines = changelog.split('\n').length
  log.info(`Version "${versionName}" of product ${describeRoute(route)} at ${baseUrl}`)
  log.info(`  title      ${title}`)
  log.info(`  file       ${artifact.path} (${sizeText(artifact.size)})`)
  if (contents !== '') log.info(`  contents   ${contents}`)
  const heading = `Changelog: ${lines === 1 ? '1 line' : `${lines} lines`} of ${changelogFormat}`
  if (isSingle) return log.group(heading, async () => log.block(changelog))
  log.info(heading)
  log.block(changelog)
}
