// Owns notes as typed pieces: text, and what in it leads into the repository or names people.
import type { Definition, Link, LinkReference, Nodes } from 'mdast'
import {
  CODE_TAG,
  contentOf,
  hasUnreadTag,
  plainTextOf,
  type Range,
  rangeOf,
  readHtml,
  resolveReferences
} from './markdown.ts'
import { type Addresses, findReferences, type Reference, type Target } from './references.ts'

/**
 * How a piece shows in a block's line, by its kind: one sign for a reference, whatever it was written as.
 * `foreign` is another project's issue, `kept` is code or a picture, `mark` is what readers do not see.
 */
const SIGNS = {
  ...{ person: 'Ⓟ', mail: 'Ⓜ', issue: 'Ⓘ', foreign: 'Ⓞ', commit: 'Ⓒ', comparison: 'Ⓤ' },
  ...{ other: 'Ⓐ', kept: '`', mark: '', text: '' }
} as const

export interface Piece extends Range {
  readonly kind: keyof typeof SIGNS
  /** What stands there in the end, unless the piece is removed. */
  readonly text: string
  /** Of a mark: the node that it opens or closes; of a reference: the definition that it uses. */
  readonly of?: Nodes
}

/** What the reader of a whole text keeps in mind. */
export interface NotesReading {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, readonly Definition[]>
  /** Names of start tags that were taken out, whose end tags go, too. */
  readonly gone: string[]
  /** How many tags of code are open. */
  code: number
}

/** The pieces of a paragraph, a heading, a table's cell, or raw HTML, in their order. */
export function readPieces(reading: NotesReading, node: Nodes): Piece[] {
  if (node.type === 'html') return readTags(reading, rangeOf(node))
  const pieces =
    'children' in node ? node.children.flatMap(child => readInline(reading, child)) : []
  return mergeLists(reading, pieces)
}

/** The pieces as one line, in which text stands as it is written, and a reference is its sign. */
export function showPieces(source: string, pieces: readonly Piece[]): string {
  return pieces.map(piece => shownOf(source, piece)).join('')
}

export function shownOf(source: string, { kind, start, end }: Piece): string {
  // Signs in the notes themselves must not be taken for ours.
  return kind === 'text' ? source.slice(start, end).replace(/[ⓅⓂⒾⓄⒸⓊⒶ]/g, '`') : SIGNS[kind]
}

function readInline(reading: NotesReading, node: Nodes): Piece[] {
  const { source } = reading
  const range = rangeOf(node)
  const asIs = source.slice(range.start, range.end)
  switch (node.type) {
    case 'text':
      return hasUnreadTag(asIs) ? readTags(reading, range) : readProse(reading, range)
    case 'html':
      return readTags(reading, range)
    case 'link':
    case 'linkReference':
      return readLink(reading, node)
    case 'image':
    case 'imageReference': {
      const target = targetOf(reading, node)
      const written = /^!\[((?:\\.|[^\]\\])*)\]/s.exec(asIs)?.[1] ?? ''
      const text = target ? altOf(reading, target, written) : asIs
      return [{ ...range, kind: 'kept', text, of: node }]
    }
    default:
      return 'children' in node ? wrap(reading, node) : [{ ...range, kind: 'kept', text: asIs }]
  }
}

/** The children of a node, between what opens and what closes it, which goes if it leads into the repository. */
function wrap(reading: NotesReading, node: Nodes, isOwn = false): Piece[] {
  const { start, end } = rangeOf(node)
  const content = contentOf(node) ?? { start: end, end }
  const mark = (from: number, to: number): Piece => {
    const text = isOwn ? '' : reading.source.slice(from, to)
    return { start: from, end: to, kind: 'mark', text, of: node }
  }
  const children: readonly Nodes[] = 'children' in node ? node.children : []
  const within = children.flatMap(child => readInline(reading, child))
  return [mark(start, content.start), ...within, mark(content.end, end)]
}

