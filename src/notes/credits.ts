// The rules for what is not for buyers: why a piece of notes went. In doubt words stay: a number that stays is a blemish,
// half a sentence is damage. Pure.
import type { ListItem, Nodes } from 'mdast'
import { labelOf } from './markdown.ts'
import { back, isAmongPeople, isSpace, type Piece, splitLines } from './pieces.ts'

type Pieces = readonly Piece[]

const words = (...lines: readonly string[]) => new Set(lines.join(' ').split(' '))

/** Words that need what follows them: `Sort by`, `Fixed in`. */
const NEEDY = words(
  'about after also and as at before between by for from in into is like number of on or per see siehe than thanks the',
  'through to under via voir with without'
)
/** Verbs that need it only where they are not the things that were fixed: `Update the library, which fixes (#12)`. */
const VERBS = words(
  'addresses behebt closes closed fixes fixed refs replaces resolves resolved reverts supersedes'
)
const BEFORE_VERB = /^(?:,|which|that|this)$/i

/** Whether the pieces up to an index need what follows them. */
function needsMore(pieces: Pieces, end: number, isWhole: boolean): boolean {
  const last = pieces[end - 1]
  if (!last || /^[:=→&/(]$/.test(last.text)) return true
  if (isWhole) return false

  const word = last.text.toLowerCase()
  if (NEEDY.has(word)) return true
  const before = pieces[back(pieces, end - 1, isSpace) - 1]
  return VERBS.has(word) && (!before || BEFORE_VERB.test(before.text))
}

/** Pieces, up to the end or to another credit, that may go. */
interface Credit {
  readonly from: number
  readonly hasReference: boolean
  /** Whether it can be nothing but a credit, if it stands alone. */
  readonly isSure: boolean
  /** Whether no words before it can need it, as with ` by @mona in #12`. */
  readonly isWhole?: boolean
}

const isReference = ({ kind }: Piece) => kind === 'reference'
const isPerson = ({ kind }: Piece) => kind === 'person'

/** `(#12)`, `([#12](…), @mona)`, `[12ab34c]`, `(thanks @mona)`, `(PR #12, fixes #13)`; not `(@param, @returns)`. */
function findGroup(pieces: Pieces, end: number): Credit | undefined {
  let depth = 0
  const group: Piece[] = []
  for (let from = end - 1; from >= 0; from -= 1) {
    const piece = pieces[from] as Piece
    group.push(piece)
    if (/^[)\]]$/.test(piece.text)) depth += 1
    else if (/^[([]$/.test(piece.text)) depth -= 1
    else if (!isOfGroup(piece)) return undefined

    if (depth === 0) return judgeGroup(pieces, from, group)
  }
  return undefined
}

const isOfGroup = ({ kind, text }: Piece) =>
  kind === 'sign' ? /^[,&/:;!.\\]$/.test(text) : kind !== 'word' && kind !== 'picture'

function judgeGroup(pieces: Pieces, open: number, group: Pieces): Credit | undefined {
  const hasReference = group.some(isReference)
  const people = group.filter(isPerson)
  if (!hasReference && people.length === 0) return undefined

  const isThanks = group.some(({ text }) => /^(?:by|thanks|thank|thx|via|props)$/i.test(text))
  const isEscaped = pieces[open - 1]?.text === '\\'
  return {
    from: isEscaped ? open - 1 : open,
    hasReference,
    isSure: hasReference || isThanks || people.some(it => it.isSure)
  }
}

const isAmongReferences = (piece: Piece) =>
  isSpace(piece) || isReference(piece) || /^(?:and|[,&])$/.test(piece.text)

/** GitHub's ` by @mona in #12`, also with the reference in brackets; ` by @mona` behind a reference. */
function findTail(pieces: Pieces, end: number, group: Credit | undefined): Credit | undefined {
  const start = group ? back(pieces, group.from, isSpace) : back(pieces, end, isAmongReferences)
  const hasReference = group?.hasReference ?? pieces.slice(start, end).some(isReference)
  const isIn = hasReference && /^in$/i.test(pieces[start - 1]?.text ?? '')
  if (hasReference && !isIn) return undefined

  const people = hasReference ? start - 1 : end
  const by = back(pieces, people, isAmongPeople) - 1
  const isBy = /^by$/i.test(pieces[by]?.text ?? '') && pieces.slice(by, people).some(isPerson)
  if (!isBy || !(isIn || isBehindReference(pieces, by))) return undefined
  return { from: by, hasReference, isSure: true, isWhole: hasReference }
}

function isBehindReference(pieces: Pieces, at: number): boolean {
  const end = back(pieces, at, isSpace)
  const before = pieces[end - 1]
  if (before && isReference(before)) return true
  return /^[)\]]$/.test(before?.text ?? '') && findGroup(pieces, end)?.hasReference === true
}

