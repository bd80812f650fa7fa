// The file of a publication: found in the workspace or attached to the release, opened once, and inspected.
import { inspectArchive } from '../files/archive.ts'
import { type Artifact, openArtifact } from '../files/artifact.ts'
import { downloadAsset, findAttached } from '../files/attached.ts'
import { findFile } from '../files/find.ts'
import { fillGlob } from '../files/glob.ts'
import { checkNameVersion } from '../files/versions.ts'
import { GitHubError } from '../github/github.ts'
import { pauseBefore } from '../http/errors.ts'
import { type Asset, readRelease, type TaggedRelease } from '../release/release.ts'
import { ActionError } from '../runner/action-error.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import type { VersionIdentity } from './publication.ts'

/** The opened file, and what is in it, in a line (empty unless it is an archive). */
interface ChosenFile {
  readonly file: Artifact
  readonly contents: string
}

/** What a file is chosen by. */
type Wanted = Pick<VersionIdentity, 'tagged' | 'names' | 'versionName'>

/** Finds, opens and inspects the file; the environment closes it. Throws an `ActionError`. */
export async function chooseFile(
  env: Environment,
  config: PublishConfig,
  wanted: Wanted
): Promise<ChosenFile> {
  const { tagged, names, versionName } = wanted
  const { runner } = env
  // With a stand-in, the next version is unknown, so `{tag}` and `{version}` may be anything.
  const fillOne = (pattern: string) =>
    tagged.standsIn ? pattern.replace(/\{(?:tag|version)\}/g, '*') : fillGlob(pattern, names)
  const isAttached = config.asset.length > 0
  const patterns = (isAttached ? config.asset : config.file).map(fillOne)
  const file = isAttached
    ? await openAttached(env, config, tagged, patterns)
    : await openBuilt(env, patterns)
  env.atEnd(() => file.close())
  const isCompared = !config.allowOtherVersion && !tagged.standsIn
  const versions = isCompared ? [names.version, versionName] : undefined
  if (versions) checkNameVersion(file.name, patterns, versions)
  const rules = config.contents.map(fillOne)
  const { contents, warnings } = await inspectArchive(file, { rules, versions })
  for (const warning of warnings) runner.warning(warning)
  return { file, contents }
}

async function openBuilt({ runner }: Environment, patterns: readonly string[]): Promise<Artifact> {
  const { workspace, temp } = runner.context
  const path = await findFile({ patterns, workspace })
  return openArtifact(path, workspace, [workspace, temp])
}

async function openAttached(
  env: Environment,
  { assetTimeout, mode }: PublishConfig,
  tagged: TaggedRelease,
  patterns: readonly string[]
): Promise<Artifact> {
  const { runner, sleep } = env
  const { workspace, temp } = runner.context
  const asset = await findAttached({
    ...{ patterns, tag: tagged.tag, timeout: assetTimeout, log: runner.info, sleep },
    look: () => readAttached(env, tagged, mode === 'plan')
  })
  runner.info(`Downloading "${asset.name}" from the release ${tagged.tag}`)
  const { path, remove } = await download(env, asset)
  env.atEnd(remove)
  const file = await openArtifact(path, workspace, [temp])
  return { ...file, path: `${asset.name}, attached to ${tagged.tag}` }
}

/** The release as it is now: an event has only the files that were attached when it happened. */
async function readAttached(
  { github }: Environment,
  { release, tag }: TaggedRelease,
  isPlan: boolean
) {
  if (release) return readRelease(github, { release_id: release.id })
  const draft = isPlan ? ' A draft shows only with `contents: write`.' : ''
  throw new ActionError(
    'no-file',
    `The tag "${tag}" has no release that a file could be attached to.${draft}`,
    { advice: 'Create the release first, or use `file`.' }
  )
}

/** Downloads an attached file. A download that broke is started again, where that may help. */
function download({ runner, github, sleep }: Environment, asset: Asset) {
  const retry = async (tried: number, error: unknown) => {
    const pause = pauseBefore(tried)
    if (!pause || runner.cancelled.aborted || !(error instanceof GitHubError)) throw error
    const { status = 500, message } = error
    if (status !== 429 && status < 500) throw error
    runner.info(`The download broke (${message}). It is started again.`)
    await sleep(pause)
  }
  const { temp } = runner.context
  return downloadAsset(asset, { temp, stream: github.streamAsset, retry })
}
