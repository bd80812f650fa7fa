// Cuts paragraphs into pieces: references, people, words that join them, and everything else.
import type { Nodes } from 'mdast'
import type { Addresses, Page } from './addresses.ts'
import { childrenOf, endOf, labelOf, startOf } from './markdown.ts'

/** A piece of a paragraph, with its place in the source. */
export interface Piece {
  readonly kind: 'space' | 'break' | 'reference' | 'person' | 'joint' | 'word' | 'sign' | 'picture'
  readonly start: number
  readonly end: number
  readonly text: string
  /** The page of the repository to which it leads. */
  readonly page?: Page | undefined
  /** Whether it can only be a person: a link to a profile, or a bot. */
  readonly isSure?: boolean
}

/** Words that join references and people in brackets: `(thanks @mona)`, `(PR #12, fixes #13)`. */
const JOINTS = new Set(
  'by in thanks thank thx to via props with and see pr prs pull request requests issue issues bug ref refs fix fixes fixed close closes closed resolve resolves resolved'.split(
    ' '
  )
)

/** Letters and digits take turns, as in `12ab34c` or `521205d`, but not in `bcf2000`, `face2face` and `1e10000`. */
const HASH = /^(?!\d+e\d+$)(?=.{7,40}$)(?:[a-f]*\d+[a-f]+\d[\da-f]*|\d+[a-f]+)$/

const PIECE = new RegExp(
  [
    String.raw`([ \t]*\n[\s>]*)`,
    String.raw`((?:[^\S\n]|&nbsp;)+)`,
    // Not the start of `@acme/core` or `@date.now`.
    String.raw`(@[a-zA-Z\d][a-zA-Z\d-]{0,38}(?:\\?\[bot\\?\])?(?![\p{L}\p{N}_/-]|\.[\p{L}\p{N}])|[a-z\d-]{1,39}\\?\[bot\\?\])`,
    // Six digits may be a color.
    String.raw`((?:#(?!\d{6}(?!\d))\d{1,9}|GH-\d{1,9})(?![\p{L}\p{N}_]))`,
    String.raw`(@?[\p{L}\p{M}\p{N}_]+(?:[-'’./@+][\p{L}\p{M}\p{N}_]+)*)`,
    '[^]'
  ].join('|'),
  // Without `i`, which with `u` takes an s for the long s of other ranges.
  'gu'
)

export const isSpace = ({ kind }: Piece): boolean => kind === 'space' || kind === 'break'

/** Whether a piece is a person, or stands between people. */
export const isAmongPeople = (piece: Piece): boolean =>
  isSpace(piece) || piece.kind === 'person' || /^(?:and|with|bot|[,&@[\]])$/.test(piece.text)

/** No generator's phrase is longer. */
const PHRASE_MAX_PIECES = 300

/**
 * The index at which the unbroken row of such pieces right before `from` begins; `from` if there is none.
 * @param isSuch Tells the pieces that count.
 */
export function back(
  pieces: readonly Piece[],
  from: number,
  isSuch: (piece: Piece) => boolean
): number {
  const first = Math.max(0, from - PHRASE_MAX_PIECES)
  let at = from
  for (let piece = pieces[at - 1]; piece && at > first && isSuch(piece); piece = pieces[at - 1]) {
    at -= 1
  }
  return at
}

/** The lines of a paragraph, with the breaks behind them. */
export function splitLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const piece of pieces) {
    lines.at(-1)?.push(piece)
    if (piece.kind === 'break') lines.push([])
  }
  return lines
}

/** Facts about the links and pictures in notes. */
export interface LinkFacts {
  readonly addresses: Addresses
  urlOf(node: Nodes): string
  /** Whether a picture or HTML goes, and nothing is left of it. */
  isTakenOut(node: Nodes): boolean
}

