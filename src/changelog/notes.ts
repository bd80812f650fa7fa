// Turns release notes into the text that buyers read: removes comments, and treats links as asked.
import type { Repository } from './references.ts'
import type { strip } from './strip.ts'
import { normalize, TextError } from './text.ts'

export interface Notes {
  readonly source: string
  readonly links: 'keep' | 'expand' | 'strip'
  readonly repository: Repository
  /** Asks for GitHub's `body_html` of these notes, for `expand`; empty when there is none. */
  readonly render?: () => Promise<string>
}

interface BuyerNotes {
  readonly text: string
  /** What the publisher should know; never part of the text. */
  readonly notice?: string
  readonly stripped?: ReturnType<typeof strip>['stripped']
}

/** In UTF-16 units. GitHub takes release notes of 125,000 characters, but a changelog file may be longer. */
const MOST_CHARACTERS = 1_000_000

/** Matches every text that may change: a false match costs time, a missed one leaves an address in. */
const MAY_CHANGE = {
  keep: /<!--/,
  expand: /<!--|[@#]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,
  // Every address has a slash, perhaps as `&#47;`, `\/` or `%2F`; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/** Trims, removes comments, treats links as asked. Throws a `TextError` if too long or not to be stripped. */
export async function writeForBuyers(notes: Notes): Promise<BuyerNotes> {
  const { links, repository, render = async () => '' } = notes
  let text = normalize(notes.source)
  const tooLong = `the changelog has ${text.length} characters, and at most ${MOST_CHARACTERS} are taken: shorten it`
  if (text.length > MOST_CHARACTERS) throw new TextError(tooLong)
  // Most short changelogs hold nothing of the kind, and need no parser.
  if (!MAY_CHANGE[links].test(text)) return { text }
  const { takeOutComments } = await import('./markdown.ts')
  // What stood around a comment may form another: `<!<!-- a -->-- b -->`.
  for (let last = ''; text !== last && text.includes('<!--'); ) {
    last = text
    text = normalize(takeOutComments(last))
  }
  if (links === 'strip') return (await import('./strip.ts')).strip(text, repository)
  if (links === 'expand') return (await import('./expand.ts')).expand(text, repository, render)
  return { text }
}
