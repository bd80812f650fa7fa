// Turns release notes into the text that buyers read: removes comments, and treats links as asked.
import type { RepositoryName } from './references.ts'
import { normalize, normalizeLimited, TextError } from './text.ts'

export interface Notes {
  readonly source: string
  readonly links: 'keep' | 'expand' | 'strip'
  readonly repository: RepositoryName
  /** GitHub's `body_html` of these notes, for `expand`; empty when there is none. */
  readonly bodyHtml: string
}

export interface BuyerNotes {
  readonly text: string
  /** What the publisher should know; never part of the text. */
  readonly notice: string
  /** What was taken out besides comments, each piece as it was written. */
  readonly removed: readonly string[]
}

/** Matches every text that may change: a false match costs time, a missed one leaves an address in. */
const MAY_CHANGE = {
  keep: /<!--/,
  expand: /<!--|[@#]\w|GH-\d|[\da-f]{7}|\]\((?!https?:)|\]:(?!\s*https?:)|<a\b/i,
  // Every address has a slash, perhaps as `&#47;`, `\/` or `%2F`; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/** Whether GitHub's rendering of these notes is needed. */
export function needsRendering({ source, links }: Omit<Notes, 'bodyHtml'>): boolean {
  return links === 'expand' && MAY_CHANGE.expand.test(source)
}

/** Trims, removes comments, treats links as asked. Throws a `TextError` if too long or not to be stripped. */
export async function writeForBuyers(notes: Notes): Promise<BuyerNotes> {
  const { links, repository, bodyHtml } = notes
  let text = normalizeLimited(notes.source)
  // Most short changelogs hold nothing of the kind, and need no parser.
  if (!MAY_CHANGE[links].test(text)) return { text, notice: '', removed: [] }
  const { applyEdits, commentEdits, parseMarkdown } = await import('./markdown.ts')
  let root = parseMarkdown(text)
  // What stood around a comment may be another: `<!<!-- a -->-- b -->`; and HTML may end elsewhere.
  for (let last = ''; text !== last && text.includes('<!--'); root = parseMarkdown(text)) {
    last = text
    text = normalize(applyEdits(last, commentEdits(last, root)))
  }
  if (links === 'strip') {
    const { leaks, strip } = await import('./strip.ts')
    const { edits, removed } = strip(text, root, repository)
    const stripped = normalize(applyEdits(text, edits))
    if (!leaks(stripped, repository)) return { text: stripped, notice: '', removed }
    const message = `an address under ${repository.repository} would remain in the changelog, which \`changelog-links: strip\` does not allow: write it in another way, or leave it out`
    throw new TextError(message)
  }
  if (links === 'keep') return { text, notice: '', removed: [] }
  const { expand } = await import('./expand.ts')
  const { edits, unlinked } = expand(text, root, repository, bodyHtml)
  // A word such as `20240131` is rarely a commit: it is not worth a notice.
  const first = unlinked.find(word => !/^\d{7}/.test(word) && !bodyHtml.includes(word))
  const why = bodyHtml === '' ? 'of the release is not known' : 'is not of these notes'
  const notice =
    first === undefined
      ? ''
      : `References such as “${first}” stay as they are in the changelog: GitHub’s own rendering ${why}.`
  return { text: applyEdits(text, edits), notice, removed: [] }
}
