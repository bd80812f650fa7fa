// Where the text for buyers is read: from the input `changelog`, a file of the workspace, or the release's notes.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openArtifact, relativeTo } from '../files/artifact.ts'
import { filesBelow, proposeFiles } from '../files/nearest.ts'
import { checkWhole, takeSection } from '../notes/notes.ts'
import { LARGEST_TEXT } from '../notes/text-reader.ts'
import { fill } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { listLines, quoteName, sizeText } from '../runner/words.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { rulesOf } from './modes.ts'
import type { VersionIdentity } from './publication.ts'

/** Where a text comes from. */
export type Source = 'changelog' | 'changelog-file' | 'notes'

/** The source that the inputs name. */
export function sourceOf({ changelog, changelogFile }: PublishConfig): Source {
  if (changelog !== '') return 'changelog'
  return changelogFile === '' ? 'notes' : 'changelog-file'
}

/**
 * Reads the text of a version from its source; empty if there is none for it. `refuseEscaped` throws if a text is one
 * line only because some step escaped it. Throws an `ActionError` about a missing release or file, or a doubtful section.
 */
export async function readSource(
  env: Environment,
  { tagged, names }: VersionIdentity,
  refuseEscaped: (text: string) => Promise<void>
): Promise<string> {
  const { runner, config, texts } = env
  const { changelog, changelogFile } = config
  const source = sourceOf(config)
  if (source === 'changelog') return changelog

  if (source === 'notes') {
    if (tagged.release) return tagged.release.notes
    throw explainNoRelease(env, tagged.tag)
  }

  const { tag, version } = names
  const path = fill(changelogFile, { ...names, name: '{name}' })
  const text = await readInside(path, runner.context.workspace)

  const isOfThisVersion = /\{(?:version|tag)\}[^/]*$/.test(changelogFile)
  if (isOfThisVersion) {
    await checkWhole({ text, path, version, tag }, texts)
    return text
  }

  // A file that some step escaped is a single line without titles: then the error says that instead.
  const section = await takeSection({ text, path, version, tag }, texts).catch(
    async (error: unknown) => {
      await refuseEscaped(text)
      throw error
    }
  )
  if (section === '') await refuseEscaped(text)
  return section
}

/** The error of a tag whose release this job cannot see, where its notes are needed. */
function explainNoRelease({ runner, config }: Environment, tag: string): ActionError {
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
  const missing = `changelog-file: "${path}" does not exist`
  const files = (await filesBelow(workspace)).map(file => relativeTo(workspace, file))
  if (files.length === 0) {
    return new ActionError('no-changelog', `${missing}: the workspace is empty.`, {
      advice: 'Every job starts without files: check out the repository first.'
    })
  }

  const proposed = await proposeFiles(path, files)
  const there = proposed.length > 0 ? 'The nearest:' : 'The workspace has these files:'
  const rows = (proposed.length > 0 ? proposed : files).map(quoteName)
  return new ActionError('no-changelog', `${missing}. ${there}${listLines(rows)}`, {
    advice: 'Correct the path (upper and lower case count), or check out the repository first.'
  })
}

/** A file's text. Throws an `ActionError`, also if a symbolic link leads out of the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  const refuse = (why: string, advice: string) =>
    new ActionError('no-changelog', `changelog-file: "${path}" ${why}.`, { advice })
  const stats = await stat(resolve(workspace, path)).catch(() => undefined)
  if (!stats) throw await explainMissing(path, workspace)
  if (stats.size === 0) return ''
  if (stats.size > LARGEST_TEXT) {
    const most = sizeText(LARGEST_TEXT)
    throw refuse(`is ${sizeText(stats.size)} long, and at most ${most} are read`, 'Shorten it.')
  }
  const file = await openArtifact(resolve(workspace, path), workspace, [workspace])
  try {
    const bytes = await file.readAt(Buffer.alloc(file.size), 0)
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString()
    throw refuse('is not UTF-8', 'Save it in that encoding.')
  } finally {
    await file.close()
  }
}
