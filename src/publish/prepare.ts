// Before anything is sent: every target's names, text and file put together, or every fault in any of them.

import { type Artifact, FileFault, openArtifact } from '../file/artifact.ts'
import { type Attached, openAttached } from '../file/asset.ts'
import { downloadAsset } from '../file/download.ts'
import { findFile } from '../file/find.ts'
import { explainForeignVersion, type Versions } from '../file/versions.ts'
import { GitHubError } from '../github/github.ts'
import { parseRelease } from '../release/event.ts'
import type { Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { changelogOf } from './buyer-text.ts'
import type { Errand } from './errand.ts'
import { type Named, nameRelease, nameTarget, placeIn, type Tagged } from './naming.ts'
import type { Reason } from './report.ts'
import type { TargetInputs } from './target-inputs.ts'
import { findTwins } from './twins.ts'

/** One publication, ready to be sent. */
export interface Planned {
  readonly inputs: TargetInputs
  readonly route: Route
  readonly tag: string
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: 'markdown' | 'html'
  readonly artifact: Artifact
}

/** A fault, and the word for it if it is the only one. */
export interface PlanFault extends Fault {
  readonly reason: Reason
}

/** What was prepared; `dispose` closes and removes what is open. */
export interface Prepared {
  readonly planned: readonly Planned[]
  readonly faults: readonly PlanFault[]
  dispose(): Promise<void>
}

type Ready = Omit<Planned, 'artifact'>

/** What is prepared. Where another release stands in, the version of the file is not known yet. */
type Preparing = Tagged & { readonly standIn?: string }

/** Prepares every target. */
export async function prepare(errand: Errand, tagged: Preparing): Promise<Prepared> {
  const { inputs, runner } = errand
  const faults: PlanFault[] = []
  const disposals: (() => Promise<void>)[] = []
  const note = (found: readonly Fault[], reason: Reason = 'bad-input') => {
    faults.push(...found.map(fault => ({ ...fault, reason })))
  }
  const standsIn = (tagged.standIn ?? '') !== ''
  const { names, faults: misfits } = nameRelease(inputs, tagged)
  note(misfits)
  const namings = inputs.targets.map(target => ({
    inputs: target,
    ...nameTarget(target, names, standsIn)
  }))
  note(namings.flatMap(naming => naming.faults))
  for (const warning of namings.flatMap(naming => naming.warnings)) runner.warning(warning)
  note(findTwins(namings))

  const dispose = async () => {
    // What stays behind in the runner's own folder must not change how the run ended.
    for (const end of disposals.toReversed()) await end().catch(() => undefined)
  }
  const open = openerOf(errand, tagged, disposals)
  // Where another release stands in, no name is of the wrong version.
  const versionsOf = ({ versionName }: Named): Versions =>
    standsIn ? [''] : [names.version, versionName]
  const planned: Planned[] = []
  try {
    for (const { inputs: target, named } of namings) {
      const ready = await readyText(errand, tagged, target, named, note)
      const versions = versionsOf(named)
      const artifact = await openFile(open, errand, target, named, versions, note)
      if (ready && artifact) planned.push({ ...ready, artifact })
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { planned, faults, dispose }
}

type Note = (faults: readonly Fault[], reason?: Reason) => void

async function readyText(
  errand: Errand,
  tagged: Tagged,
  target: TargetInputs,
  named: Named,
  note: Note
): Promise<Ready | undefined> {
  const { route, names, versionName, title } = named
  if (tagged.release === undefined && target.changelog === '' && target.changelogFile === '') {
    const message =
      `the tag "${tagged.tag}" has no published release. If it has a draft, publish that on GitHub first ` +
      '(a job sees drafts only with `contents: write`). To publish the tag without a release, ' +
      'set `changelog` or `changelog-file`.'
    note([{ place: placeIn(target, 'changelog'), message }], 'no-changelog')
    return undefined
  }
  const changelog = await changelogOf(errand, tagged, target, named)
  if ('fault' in changelog) {
    note([{ place: placeIn(target, changelog.input), message: changelog.fault }], 'no-changelog')
    return undefined
  }
  return {
    ...{ inputs: target, route, tag: names.tag, versionName, title },
    changelog: changelog.text,
    changelogFormat: target.changelogFormat
  }
}

async function openFile(
  open: (target: TargetInputs, named: Named, versions: Versions) => Promise<Artifact>,
  { inputs }: Errand,
  target: TargetInputs,
  named: Named,
  versions: Versions,
  note: Note
): Promise<Artifact | undefined> {
  const input = target.asset.length > 0 ? 'asset' : 'file'
  try {
    const artifact = await open(target, named, versions)
    const misfit =
      inputs.fileVersion === 'agree'
        ? explainForeignVersion(artifact.name, target[input], versions)
        : undefined
    if (misfit === undefined) return artifact
    note([{ place: placeIn(target, input), message: misfit }], 'file-version')
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    note([{ place: placeIn(target, input), message: error.message }], error.reason)
  }
  return undefined
}

/** Opens a target's file; targets with the same file share it, so that it is opened and hashed once. */
function openerOf(errand: Errand, { tag, release }: Tagged, disposals: (() => Promise<void>)[]) {
  const { workspace, temp } = errand.runner.context
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
    tag,
    timeout: errand.inputs.assetTimeout,
    look: () => lookAgain(errand, { tag, release }),
    sleep: ms => errand.sleep(ms, errand.runner.cancelled),
    tell: errand.runner.info
  })
  return async (target: TargetInputs, named: Named, versions: Versions): Promise<Artifact> => {
    if (target.asset.length === 0) {
      const path = await findFile(named.file, workspace, versions)
      return share(path, () => Promise.resolve(path))
    }
    const asset = await choose({ patterns: named.asset, versions })
    const download = async () => {
      errand.runner.info(`Downloading "${asset.name}" from the release ${tag}`)
      const downloaded = await downloadAsset(asset, temp, errand.streamAsset, errand.downloads)
      disposals.push(downloaded.remove)
      return downloaded.path
    }
    return share(`asset ${asset.id}`, download, `${asset.name}, attached to ${tag}`)
  }
}

/** What is attached now: an event knows only what was attached when it happened. */
async function lookAgain({ github }: Errand, { tag, release }: Tagged): Promise<Attached> {
  if (release === undefined) {
    const message = `There is no published release for the tag "${tag}", which the file could be attached to. Create it first, or use \`file\`.`
    throw new FileFault('no-file', message)
  }
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  const { data } = await github.read(route, { release_id: release.id })
  const found = parseRelease(data)
  if (found !== undefined) return found
  throw new GitHubError(`${route} answered with no release`, 200, false, undefined)
}
