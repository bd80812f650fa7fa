// The text that buyers read: when it is refused, and what is done to it for them.
import type { RepositoryName } from '../notes/addresses.ts'
import { faultInHtmlLinks, type Notes, writeNotes } from '../notes/notes.ts'
import { faultInNotes } from '../notes/other-version.ts'
import { faultInLength, hasText, normalize } from '../notes/text.ts'
import { findUnfinished, type UnfinishedText } from '../notes/unfinished.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { counted, firstOfMany, listLines } from '../runner/words.ts'
import { describeSource, readSource, sourceOf } from './changelog-source.ts'
import type { Environment, Step } from './environment.ts'
import type { Publication, VersionIdentity } from './publication.ts'

type Changelog = Pick<Publication, 'changelog' | 'changelogFormat' | 'removed' | 'textSource'>

/** Writes the changelog of a version. Throws an `ActionError` for a text that is empty, doubtful or unfinished. */
export async function writeChangelog(
  env: Environment,
  identity: VersionIdentity
): Promise<Changelog> {
  const { config } = env
  const { changelogFormat } = config
  const textSource = sourceOf(config)
  const beginning = describeSource(config, identity)
  const given = await readSource(env, identity)

  // The limit comes before whatever reads the text.
  throwIf(faultInLength(given, beginning))
  throwIf(faultInUnfinished(given, beginning))
  if (textSource === 'notes') throwIf(faultInNotes(given, identity.names.version))

  const { text, removed } =
    changelogFormat === 'html' ? await writeHtml(env, given) : await writeAndLog(env, given)
  if (!hasText(text)) throw explainEmpty(given, beginning)
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
async function writeHtml(env: Environment, given: string): Promise<WrittenText> {
  const text = normalize(given)
  const links = await chooseLinks(env)
  if (links === 'strip') throwIf(await faultInHtmlLinks(text, placeOf(env)))
  return { text, removed: [] }
}

/** Makes the text for buyers, and logs what was taken out. */
async function writeAndLog(env: Environment, source: string): Promise<WrittenText> {
  const { runner } = env
  const links = await chooseLinks(env)
  const repository = placeOf(env)
  const { text, removed: pieces } = await writeNotes({ source, links, repository })

  // Masked whole, since a credential that was cut could no longer be found.
  const removed = pieces.map(runner.conceal)
  if (removed.length > 0) {
    runner.info(`Removed from the changelog, for buyers (${counted(removed.length, 'piece')}):`)
    runner.block(firstOfMany(removed, 50))
  }
  return { text, removed }
}

/** What becomes of links: as asked for, or by whether the repository is public. */
async function chooseLinks({ config, isPrivate }: Environment): Promise<Notes['links']> {
  if (config.changelogLinks !== 'auto') return config.changelogLinks
  // If it is unknown, it counts as private: a missing link does less harm than one that reveals something.
  return (await isPrivate()) === false ? 'keep' : 'strip'
}

/** Where the repository is. */
function placeOf({ runner }: Step): RepositoryName {
  const { repository, serverUrl, apiUrl } = runner.context
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
function explainEmpty(given: string, beginning: string): ActionError {
  const read = given.trim() === '' ? ' the text is empty.' : showStart(given)
  return new ActionError('no-changelog', `${beginning} nothing for buyers:${read}`, {
    advice:
      'Write what is new, and run this job again; or set `changelog-file`, if a file has the text. Headings, comments, a Full Changelog line and what is removed for buyers do not count.'
  })
}

/** The first lines of a text, as a message shows them. */
function showStart(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const start = lines.slice(0, 3).map(line => firstOfMany([line.slice(0, 100)], 1))
  return listLines(start)
}
