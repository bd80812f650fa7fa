// Prepares every target before anything is sent: names, changelog, file, and commit; or collects every problem.
import { inspectArchive } from '../file/archive.ts'
import { type Artifact, openArtifact } from '../file/artifact.ts'
import { openAttached } from '../file/asset.ts'
import { FileFault } from '../file/fault.ts'
import { findFile } from '../file/find.ts'
import { explainForeignVersion, type VersionNames } from '../file/versions.ts'
import { explainCheckout, isComparable, readCheckout } from '../release/checkout.ts'
import { commitOf, readRelease, type Tagged } from '../release/release.ts'
import type { Problem } from '../report/failures.ts'
import { DRAFT_ADVICE } from '../report/ways.ts'
import { openSecrets } from '../runner/text.ts'
import { placeIn } from '../runner/values.ts'
import { download, type Run } from './adapters.ts'
import { openChangelogs, type Written } from './buyer-text.ts'
import { type Named, nameTargets } from './naming.ts'

interface ChosenFile {
  readonly artifact: Artifact
  /** Its path, or its name and what it is attached to, for people. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** What is in an archive, in a line; empty for other files. */
  readonly contents: string
}

/** One publication, ready to be sent, with its opened file. */
export interface Planned extends Named, Written, ChosenFile {}
/** A run with the one target that it is handling now. */
export interface Sending extends Run {
  readonly planned: Planned
  readonly commit: string
  readonly showLink: boolean
}

/** `planned` has the targets of which nothing is wrong; `dispose` closes their files, and cleans up. */
export interface Prepared {
  readonly named: readonly Named[]
  readonly planned: readonly Planned[]
  readonly problems: readonly Problem[]
  dispose(): Promise<void>
}

/** Prepares every target. With `known` problems, nothing is downloaded. */
export async function prepare(
  run: Run,
  tagged: Tagged,
  known: readonly Problem[] = []
): Promise<Prepared> {
  const { named, problems: misnamed } = nameTargets(run.inputs, tagged)
  const problems: Problem[] = [...known, ...misnamed]
  const planned: Planned[] = []
  const settles = run.inputs.mode === 'settle'
  const write = openChangelogs(run, tagged)
  const files = openFiles(run, tagged, known.length > 0)
  try {
    for (const one of named) {
      if (settles && one.patterns.length === 0) continue
      const text = settles ? { changelog: '', removed: [] } : await write(one)
      if ('place' in text) problems.push(text)
      else problems.push(...findCredentials(run, { ...one, ...text }))
      const chosen = await chooseFile(run, tagged, one, files)
      if (!('artifact' in chosen)) problems.push(...chosen)
      else if (!('place' in text)) planned.push({ ...one, ...text, ...chosen })
    }
    return { named, planned, problems, dispose: files.dispose }
  } catch (error) {
    await files.dispose()
    throw error
  }
}

/** In characters. A text has a shorter secret in it by chance, perhaps. */
const CERTAIN = 12

/** A problem for each text that would publish a credential of this step, as a link into `.git` can. */
function findCredentials(
  { inputs }: Run,
  { target, title, versionName, changelog }: Named & Written
) {
  const { add, conceal } = openSecrets()
  const credentials = [inputs.token, inputs.githubToken]
  for (const credential of credentials) if (credential.length >= CERTAIN) add(credential)
  const message =
    'has a credential of this step in it, `token` or `github-token`. Take it out; if others may have seen it, replace it'
  const texts = { changelog, title, 'version-name': versionName }
  return Object.entries(texts).flatMap(([name, text]) =>
    conceal(text) === text ? [] : [{ place: placeIn(target, name), message }]
  )
}

/** A target's file, or what is wrong: nothing, perhaps, if it was only looked for. */
async function chooseFile(
  { inputs, runner }: Run,
  { standIn }: Tagged,
  named: Named,
  files: ReturnType<typeof openFiles>
): Promise<ChosenFile | Problem[]> {
  const { target, names, versionName, source, patterns, rules } = named
  const place = placeIn(target, source)
  try {
    // With a stand-in, the next version is unknown, so a file's name may have any.
    const versions: VersionNames = standIn === '' ? [names.version, versionName] : ['']
    const compared = inputs.fileVersion === 'agree' && standIn === '' ? versions : undefined
    const artifact = await files.open(named, versions)
    if (!artifact) return []
    const choice = compared && { patterns, versions: compared }
    const foreign = choice && explainForeignVersion(artifact.name, choice)
    const { problems: found, warnings, contents } = await inspectArchive(artifact, rules, compared)
    for (const warning of warnings) runner.warning(`${place}: ${warning}`)
    const problems: Problem[] = found.map(problem => ({ place, ...problem }))
    if (foreign !== undefined) problems.unshift({ place, message: foreign, reason: 'file-version' })
    if (problems.length > 0) return problems
    return { artifact, file: artifact.path, size: artifact.size, contents }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return [{ place, message: error.message, reason: error.reason }]
  }
}