/** The pieces of a paragraph, a heading or a cell; what is neither plain text nor a link is one piece. */
export function piecesOf(node: Nodes, source: string, links: LinkFacts): readonly Piece[] {
  if (node.type === 'text') {
    return textPieces(source.slice(startOf(node), endOf(node)), startOf(node), links.addresses)
  }
  if (/^(?:paragraph|heading|tableCell)$/.test(node.type)) {
    return childrenOf(node).flatMap(it => piecesOf(it, source, links))
  }

  const start = startOf(node)
  const end = endOf(node)
  return [{ start, end, text: source.slice(start, end), ...judgeNode(node, links) }]
}

type PieceJudgment = Pick<Piece, 'kind' | 'page' | 'isSure'>

function judgeNode(node: Nodes, links: LinkFacts): PieceJudgment {
  if (links.isTakenOut(node)) return { kind: 'picture' }
  if (node.type === 'break') return { kind: 'break' }
  if (node.type === 'inlineCode') {
    const isCommit = /^[\da-f]{7,40}$/.test(node.value)
    return { kind: isCommit ? 'reference' : 'word' }
  }
  if (node.type !== 'link' && node.type !== 'linkReference') return { kind: 'word' }

  const url = links.urlOf(node)
  const label = labelOf(node)
  if (isProfile(links.addresses.profileAt(url), label)) return { kind: 'person', isSure: true }

  const page = links.addresses.pageOf(url)
  const isReference = page !== undefined && isName(links.addresses.shorten(label), page)
  return { kind: isReference ? 'reference' : 'word', page }
}

/** `[@mona](https://github.com/mona)`, `[renovate[bot]](https://github.com/apps/renovate)` */
function isProfile(name: string | undefined, label: string): boolean {
  const plain = label.replace('[bot]', '').toLowerCase()
  return name !== undefined && (plain === name || /^@[a-z\d_-]+$/.test(plain))
}

/** The number in a label that is nothing else: `#12`, `12`, `GH-12`, `(#12)`, `PR #12`. */
const NUMBER = /^[[(]?(?:PR ?)?(?:#|GH-)?(\d+)[\])]?$/i
/** The same of a commit. */
const COMMIT = /^[[(]?([\da-f]{5,40})[\])]?$/

/** Whether a label is the name of its page, and says nothing else. */
function isName(label: string, page: Page): boolean {
  switch (page.kind) {
    case 'issue':
      return `#${NUMBER.exec(label)?.[1]}` === page.short
    case 'commit': {
      const [, id = '-'] = COMMIT.exec(label) ?? []
      return id.startsWith(page.short) || page.short.startsWith(id)
    }
    case 'comparison':
      return label.includes('..') && !/\s/.test(label)
    default:
      return false
  }
}

/** The pieces of a text that begins at an offset of the source. */
function textPieces(text: string, offset: number, addresses: Addresses): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  for (const { start, end, page } of addresses.find(text)) {
    addPieces(pieces, text.slice(done, start), offset + done)
    pieces.push({
      kind: kindOfPage(page),
      start: offset + start,
      end: offset + end,
      text: text.slice(start, end),
      page
    })
    done = end
  }
  addPieces(pieces, text.slice(done), offset + done)
  return pieces
}

function kindOfPage({ kind }: Page): Piece['kind'] {
  if (kind === 'picture') return 'picture'
  return kind === 'other' ? 'word' : 'reference'
}

function addPieces(pieces: Piece[], text: string, offset: number): void {
  for (const match of text.matchAll(PIECE)) {
    const [piece] = match
    const start = offset + match.index
    const kind = kindOfMatch(match)
    const isSure = kind === 'person' && piece.endsWith(']')
    pieces.push({
      kind,
      start,
      end: start + piece.length,
      text: piece,
      isSure
    })
  }
}

function kindOfMatch([
  piece,
  lineBreak,
  space,
  person,
  reference,
  word
]: RegExpExecArray): Piece['kind'] {
  if (space !== undefined) return 'space'
  if (word !== undefined) {
    if (HASH.test(piece)) return 'reference'
    return JOINTS.has(piece.toLowerCase()) ? 'joint' : 'word'
  }
  if (lineBreak !== undefined) return 'break'
  if (person !== undefined) return 'person'
  return reference === undefined ? 'sign' : 'reference'
}
