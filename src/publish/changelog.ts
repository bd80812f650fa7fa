// The text that buyers read: from an input, a file, or the release notes, and what is done to it for them.
import { isUtf8 } from 'node:buffer'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openArtifact, relativeTo } from '../files/artifact.ts'
import { filesBelow, proposeFiles } from '../files/nearest.ts'
import type { RepositoryName } from '../notes/addresses.ts'
import {
  checkWhole,
  findEscaped,
  findPointing,
  hasText,
  namesOfNoNews,
  renderMarkdown,
  takeSection,
  writeNotes
} from '../notes/notes.ts'
import { LARGEST_TEXT } from '../notes/text-reader.ts'
import { fill } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { at, textAt } from '../runner/json.ts'
import { counted, firstOfMany, listLines, quoteName, sizeText } from '../runner/words.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { rulesOf } from './modes.ts'
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
  const about = describeSource(config, identity, source)
  if (!isOwnHtml) await refuseEscaped(env, about, given)
  // What the step itself says is not judged.
  const pointer = isOwnHtml || source === 'changelog' ? '' : await findPointer(env, given)
  if (pointer !== '') {
    const changelog = fallBack(config, identity) || throwPointing(about, pointer)
    return { changelog, changelogFormat, removed: [] }
  }

  const { text, removed } = isOwnHtml
    ? { text: given.replaceAll(/\r\n?/g, '\n').trim(), removed: [] }
    : await writeAndLog(env, given)
  if (!hasText(text)) {
    const changelog = fallBack(config, identity) || throwEmpty(about, given, text, removed)
    return { changelog, changelogFormat, removed: [] }
  }

  const isRendered = changelogFormat === 'html' && source === 'notes'
  const changelog = isRendered ? await renderMarkdown(text, env.texts) : text
  return { changelog, changelogFormat, removed }
}

async function readSource(
  env: Environment,
  { tagged, names }: VersionIdentity,
  source: Source
): Promise<string> {
  const { runner, config, texts } = env
  const { changelog, changelogFile } = config
  if (source === 'changelog') return changelog
  if (source === 'notes') {
    if (tagged.release) return tagged.release.notes
    throw explainNoRelease(env, tagged.tag)
  }
  const { workspace } = runner.context
  const { tag, version } = names
  const path = fill(changelogFile, { ...names, name: '{name}' })
  const text = await readInside(path, workspace)
  const isOfThisVersion = /\{(?:version|tag)\}[^/]*$/.test(changelogFile)
  if (isOfThisVersion) {
    await checkWhole({ text, path, version, tag }, texts)
    return text
  }

  // Where some step escaped the whole file, all of it is one line.
  const explain = () => refuseEscaped(env, `changelog-file: "${changelogFile}" contains`, text)
  const section = await takeSection({ text, path, version, tag }, texts).catch(
    async (error: unknown) => {
      await explain()
      throw error
    }
  )
  if (section === '') await explain()
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

/** Whether a text has Markdown's headings or lists, and no tag. */
function isMarkdown(text: string): boolean {
  return (
    !/<[a-z!/]/i.test(text) && /^(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+\S|^[=-]{3,}[ \t]*$/m.test(text)
  )
}

async function writeAndLog(env: Environment, source: string) {
  const { runner, config, texts } = env
  const { changelogLinks } = config
  // If this is unknown, it counts as private: a missing link does less harm than one that reveals something.
  const isPublic = changelogLinks === 'auto' && (await env.isPrivate()) === false
  const links = isPublic || changelogLinks === 'keep' ? 'keep' : 'strip'
  const notes = { source, links, repository: await placeOf(env) } as const
  const { text, removed: pieces } = await writeNotes(notes, texts)
  // Before anything cuts them.
  const removed = pieces.map(runner.conceal)
  if (removed.length > 0) {
    runner.info(`Removed from the changelog, for buyers (${counted(removed.length, 'piece')}):`)
    runner.block(firstOfMany(removed, 50))
  }
  return { text, removed }
}

/** Where a text comes from, as the beginning of a sentence, such as `The notes of the release v1.4.2 contain`. */
function describeSource(
  { changelogFile }: PublishConfig,
  { names }: VersionIdentity,
  source: Source
): string {
  const texts: Readonly<Record<Source, string>> = {
    notes: `The notes of the release ${names.tag} contain`,
    changelog: 'changelog: the text contains',
    'changelog-file': `changelog-file: "${changelogFile}" contains`
  }
  return texts[source]
}

/** The text for an empty changelog; empty if there is none. */
function fallBack({ changelogFallback }: PublishConfig, { names }: VersionIdentity): string {
  return fill(changelogFallback, names).replaceAll(/\r\n?/g, '\n').trim()
}

const FALL_BACK = 'or set `changelog-fallback`'

/** The first lines of a text, as a message shows them. */
function showStart(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const start = lines.slice(0, 3).map(line => firstOfMany([line.slice(0, 100)], 1))
  return listLines(start)
}

/** Throws an `ActionError` if some step escaped the line breaks of a text. `about`: where the text comes from. */
async function refuseEscaped({ texts }: Environment, about: string, given: string): Promise<void> {
  const line = await findEscaped(given, texts)
  if (line === '') return
  const [mark = ''] = /%(?:25)?0[ad]|\\+[nru]\d*|&#\w+;/i.exec(line) ?? []
  const message = `${about} line breaks that some step escaped, as "${mark}":${showStart(line)}`
  throw new ActionError('no-changelog', message, {
    advice:
      'Correct the text, and the step that makes it: it can pass several lines in a file (`changelog-file`), or in a heredoc of GITHUB_OUTPUT (`notes<<END`).'
  })
}

async function findPointer(env: Environment, given: string): Promise<string> {
  return findPointing(given, await placeOf(env), env.texts)
}

/** Where the repository is. A runner of Gitea or Forgejo may know its server by another address than people do. */
async function placeOf({ runner }: Environment): Promise<RepositoryName> {
  const { repository, serverUrl } = runner.context
  const pageUrl = textAt(at(await runner.payload(), 'repository'), 'html_url')
  return { repository, serverUrl, pageUrl }
}

function throwPointing(about: string, line: string): never {
  const message = `${about} nothing but a pointer to the repository, which tells buyers nothing:${showStart(line)}`
  throw new ActionError('no-changelog', message, {
    advice: `Set \`changelog-file\` to the file with the text, write what is new, ${FALL_BACK}.`
  })
}

/** Throws the error of a text that has nothing for buyers: what was read, and why it does not count. */
function throwEmpty(about: string, given: string, text: string, removed: readonly string[]): never {
  const parts = [
    ...(given.includes('<!--') ? ['comments'] : []),
    ...namesOfNoNews(text),
    ...(removed.length > 0 ? ['what is removed for buyers'] : [])
  ]
  const parted = parts.length > 0 ? parts.join(', ') : 'invisible characters, marks and tags'
  const read = `${showStart(given)}\nThis does not count: ${parted}.`
  const message = `${about} nothing for buyers:${given.trim() === '' ? ' the text is empty.' : read}`
  throw new ActionError('no-changelog', message, {
    advice: `Write what is new, and run this job again; ${FALL_BACK}.`
  })
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
