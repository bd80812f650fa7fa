// Reads notes as typed pieces: text, and what in it leads into the repository or names people.
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
import { mergeLists, type Piece } from './pieces.ts'
import { type Addresses, findReferences, type Reference, type Target } from './references.ts'

/** What is known of the notes while they are read from their start to their end. */
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
  return mergeLists(reading.source, pieces)
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
      return [{ ...range, kind: 'kept', text, of: [node] }]
    }
    default:
      return 'children' in node ? wrap(reading, node) : [{ ...range, kind: 'kept', text: asIs }]
  }
}

/** The children of a node, between what opens and what closes it, which goes if it leads into the repository. */
function wrap(reading: NotesReading, node: Nodes, isOwn = false): Piece[] {
  const { start, end } = rangeOf(node)
  const content = contentOf(node) ?? { start: end, end }
  const of = [node]
  const mark = (from: number, to: number): Piece => {
    const text = isOwn ? '' : reading.source.slice(from, to)
    return { start: from, end: to, kind: 'mark', text, of }
  }
  const children: readonly Nodes[] = 'children' in node ? node.children : []
  const within = children.flatMap(child => readInline(reading, child))
  return [mark(start, content.start), ...within, mark(content.end, end)]
}

/** Where a link, an image or a definition leads by its address, title or label, if into the repository. */
export function targetOf(reading: NotesReading, node: Nodes): Target | undefined {
  const title = 'title' in node ? (node.title ?? '') : ''
  const label = 'label' in node ? (node.label ?? '') : ''
  const { addresses } = reading
  return addresses.targetOf(urlOf(reading, node)) ?? addresses.find(`${title} ${label}`)[0]?.target
}

function urlOf({ definitions }: NotesReading, node: Nodes): string {
  if ('url' in node) return node.url
  return 'identifier' in node ? (definitions.get(node.identifier)?.[0]?.url ?? '') : ''
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
  const { source, addresses } = reading
  const range = rangeOf(node)
  const label = plainTextOf(node).trim()
  const target = targetOf(reading, node)
  if (!target) {
    const url = urlOf(reading, node)
    const piece = (kind: Piece['kind'], { start, end } = range): Piece[] => [
      { start, end, kind, text: source.slice(start, end), of: [node] }
    ]
    if (url.startsWith('mailto:')) {
      return source.startsWith('<', range.start) ? readProse(reading, range) : piece('mail')
    }
    if (addresses.isPerson(url) || /^@[\w-]+$/.test(label)) {
      // Bots are written as `@[renovate[bot]](…)` or `[@renovate](…)[bot]`.
      const start = range.start - (hasAt(source, range.start) ? 1 : 0)
      return piece('person', { start, end: range.end + (hasBot(source, range.end) ? 5 : 0) })
    }
    if (NUMBER.test(label) && /\/(?:issues|pull)\/\d+$/.test(url)) return piece('foreign')
    const isCommit = LABELS.commit.test(label) && /\/commit\/[\da-f]+$/.test(url)
    return isCommit ? piece('commit') : wrap(reading, node)
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
const hasBot = (source: string, start: number) => source.startsWith('[bot]', start)
const pieceKindOf = ({ kind }: Target): Piece['kind'] => (kind === 'attachment' ? 'kept' : kind)

function readProse({ source, addresses, code }: NotesReading, range: Range): Piece[] {
  // What belongs to the name of a bot is read with the link beside it.
  const isAfterBot = source.charAt(range.start - 1) === ')' && hasBot(source, range.start)
  const isBeforeBot = source.charAt(range.end) === '[' && hasAt(source, range.end)
  const start = range.start + (isAfterBot ? 5 : 0)
  const end = range.end - (isBeforeBot ? 1 : 0)
  const prose = source.slice(start, end)
  if (code > 0) return [{ start, end, kind: 'kept', text: prose }]
  const own = addresses.find(prose).map(({ target, ...place }): Piece => {
    const [from, to] = [start + place.start, start + place.end]
    return { start: from, end: to, kind: pieceKindOf(target), text: target.text }
  })
  const referred = findReferences(source, { start, end }).flatMap(it =>
    readReference(source, addresses, it)
  )
  const pieces: Piece[] = []
  let done = start
  const addText = (to: number) => {
    const text = source.slice(done, to)
    if (to > done) pieces.push({ start: done, end: to, kind: 'text', text })
  }
  // The repository's own addresses come first: they know where a sentence goes on.
  for (const piece of [...own, ...referred].toSorted((a, b) => a.start - b.start)) {
    if (piece.start < done) continue
    addText(piece.start)
    pieces.push(piece)
    done = piece.end
  }
  addText(end)
  return pieces
}

function readReference(
  source: string,
  addresses: Addresses,
  { kind, word, start, end }: Reference
): Piece[] {
  const text = addresses.shorten(word)
  switch (kind) {
    case 'url': {
      const target = addresses.targetOf(word)
      if (target) return [{ start, end, kind: 'other', text: target.text }]
      const isIssue = /\/(?:issues|pull)\/\d+(?:[#?].*)?$/.test(word)
      return [{ start, end, kind: isIssue ? 'foreign' : 'kept', text }]
    }
    case 'mail':
      return [{ start, end, kind, text }]
    case 'issue': {
      const own = /^\\?#\d{6}$/.test(word) ? 'number' : 'issue'
      return [{ start, end, kind: text.includes('/') ? 'foreign' : own, text }]
    }
    case 'user': {
      // `@scope/package` and `@Input()` are code; `@renovate[bot]` has a longer name.
      if (word.includes('/') || source.charAt(end) === '(') return []
      const [bot = ''] = /^\\?\[bot\\?\]/.exec(source.slice(end, end + 8)) ?? []
      return [{ start, end: end + bot.length, kind: 'person', text: text + bot }]
    }
    case 'commit': {
      // Digits alone (`20240131`), letters alone (`defaced`) and capitals are rarely the id of a commit.
      if (!/^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]+$/.test(text)) return []
      // Letters and digits take turns in most ids, but not in `bcf2000`, `face2face` and `1e10000`.
      const isWordy = word === text && /^(?:[a-f]*\d+[a-f]*|\d+[a-f]\d+)$/.test(text)
      return [{ start, end, kind: isWordy ? 'id' : kind, text }]
    }
  }
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
