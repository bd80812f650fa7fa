// Cuts ranges out of a line of pieces: what goes, what stays, and what the rest becomes. Pure.
import type { Nodes } from 'mdast'
import type { Edit, Range } from './markdown.ts'
import { type Piece, shownOf, showPieces } from './pieces.ts'

export interface Cut {
  readonly edits: readonly Edit[]
  /** Where in the source something goes. */
  readonly removed: readonly Range[]
  readonly kept: readonly Piece[]
  /** Whether nothing but spaces is left of a line that had more. */
  readonly isEmpty: boolean
}

interface Unit {
  readonly piece: Piece
  readonly isGone: boolean
}

/** Cuts ranges of the line that pieces show (`showPieces`). */
export function cut(source: string, pieces: readonly Piece[], ranges: readonly Range[]): Cut {
  const line = showPieces(source, pieces)
  const gone = new Array<boolean>(line.length).fill(false)
  for (const { start, end } of ranges) gone.fill(true, start, end)
  let at = 0
  for (const piece of pieces) {
    const { length } = shownOf(source, piece)
    // A picture without a text, or a link without one, goes with the space before it.
    if (length === 1 && piece.kind !== 'text' && piece.text === '') {
      gone.fill(true, /\s/.test(line.charAt(at - 1)) ? at - 1 : at, at + 1)
    }
    at += length
  }
  // What follows a lead begins the line now.
  if (gone[0]) for (at = 0; gone[at] || /\s/.test(line.charAt(at)); at++) gone[at] = true
  const units = withMarks(source, split(source, pieces, gone))
  const removed: Range[] = []
  for (const { piece, isGone } of units) {
    const last = removed.at(-1)
    if (isGone && last?.end === piece.start)
      removed.splice(-1, 1, { start: last.start, end: piece.end })
    else if (isGone) removed.push({ start: piece.start, end: piece.end })
  }
  const kept = units.filter(({ isGone }) => !isGone).map(({ piece }) => piece)
  const changed = kept.filter(({ start, end, text }) => text !== source.slice(start, end))
  const edits = [...removed.map(range => ({ ...range, text: '' })), ...changed]
  return { edits, removed, kept, isEmpty: line.trim() !== '' && !gone.includes(false) }
}

/** Text in as many pieces as it has parts that go and parts that stay; marks stay at first. */
function split(source: string, pieces: readonly Piece[], gone: readonly boolean[]): Unit[] {
  let at = 0
  return pieces.flatMap((piece): Unit[] => {
    const from = at
    at += shownOf(source, piece).length
    if (piece.kind !== 'text') return [{ piece, isGone: at > from && gone[from] === true }]
    const units: Unit[] = []
    for (let next = from; next < at; ) {
      const isGone = gone[next] === true
      let until = next
      while (until < at && gone[until] === isGone) until++
      const [start, end] = [piece.start + next - from, piece.start + until - from]
      units.push({ piece: { ...piece, start, end, text: source.slice(start, end) }, isGone })
      next = until
    }
    return units
  })
}

/** Marks of emphasis, and tags, go with all that is between them; a tag alone goes when its neighbors do. */
function withMarks(source: string, units: readonly Unit[]): Unit[] {
  const places = new Map<Nodes, number[]>()
  const open: { name: string; index: number }[] = []
  const pairs = new Map<number, readonly [number, number]>()
  for (const [index, { piece }] of units.entries()) {
    if (piece.kind !== 'mark') continue
    if (piece.of) {
      places.set(piece.of, [...(places.get(piece.of) ?? []), index])
      continue
    }
    const tag = source.slice(piece.start, Math.min(piece.end, piece.start + 40))
    const [, slash, name = ''] = /^<(\/?)([a-z][\w-]*)/i.exec(tag.toLowerCase()) ?? []
    if (!slash) open.push({ name, index })
    else if (open.at(-1)?.name === name) {
      const pair = [open.pop()?.index ?? index, index] as const
      for (const at of pair) pairs.set(at, pair)
    }
  }
  const isText = ({ piece }: Unit) => piece.kind !== 'mark'
  // Not searched for at each tag: a line may be nothing but tags.
  const lastTexts = (all: readonly Unit[]) => {
    let last: Unit | undefined
    return all.map(unit => {
      const before = last
      if (isText(unit)) last = unit
      return before
    })
  }
  const before = lastTexts(units)
  const after = lastTexts(units.toReversed()).toReversed()
  return units.map((unit, index) => {
    if (isText(unit)) return unit
    const [start, end] = pairs.get(index) ?? (unit.piece.of && places.get(unit.piece.of)) ?? []
    const around =
      start === undefined ? [before[index], after[index]] : units.slice(start, end).filter(isText)
    const isGone =
      around.length > 0 && around.some(it => it) && around.every(it => it?.isGone !== false)
    return { ...unit, isGone }
  })
}
