// From release notes to the text that buyers read: comments go, links become what is asked for.
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
  /** For the publisher. */
  readonly notice?: string
  readonly stripped?: ReturnType<typeof strip>['stripped']
}

/** GitHub takes release notes of 125,000 characters; a file may be longer. */
const MOST_CHARACTERS = 1_000_000

const MAY_CHANGE = {
  keep: /<!--/,
  expand: /<!--|[@#]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,
  // Every address has a slash, which entities and escapes may hide; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/** Removes comments, and treats links as asked. Throws a `TextError` if too long, or impossible to strip. */
export async function writeForBuyers(notes: Notes): Promise<BuyerNotes> {
  const { links, repository, render = async () => '' } = notes
  let text = normalize(notes.source)
  const tooLong = `the changelog has ${text.length} characters, and at most ${MOST_CHARACTERS} are taken: shorten it`
  if (text.length > MOST_CHARACTERS) throw new TextError(tooLong)
  // Most short changelogs hold nothing of the kind, and need no parser.
  if (!MAY_CHANGE[links].test(text)) return { text }
  const { takeOutComments } = await import('./markdown.ts')
  for (let last = ''; text !== last && text.includes('<!--'); ) {
    last = text
    text = normalize(takeOutComments(last))
  }
  if (links === 'strip') return (await import('./strip.ts')).strip(text, repository)
  if (links === 'expand') return (await import('./expand.ts')).expand(text, repository, render)
  return { text }
}
