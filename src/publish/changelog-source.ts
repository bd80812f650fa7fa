// Where the text for buyers is read: from the input `changelog`, a file of the workspace, or the release's notes.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { posix, resolve } from 'node:path'
import { openArtifact, relativeTo } from '../files/artifact.ts'
import { isFileThere } from '../files/find.ts'
import { filesBelow, nearestFirst } from '../files/nearest.ts'
import { withSlashes } from '../files/patterns.ts'
import { findUnfinished, takeSection, takeWhole, type UnfinishedText } from '../notes/notes.ts'
import { FILE_MAX_BYTES } from '../notes/text-reader.ts'
import { fill } from '../release/tag.ts'
import { rulesOf } from '../report/modes.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { firstOfMany, listLines, quoteName, sizeText, visible } from '../runner/words.ts'
import type { TextSource } from '../shop/form.ts'
import type { PublishConfig } from './config.ts'
import type { Environment, Step } from './environment.ts'
import type { VersionIdentity } from './publication.ts'

/** Where a text is read. */
export type Source = Exclude<TextSource, 'changelog-fallback'>

/** The source that the inputs name. */
export function sourceOf({ changelog, changelogFile }: PublishConfig): Source {
  if (changelog !== '') return 'changelog'
  return changelogFile === '' ? 'notes' : 'changelog-file'
}

/** Where a text comes from, as the beginning of a sentence, such as `The notes of the release v1.4.2 contain`. */
export function describeSource(config: PublishConfig, { names }: VersionIdentity): string {
  switch (sourceOf(config)) {
    case 'notes':
      return `The notes of the release ${names.tag} contain`
    case 'changelog':
      return 'changelog: the text contains'
    case 'changelog-file':
      return `changelog-file: "${config.changelogFile}" contains`
  }
}

/**
 * Reads the text of a version from its source; empty if there is none for it. Throws an `ActionError` about a missing
 * release or file, a doubtful section, or a file without sections because some step escaped its line breaks.
 */
export async function readSource(env: Environment, identity: VersionIdentity): Promise<string> {
  const { config } = env
  const { tagged } = identity
  switch (sourceOf(config)) {
    case 'changelog':
      throwIf(await faultInText(config.changelog, env.runner.context.workspace))
      return config.changelog
    case 'changelog-file':
      return readChangelogFile(env, identity)
    case 'notes':
      if (!tagged.release) throw explainNoRelease(env, tagged.tag)
      return tagged.release.notes
  }
}

/** `docs/CHANGES for buyers.md`, a file that is there: buyers would read its name. */
async function faultInText(text: string, workspace: string): Promise<ActionError | undefined> {
  const path = resolve(workspace, withSlashes(text))
  const isFile = !text.includes('\n') && (await isFileThere(path))
  if (!isFile) return undefined
  return new ActionError('bad-input', `changelog: "${text}" names a file: use \`changelog-file\`.`)
}

async function readChangelogFile(env: Environment, identity: VersionIdentity): Promise<string> {
  const { runner, config, texts } = env
  const { changelogFile } = config
  const { tag, version } = identity.names
  const path = fill(changelogFile, { ...identity.names, name: '{name}' })
  const text = await readInside(path, runner.context.workspace)
  const file = { text, path, version, tag }

  // Nobody knows where sections end in a file that a merge left.
  throwIf(await faultInUnfinished(env, identity, text, ['conflict']))

  const isOfThisVersion = /\{(?:version|tag)\}/.test(posix.basename(changelogFile))
  if (isOfThisVersion) return takeWhole(file, texts)

  // A file that some step escaped is a single line without titles: then the error says that instead.
  const section = await takeSection(file, texts).catch(async (error: unknown) => {
    throwIf(await faultInUnfinished(env, identity, text, ['escaped']))
    throw error instanceof ActionError ? withPlace(error, env, identity) : error
  })
  if (section === '') throwIf(await faultInUnfinished(env, identity, text, ['escaped']))
  return section
}

/** The error of a section that is missing, with where to correct its file: at the tag, or where the workspace comes from. */
function withPlace(
  { reason, message, advice }: ActionError,
  { runner }: Step,
  { names, commit }: VersionIdentity
): ActionError {
  const atTag = 'correct it and move the tag, or release the next version'
  const isAtTag = commit !== '' && commit === runner.context.sha
  const place = isAtTag
    ? `The file is read as it is at ${names.tag}: ${atTag}.`
    : `The file is read from the workspace. Where that is the code of ${names.tag}, ${atTag}; where it is a later commit, correct it there, and start the workflow again.`
  return new ActionError(reason, message, {
    advice: `${advice} ${place}`
  })
}

