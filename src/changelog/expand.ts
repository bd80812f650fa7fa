// Makes links of references to GitHub, where GitHub's own rendering has them. Pure.
import { isRelative } from './addresses.ts'
import { align } from './align.ts'
import type { Edit } from './edits.ts'
import { locate, type Range, runAt } from './ranges.ts'
import {
  addressOf,
  type Definition,
  type Destination,
  definitionsByName,
  type Piece,
  type Reading
} from './reading.ts'
import type { Anchor, Rendering } from './rendering.ts'
import { splitWords, type Word } from './words.ts'

interface Placed extends Word {
  readonly isCode: boolean
}

/** A word of the notes, the link in the rendering that it is in, and what of it the link holds. */
interface Match {
  readonly word: Word
  readonly part: Range | undefined
  readonly address: string
}

/** The edits that make links; undefined when the rendering is not of this text. */
export function planExpand(
  reading: Reading,
  rendering: Rendering,
  serverUrl: string
): Edit[] | undefined {
  const words = wordsOfReading(reading)
  const rendered = wordsOfRendering(rendering)
  const counterparts = align(words.map(keyOf), rendered.map(keyOf))
  if (!counterparts) return undefined
  const definitions = definitionsByName(reading)
  const edits = new Map<number, Edit>()
  for (const [index, word] of words.entries()) {
    const other = rendered[counterparts[index] ?? -1]
    const anchor = other && anchorAt(rendering.anchors, other)
    const address = anchor && absolute(anchor.href, serverUrl)
    if (!other || !anchor || address === undefined) continue
    const isSame =
      reading.text.slice(word.start, word.end) === rendering.text.slice(other.start, other.end)
    const match = { word, part: partWithin(word, other, anchor, isSame), address }
    const edit = expandReference(reading, match) ?? expandRelative(reading, match, definitions)
    if (edit) edits.set(edit.start, edit)
  }
  return [...edits.values()]
}

/** The part of a word that is a link on GitHub; none when the link goes beyond it. */
function partWithin(word: Range, rendered: Range, anchor: Range, isSame: boolean) {
  if (anchor.start < rendered.start || anchor.end > rendered.end) return undefined
  if (!isSame) return word
  const shift = word.start - rendered.start
  return { start: anchor.start + shift, end: anchor.end + shift }
}

/** The first reference or relative address that could be a link on GitHub. */
export function firstReference(reading: Reading): string | undefined {
  const definitions = definitionsByName(reading)
  const { text, pieces } = reading
  for (const word of wordsOfReading(reading)) {
    const piece = pieces[runAt(pieces, word.start)]
    const relative = piece && relativeAddress(piece, definitions)
    if (relative) return relative.value
    const reference = text.slice(word.start, word.end)
    // A long number is hardly the id of a commit.
    if (piece && word.isReference && isPlain(piece) && !/^\d+$/.test(reference)) return reference
  }
  return undefined
}

const keyOf = ({ key, isCode }: Placed) => (isCode ? `\`${key}` : key)

/** Footnotes come last on GitHub, in the order of their calls; images have no text there. */
function wordsOfReading({ text, pieces, notes }: Reading): Placed[] {
  const all = new Map<string | undefined, Placed[]>()
  for (let index = 0; index < pieces.length; ) {
    const first = pieces[index]
    if (!first) break
    const isSame = (piece: Piece | undefined) =>
      piece && piece.kind === first.kind && piece.note === first.note
    let end = first.at
    for (; isSame(pieces[index]); index++) end += pieces[index]?.length ?? 0
    if (first.kind === 'alt') continue
    const words = placeWords(text, { start: first.at, end }, first.kind === 'code')
    const known = all.get(first.note)
    if (known) known.push(...words)
    else all.set(first.note, words)
  }
  return [undefined, ...notes].flatMap(note => all.get(note) ?? [])
}

function wordsOfRendering({ text, code }: Rendering): Placed[] {
  let done = 0
  const parts = code.flatMap(range => {
    const before = placeWords(text, { start: done, end: range.start }, false)
    done = range.end
    return [...before, ...placeWords(text, range, true)]
  })
  return [...parts, ...placeWords(text, { start: done, end: text.length }, false)]
}

function placeWords(text: string, { start, end }: Range, isCode: boolean): Placed[] {
  const words = splitWords(text.slice(start, end))
  return words.map(word => ({ ...word, start: word.start + start, end: word.end + start, isCode }))
}

function anchorAt(anchors: readonly Anchor[], word: Range): Anchor | undefined {
  let low = 0
  let high = anchors.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((anchors[middle]?.end ?? 0) <= word.start) low = middle + 1
    else high = middle
  }
  const anchor = anchors[low]
  return anchor && anchor.start < word.end ? anchor : undefined
}

function absolute(href: string, serverUrl: string): string | undefined {
  if (/^https?:\/\//i.test(href)) return href
  return /^\/(?!\/)/.test(href) ? new URL(href, serverUrl).href : undefined
}

const isPlain = ({ kind, within }: Piece) => kind === 'text' && !within

function expandReference(
  { source, pieces }: Reading,
  { word, part, address }: Match
): Edit | undefined {
  if (!word.isReference || !part) return undefined
  const touched = pieces.slice(runAt(pieces, part.start), runAt(pieces, part.end - 1) + 1)
  const [place, ...others] = locate(pieces, part)
  if (!place || others.length > 0 || !touched.every(isPlain)) return undefined
  const { start, end } = place
  const label = source.slice(start, end)
  if (touched[0]?.raw) return { start, end, text: `<a href="${escapeHtml(address)}">${label}</a>` }
  const link = `[${label}](${encode(address)})`
  // Right after an exclamation mark it would be an image.
  if (/(?<!\\)(?:\\\\)*!$/.test(source.slice(Math.max(0, start - 100), start))) {
    return { start: start - 1, end, text: `\\!${link}` }
  }
  return { start, end, text: link }
}

function relativeAddress(
  { within }: Piece,
  definitions: ReadonlyMap<string, Definition>
): Destination | undefined {
  if (!within) return undefined
  const address =
    'attributes' in within
      ? within.attributes.find(({ name }) => name === 'href')
      : addressOf(within, definitions)
  return address && isRelative(address.value) ? address : undefined
}

function expandRelative(
  { pieces }: Reading,
  { word, address }: Match,
  definitions: ReadonlyMap<string, Definition>
): Edit | undefined {
  const piece = pieces[runAt(pieces, word.start)]
  const place = piece && relativeAddress(piece, definitions)
  if (!place) return undefined
  const { start, end } = place
  const isHtml = piece.within?.kind === 'open'
  return { start, end, text: isHtml ? `href="${escapeHtml(address)}"` : encode(address) }
}

/** Without what would end the address of a Markdown link. */
function encode(address: string): string {
  return address.replace(/[\s()<>\\|`]/g, character => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return `%${code.padStart(2, '0')}`
  })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