/** `, closes #12 #13`, which goes with the brackets before it: where it begins. */
function findClosing(pieces: Pieces, end: number): number | undefined {
  const start = back(pieces, end, isAmongReferences)
  const isClosing = /^(?:closes|fixes|resolves)$/i.test(pieces[start - 1]?.text ?? '')
  return isClosing && pieces.slice(start, end).some(isReference) ? start - 1 : undefined
}

/** changelogithub's `&nbsp;-&nbsp; by **Mona** in #12 (12ab34c)`: where it begins. */
function findMarked(pieces: Pieces): number | undefined {
  const dash = pieces.findLastIndex(
    ({ text }, at) => text === '-' && pieces[at - 1]?.text.endsWith('&nbsp;')
  )
  const isBy = /^by$/i.test(pieces[dash + 2]?.text ?? '')
  return dash > 1 && isBy ? dash - 1 : undefined
}

/** A range of pieces; `from` is `to` if there is none. */
export interface Range {
  readonly from: number
  readonly to: number
}

const isSeparator = (piece: Piece) => isSpace(piece) || /^[,;–—-]$/.test(piece.text)

/** The credits at the end of an item or a paragraph; `Fixed (#12). (12ab34c)` has two of them. */
export function findEndings(pieces: Pieces): readonly Range[] {
  const last = findEnding(pieces)
  if (last.from === last.to) return []

  const first = findEnding(pieces.slice(0, last.from))
  return first.from === first.to ? [last] : [first, last]
}

/** Several in a row, too. A stop behind them stays. */
function findEnding(pieces: Pieces): Range {
  const hasStop = /^[.!?:]$/.test(pieces.at(-1)?.text ?? '')
  const to = hasStop ? pieces.length - 1 : pieces.length

  let best = findMarked(pieces) ?? to
  let hasReference = best < to
  for (let at = best; ; ) {
    const end = back(pieces, at, isSpace)
    const closing = findClosing(pieces, end)
    const isClosed = /^[)\]]$/.test(pieces[end - 1]?.text ?? '')
    const group = isClosed ? findGroup(pieces, end) : undefined
    const credit = findTail(pieces, end, group) ?? group
    if (!credit && closing === undefined) break

    const from = credit?.from ?? closing ?? end
    at = back(pieces, from, isSeparator)
    hasReference ||= credit?.hasReference ?? false
    const before = pieces[at - 1]
    const isSure = credit?.isSure || hasReference || (before && isReference(before))
    if (credit && isSure && !needsMore(pieces, at, credit.isWhole ?? false)) best = at
  }

  // After `Done. (#12).`, one stop is enough.
  const isDone = /^[.!?]$/.test(pieces[best - 1]?.text ?? '')
  return { from: best, to: hasStop && best < to && isDone ? pieces.length : to }
}

/** How many pieces at the start of an item are credits: `12ab34c: `, `#12 12ab34c Thanks @mona! - `. */
export function findLead(pieces: Pieces): number {
  const isReferring = (it: Piece) => isReference(it) || isSpace(it) || /^[[\]\\]$/.test(it.text)
  const found = pieces.findIndex(it => !isReferring(it))
  const at = found < 0 ? pieces.length : found
  const thanks = findThanks(pieces, at)
  if (thanks > 0) return thanks

  const references = pieces.slice(0, at).filter(isReference)
  const isMarked = /^[:-]$/.test(pieces[at]?.text ?? '')
  const before = pieces[at - 1]
  const isApart = isMarked || (before !== undefined && isSpace(before))
  const isLead = isMarked ? references.some(isCommit) : references.slice(-1).some(isCommit)
  if (!isLead || !isApart) return 0

  const mark = isMarked ? at + 1 : at
  const end = pieces[mark]?.kind === 'space' ? mark + 1 : mark
  return end < pieces.length ? end : 0
}

