// Where the text for buyers is read: from the input `changelog`, a file of the workspace, or the release's notes.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openArtifact, relativeTo } from '../files/artifact.ts'
import { filesBelow } from '../files/find.ts'
import { faultInWhole } from '../notes/other-version.ts'
import { findSection } from '../notes/sections.ts'
import { fill } from '../release/tag.ts'
import { rulesOf } from '../report/modes.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { listLines, quoteName, sizeText, visible } from '../runner/words.ts'
import type { TextSource } from '../shop/form.ts'
import { isOfOneVersion, type PublishConfig } from './config.ts'
import type { VersionIdentity } from './publication.ts'
import type { Sources } from './sources.ts'

/** A changelog file has no more: the history of a product of twenty years has a tenth of it. */
const FILE_MAX_BYTES = 4_000_000

/** The source that the inputs name. */
export function sourceOf({ changelog, changelogFile }: PublishConfig): TextSource {
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
      return `changelog-file: "${fill(config.changelogFile, { tag: names.tag, version: names.version })}" contains`
  }
}

/**
 * Reads the text of a version from its source. Throws an `ActionError` about a missing release or file, or a section that
 * is missing or in doubt.
 */
export async function readSource(sources: Sources, identity: VersionIdentity): Promise<string> {
  const { config } = sources
  const { tagged } = identity
  switch (sourceOf(config)) {
    case 'changelog':
      return config.changelog
    case 'changelog-file':
      return readChangelogFile(sources, identity)
    case 'notes':
      if (!tagged.release) throw explainNoRelease(sources, tagged.tag)
      return tagged.release.notes
  }
}

async function readChangelogFile(sources: Sources, identity: VersionIdentity): Promise<string> {
  const { asked, config } = sources
  const { changelogFile } = config
  const { tag, version } = identity.names
  const path = fill(changelogFile, { tag, version })
  const text = await readInside(path, asked.context.workspace)
  const file = {
    text,
    path,
    version,
    tag
  }

  if (isOfOneVersion(changelogFile)) {
    throwIf(faultInWhole(file))
    return text
  }
  try {
    return findSection(file)
  } catch (error) {
    throw error instanceof ActionError ? withPlace(error, sources, identity) : error
  }
}

/** The error of a section that is missing, with where to correct its file: at the tag, or where the workspace comes from. */
function withPlace(
  { reason, message, advice }: ActionError,
  { asked }: Sources,
  { names, commit }: VersionIdentity
): ActionError {
  const atTag = 'correct it and move the tag, or release the next version'
  const isAtTag = commit !== '' && commit === asked.context.sha
  const place = isAtTag
    ? `The file is read as it is at ${names.tag}: ${atTag}.`
    : `The file is read from the workspace. Where that is the code of ${names.tag}, ${atTag}; where it is a later commit, correct it there, and start the workflow again.`
  return new ActionError(reason, message, {
    advice: `${advice} ${place}`
  })
}

/** The error of a tag whose release this job cannot see, where its notes are needed. */
function explainNoRelease({ asked, config }: Sources, tag: string): ActionError {
  const { eventName } = asked.context
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

/** The error of a path where no file is, with those that are there. */
async function explainMissing(path: string, workspace: string): Promise<ActionError> {
  const missing = `changelog-file: "${visible(path)}" does not exist`
  const files = (await filesBelow(workspace)).map(file => relativeTo(workspace, file))
  if (files.length === 0) {
    return new ActionError('no-changelog', `${missing}: the workspace is empty.`, {
      advice: 'Every job starts without files: check out the repository first.'
    })
  }

  const there = `The workspace has these files:${listLines(files.map(quoteName))}`
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
