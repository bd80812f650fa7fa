// The text that buyers read: what is done to it for them, and when it is refused as empty or as nothing new.
import type { RepositoryName } from '../notes/addresses.ts'
import { findPointing, renderMarkdown, writeNotes } from '../notes/notes.ts'
import type { TaskText } from '../notes/perform.ts'
import { hasText, namesOfNoNews } from '../notes/text.ts'
import { fill } from '../release/tag.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { counted, firstOfMany } from '../runner/words.ts'
import {
  describeSource,
  faultInUnfinished,
  readSource,
  type Source,
  showStart,
  sourceOf
} from './changelog-source.ts'
import type { PublishConfig } from './config.ts'
import type { Environment, Step } from './environment.ts'
import type { Publication, VersionIdentity } from './publication.ts'

type Changelog = Pick<Publication, 'changelog' | 'changelogFormat' | 'removed' | 'textSource'>

/** Writes the changelog of a version. Throws an `ActionError` for a text that is empty, doubtful or unreadable. */
export async function writeChangelog(
  env: Environment,
  identity: VersionIdentity
): Promise<Changelog> {
  const { config } = env
  const { changelogFormat } = config
  const source = sourceOf(config)
  const beginning = describeSource(config, identity)
  const given = await readSource(env, identity)
  throwIf(await faultInUnfinished(env, identity, given, ['conflict', 'unfilled']))

  // A text of the user's own in HTML is sent as it is.
  if (changelogFormat === 'html' && source !== 'notes') {
    throwIf(faultInHtml(given, source))
    const html = given.replaceAll(/\r\n?/g, '\n').trim()
    if (!hasText(html)) return fallBack(config, identity, emptyError(beginning, given, html))
    return { changelog: html, changelogFormat, removed: [], textSource: source }
  }

  throwIf(await faultInUnfinished(env, identity, given, ['escaped']))

  // The step's own words may point anywhere.
  const pointer = source === 'changelog' ? '' : await findPointing(given, placeOf(env), env.texts)
  if (pointer !== '') return fallBack(config, identity, pointerError(beginning, pointer))

  const { text, removed } = await writeAndLog(env, given)
  if (!hasText(text)) return fallBack(config, identity, emptyError(beginning, given, text, removed))

  const isRendered = changelogFormat === 'html'
  const changelog = isRendered ? await renderMarkdown(text, env.texts) : text
  return { changelog, changelogFormat, removed, textSource: source }
}

/** `## Albums` with `changelog-format: html`, and no tag: buyers would read the marks. */
function faultInHtml(given: string, source: Source): ActionError | undefined {
  if (!isMarkdown(given)) return undefined

  return new ActionError('no-changelog', `${source}: the text is Markdown, and has no HTML tag.`, {
    advice: 'Set `changelog-format: markdown`; only release notes are rendered.'
  })
}

/** A line with which Markdown begins a heading or an item of a list, or underlines a heading. */
const MARKDOWN_LINE = /^(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+\S|^[=-]{3,}[ \t]*$/m

/** Whether a text has Markdown's headings or lists, and no tag. */
function isMarkdown(text: string): boolean {
  const hasTag = /<[a-z!/]/i.test(text)
  return !hasTag && MARKDOWN_LINE.test(text)
}

/** Makes the text for buyers, and logs what was taken out. */
async function writeAndLog(env: Environment, source: string): Promise<TaskText> {
  const { runner, config, texts } = env
  const { changelogLinks } = config

  // If it is unknown, it counts as private: a missing link does less harm than one that reveals something.
  const isPublic = changelogLinks === 'auto' && (await env.isPrivate()) === false
  const links = isPublic || changelogLinks === 'keep' ? 'keep' : 'strip'
  const notes = { source, links, repository: placeOf(env) } as const
  const { text, removed: pieces } = await writeNotes(notes, texts)

  // Masked whole, since a credential that was cut could no longer be found.
  const removed = pieces.map(runner.conceal)
  if (removed.length > 0) {
    runner.info(`Removed from the changelog, for buyers (${counted(removed.length, 'piece')}):`)
    runner.block(firstOfMany(removed, 50))
  }
  return { text, removed }
}

/** The text of `changelog-fallback`, in place of one that does not count. Throws `error` if there is none. */
function fallBack(
  { changelogFallback, changelogFormat }: PublishConfig,
  { names }: VersionIdentity,
  error: ActionError
): Changelog {
  const changelog = fill(changelogFallback, names).replaceAll(/\r\n?/g, '\n').trim()
  if (changelog === '') throw error
  return { changelog, changelogFormat, removed: [], textSource: 'changelog-fallback' }
}

/** Where the repository is. A runner of Gitea or Forgejo may know its server by another address than people do. */
function placeOf({ runner }: Step): RepositoryName {
  const { repository, serverUrl } = runner.context
  return { repository, serverUrl, pageUrl: `${serverUrl}/${repository}` }
}

/** The error of a text that only points somewhere else. */
function pointerError(beginning: string, line: string): ActionError {
  const message = `${beginning} nothing but a pointer to the repository, or to a text that is not there:${showStart(line)}`
  return new ActionError('no-changelog', message, {
    advice:
      'Set `changelog-file` to the file with the text, write what is new, or set `changelog-fallback`.'
  })
}

/** The error of a text that has nothing for buyers: shows its first lines, and says why they do not count. */
function emptyError(
  beginning: string,
  given: string,
  text: string,
  removed: readonly string[] = []
): ActionError {
  const parts = [
    given.includes('<!--') ? 'comments' : '',
    ...namesOfNoNews(text),
    removed.length > 0 ? 'what is removed for buyers' : ''
  ].filter(part => part !== '')
  const parted = parts.length > 0 ? parts.join(', ') : 'invisible characters, marks and tags'

  const read = `${showStart(given)}\nThis does not count: ${parted}.`
  const message = `${beginning} nothing for buyers:${given.trim() === '' ? ' the text is empty.' : read}`
  return new ActionError('no-changelog', message, {
    advice:
      'Write what is new, and run this job again; or set `changelog-file`, if a file has the text, or `changelog-fallback` to a text for buyers.'
  })
}
