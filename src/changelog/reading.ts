// Owns what is known of a Markdown text: its visible text, links, code, HTML, and where they stand.
import type { Attribute } from './html.ts'
import type { Range, Run } from './ranges.ts'

/** Something that leads elsewhere. An `autolink` is an address in angle brackets. */
export interface Link extends Range {
  readonly kind: 'link' | 'image' | 'autolink'
  /** What stands between the first brackets. */
  readonly label: Range
  /** Its own address; one without goes by its reference. */
  readonly destination?: Destination
  /** The name of its definition, normalised. */
  readonly reference?: string
}

/** An address as it stands in the source, and as it is meant. */
export interface Destination extends Range {
  readonly value: string
}

export interface Definition extends Range {
  readonly name: string
  readonly destination: Destination
}

export interface Heading extends Range {
  readonly level: number
  /** Its content, as it is written. */
  readonly content: Range
  /** Whether it stands in no quote and no list. */
  readonly top: boolean
}

/** A piece of the visible text. */
export interface Piece extends Run {
  /** `alt` is an image's text; a `gap` stands for what lies between two blocks or cells. */
  readonly kind: 'text' | 'code' | 'alt' | 'gap'
  /** Whether Markdown has no say there, since it stands in a block of HTML. */
  readonly raw: boolean
  /** What it is the text of: a link, or an HTML anchor with an address. */
  readonly within?: Link | Tag
  /** The footnote that it belongs to. */
  readonly note?: string
}

/** A tag of raw HTML. */
export interface Tag extends Range {
  readonly kind: 'open' | 'close'
  /** In lower case. */
  readonly name: string
  readonly attributes: readonly Attribute[]
}

export interface Comment extends Range {
  readonly closed: boolean
}

/** All ranges are of the source, and all lists are in its order. */
export interface Reading {
  readonly source: string
  /** What readers see, code included. */
  readonly text: string
  readonly pieces: readonly Piece[]
  readonly code: readonly Range[]
  readonly links: readonly Link[]
  readonly definitions: readonly Definition[]
  readonly headings: readonly Heading[]
  readonly tags: readonly Tag[]
  readonly comments: readonly Comment[]
  /** The names of the footnotes, in the order in which they are called. */
  readonly notes: readonly string[]
}

/** The text with code blanked, by a character that no address holds, so that all others keep their place. */
export function proseOf({ text, pieces }: Reading): string {
  let prose = ''
  for (const { kind, at, length } of pieces) {
    prose += kind === 'code' ? '\ufffc'.repeat(length) : text.slice(at, at + length)
  }
  return prose
}

/** The address that a link has, by itself or by its definition. */
export function addressOf(link: Link, definitions: ReadonlyMap<string, Definition>) {
  return link.destination ?? definitions.get(link.reference ?? '')?.destination
}

/** The definitions that count: the first of each name. */
export function definitionsByName({ definitions }: Reading): Map<string, Definition> {
  return new Map(definitions.toReversed().map(definition => [definition.name, definition]))
}

/** A name as Markdown compares it. */
export function normaliseName(name: string): string {
  return name
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}
