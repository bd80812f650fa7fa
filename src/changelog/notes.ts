// From release notes to the text that buyers read: comments go, links become what is asked for.

import type { BuyerText } from './expand.ts'
import { applyEdits, descend, normalize, parseMarkdown, rangeOf, TextError } from './markdown.ts'
import type { ReadHtml } from './read-html.ts'
import type { Repository } from './repository.ts'

export interface Notes {
  /** Markdown. */
  readonly source: string
  /** What becomes of links and references to GitHub. */
  readonly links: 'keep' | 'expand' | 'strip'
  readonly repository: Repository
  /** GitHub's `body_html` of these notes, for `expand`. */
  readonly rendering?: string
}

/** GitHub takes release notes of 125,000 characters; a file may be longer. */
const MOST_CHARACTERS = 1_000_000

const MAY_CHANGE = {
  keep: /<!--/,
  // References, commits, links and their definitions, entities and escapes that may hide them.
  expand: /<!--|[@#&\\]|GH-\d|[\da-f]{7}|\]\(|\]:|<a\b/i,
  // Whatever is an address has a slash, and a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/** Whether a text has anything to read: spaces that nobody sees, and marks alone, are nothing. */
export function hasText(text: string): boolean {
  const seen = text.replace(
    /&(?:nbsp|zwnj|zwj|shy|#160|#xa0|#8203|#x200b);|<\/?(?:p|br|div|span)\b[^>]*>/gi,
    ''
  )
  return !/^[\s\p{Default_Ignorable_Code_Point}\u2800#*_>~`=+-]*$/u.test(seen)
}

/**
 * Without HTML comments, and with its links as they are asked for; nothing else changes.
 * @throws TextError for a text that is too long, or that cannot be stripped.
 */
export async function writeForBuyers(notes: Notes): Promise<BuyerText> {
  const { links, repository, rendering } = notes
  const source = normalize(notes.source)
  if (source.length > MOST_CHARACTERS) {
    throw new TextError(
      `the changelog has ${source.length} characters, and at most ${MOST_CHARACTERS} are taken: shorten it`
    )
  }
  // Most of a line or two hold nothing of the kind, and need no parser.
  if (!MAY_CHANGE[links].test(source)) return { text: source, notices: [] }
  const { loadHtmlReader } = await import('./read-html.ts')
  const read = await loadHtmlReader()
  let text = source
  for (let last = ''; text !== last && text.includes('<!--'); ) {
    last = text
    text = normalize(await takeOutComments(last, read))
  }
  switch (links) {
    case 'keep':
      return { text, notices: [] }
    case 'strip': {
      const { strip } = await import('./strip.ts')
      return { ...(await strip(text, repository, read)), notices: [] }
    }
    case 'expand': {
      const { expand } = await import('./expand.ts')
      return expand({ source: text, repository, rendering, read })
    }
    default:
      return links satisfies never
  }
}

/**
 * Comments, and not a character around them. A blank line ends the HTML that a comment began in; what
 * follows up to the comment's end was still not meant to be seen.
 */
async function takeOutComments(source: string, read: ReadHtml): Promise<string> {
  const nodes = [...descend(await parseMarkdown(source))]
  const code = nodes.filter(({ type }) => type === 'code' || type === 'inlineCode').map(rangeOf)
  const edits = nodes.flatMap(node => {
    if (node.type !== 'html') return []
    const { start, end } = rangeOf(node)
    const comments = read(source.slice(start, end)).filter(({ kind }) => kind === 'comment')
    return comments.flatMap(comment => {
      const range = { start: start + comment.start, end: start + comment.end, text: '' }
      if (!source.startsWith('<!--', range.start)) return []
      if (/(?:--!?>|^<!--?>)$/.test(source.slice(range.start, range.end))) return [range]
      const close = source.indexOf('-->', range.end) + 3
      const isCode = code.some(it => it.start < close && close <= it.end)
      return [close < 3 || isCode ? range : { ...range, end: close }]
    })
  })
  return applyEdits(source, edits)
}
