// Prepares a publication before anything is sent: its names, its text, its file, and the commit it was built from.
import { resolve } from 'node:path'
import { type Artifact, openArtifact } from '../files/artifact.ts'
import { downloadAsset, findAttached } from '../files/attached.ts'
import { findFile } from '../files/find.ts'
import { inspectFile } from '../files/inspect.ts'
import { fillGlob } from '../files/patterns.ts'
import { faultInNameVersion, type Origin } from '../files/wrong-file.ts'
import { readRelease } from '../github/releases.ts'
import { comparableName } from '../ledger/claim-format.ts'
import { commitOf, findWorkTree, isComparable, readCheckout } from '../release/checkout.ts'
import type { TaggedRelease } from '../release/find-release.ts'
import { fill, type Names, readTag } from '../release/tag.ts'
import { rulesOf } from '../report/modes.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { quoteName, quoteText } from '../runner/words.ts'
import { writeChangelog } from './changelog.ts'
import type { PublishConfig } from './config.ts'
import type { Publication, VersionIdentity } from './publication.ts'
import type { Sources } from './sources.ts'

/** Names the version of a release. Throws an `ActionError` about its names or its tag, or a `GitHubError`. */
export async function identify(sources: Sources, tagged: TaggedRelease): Promise<VersionIdentity> {
  const { config } = sources
  const names = namesOf(config, tagged)
  const versionName = nameFrom('version-name', config.versionName, names)
  const title = nameFrom('title', config.title, names)
  const commit = await findCommit(sources, tagged)
  return {
    route: config.route,
    tagged,
    names,
    versionName,
    title,
    commit
  }
}

/** The commit to record, and to compare with the workspace where the file comes from there. */
async function findCommit(
  { config, asked, github, clock }: Sources,
  tagged: TaggedRelease
): Promise<string> {
  const { sha } = asked.context
  const isBuiltHere = config.file.length > 0
  if (tagged.ownCommit && !isBuiltHere) return sha
  return commitOf({
    tagged,
    sha,
    api: github,
    sleep: clock.sleep
  })
}

/** Finds and reads all that is to be sent. Throws an `ActionError` or a `GitHubError`; closes nothing: the run does that. */
export async function prepare(sources: Sources, tagged: TaggedRelease): Promise<Publication> {
  const identity = await identify(sources, tagged)

  const text = await writeChangelog(sources, identity)
  const chosen = await chooseFile(sources, identity)
  const { sha256 } = await chosen.file.digest()
  throwIf(faultInDigest(sources.config, chosen.file, sha256))
  return Object.freeze({
    ...identity,
    ...text,
    ...chosen,
    sha256
  })
}

/** Another file than the one that `sha256` names. */
function faultInDigest(
  { sha256: wanted }: PublishConfig,
  { path }: Artifact,
  sha256: string
): ActionError | undefined {
  if (wanted === undefined || wanted === sha256) return undefined

  const message = `${quoteName(path)} has the SHA-256 ${sha256}, and the input \`sha256\` is ${wanted}.`
  return new ActionError('bad-file', message, {
    advice: 'Send the file that was planned, or plan again and look at this one.'
  })
}

const NAME_MAX_CHARACTERS = 255 // characters, by the shop's rules

/** The values for templates. Throws an `ActionError` about a tag whose version is not clear. */
function namesOf(
  { tagPattern, versionName }: Pick<PublishConfig, 'tagPattern' | 'versionName'>,
  { tag, release }: Pick<TaggedRelease, 'tag' | 'release'>
): Names {
  const { kind, version, pattern } = readTag(tag, tagPattern)
  if (kind === 'misfit') {
    throw explainNames(`tag-pattern: "${tagPattern}" does not match the tag "${tag}".`)
  }

  if (kind !== 'version' && versionName.includes('{version}')) {
    const whole = "If the whole tag is the version’s name, set `version-name: '{tag}'`."
    throw kind === 'hidden'
      ? explainNames(
          `The tag "${tag}" holds more than the version: set \`tag-pattern: '${pattern}'\`.`,
          whole
        )
      : explainNames(
          `There is no version in the tag "${tag}".`,
          `Make the release with a tag such as \`v1.4.2\`. ${whole}`
        )
  }

  return { tag, version, name: release?.name || tag }
}

/**
 * Fills the names into a template.
 * @param input The input that gives the template, for messages.
 * @throws {ActionError} `bad-input` for a text that the shop does not take.
 */
