// From release notes to the text that buyers read: comments go, links become what is asked for.
import type { Repository } from './references.ts'
import type { Stripped } from './strip.ts'
import { normalize, TextError } from './text.ts'

export interface Notes {
  /** Markdown. */
  readonly source: string
  /** What becomes of links and references to GitHub. */
  readonly links: 'keep' | 'expand' | 'strip'
  readonly repository: Repository
  /** Asks for GitHub's `body_html` of these notes, for `expand`; empty when there is none. */
  readonly render?: () => Promise<string>
}

/** A changelog as buyers read it. */
export interface BuyerNotes {
  readonly text: string
  /** What the publisher should know of it. */
  readonly notice?: string
  readonly stripped?: Stripped
}

/** GitHub takes release notes of 125,000 characters; a file may be longer. */
const MOST_CHARACTERS = 1_000_000

const MAY_CHANGE = {
  keep: /<!--/,
  // References, commits, links and their definitions.
  expand: /<!--|[@#]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,
  // Whatever is an address has a slash, which entities and escapes may hide, and a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/**
 * Without HTML comments, and with its links as they are asked for; nothing else changes.
 * @throws TextError for a text that is too long, or that cannot be stripped.
 */
export async function writeForBuyers(notes: Notes): Promise<BuyerNotes> {
  const { links, repository, render = async () => '' } = notes
  let text = normalize(notes.source)
  if (text.length > MOST_CHARACTERS) {
    throw new TextError(
      `the changelog has ${text.length} characters, and at most ${MOST_CHARACTERS} are taken: shorten it`
    )
  }
  // Most of a line or two hold nothing of the kind, and need no parser.
  if (!MAY_CHANGE[links].test(text)) return { text }
  const { takeOutComments } = await import('./markdown.ts')
  for (let last = ''; text !== last && text.includes('<!--'); ) {
    last = text
    text = normalize(takeOutComments(last))
  }
  switch (links) {
    case 'keep':
      return { text }
    case 'strip':
      return (await import('./strip.ts')).strip(text, repository)
    case 'expand':
      return (await import('./expand.ts')).expand(text, repository, render)
    default:
      return links satisfies never
  }
}
