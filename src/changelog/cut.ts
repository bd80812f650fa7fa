// Cuts ranges out of a line of pieces: what goes, what stays, and what the rest becomes. Pure.
import { type Edit, type Range, rangeOf } from './markdown.ts'
import { type Piece, shownOf, showPieces } from './pieces.ts'

export interface Cut {
  readonly edits: readonly Edit[]
  /** Where in the source something goes. */
  readonly removed: readonly Range[]
  /** Of the pieces that are not text. */
  readonly kept: readonly Piece[]
  /** Whether nothing but spaces is left of a line that had more. */
  readonly isEmpty: boolean
}

/** Cuts ranges of the line that pieces show (`showPieces`). */
export function cut(source: string, pieces: readonly Piece[], ranges: readonly Range[]): Cut {
  const line = showPieces(source, pieces)
  const gone = new Array<boolean>(line.length).fill(false)
  for (const { start, end } of ranges) gone.fill(true, start, end)
  const places: number[] = []
  let at = 0
  for (const piece of pieces) {
    places.push(at)
    const { length } = shownOf(source, piece)
    // A picture without a text, or a link without one, goes with the space before it.
    if (length === 1 && piece.kind !== 'text' && piece.text === '') {
      gone.fill(true, /\s/.test(line.charAt(at - 1)) ? at - 1 : at, at + 1)
    }
    at += length
  }
  // What follows a lead begins the line now.
  if (gone[0]) for (at = 0; gone[at] || /\s/.test(line.charAt(at)); at++) gone[at] = true
  const goneMarks = findGoneMarks(source, pieces, places, gone)
  const removed: Range[] = []
  const remove = (start: number, end: number) => {
    const last = removed.at(-1)
    if (last?.end === start) removed.splice(-1, 1, { start: last.start, end })
    else removed.push({ start, end })
  }
  const kept = pieces.filter((piece, index) => {
    const { kind, start, end } = piece
    const place = places[index] ?? 0
    if (kind === 'text') {
      for (let next = start; next < end; next++) {
        if (gone[place + next - start]) remove(next, next + 1)
      }
      return false
    }
    const isGone = kind === 'mark' ? goneMarks.has(piece) : gone[place] === true
    if (isGone) remove(start, end)
    return !isGone
  })
  const changed = kept.filter(({ start, end, text }) => text !== source.slice(start, end))
  const edits = [...removed.map(range => ({ ...range, text: '' })), ...changed]
  return { edits, removed, kept, isEmpty: line.trim() !== '' && !gone.includes(false) }
}

/** Marks of emphasis, and tags, go with all that is between them; a tag alone goes when its neighbors do. */
function findGoneMarks(
  source: string,
  pieces: readonly Piece[],
  places: readonly number[],
  gone: readonly boolean[]
): Set<Piece> {
  // How much of the line stays, up to each place.
  const left = [0]
  for (const isGone of gone) left.push((left.at(-1) ?? 0) + (isGone ? 0 : 1))
  const found = new Set<Piece>()
  const check = (marks: readonly Piece[], from: number, to: number) => {
    if (to > from && left[to] === left[from]) for (const mark of marks) found.add(mark)
  }
  const open: Readonly<{ key: unknown; mark: Piece; place: number }>[] = []
  const alone: typeof open = []
  for (const [index, mark] of pieces.entries()) {
    if (mark.kind !== 'mark') continue
    const tag = source.slice(mark.start, Math.min(mark.end, mark.start + 40)).toLowerCase()
    const [, slash, name = ''] = /^<(\/?)([a-z][\w-]*)/.exec(mark.of ? '' : tag) ?? []
    const one = { key: mark.of ?? name, mark, place: places[index] ?? 0 }
    const [of] = mark.of ?? []
    const isEnd = of ? mark.start > rangeOf(of).start : slash === '/'
    // Tags that nothing closes within a node end with it; among tags, those next to each other are a pair.
    while (isEnd && mark.of && open.length > 0 && open.at(-1)?.key !== mark.of) {
      alone.push(...open.splice(-1))
    }
    const start = isEnd && open.at(-1)?.key === one.key ? open.pop() : undefined
    if (start) check([start.mark, mark], start.place, one.place)
    else (isEnd ? alone : open).push(one)
  }
  for (const { mark, place } of [...open, ...alone]) {
    check([mark], Math.max(0, place - 1), Math.min(gone.length, place + 1))
  }
  return found
}
