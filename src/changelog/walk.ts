// Owns the state of a walk through the tokens of a Markdown text, and what it has found so far.

import type { Range, Run } from './ranges.ts'
import type {
  Comment,
  Definition,
  Destination,
  Heading,
  Link,
  Piece,
  Reading,
  Tag
} from './reading.ts'

export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }

export interface Walk {
  readonly source: string
  readonly pieces: Piece[]
  readonly code: Range[]
  readonly links: Draft<Link>[]
  readonly definitions: Draft<Definition>[]
  readonly headings: Draft<Heading>[]
  readonly tags: Tag[]
  readonly comments: Comment[]
  readonly calls: string[]
  text: string
  /** How many of the open tokens readers do not see. */
  unseen: number
  /** How many quotes and lists are open. */
  containers: number
  /** The links that are open, the innermost last. */
  readonly open: Draft<Link>[]
  /** The anchor of HTML that is open. */
  anchor: Tag | undefined
  inCode: boolean
  /** How many tags are open whose content is code. */
  codeTags: number
  note: string | undefined
  /** The address that is being read. */
  address: Draft<Destination> | undefined
  /** The raw HTML that is being read. */
  html: { text: string; readonly runs: Run[] } | undefined
}

export function startWalk(source: string): Walk {
  return {
    source,
    ...{ pieces: [], code: [], links: [], definitions: [], headings: [], tags: [], comments: [] },
    ...{ calls: [], open: [], text: '', unseen: 0, containers: 0, codeTags: 0, inCode: false },
    ...{ anchor: undefined, note: undefined, address: undefined, html: undefined }
  }
}

/** Adds what stands in a range of the source to the visible text, or to the address being read. */
export function write(walk: Walk, value: string, { start, end }: Range, raw = false): void {
  if (walk.address) walk.address.value += value
  if (walk.unseen > 0 || value === '') return
  const { anchor, note, text } = walk
  const within = walk.open.findLast(link => link.kind === 'link') ?? anchor
  walk.pieces.push({
    ...{ at: text.length, length: value.length, start, end, kind: kindNow(walk), raw },
    ...(within ? { within } : {}),
    ...(note === undefined ? {} : { note })
  })
  walk.text += value
}

function kindNow({ inCode, codeTags, open }: Walk): Piece['kind'] {
  if (inCode || codeTags > 0) return 'code'
  return open.some(link => link.kind === 'image') ? 'alt' : 'text'
}

/** Keeps apart what stands in two cells. */
export function writeGap(walk: Walk, offset: number): void {
  const at = walk.text.length
  walk.pieces.push({ at, length: 1, start: offset, end: offset, kind: 'gap', raw: false })
  walk.text += '\t'
}

/** Tags left open have no say in the next block. */
export function endBlock(walk: Walk): void {
  walk.anchor = undefined
  walk.codeTags = 0
}

export function endWalk(walk: Walk): Reading {
  const { source, text, pieces, code, links, definitions, headings, tags, comments, calls } = walk
  const notes = [...new Set(calls)]
  return { source, text, pieces, code, links, definitions, headings, tags, comments, notes }
}
