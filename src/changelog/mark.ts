// Owns the marked text: notes in which what leads to the repository or names people stands as tokens.
import type { Definition, Link, LinkReference, Nodes, Root } from 'mdast'
import { applyEdits, contentOf, definitionsOf, type Range, rangeOf, textOf } from './markdown.ts'
import type { Attribute, ReadHtml } from './read-html.ts'
import { type Addresses, isRelative, type Target } from './repository.ts'
import {
  ATTACHMENT,
  HEADING,
  HEADING_END,
  type Marking,
  mark,
  markProse,
  type NewToken,
  NUMBER,
  type Token,
  tokenOfImage,
  tokenOfTarget
} from './tokens.ts'

export interface MarkedText {
  /** The notes with `START kind index END` for each token, and headings between two marks. */
  readonly text: string
  readonly tokens: readonly Token[]
  /** How many links and addresses into the repository it had. */
  readonly links: number
}

/** Marks everything in a parsed text that stripping has to know of; code and links elsewhere are one token. */
export function markText(
  source: string,
  root: Root,
  addresses: Addresses,
  read: ReadHtml
): MarkedText {
  const marking: Marking = {
    ...{ source, addresses, read, definitions: definitionsOf(root) },
    ...{ edits: [], tokens: [], links: 0, anchors: [], codeTags: 0 }
  }
  for (const node of root.children) {
    if (node.type === 'heading') markHeading(marking, rangeOf(node), node.depth)
    marking.codeTags = 0
    markNode(marking, node)
  }
  return { text: applyEdits(source, marking.edits), tokens: marking.tokens, links: marking.links }
}

function markHeading({ source, edits }: Marking, { start, end }: Range, depth: number): void {
  const line = source.lastIndexOf('\n', start - 1) + 1
  edits.push({ start: line, end: line, text: `${HEADING}${depth}` })
  edits.push({ start: end, end, text: HEADING_END })
}

function markNode(marking: Marking, node: Nodes): void {
  const range = rangeOf(node)
  const url = 'url' in node ? node.url : definitionOf(marking, node)?.url
  const target = url === undefined ? undefined : targetOf(marking, node, url)
  if (node.type === 'html') markHtml(marking, range)
  else {
    if (target) marking.links++
    const token = tokenOfNode(marking, node, url ?? '', target)
    if (token) mark(marking, range, token.kind, token.text)
    else markParent(marking, node, url === undefined ? undefined : target ? '' : 'c')
  }
}

/** Text, or a bare address in it: the parser may take one to begin or end elsewhere. */
function isProse({ source }: Marking, node: Nodes): boolean {
  return (
    node.type === 'text' ||
    (node.type === 'link' && !/[[<]/.test(source[rangeOf(node).start] ?? ''))
  )
}

function definitionOf({ definitions }: Marking, node: Nodes): Definition | undefined {
  return 'identifier' in node ? definitions.get(node.identifier) : undefined
}

function targetOf({ addresses }: Marking, node: Nodes, url: string): Target | undefined {
  const unseen = ['title' in node ? node.title : '', 'label' in node ? node.label : ''].join(' ')
  return addresses.targetOf(url) ?? addresses.find(unseen)[0]?.target
}

/** The children of a node; the marks of a link around them go, or are not touched. */
function markParent(marking: Marking, node: Nodes, marks: '' | 'c' | undefined): void {
  const { start, end } = rangeOf(node)
  const content = contentOf(node)
  if (marks !== undefined && content) {
    for (const range of [
      { start, end: content.start },
      { start: content.end, end }
    ]) {
      if (marks === 'c') mark(marking, range, 'c')
      else marking.edits.push({ ...range, text: '' })
    }
  }
  if ('children' in node) markChildren(marking, node.children)
}

/** Text and the bare addresses in it are one piece. */
function markChildren(marking: Marking, children: readonly Nodes[]): void {
  let prose: Nodes[] = []
  const end = () => {
    const [first, last] = [prose[0], prose.at(-1)]
    if (!first || !last) return
    const range = { start: rangeOf(first).start, end: rangeOf(last).end }
    markProse(marking, range, prose.map(textOf).join(''))
    prose = []
  }
  for (const child of children) {
    if (isProse(marking, child)) prose.push(child)
    else {
      end()
      markNode(marking, child)
    }
  }
  end()
}

/** The token that a node is as a whole, if it is one. */
function tokenOfNode(
  marking: Marking,
  node: Nodes,
  url: string,
  target: Target | undefined
): NewToken | undefined {
  switch (node.type) {
    case 'code':
    case 'inlineCode':
      return { kind: 'c' }
    case 'definition':
      return target || ATTACHMENT.test(url) ? { kind: 'a', text: '' } : { kind: 'c' }
    case 'image':
    case 'imageReference':
      return tokenOfImage(marking, url, altOf(marking, node), target)
    case 'link':
    case 'linkReference':
      return tokenOfLink(marking, node, url, target)
    default:
      return undefined
  }
}

/** The text of an image as it is written. */
function altOf({ source }: Marking, node: Nodes): string {
  const { start, end } = rangeOf(node)
  return /^!\[((?:\\[\s\S]|[^\]\\])*)\]/.exec(source.slice(start, end))?.[1] ?? ''
}