const isCommit = ({ page, text }: Piece) =>
  page?.kind === 'commit' || /^`?[\da-f]{7,40}`?$/.test(text)

/** The end of changesets' `Thanks @mona! - `, or 0. */
function findThanks(pieces: Pieces, at: number): number {
  if (!/^Thanks$/i.test(pieces[at]?.text ?? '')) return 0

  const end = pieces.findIndex((it, index) => index > at && !isAmongPeople(it))
  const isMarked = pieces[end]?.text === '!' && pieces[end + 2]?.text === '-'
  return isMarked && end + 4 < pieces.length ? end + 4 : 0
}

/** Lines for GitHub's readers, each with an example. A reference is written `#` in them, and a person `@`. */
const LINES: readonly RegExp[] = [
  // **Full Changelog**: v1.4.1...v1.4.2
  /^[*_]*full changelog[*_]*:[*_]*(?![*_])\s*(?=\S*[\d./#])\S+(?:\s+\.{2,3}\s*\S+)?$/i,
  // @mona made their first contribution in #12
  /^@ made their first contribution(?: in #)?[.!]?$/,
  // Co-authored-by: Mona <mona@example.com>
  /^[a-z]+(?:-[a-z]+)*-by: (?:@|[^\n]{1,80}<[^<>\s@]+@[^<>\s]+>)$/i
]

/** Whether nothing of a line is for buyers. */
export function isForGitHub(line: Pieces): boolean {
  const own = line.filter(it => !isSpace(it))
  if (own.every(({ kind }) => kind === 'picture')) return own.length > 0
  return LINES.some(it => it.test(abbreviate(line)))
}

function abbreviate(pieces: Pieces): string {
  const texts = pieces.map(it => (isReference(it) ? '#' : isPerson(it) ? '@' : it.text))
  return texts.join('').trim()
}

/** Whether a paragraph is a lone link to a comparison: `[compare changes](…)`. */
export function isComparison(pieces: Pieces): boolean {
  const [link, ...others] = pieces.filter(it => !isSpace(it))
  return link?.page?.kind === 'comparison' && others.length === 0
}

/** Whether an item without a list under it says `Updated dependencies [12ab34c]`, as changesets writes. */
export function isUpdate(pieces: Pieces): boolean {
  return /^updated dependencies \[[[\]\s,]*#[#[\]\s,]*$/i.test(abbreviate(pieces))
}

/** `New Contributors`, `Committers: 3`, `❤️ Thank You` */
const PEOPLE_HEADING =
  /^[^\p{L}]*(?:(?:new )?contributors?|(?:authors|committers): \d+(?!\d)|thank you)[^\p{L}]*$/iu

/** Whether a heading stands over nothing but people: its list, with what follows that. */
export function isOverPeople(
  [heading, list, after]: readonly (Nodes | undefined)[],
  read: (node: Nodes) => Pieces
): boolean {
  if (heading?.type !== 'heading' || !list) return false
  if (!PEOPLE_HEADING.test(labelOf(heading)) || !arePeople(list, read)) return false

  // Words of a person may follow the list, and belong to it.
  if (!after || /heading|Break|html|definition/i.test(after.type)) return true
  return isComparison(read(after)) || splitLines(read(after)).every(isForGitHub)
}

function arePeople(node: Nodes, read: (node: Nodes) => Pieces): boolean {
  if (node.type === 'paragraph') return read(node).every(isAmongPeople)
  if (node.type !== 'list') return false

  const isNoSentence = (item: ListItem) =>
    item.children.length === 1 && !/[.!?:](?: |$)/.test(labelOf(item))
  const isNamed = ({ children: [first] }: ListItem) =>
    first !== undefined && (read(first).some(isPerson) || /\S@\S/.test(labelOf(first)))
  return node.children.some(isNamed) && node.children.every(isNoSentence)
}
