// The text that buyers read: from an input, a file, or the release notes, and what is done to it for them.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openArtifact } from '../files/artifact.ts'
import {
  checkWhole,
  hasText,
  LARGEST_TEXT,
  renderMarkdown,
  takeSection,
  writeNotes
} from '../notes/notes.ts'
import { fill } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { counted, firstOfMany, sizeText } from '../runner/text.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import type { Publication, VersionIdentity } from './publication.ts'

type Changelog = Pick<Publication, 'changelog' | 'changelogFormat' | 'removed'>
type Source = 'changelog' | 'changelog-file' | 'notes'

/** Writes the changelog of a version. Throws an `ActionError` for a text that is empty, doubtful or unreadable. */
export async function writeChangelog(
  env: Environment,
  identity: VersionIdentity
): Promise<Changelog> {
  const { config } = env
  const { changelogFormat } = config
  const source: Source = config.changelog
    ? 'changelog'
    : config.changelogFile
      ? 'changelog-file'
      : 'notes'
  const given = await readSource(env, identity, source)
  // A text of the user's own in HTML is sent as it is.
  const isOwnHtml = changelogFormat === 'html' && source !== 'notes'
  if (isOwnHtml && isMarkdown(given)) {
    throw new ActionError('no-changelog', `${source}: the text is Markdown, and has no HTML tag.`, {
      advice: 'Set `changelog-format: markdown`; only release notes are rendered.'
    })
  }
  const { text, removed } = isOwnHtml
    ? { text: given.replaceAll(/\r\n?/g, '\n').trim(), removed: [] }
    : await writeAndLog(env, given)
  if (!hasText(text)) return { ...fallBack(config, identity, source), changelogFormat, removed: [] }
  const isRendered = changelogFormat === 'html' && source === 'notes'
  const changelog = isRendered ? await renderMarkdown(text, env.runner.cancelled) : text
  return { changelog, changelogFormat, removed }
}

async function readSource(
  { runner, config }: Environment,
  { tagged, names }: VersionIdentity,
  source: Source
): Promise<string> {
  const { changelog, changelogFile, mode } = config
  if (source === 'changelog') return changelog
  if (source === 'notes') {
    if (tagged.release) return tagged.release.notes
    const draft = mode === 'plan' ? ' A draft shows only with `contents: write`.' : ''
    throw new ActionError('event', `No published release has the tag "${tagged.tag}".${draft}`, {
      advice:
        'If it is a draft, publish it on GitHub; else check the spelling. For a tag without a release, set `changelog` or `changelog-file`.'
    })
  }
  const { workspace } = runner.context
  const { tag, version } = names
  const path = fill(changelogFile, { ...names, name: '{name}' })
  const text = await readInside(path, workspace)
  const isOfThisVersion = /\{(?:version|tag)\}[^/]*$/.test(changelogFile)
  if (!isOfThisVersion) return takeSection({ text, path, version, tag }, runner.cancelled)
  await checkWhole({ text, path, version, tag }, runner.cancelled)
  return text
}

/** Whether a text has Markdown's headings or lists, and no tag. */
function isMarkdown(text: string): boolean {
  return (
    !/<[a-z!/]/i.test(text) && /^(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+\S|^[=-]{3,}[ \t]*$/m.test(text)
  )
}

async function writeAndLog(env: Environment, source: string) {
  const { runner, config } = env
  const { changelogLinks } = config
  const { repository, serverUrl } = runner.context
  // If this is unknown, it counts as private: a missing link does less harm than one that reveals something.
  const isPublic = changelogLinks === 'auto' && (await env.isPrivate()) === false
  const links = isPublic || changelogLinks === 'keep' ? 'keep' : 'strip'
  const notes = { source, links, repository: { repository, serverUrl } } as const
  const { text, removed: pieces } = await writeNotes(notes, runner.cancelled)
  // Before anything cuts them.
  const removed = pieces.map(runner.conceal)
  if (removed.length > 0) {
    runner.info(`Removed from the changelog, for buyers (${counted(removed.length, 'piece')}):`)
    runner.block(firstOfMany(removed, 50))
  }
  return { text, removed }
}

function fallBack(
  { changelogFallback, changelogFile }: PublishConfig,
  { names }: VersionIdentity,
  source: Source
): Pick<Changelog, 'changelog'> {
  const changelog = fill(changelogFallback, names).replaceAll(/\r\n?/g, '\n').trim()
  if (changelog !== '') return { changelog }
  const texts: Readonly<Record<Source, string>> = {
    notes: `The notes of the release ${names.tag} contain`,
    changelog: 'changelog: the text contains',
    'changelog-file': `changelog-file: "${changelogFile}" contains`
  }
  throw new ActionError('no-changelog', `${texts[source]} nothing for buyers.`, {
    advice: 'Write what is new, and run this job again; or set `changelog-fallback`.'
  })
}

/** A file's text. Throws an `ActionError`, also if a symbolic link leads out of the workspace. */
async function readInside(path: string, workspace: string): Promise<string> {
  const refuse = (why: string, advice: string) =>
    new ActionError('no-changelog', `changelog-file: "${path}" ${why}.`, { advice })
  const stats = await stat(resolve(workspace, path)).catch(() => undefined)
  if (!stats) {
    const advice = 'Every job starts without files: check out the repository first.'
    throw refuse('does not exist', advice)
  }
  if (stats.size === 0) return ''
  if (stats.size > LARGEST_TEXT) {
    const most = sizeText(LARGEST_TEXT)
    throw refuse(`has ${sizeText(stats.size)}, and at most ${most} are read`, 'Shorten it.')
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
