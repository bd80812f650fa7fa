// From release notes to the text that buyers read. Pure.
import type { Place } from './addresses.ts'

export interface BuyerText {
  readonly text: string
  /** What the publisher should know of it. */
  readonly notices: readonly string[]
}

export interface Notes {
  /** Markdown. */
  readonly source: string
  /** What becomes of links and references to GitHub. */
  readonly links: 'keep' | 'expand' | 'strip'
  readonly repository: Place
  /** GitHub's `body_html` of these notes, for `expand`. */
  readonly rendering?: string
}

/** Line ends become `\n`, and the text is trimmed; nothing else changes. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}

/** Without HTML comments, and with its links as they are asked for. Nothing else changes. */
export async function writeForBuyers(notes: Notes): Promise<BuyerText> {
  const source = normalise(notes.source)
  if (!mayChange(source, notes.links)) return { text: source, notices: [] }
  const { rewrite } = await import('./rewrite.ts')
  const { text, notices } = await rewrite({ ...notes, source })
  return { text: normalise(text), notices }
}

/** Whether there may be something to do in a text; most of a line or two hold nothing of the kind. */
export function mayChange(text: string, links: Notes['links']): boolean {
  return MAY_CHANGE[links].test(text)
}

const MAY_CHANGE = {
  keep: /<!--/,
  // References, commits, links and their definitions, entities and escapes that may hide them.
  expand: /<!--|[@#&\\]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,
  // Whatever is an address has a slash, and a comparison has dots.
  strip: /[</@&\\%]|\]\(|\]:|\.\./
}
