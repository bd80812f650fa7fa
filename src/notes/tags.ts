// Owns what becomes of HTML tags in notes: those that lead into the repository, and pictures and videos that only GitHub
// shows.
import type { Html, Nodes } from 'mdast'
import type { Addresses } from './addresses.ts'
import { endOf, resolveReferences, startOf } from './markdown.ts'

/** The text that says nothing of a picture: `Image`, `screenshot-1`, `a.png`. */
const SAYS_NOTHING =
  /^(?:[^\p{L}\p{N}]*|[\p{P}\p{N}\s]*(?:image|img|picture|(?:screen ?)?shot|video)[\p{P}\p{N}\s]*|\S+\.[\p{L}\p{N}]{3,4})$/iu

/** The text in place of a picture: its alternative text, if that says something. */
export function textOfPicture(alternative: string): string {
  return SAYS_NOTHING.test(alternative) ? '' : alternative
}

/** The HTML of notes, with each piece that was taken out. */
export interface ReadTags {
  /** The text in place of each piece of HTML. */
  readonly texts: ReadonlyMap<Nodes, string>
  readonly pictures: readonly Picture[]
}

/** A picture or a video that was taken out. */
export interface Picture {
  readonly start: number
  /** As it is written. */
  readonly source: string
}

/** A tag that others may close. */
interface Tag {
  goes: boolean
  /** The text in its place. */
  readonly text: string
}

/** Elements with a content of their own; those but `a` are nothing without their sources. */
const MEDIA: readonly string[] = ['video', 'audio', 'picture']
const CONTAINERS = ['a', ...MEDIA]
const TAG = /<(\/?)([a-z][a-z\d-]*)(?![a-z\d-])[^<>]*>/gi
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g
const ADDRESS = /\s(?:href|src|srcset)\s*=\s*["']?([^"'\s>]*)/i
const ALTERNATIVE = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/**
 * Takes links into the repository, and what only GitHub shows, out of tags.
 * @param nodes The tags, which come one after another.
 */
export function readTags(source: string, nodes: readonly Nodes[], addresses: Addresses): ReadTags {
  const reader = new TagReader(addresses)
  const pictures: Picture[] = []
  const parts = nodes.filter(isHtml).map(node => {
    const html = source.slice(startOf(node), endOf(node)).replace(COMMENT, '')
    const tags = Array.from(html.matchAll(TAG), ({ 0: all, 1: slash = '', 2: name = '' }) => {
      const tag = reader.read(all, slash !== '', name.toLowerCase())
      const isPicture = tag.goes && slash === '' && name.toLowerCase() !== 'a'
      if (isPicture) pictures.push({ start: startOf(node), source: all })
      return tag
    })
    return { node, html, tags }
  })

  // Only now it is known which elements have lost their sources.
  const texts = new Map<Nodes, string>()
  for (const { node, html, tags } of parts) {
    let at = 0
    const shown = html.replace(TAG, all => {
      const tag = tags[at++]
      return tag?.goes ? tag.text : all
    })
    texts.set(node, addresses.shorten(shown))
  }
  return { texts, pictures }
}

const isHtml = (node: Nodes): node is Html => node.type === 'html'

class TagReader {
  /** The elements of each name that are open. */
  readonly #open = new Map(CONTAINERS.map(name => [name, [] as Tag[]]))
  readonly #addresses: Addresses

  constructor(addresses: Addresses) {
    this.#addresses = addresses
  }

  read(tag: string, isEnd: boolean, name: string): Tag {
    const open = this.#open.get(name)
    // An end goes with its start.
    if (isEnd) return open?.pop() ?? { goes: false, text: '' }

    const [, address = ''] = ADDRESS.exec(resolveReferences(tag)) ?? []
    const goes = this.#addresses.pageOf(address) !== undefined || this.#addresses.isIn(address)
    const [, double, single = ''] = ALTERNATIVE.exec(tag) ?? []
    const read = { goes, text: textOfPicture(double ?? single) }
    if (open) open.push(read)
    else if (goes) this.#closeMedia()
    return read
  }

  /** A video without its source is none. */
  #closeMedia(): void {
    for (const name of MEDIA) {
      const last = this.#open.get(name)?.at(-1)
      if (last) last.goes = true
    }
  }
}
