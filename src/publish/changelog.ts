// The text that buyers read: when it is refused, and what is done to it for them.
import { isPrivateIn } from '../github/event.ts'
import type { RepositoryName } from '../notes/addresses.ts'
import { faultInHtmlLinks, type Notes, writeNotes } from '../notes/notes.ts'
import { faultInNotes } from '../notes/other-version.ts'
import { faultInLength, hasText, normalize } from '../notes/text.ts'
import { findUnfinished, type UnfinishedText } from '../notes/unfinished.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { oneLine } from '../runner/printing.ts'
import { counted, firstOfMany, listLines } from '../runner/words.ts'
import type { TextSource } from '../shop/form.ts'
import { describeSource, readSource, sourceOf } from './changelog-source.ts'
import type { Publication, VersionIdentity } from './publication.ts'
import type { Sources } from './sources.ts'

type Changelog = Pick<Publication, 'changelog' | 'changelogFormat' | 'removed' | 'textSource'>

/** Writes the changelog of a version. Throws an `ActionError` for a text that is empty, doubtful or unfinished. */
export async function writeChangelog(
  sources: Sources,
  identity: VersionIdentity
): Promise<Changelog> {
  const { config } = sources
  const { changelogFormat } = config
  const textSource = sourceOf(config)
  const beginning = describeSource(config, identity)
  const given = await readSource(sources, identity)

  // The limit comes before whatever reads the text.
  throwIf(faultInLength(given, beginning))
  throwIf(faultInUnfinished(given, beginning))
  if (textSource === 'notes') throwIf(faultInNotes(given, identity.names.version))

  const { text, removed } =
    changelogFormat === 'html' ? await writeHtml(sources, given) : await writeAndLog(sources, given)
  if (!hasText(text)) throw explainEmpty(given, beginning, textSource)
  return {
    changelog: text,
    changelogFormat,
    removed,
    textSource
  }
}

/** A text for buyers, and each piece that was taken out of it. */
interface WrittenText {
  readonly text: string
  readonly removed: readonly string[]
}

/** HTML of the user's own is sent as it is. Throws an `ActionError` if it would lead into a private repository. */
async function writeHtml(sources: Sources, given: string): Promise<WrittenText> {
  const text = normalize(given)
  const links = await chooseLinks(sources)
  if (links === 'strip') throwIf(await faultInHtmlLinks(text, placeOf(sources)))
  return { text, removed: [] }
}

/** Makes the text for buyers, and logs what was taken out. */
async function writeAndLog(sources: Sources, source: string): Promise<WrittenText> {
  const { runner } = sources
  const links = await chooseLinks(sources)
  const repository = placeOf(sources)
  const { text, removed: pieces } = await writeNotes({ source, links, repository })

  // Masked whole, since a credential that was cut could no longer be found.
  const removed = pieces.map(runner.conceal)
  if (removed.length > 0) {
    runner.info(`Removed from the changelog, for buyers (${counted(removed.length, 'piece')}):`)
    runner.block(firstOfMany(removed, 50))
  }
  return { text, removed }
}

/** Whether links are kept: as asked for, or if the repository is public. */
async function chooseLinks({ config, asked, github }: Sources): Promise<Notes['links']> {
  if (config.changelogLinks !== 'auto') return config.changelogLinks
  // If it is unknown, it counts as private: a missing link does less harm than one that reveals something.
  const isPrivate = asked.event.isPrivate ?? (await readPrivacy(github))
  return isPrivate === false ? 'keep' : 'strip'
}

/** Whether the repository is private; undefined if GitHub does not say. */
async function readPrivacy(github: Sources['github']): Promise<boolean | undefined> {
  const reply = await github.read('GET /repos/{owner}/{repo}').catch(() => undefined)
  return reply && isPrivateIn(reply.data)
}

/** Where the repository is. */
function placeOf({ asked }: Sources): RepositoryName {
  const { repository, serverUrl, apiUrl } = asked.context
  return { repository, serverUrl, apiUrl }
}

/** For each kind of unfinished text, what it has. */
const UNFINISHED: Readonly<Record<UnfinishedText['kind'], string>> = {
  escaped: 'escaped line breaks',
  conflict: 'conflict markers of a merge',
  unfilled: 'an expression that nobody filled in'
}

/** For each of them, what to do. */
const FINISHING: Readonly<Record<UnfinishedText['kind'], string>> = {
  escaped:
    'Correct the text, and the step that makes it: it can pass several lines in a file (`changelog-file`), or in a heredoc of GITHUB_OUTPUT (`notes<<END`).',
  conflict: 'Resolve the conflict, and save the text.',
  unfilled: 'Correct the text, and the step that fills it in; in code marks, such a line is text.'
}

/** The fault of a text that nobody finished. */
function faultInUnfinished(text: string, beginning: string): ActionError | undefined {
  const found = findUnfinished(text)
  if (!found) return undefined

  const { kind, line } = found
  const message = `${beginning} ${UNFINISHED[kind]}:${showStart(line)}`
  return new ActionError('no-changelog', message, { advice: FINISHING[kind] })
}

/** The error of a text that has nothing for buyers, with its first lines. */
function explainEmpty(given: string, beginning: string, source: TextSource): ActionError {
  const read = given.trim() === '' ? ' the text is empty.' : showStart(given)
  const write =
    source === 'notes'
      ? 'Write what is new, then press *Re-run failed jobs*; or set `changelog-file`, if a file has the text.'
      : 'Write what is new.'
  return new ActionError('no-changelog', `${beginning} nothing for buyers:${read}`, {
    advice: `${write} Headings, comments, a Full Changelog line and what is removed for buyers do not count.`
  })
}

/** The first lines of a text, as a message shows them. */
function showStart(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const start = lines.slice(0, 3).map(line => oneLine(line.slice(0, 100)))
  return listLines(start)
}
