// From release notes to the text that buyers read: comments go, links become what is asked for.
import type { Stripped } from './mark.ts'
import type { Repository } from './references.ts'
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
  for (let last = ''; text !== last && text.includes('<!--'); ) {
    const { takeOutComments } = await import('./markdown.ts')
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
