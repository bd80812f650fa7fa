// Turns release notes and changelog files into the text that buyers read. A reader does what needs a parser.
import type { RepositoryName } from './addresses.ts'
import type { ChangelogFile } from './changelog-file.ts'
import type { Written } from './perform.ts'
import { mayBeEscaped, mayPoint, normalize } from './text.ts'
import type { TextReader } from './text-reader.ts'

/** Matches every text that may change: a false match costs time, a missed one leaves an address in. */
const MAY_CHANGE = {
  keep: /<!--/,
  // Every address has a slash, perhaps as `&#47;`, `\/` or `%2F`; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
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
): Promise<Written> {
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

/** Throws an `ActionError` if a file of one version has a heading of another. */
export async function checkWhole(file: ChangelogFile, reader: TextReader): Promise<void> {
  await reader.doTask({ kind: 'whole', ...file })
}

/** The line on which some step escaped the line breaks; empty if there is none. Throws an `ActionError`. */
export async function findEscaped(source: string, reader: TextReader): Promise<string> {
  const text = normalize(source)
  return mayBeEscaped(text) ? (await reader.doTask({ kind: 'escaped', text })).text : ''
}

/** The only line, if it only points to something of the repository; else empty. Throws an `ActionError`. */
export async function findPointing(
  source: string,
  repository: RepositoryName,
  reader: TextReader
): Promise<string> {
  const text = normalize(source)
  return mayPoint(text) ? (await reader.doTask({ kind: 'pointer', text, repository })).text : ''
}