/** Where a link, an image or a definition leads by its address, title or label, if into the repository. */
export function targetOf(
  { addresses, definitions }: NotesReading,
  node: Nodes
): Target | undefined {
  const definition = 'identifier' in node ? definitions.get(node.identifier)?.[0] : undefined
  const url = 'url' in node ? node.url : (definition?.url ?? '')
  const title = 'title' in node ? (node.title ?? '') : ''
  const label = 'label' in node ? (node.label ?? '') : ''
  return addresses.targetOf(url) ?? addresses.find(`${title} ${label}`)[0]?.target
}

/** A picture in the repository becomes its alternative text; one behind a login becomes nothing. */
function altOf({ addresses }: NotesReading, { kind }: Target, alt: string): string {
  return kind === 'attachment' || addresses.find(alt).length > 0 ? '' : alt.trim()
}

const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
/** By what a link leads to, labels that say nothing without it; any other label stays as text. */
const LABELS: Readonly<Record<Target['kind'], RegExp>> = {
  issue: NUMBER,
  commit: /^\W*[\da-f]{5,40}\W*$/i,
  comparison: /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff)\b/i,
  other: /^$/,
  attachment: /^$/
}

function readLink(reading: NotesReading, node: Link | LinkReference): Piece[] {
  const { source, addresses, definitions } = reading
  const range = rangeOf(node)
  const label = plainTextOf(node).trim()
  const target = targetOf(reading, node)
  if (!target) {
    const url = node.type === 'link' ? node.url : (definitions.get(node.identifier)?.[0]?.url ?? '')
    // Bots are written as `@[renovate[bot]](…)` or `[@renovate](…)[bot]`.
    const start = range.start - (hasAt(source, range.start) ? 1 : 0)
    const end = range.end + (source.startsWith('[bot]', range.end) ? 5 : 0)
    const name = { start, end, text: source.slice(start, end), of: node }
    const whole = { ...range, text: source.slice(range.start, range.end), of: node }
    if (url.startsWith('mailto:')) return [{ ...whole, kind: 'mail' }]
    if (addresses.isPerson(url) || /^@[\w-]+$/.test(label)) return [{ ...name, kind: 'person' }]
    const isIssue = NUMBER.test(label) && /\/(?:issues|pull)\/\d+$/.test(url)
    return isIssue ? [{ ...whole, kind: 'foreign' }] : wrap(reading, node)
  }
  const { kind, text } = target
  const isNamed = label !== '' && addresses.find(label).length === 0
  const hasImage = node.children.some(({ type }) => type.startsWith('image'))
  if (hasImage || (isNamed && !LABELS[kind].test(label))) return wrap(reading, node, true)
  const content = contentOf(node) ?? range
  const written = source.slice(content.start, content.end)
  const named = kind === 'issue' ? label.replace(NUMBER, '#$1') : written
  const shown = isNamed ? named : label === '' ? '' : text
  return [{ ...range, kind: pieceKindOf(target), text: shown }]
}

const hasAt = (source: string, end: number) =>
  /(?:^|\s)@$/.test(source.slice(Math.max(0, end - 2), end))

/** The text and the references in a piece of prose. */
function readProse({ source, addresses, code }: NotesReading, { start, end }: Range): Piece[] {
  const isBot = source.startsWith(')[bot]', start - 1)
  const isAt = source.charAt(end) === '[' && hasAt(source, end)
  const range = { start: start + (isBot ? 5 : 0), end: end - (isAt ? 1 : 0) }
  const textAt = (part: Range) => source.slice(part.start, part.end)
  if (code > 0) return [{ ...range, kind: 'kept', text: textAt(range) }]
  const own = addresses.find(textAt(range)).map(({ target, ...place }): Piece => {
    const [from, to] = [range.start + place.start, range.start + place.end]
    return { start: from, end: to, kind: pieceKindOf(target), text: target.text }
  })
  const referred = findReferences(source, range).flatMap(it => pieceOf(source, addresses, it))
  const pieces: Piece[] = []
  let done = range.start
  const addText = (to: number) => {
    const text = { start: done, end: to }
    if (to > done) pieces.push({ ...text, kind: 'text', text: textAt(text) })
  }
  // The repository's own addresses come first: they know where a sentence goes on.
  for (const piece of [...own, ...referred].toSorted((a, b) => a.start - b.start)) {
    if (piece.start < done) continue
    addText(piece.start)
    pieces.push(piece)
    done = piece.end
  }
  addText(range.end)
  return pieces
}