function tokenOfLink(
  marking: Marking,
  node: Link | LinkReference,
  url: string,
  target: Target | undefined
): NewToken | undefined {
  const { addresses, source } = marking
  const text = textOf(node).trim()
  if (target) {
    if (node.children.some(({ type }) => type.startsWith('image'))) return undefined
    const isAddress = text === '' || addresses.find(text).length > 0
    const token = tokenOfTarget(target, text, isAddress)
    const { start, end } = contentOf(node) ?? { start: 0, end: 0 }
    return token && { kind: token.kind, text: token.text ?? source.slice(start, end) }
  }
  if (ATTACHMENT.test(url) && ATTACHMENT.test(text)) return { kind: 'g', text: '' }
  if (url.startsWith('mailto:')) return { kind: 'm' }
  if (addresses.isPerson(url)) return { kind: 'p' }
  if (NUMBER.test(text) && /\/(?:issues|pull)\/\d+$/.test(url)) return { kind: 'o' }
  return node.children.some(child => isTouched(marking, child)) ? undefined : { kind: 'c' }
}

/** Whether something in a link to elsewhere leads into the repository: a badge, an address. */
function isTouched(marking: Marking, node: Nodes): boolean {
  const url = 'url' in node ? node.url : (definitionOf(marking, node)?.url ?? '')
  if (url !== '' && (ATTACHMENT.test(url) || marking.addresses.targetOf(url))) return true
  if (node.type === 'text' && marking.addresses.find(node.value).length > 0) return true
  return 'children' in node && node.children.some(child => isTouched(marking, child))
}

const CODE_TAGS = ['code', 'pre', 'tt', 'samp', 'kbd', 'script', 'style', 'textarea']

function markHtml(marking: Marking, { start, end }: Range): void {
  const parts = marking.read(marking.source.slice(start, end))
  // A tag that never ends is none to the parser.
  if (parts.length === 0) markProse(marking, { start, end })
  for (const part of parts) {
    const range = { start: start + part.start, end: start + part.end }
    switch (part.kind) {
      case 'text':
        markProse(marking, range)
        break
      case 'comment':
        mark(marking, range, 'c')
        break
      case 'end':
        if (CODE_TAGS.includes(part.name)) marking.codeTags = Math.max(0, marking.codeTags - 1)
        if (part.name === 'a' && marking.anchors.pop()) marking.edits.push({ ...range, text: '' })
        else mark(marking, range, 'c')
        break
      default:
        if (CODE_TAGS.includes(part.name)) marking.codeTags++
        markTag(marking, range, part.name, part.attributes, start)
    }
  }
}

/** Attributes whose value is an address, even a relative one. */
const ADDRESSES = ['href', 'src', 'srcset', 'poster', 'action', 'formaction', 'cite', 'data']

function markTag(
  marking: Marking,
  range: Range,
  name: string,
  attributes: readonly Attribute[],
  offset: number
): void {
  const { addresses, source, edits } = marking
  const leading = attributes.filter(
    ({ name, value }) =>
      addresses.find(value).length > 0 || (ADDRESSES.includes(name) && isRelative(value))
  )
  const goes = leading.some(({ name }) => name === 'href' || name === 'src')
  if (name === 'a') marking.anchors.push(goes)
  const attribute = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value ?? ''
  if (leading.length > 0) marking.links++
  if (name === 'img' && (goes || ATTACHMENT.test(attribute('src')))) {
    const target = addresses.targetOf(attribute('src'))
    const alt = attribute('alt').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const token = tokenOfImage(marking, attribute('src'), alt, target)
    mark(marking, range, token.kind, token.text)
    return
  }
  if (goes && name === 'a') {
    edits.push({ ...range, text: '' })
    return
  }
  let { start } = range
  for (const attribute of leading) {
    const before = source.slice(start, offset + attribute.start).trimEnd().length
    mark(marking, { start, end: start + before }, 'c')
    edits.push({ start: start + before, end: offset + attribute.end, text: '' })
    start = offset + attribute.end
  }
  mark(marking, { start, end: range.end }, 'c')
}
