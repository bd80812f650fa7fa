// Owns HTML: reading it with positions, and rendering Markdown to HTML in which nothing can run.
import type { Element, Nodes as HastNodes } from 'hast'
import type { Blockquote, Nodes } from 'mdast'
import type { DefaultTreeAdapterTypes, Token } from 'parse5'
import { descend, parseMarkdown, type Range } from './markdown.ts'

export interface Attribute extends Range {
  readonly name: string
  readonly value: string
}

/** A part of a piece of HTML; names are in lower case. */
export type HtmlPart = Range &
  (
    | { readonly kind: 'start'; readonly name: string; readonly attributes: readonly Attribute[] }
    | { readonly kind: 'end'; readonly name: string }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'comment' }
  )

/** Reads a piece of HTML, a whole text or a single tag, as its parts in their order. */
export type ReadHtml = (html: string) => HtmlPart[]

/** Loads the parser of HTML. */
export async function loadHtmlReader(): Promise<ReadHtml> {
  const { parseFragment } = await import('parse5')
  return html => {
    const parts: HtmlPart[] = []
    collect(parseFragment(html, { sourceCodeLocationInfo: true }), parts)
    const comments = parts.filter(({ kind }) => kind === 'comment')
    // The parser drops an end tag whose start is in another piece.
    for (const { 0: tag, 1: name = '', index: start } of html.matchAll(/<\/([a-z][\w-]*)\s*>/gi)) {
      const end = start + tag.length
      if (comments.some(comment => comment.start < start && end < comment.end)) continue
      parts.push({ kind: 'end', name: name.toLowerCase(), start, end })
    }
    return parts.toSorted((a, b) => a.start - b.start)
  }
}

function collect(node: DefaultTreeAdapterTypes.Node, parts: HtmlPart[]): void {
  const place = node.sourceCodeLocation
  if ('tagName' in node) {
    const tag = node.sourceCodeLocation?.startTag
    if (tag) {
      const { attrs: locations = {} }: Token.LocationWithAttributes = tag
      const attributes = node.attrs.flatMap(({ name, value }) => {
        const at = locations[name]
        return at ? [{ name, value, start: at.startOffset, end: at.endOffset }] : []
      })
      const { startOffset: start, endOffset: end } = tag
      parts.push({ kind: 'start', name: node.tagName, attributes, start, end })
    }
  } else if (place) {
    const range = { start: place.startOffset, end: place.endOffset }
    if (node.nodeName === '#comment') parts.push({ kind: 'comment', ...range })
    if ('value' in node) parts.push({ kind: 'text', value: node.value, ...range })
  }
  if ('childNodes' in node) for (const child of node.childNodes) collect(child, parts)
  if ('content' in node) collect(node.content, parts)
}

/**
 * Renders GitHub-flavored Markdown as GitHub shows releases: every line end is a break, alerts have their
 * name, raw HTML is cleaned by GitHub's own list of what is allowed.
 */
export async function renderHtml(markdown: string): Promise<string> {
  const [{ newlineToBreak }, { toHast }, { raw }, { defaultSchema, sanitize }, { toHtml }] =
    await Promise.all([
      import('mdast-util-newline-to-break'),
      import('mdast-util-to-hast'),
      import('hast-util-raw'),
      import('hast-util-sanitize'),
      import('hast-util-to-html')
    ])
  const tree = await parseMarkdown(markdown)
  for (const node of descend(tree)) if (node.type === 'blockquote') nameAlert(node)
  newlineToBreak(tree)
  const whole = raw(toHast(tree, { allowDangerousHtml: true, clobberPrefix: '' }))
  const clean = sanitize(whole, { ...defaultSchema, strip: ['script', 'style'] })
  keepAnchors(clean)
  return toHtml(clean, { characterReferences: { useNamedReferences: true } })
}

/** An alert is a quote that begins with its kind: https://docs.github.com/get-started/writing-on-github */
function nameAlert({ children: [first] }: Blockquote): void {
  const start = first?.type === 'paragraph' ? first.children[0] : undefined
  if (first?.type !== 'paragraph' || start?.type !== 'text') return
  const [mark, kind = ''] =
    /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i.exec(start.value) ?? []
  if (mark === undefined) return
  const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  start.value = start.value.slice(mark.length)
  const title: Nodes = { type: 'strong', children: [{ type: 'text', value: name }] }
  first.children.unshift(title, { type: 'break' })
}

/** The sanitizer prefixes ids, so that none replaces a name of the page; links to them follow. */
function keepAnchors(node: HastNodes): void {
  if (node.type === 'element') prefixAddress(node)
  if ('children' in node) for (const child of node.children) keepAnchors(child)
}

function prefixAddress({ properties }: Element): void {
  const { href } = properties
  if (typeof href === 'string' && /^#./.test(href)) {
    properties.href = `#user-content-${href.slice(1)}`
  }
}