const pieceKindOf = ({ kind }: Target): Piece['kind'] => (kind === 'attachment' ? 'kept' : kind)

function pieceOf(
  source: string,
  addresses: Addresses,
  { kind, word, start, end }: Reference
): Piece[] {
  const text = addresses.shorten(word)
  const piece = (as: Piece['kind'], to = end): Piece[] => [
    { start, end: to, kind: as, text: to === end ? text : source.slice(start, to) }
  ]
  switch (kind) {
    case 'url': {
      const target = addresses.targetOf(word)
      if (target) return [{ start, end, kind: 'other', text: target.text }]
      return piece(/\/(?:issues|pull)\/\d+(?:[#?].*)?$/.test(word) ? 'foreign' : 'kept')
    }
    case 'mail':
      return piece('mail')
    case 'issue':
      return piece(text.includes('/') ? 'foreign' : 'issue')
    case 'user': {
      // `@scope/package` and `@Input()` are code; `@renovate[bot]` has a longer name.
      const [bot = ''] = /^\\?\[bot\\?\]/.exec(source.slice(end, end + 8)) ?? []
      return word.includes('/') || source.charAt(end) === '('
        ? []
        : piece('person', end + bot.length)
    }
    case 'commit':
      // Digits alone (`20240131`) or letters alone (`defaced`) are rarely the id of a commit.
      return /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]+$/i.test(text) ? piece('commit') : []
  }
}

/** What stands between the parts of a list. */
const BETWEEN = /^(?:,|,?\s+(?:and|&|with)\s+|,?\s+)$/

/** Makes one piece of a list such as `@a, @b and @c`, or `#1, #2`. */
function mergeLists({ source }: NotesReading, pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const [before, between] = [merged.at(-2), merged.at(-1)]
    const isListed = ['person', 'issue', 'commit', 'foreign'].includes(piece.kind)
    const isNext = isListed && before?.kind === piece.kind && between?.kind === 'text'
    if (before && between && isNext && BETWEEN.test(source.slice(between.start, between.end))) {
      const text = `${before.text}${source.slice(before.end, piece.start)}${piece.text}`
      merged.splice(-2, 2, { ...before, end: piece.end, text })
    } else merged.push(piece)
  }
  return merged
}

/** Attributes that hold one address, perhaps a relative one; others are searched for addresses. */
const ADDRESS = /^(?:href|src|srcset|poster|action|formaction|cite|data)$/

/** The pieces of raw HTML: tags that lead into the repository go, with their end tags. */
function readTags(reading: NotesReading, range: Range): Piece[] {
  const { source, addresses, gone } = reading
  return readHtml(source, range).flatMap(({ name, attributes, start, end }): Piece[] => {
    if (name === '') return readProse(reading, { start, end })
    const isEnd = name.startsWith('/')
    // A `<code>` that nothing closes must not hide the text after it.
    const isCode = CODE_TAG.test(name) && (isEnd || source.includes(`</${name}`, end))
    if (isCode) reading.code = Math.max(0, reading.code + (isEnd ? -1 : 1))
    const targets = Array.from(attributes, ([key, value]) => {
      const text = resolveReferences(value)
      return ADDRESS.test(key) ? addresses.targetOf(text) : addresses.find(text)[0]?.target
    })
    const target = targets.find(it => it !== undefined)
    if (target) gone.push(`/${name}`)
    const opened = isEnd ? gone.lastIndexOf(name) : -1
    if (opened >= 0) gone.splice(opened, 1)
    const asIs = source.slice(start, end)
    const alt = target ? altOf(reading, target, attributes.get('alt') ?? '') : asIs
    return [{ start, end, kind: 'mark', text: opened >= 0 ? '' : alt }]
  })
}
