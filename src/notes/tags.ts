// Owns what becomes of HTML tags in notes: those that lead into the repository, and pictures that only GitHub shows, go.
import type { Html } from 'mdast'
import { type Edit, endOf, resolveReferences, startOf } from './markdown.ts'

/** Words that say nothing of a picture: `Image`, `screenshot-1`, `a.png`. */
const SAYS_NOTHING =
  /^(?:[^\p{L}]*(?:image|img|picture|screen ?shot|video)?[^\p{L}]*|\S+\.[\p{L}\p{N}]{3,4})$/iu

/** The text in place of a picture: its alternative text, if that says something. */
export function textOfPicture(alternative: string): string {
  return SAYS_NOTHING.test(alternative) ? '' : alternative
}

/** A tag of HTML. */
interface Tag extends Edit {
  readonly source: string
  readonly name: string
  readonly isEnd: boolean
  goes: boolean
}

/** Elements that are nothing without the sources in them. */
const MEDIA: readonly string[] = ['video', 'audio', 'picture']
const TAG = /<(\/?)([a-z][a-z\d-]*)(?![a-z\d-])[^<>]*>/gi
const ADDRESS = /\s(?:href|src|srcset|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const ALTERNATIVE = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/** The tags that go. */
export interface GoneTags {
  readonly edits: readonly Edit[]
  /** The pictures and videos among them, as they are written. */
  readonly pictures: readonly string[]
}

/**
 * Finds the tags that go, each with its end.
 * @param nodes The HTML of notes, in its order.
 * @param isOwn Whether an address leads into the repository, or nowhere without it.
 */
export function findGoneTags(
  source: string,
  nodes: readonly Html[],
  isOwn: (address: string) => boolean
): GoneTags {
  const open = new Map<string, Tag[]>()
  const tags = nodes.flatMap(node =>
    tagsIn(source.slice(startOf(node), endOf(node)), startOf(node))
  )
  for (const tag of tags) {
    const { name, isEnd } = tag
    if (isEnd) {
      tag.goes = open.get(name)?.pop()?.goes ?? false
      continue
    }

    tag.goes = addressesIn(tag.source).some(isOwn)
    // A video without its source is none.
    const media = MEDIA.flatMap(it => open.get(it)?.at(-1) ?? [])
    if (tag.goes) for (const it of media) it.goes = true
    const others = open.get(name) ?? []
    open.set(name, others)
    others.push(tag)
  }

  const gone = tags.filter(it => it.goes)
  const pictures = gone.filter(it => !it.isEnd && it.name !== 'a')
  return { edits: gone, pictures: pictures.map(it => it.source) }
}

function tagsIn(html: string, offset: number): Tag[] {
  return Array.from(html.matchAll(TAG), ({ 0: source, 1: slash, 2: name = '', index }) => {
    const [, double, single = ''] = ALTERNATIVE.exec(source) ?? []
    return {
      start: offset + index,
      end: offset + index + source.length,
      text: textOfPicture(double ?? single),
      source,
      name: name.toLowerCase(),
      isEnd: slash !== '',
      goes: false
    }
  })
}

function addressesIn(tag: string): string[] {
  return Array.from(tag.matchAll(ADDRESS), ([, double, single, bare]) =>
    resolveReferences(double ?? single ?? bare ?? '')
  )
}
