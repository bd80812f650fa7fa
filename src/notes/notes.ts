// Turns release notes and changelog files into the text that buyers read. A reader does what needs a parser.
import type { RepositoryName } from './addresses.ts'
import type { ChangelogFile } from './changelog-file.ts'
import type { TaskText } from './perform.ts'
import { CONFLICT, mayBeEscaped, mayPoint, normalize, UNFILLED } from './text.ts'
import type { TextReader } from './text-reader.ts'

/** Matches every text that may change: a false match costs time, a missed one leaves an address in. */
const MAY_CHANGE = {
  keep: /<!--|SIGNATURE-----/,
  // Every address has a slash, perhaps as `&#47;`, `\/` or `%2F`; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\.|SIGNATURE-----/i
}

/** Notes, what becomes of links in them, and the repository that they are of. */
export interface Notes {
  readonly source: string
  readonly links: 'keep' | 'strip'
  readonly repository: RepositoryName
}

/** Trims, removes comments, treats links as asked. Throws an `ActionError`. */
export async function writeNotes(
  { source, links, repository }: Notes,
  reader: TextReader
): Promise<TaskText> {
  const text = normalize(source)
  if (!MAY_CHANGE[links].test(text)) return { text, removed: [] }
  return reader.doTask({ kind: 'write', text, links, repository })
}

/** The HTML of Markdown, without anything that can run. Throws an `ActionError`. */
export async function renderMarkdown(markdown: string, reader: TextReader): Promise<string> {
  const { text } = await reader.doTask({ kind: 'render', text: markdown })
  return text.trim()
}

/** The section of a version in a changelog file. Throws an `ActionError` if none is certainly its own. */
export async function takeSection(file: ChangelogFile, reader: TextReader): Promise<string> {
  return (await reader.doTask({ kind: 'section', ...file })).text
}

/** The whole text of a file of one version. Throws an `ActionError` if it has a heading of another. */
export async function takeWhole(file: ChangelogFile, reader: TextReader): Promise<string> {
  return (await reader.doTask({ kind: 'whole', ...file })).text
}

/** Why a text is not finished: line breaks that some step escaped, a merge's markers, or a template's line. */
export interface UnfinishedText {
  readonly kind: 'escaped' | 'conflict' | 'unfilled'
  /** The first line that shows it. */
  readonly line: string
}

/** Whether it may be so, and the text has to be parsed to know. */
const MAY_BE: Readonly<Record<UnfinishedText['kind'], (text: string) => boolean>> = {
  escaped: mayBeEscaped,
  conflict: text => CONFLICT.test(text),
  unfilled: text => UNFILLED.test(text)
}

/**
 * Says why a text is not finished; undefined if it may be.
 * @param kinds What to look for.
 * @throws {ActionError} The text takes too long to read.
 */
export async function findUnfinished(
  source: string,
  kinds: readonly UnfinishedText['kind'][],
  reader: TextReader
): Promise<UnfinishedText | undefined> {
  const text = normalize(source)
  for (const kind of kinds) {
    const isPossible = MAY_BE[kind](text)
    const line = isPossible ? (await reader.doTask({ kind, text })).text : ''
    if (line !== '') return { kind, line }
  }
  return undefined
}

/**
 * The text, if it only points to something in the repository; else empty.
 * @throws {ActionError} The text takes too long to read.
 */
export async function findPointing(
  source: string,
  repository: RepositoryName,
  reader: TextReader
): Promise<string> {
  const text = normalize(source)
  return mayPoint(text) ? (await reader.doTask({ kind: 'pointer', text, repository })).text : ''
}