/** For each kind of unfinished text, the words for what it has, and the advice. */
const UNFINISHED: Readonly<
  Record<UnfinishedText['kind'], readonly [what: string, advice: string]>
> = {
  escaped: [
    'escaped line breaks',
    'Correct the text, and the step that makes it: it can pass several lines in a file (`changelog-file`), or in a heredoc of GITHUB_OUTPUT (`notes<<END`).'
  ],
  conflict: ['conflict markers of a merge', 'Resolve the conflict, and save the text.'],
  unfilled: [
    'a template that nobody filled in',
    'Correct the text, and the step that fills it in; in code marks, such a line is text.'
  ]
}

/**
 * `- Albums%0A- Maps`, which some step escaped, and other texts that are not finished.
 * @param kinds What to look for.
 */
export async function faultInUnfinished(
  { config, texts }: Environment,
  identity: VersionIdentity,
  text: string,
  kinds: readonly UnfinishedText['kind'][]
): Promise<ActionError | undefined> {
  const found = await findUnfinished(text, kinds, texts)
  if (!found) return undefined

  const { kind, line } = found
  const [what, advice] = UNFINISHED[kind]
  const [mark = ''] =
    /%(?:25)?0[ad]|(?<!\\)\\+(?:u[\da-f]{4}|[nr])|&#[\da-fx]{1,9};/i.exec(line) ?? []
  const example = kind === 'escaped' ? `, such as "${mark}"` : ''
  const message = `${describeSource(config, identity)} ${what}${example}:${showStart(line)}`
  return new ActionError('no-changelog', message, { advice })
}

/** The first lines of a text, as a message shows them. */
export function showStart(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const start = lines.slice(0, 3).map(line => firstOfMany([line.slice(0, 100)], 1))
  return listLines(start)
}

/** The error of a tag whose release this job cannot see, where its notes are needed. */
function explainNoRelease({ runner, config }: Step, tag: string): ActionError {
  const { eventName } = runner.context
  const draft = rulesOf(config.mode).takesDrafts
    ? ' A draft shows only with `contents: write`.'
    : ''
  const text = 'for a text without a release, set `changelog-file` or `changelog`.'
  const advice =
    eventName === 'push' || eventName === 'create'
      ? `A release may come after its tag: let the workflow listen to releases (\`on: release\`); or, ${text}`
      : `If it is a draft, publish it on GitHub; else check the spelling; or, ${text}`
  return new ActionError('event', `No published release has the tag "${tag}".${draft}`, { advice })
}

/** The error of a changelog file that is not there; undefined if it is. */
export async function findMissing(
  path: string,
  workspace: string
): Promise<ActionError | undefined> {
  const stats = await stat(resolve(workspace, path)).catch(() => undefined)
  return stats ? undefined : explainMissing(path, workspace)
}

/** The error of a path where no file is, with those that may be meant. */
async function explainMissing(path: string, workspace: string): Promise<ActionError> {
  const missing = `changelog-file: "${visible(path)}" does not exist`
  const files = (await filesBelow(workspace)).map(file => relativeTo(workspace, file))
  if (files.length === 0) {
    return new ActionError('no-changelog', `${missing}: the workspace is empty.`, {
      advice: 'Every job starts without files: check out the repository first.'
    })
  }

  const rows = nearestFirst([path], files).map(quoteName)
  const there = `The workspace has these files, nearest first:${listLines(rows)}`
  return new ActionError('no-changelog', `${missing}. ${there}`, {
    advice: 'Correct the path, or check out the repository first.'
  })
}

/** A file's text. Throws an `ActionError`, also if a symbolic link leads out of the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  const explain = (why: string, advice: string) =>
    new ActionError('no-changelog', `changelog-file: "${path}" ${why}.`, { advice })

  const stats = await stat(resolve(workspace, path)).catch(() => undefined)
  if (!stats) throw await explainMissing(path, workspace)
  if (stats.size > FILE_MAX_BYTES) {
    const most = sizeText(FILE_MAX_BYTES)
    throw explain(`is ${sizeText(stats.size)} long, and at most ${most} are read`, 'Shorten it.')
  }

  // An artifact has at least one byte.
  if (stats.size === 0) return ''

  const file = await openArtifact(resolve(workspace, path), workspace, [workspace])
  try {
    const bytes = await file.readAt(Buffer.alloc(file.size), 0)
    const isText = isUtf8(bytes) && !bytes.includes(0)
    if (!isText) throw explain('is not UTF-8', 'Save it in that encoding.')
    return bytes.toString()
  } finally {
    await file.close()
  }
}
