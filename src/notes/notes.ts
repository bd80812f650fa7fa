// Turns release notes and changelog files into the text that buyers read. Parsers load only where they are needed.
import type { RepositoryName } from './addresses.ts'
import { doTask } from './bounded.ts'
import type { ChangelogFile } from './sections.ts'
import { normalizeLimited } from './text.ts'

export { hasText } from './text.ts'

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

/** Trims, removes comments, treats links as asked; `removed` has what lost something. Throws an `ActionError`. */
export async function writeNotes({ source, links, repository }: Notes, signal: AbortSignal) {
  const text = normalizeLimited(source)
  if (!MAY_CHANGE[links].test(text)) return { text, removed: [] }
  return doTask({ kind: 'write', text, links, repository }, signal)
}

/** The HTML of Markdown, without anything that can run. Throws an `ActionError`. */
export async function renderMarkdown(markdown: string, signal: AbortSignal): Promise<string> {
  const { text } = await doTask({ kind: 'render', text: markdown }, signal)
  return text.trim()
}

/** The section of a version in a changelog file. Throws an `ActionError` if none is certainly its own. */
export async function takeSection(file: ChangelogFile, signal: AbortSignal): Promise<string> {
  return (await doTask({ kind: 'section', ...file }, signal)).text
}

/** Throws an `ActionError` if a file of one version has a heading of another. */
export async function checkWhole(file: ChangelogFile, signal: AbortSignal): Promise<void> {
  await doTask({ kind: 'whole', ...file }, signal)
}
