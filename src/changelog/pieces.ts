// Knows the pieces that a line of notes is made of, and how it shows: text, in which a reference is a sign. Pure.
import type { Nodes } from 'mdast'
import type { Range } from './markdown.ts'

/**
 * How a piece shows in a block's line, by its kind: one sign for a reference, whatever it was written as.
 * `foreign` is another project's issue; `number` (`#333333`) may be a color, `id` (`bcf2000`) a word; `kept` is code or a
 * picture, `mark` is what readers do not see.
 */
const SIGNS = {
  person: 'Ⓟ',
  mail: 'Ⓜ',
  issue: 'Ⓘ',
  foreign: 'Ⓞ',
  commit: 'Ⓒ',
  number: 'Ⓝ',
  id: 'Ⓗ',
  comparison: 'Ⓤ',
  other: 'Ⓐ',
  kept: '`',
  mark: '',
  text: ''
} as const

export interface Piece extends Range {
  readonly kind: keyof typeof SIGNS
  /** What stands there in the end, unless the piece is removed. */
  readonly text: string
  /** Of a mark: the node that it opens or closes, one array for both; of references: what they were read from. */
  readonly of?: Nodes[]
}

/** The pieces as one line, in which text stands as it is written, and a reference is its sign. */
export function showPieces(source: string, pieces: readonly Piece[]): string {
  return pieces.map(piece => shownOf(source, piece)).join('')
}

export function shownOf(source: string, { kind, start, end }: Piece): string {
  // Signs in the notes themselves must not be taken for ours.
  return kind === 'text' ? source.slice(start, end).replace(/[ⓅⓂⒾⓄⒸⓊⒶⓃⒽ]/giu, '`') : SIGNS[kind]
}

const BETWEEN = /^(?:,|,?\s+(?:and|&|with)\s+|,?\s+)$/

/** Makes one piece of a list such as `@a, @b and @c`, or `#1, #2`. */
export function mergeLists(source: string, pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const [before, between] = [merged.at(-2), merged.at(-1)]
    const isListed = ['person', 'issue', 'commit', 'foreign', 'id'].includes(piece.kind)
    const isNext = isListed && before?.kind === piece.kind && between?.kind === 'text'
    if (before && between && isNext && BETWEEN.test(source.slice(between.start, between.end))) {
      const text = `${before.text}${source.slice(before.end, piece.start)}${piece.text}`
      const of = before.of ?? []
      of.push(...(piece.of ?? []))
      merged.splice(-2, 2, { ...before, end: piece.end, text, of })
    } else merged.push(piece)
  }
  return merged
}