function nameFrom(input: 'version-name' | 'title', template: string, names: Names): string {
  const text = fill(template, names)
  if (comparableName(text).trim() === '') {
    throw explainNames(`${input}: "${template}" is empty once it is filled in.`)
  }

  const [unfilled] = /\$\{\{|refs\/tags\//.exec(text) ?? []
  if (unfilled !== undefined) {
    const message = `${input}: "${text}" has "${unfilled}" in it, which a step did not fill in.`
    // Tools name releases, too.
    const remedy = template.includes('{name}') ? 'edit release' : 'correct workflow'
    throw new ActionError('bad-input', message, { remedy })
  }

  const characters = [...text]
  if (characters.length <= NAME_MAX_CHARACTERS) return text

  const start = characters.slice(0, 60).join('')
  throw explainNames(
    `${input}: "${start}…" has ${characters.length} characters, and the shop accepts at most ${NAME_MAX_CHARACTERS}.`
  )
}

function explainNames(message: string, advice = ''): ActionError {
  return new ActionError('bad-input', message, { advice })
}

/** A file that was found, opened and inspected. */
export interface ChosenFile {
  readonly file: Artifact
  /** Its contents, in a line, or that nothing looked into it. */
  readonly contents: string
}

/** Finds, opens and inspects the file, which is closed at the end. Throws an `ActionError`. */
export async function chooseFile(sources: Sources, identity: VersionIdentity): Promise<ChosenFile> {
  const { config, runner, endings } = sources
  const { tagged, names, versionName } = identity

  const fillOne = (pattern: string) => fillGlob(pattern, names)
  const isAttached = config.asset.length > 0
  const written = isAttached ? config.asset : config.file
  const patterns = written.map(fillOne)
  const file = isAttached
    ? await openAttached(sources, tagged, patterns)
    : await openBuilt(sources, tagged, patterns)
  endings.defer(() => file.close())
  if (!isAttached) await compareCheckout(sources, identity, file.path)

  const versions = !config.allowOtherVersion ? [names.version, versionName] : undefined
  if (versions) throwIf(faultInNameVersion(file.name, patterns, versions, file.origin))

  const question = { lines: config.contents, names, versions }
  const { contents, warnings } = await inspectFile(file, question)
  for (const warning of warnings) runner.warning(warning)
  return { file, contents }
}

async function openBuilt(
  { asked }: Sources,
  tagged: TaggedRelease,
  patterns: readonly string[]
): Promise<Artifact> {
  const { workspace, temp } = asked.context
  const path = await findFile(patterns, workspace)
  return openArtifact(path, workspace, [workspace, temp], originOf('workspace', tagged))
}

function originOf(source: Origin['source'], { release }: TaggedRelease): Origin {
  return { source, isImmutable: release?.immutable === true }
}

/** Compares the commit that a file was built from with the tag's. Throws an `ActionError` if it is another one. */
async function compareCheckout(
  { runner, config, asked }: Sources,
  { tagged, commit }: VersionIdentity,
  path: string
): Promise<void> {
  const { context } = asked
  if (config.allowOtherVersion || !isComparable(tagged)) return

  const tree = await findWorkTree(resolve(context.workspace, path), context)
  const { commit: found, why } = await readCheckout(tree)
  if (why !== '') {
    runner.warning(`Git cannot say which commit is checked out. It says ${quoteText(why)}.`)
  }

  if (commit === '' || found === commit) return

  // Where nothing is checked out, only a tag that was moved shows that the file is another one's.
  const isMoved = tagged.ownCommit && commit !== context.sha
  if (found === '' && !isMoved) return

  const now = `the tag ${tagged.tag} is the commit ${commit.slice(0, 7)}`
  const other =
    found === ''
      ? `Nothing shows which commit the file was built from, and ${now}.`
      : `The workspace has the commit ${found.slice(0, 7)} checked out, and ${now}: the file may be built from other sources.`
  const moved = isMoved ? ' The tag was moved after it started this run.' : ''
  const message = `${other}${moved}`
  // A build may commit on top of the tag that started it.
  if (tagged.ownCommit && !isMoved) return runner.warning(message)

  // Where nothing is checked out, a job that runs again would still not show what its file was built from.
  const again =
    isMoved && found !== ''
      ? ' If the workflow has that line already, press *Re-run failed jobs*.'
      : ''
  throw new ActionError('commit', message, {
    advice: `Check out the tag before the build: give \`${REF}\`, or the tag that this step gets, to actions/checkout.${again} If the file does not come from there, set \`allow-other-version: true\`.`,
    remedy: 'correct workflow'
  })
}

/** The tag of the button, or of the event. */
const REF = `ref: \${{ inputs.tag || github.ref }}`

async function openAttached(
  sources: Sources,
  tagged: TaggedRelease,
  patterns: readonly string[]
): Promise<Artifact> {
  const { runner, asked, config, github, clock, endings } = sources
  const { workspace, temp } = asked.context
  const asset = await findAttached({
    patterns,
    tag: tagged.tag,
    timeout: config.assetTimeout,
    log: runner.info,
    sleep: clock.sleep,
    look: () => readAttached(sources, tagged)
  })

  runner.info(`Downloading ${quoteName(asset.name)} from the release ${tagged.tag}`)
  const { path, remove } = await downloadAsset(asset, temp, github)
  endings.defer(remove)
  return openArtifact(path, workspace, [temp], originOf('release', tagged))
}

/** The release as it is now: an event has only the files that were attached when it happened. */
async function readAttached({ github, config }: Sources, { release, tag }: TaggedRelease) {
  if (release) return readRelease(github, { release_id: release.id })
  const draft = rulesOf(config.mode).takesDrafts
    ? ' A draft shows only with `contents: write`.'
    : ''
  throw new ActionError(
    'no-file',
    `The tag "${tag}" has no release that a file could be attached to.${draft}`,
    { advice: 'Create the release first, or use `file`.' }
  )
}
