// Owns reading GitHub's Markdown and the HTML tags in it, with their places in the source, and edits there.
// It is loaded late, with all that imports it: the parser loads slowly, and most runs do not need it.
import type { Definition, Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { decodeString } from 'micromark-util-decode-string'

/** The text with its character references and escapes resolved. */
export { decodeString as resolveReferences }

/** Offsets in the source, as for `slice`: `end` is not included. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Edit extends Range {
  readonly text: string
}

/** Parses Markdown. Bare addresses stay text, so every node has a position; with `links`, some have none. */
export function parseMarkdown(source: string, addresses: 'text' | 'links' = 'text'): Root {
  if (addresses === 'links') {
    return fromMarkdown(source, { extensions: [gfm()], mdastExtensions: gfmFromMarkdown() })
  }
  // The transforms look for bare addresses, and make nodes without a position.
  const mdastExtensions = gfmFromMarkdown().map(extension => ({ ...extension, transforms: [] }))
  const disable = { null: ['emailAutolink', 'protocolAutolink', 'wwwAutolink'] }
  return fromMarkdown(source, { extensions: [gfm(), { disable }], mdastExtensions })
}

/** Where a node stands in the source. */
export function rangeOf({ position }: Nodes): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** Where the children of a node stand in the source, between its marks; undefined if it has none. */
export function contentOf(node: Nodes): Range | undefined {
  if (!('children' in node)) return undefined
  const [first, last] = [node.children[0], node.children.at(-1)]
  return first && last && { start: rangeOf(first).start, end: rangeOf(last).end }
}

/** What readers see of a node, without marks or raw HTML. */
export function plainTextOf(node: Nodes): string {
  if ('children' in node) return node.children.map(plainTextOf).join('')
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  return node.type === 'text' || node.type === 'inlineCode' ? node.value : ''
}

/** A node and all nodes under it, parents first, in the order of the source. */
export function* descend(node: Nodes): Generator<Nodes> {
  yield node
  if ('children' in node) for (const child of node.children) yield* descend(child)
}

/** The definitions (`[id]: address`) by their identifiers; the first of each counts. */
export function definitionsOf(root: Root): Map<string, Definition[]> {
  const definitions = [...descend(root)].filter(node => node.type === 'definition')
  return Map.groupBy(definitions, ({ identifier }) => identifier)
}

interface HtmlPart extends Range {
  /** In lower case, after a slash for an end tag; empty for text. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

const TAG = /<(\/?[a-z][\w-]*)((?:[\s/](?:[^"'<>]|"[^"]*"|'[^']*')*)?)>/gi
const ATTRIBUTE = /([^\s"'/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g
/** Tags whose content is not prose. */
export const CODE_TAG = /^\/?(?:code|pre|tt|samp|kbd|script|style|textarea)$/

/** Whether a text has a tag such as `<a href=https://…>`, which the parser takes for text, but browsers do not. */
export function hasUnreadTag(text: string): boolean {
  return /(?<!\\)<[a-z][^<]*=[^\s"'<>=]*\//i.test(text)
}

/** The tags and texts in a range of the source, in order, at their places in the whole source. */
export function readHtml(source: string, range = { start: 0, end: source.length }): HtmlPart[] {
  const parts: HtmlPart[] = []
  let { start } = range
  const add = (end: number, name = '', attributes: HtmlPart['attributes'] = new Map()) => {
    if (end > start) parts.push({ name, attributes, start, end })
    start = end
  }
  for (const match of source.slice(start, range.end).matchAll(TAG)) {
    const [tag, name = '', written = ''] = match
    const attributes = Array.from(written.matchAll(ATTRIBUTE), ([, key = '', value = '']) => {
      return [key.toLowerCase(), value.replace(/^(["'])(.*)\1$/s, '$2')] as const
    })
    add(range.start + match.index)
    add(start + tag.length, name.toLowerCase(), new Map(attributes))
  }
  add(range.end)
  return parts
}

/** The source with the edits made. One that starts within another, or with a longer one, is dropped. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = ''
  let done = 0
  // What only inserts at a place comes before what is replaced there.
  const rank = ({ start, end }: Edit) => (start === end ? -Infinity : -end)
  for (const edit of edits.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    if (edit.start < done) continue
    text += source.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return text + source.slice(done)
}

/** What takes the HTML comments out; the spaces and lines around them stay. */
export function commentEdits(source: string, root: Root): Edit[] {
  const nodes = [...descend(root)]
  const code = nodes.filter(({ type }) => type === 'code' || type === 'inlineCode').map(rangeOf)
  return nodes.flatMap(node => {
    if (node.type !== 'html') return []
    const { start: offset, end } = rangeOf(node)
    const comments = source.slice(offset, end).matchAll(/<!--(?:-?>|[\s\S]*?(-->|$))/g)
    return Array.from(comments, ({ 0: comment, 1: close, index }) => {
      const start = offset + index
      const range = { start, end: start + comment.length, text: '' }
      // In `<p><!-- a`, a blank line ends the HTML, but nobody is meant to see what follows up to `-->`.
      const later = source.indexOf('-->', range.end) + 3
      const isCode = code.some(it => it.start < later && later <= it.end)
      return close !== '' || later < 3 || isCode ? range : { ...range, end: later }
    })
  })
}