/** Finds and opens files. Targets with the same file share it: it is downloaded, opened, and hashed once. */
function openFiles(run: Run, tagged: Tagged, looksOnly: boolean) {
  const { runner, inputs } = run
  const { workspace, temp } = runner.context
  const disposals: (() => Promise<void>)[] = []
  const opened = new Map<string, Promise<Artifact>>()
  const openOnce = (key: string, pathOf: () => Promise<string>) => {
    const openNow = async () => {
      const artifact = await openArtifact(await pathOf(), workspace, [workspace, temp])
      disposals.push(() => artifact.close())
      return artifact
    }
    const shared = opened.get(key) ?? openNow()
    opened.set(key, shared)
    return shared
  }
  const choose = openAttached({
    tag: tagged.tag,
    timeout: looksOnly ? 0 : inputs.assetTimeout,
    tell: runner.info,
    look: () => lookAgain(run, tagged),
    sleep: ms => run.sleep(ms, runner.cancelled)
  })
  const attached = tagged.release?.assets.map(({ name }) => name) ?? []
  /** Throws a `FileFault`; returns undefined for an attached file that is only looked for. */
  const open = async ({ source, patterns }: Named, versions: VersionNames) => {
    if (source === 'file') {
      const path = await findFile({ patterns, workspace, versions, attached })
      return openOnce(path, async () => path)
    }
    const asset = await choose({ patterns, versions })
    if (looksOnly) return undefined
    const artifact = await openOnce(`asset ${asset.id}`, async () => {
      runner.info(`Downloading "${asset.name}" from the release ${tagged.tag}`)
      const { path, remove } = await download(run, asset)
      disposals.push(remove)
      return path
    })
    return { ...artifact, path: `${asset.name}, attached to ${tagged.tag}` }
  }
  const dispose = async () => {
    // A failed cleanup leaves files in RUNNER_TEMP at worst, and must not change how the run ended.
    for (const end of disposals.toReversed()) await end().catch(() => undefined)
  }
  return { open, dispose }
}

/** Reads the release's files now: an event has only those that were attached when it happened. */
async function lookAgain({ github, inputs }: Run, { release, tag }: Tagged) {
  if (release) return readRelease(github, { release_id: release.id })
  const isPlan = inputs.mode === 'plan'
  const [seen, draft] = isPlan ? ['release', ` ${DRAFT_ADVICE}`] : ['published release', '']
  const way = inputs.mode === 'settle' ? 'leave out `asset`: to settle needs no file' : 'use `file`'
  const message = `There is no ${seen} for the tag "${tag}" that the file could be attached to. Create it first, or ${way}.${draft}`
  throw new FileFault('no-file', message)
}

/**
 * The tag's commit, empty if nobody knows or asks for it; `strayed` has a problem if a file of the workspace may be
 * built from another one.
 */
export async function readCommits({ runner, inputs, github }: Run, tagged: Tagged) {
  const { context } = runner
  const { mode, once, fileVersion, targets } = inputs
  const target = targets.find(({ file }) => file.length > 0)
  const isCompared =
    target !== undefined && fileVersion === 'agree' && isComparable(tagged, context)
  const checkedOut = isCompared ? await readCheckout(context.workspace) : ''
  const isNeeded = mode === 'settle' || once !== 'off' || checkedOut !== ''
  const commit = isNeeded ? await commitOf(tagged, context.sha, github) : ''
  const message = explainCheckout(tagged, commit, checkedOut)
  if (target === undefined || message === '') return { commit, strayed: [] }
  const place = placeIn(target, 'file')
  // On the tag's own event, a build may have moved on from it; and `settle` sends nothing.
  const isMeant = tagged.ownCommit || mode === 'settle'
  if (isMeant) runner.warning(`${place}: ${message}`)
  const strayed: readonly Problem[] = isMeant ? [] : [{ place, message, reason: 'commit' }]
  return { commit, strayed }
}
