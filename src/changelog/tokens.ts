// Owns the marked text: notes in which what leads to the repository or names people stands as tokens.
import type { Definition, Link, LinkReference, Nodes, Root } from 'mdast'
import type { Attribute, ReadHtml } from './html.ts'
import {
  applyEdits,
  contentOf,
  definitionsOf,
  type Edit,
  type Range,
  rangeOf,
  textOf
} from './markdown.ts'
import { type Addresses, isRelative, type Target } from './repository.ts'

/**
 * What a token stands for: `i`ssue, `h`ash of a commit, `u` comparison, other `a`ddress into the repository,
 * `o`ther repository's issue, `p`erson, `m`ail address, `g` image that needs a login, `c`ode and all else
 * that is not touched.
 */
export type Kind = 'i' | 'h' | 'u' | 'a' | 'o' | 'p' | 'm' | 'g' | 'c'

/** What stands in the text when the token stays. */
export interface Token {
  readonly kind: Kind
  readonly text: string
}

export interface MarkedText {
  /** The notes with `START kind index END` for each token, and headings between two marks. */
  readonly text: string
  readonly tokens: readonly Token[]
  /** How many links and addresses into the repository it had. */
  readonly links: number
}

/** Noncharacters of Unicode: no text that is meant to be read has them. */
export const START = '\ufdd0'
export const END = '\ufdd1'
export const HEADING = '\ufdd2'
export const HEADING_END = '\ufdd3'

const ID = '[\\w.-]+'
const REFERENCE = new RegExp(
  [
    '[\ufdd0-\ufdd4]',
    '(?<url>https?:\\/\\/[^\\s<>"]+)',
    '(?<mail>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)',
    `(?<![\\w&/])(?<issue>(?:${ID}\\/${ID})?#\\d+|GH-\\d+)(?![\\w])`,
    '(?<![\\w./@])(?<user>@[a-z\\d](?:[a-z\\d]|-(?=[a-z\\d]))*(?:\\/[\\w.-]*\\w)?(?:\\[bot\\])?)(?![\\w/])',
    '(?<![\\w./@#-])(?<hash>(?=[a-f]*\\d)(?=\\d*[a-f])[\\da-f]{7,40})(?![\\w-])'
  ].join('|'),
  'giu'
)
const CODE_TAGS = ['code', 'pre', 'tt', 'samp', 'kbd', 'script', 'style', 'textarea']
const ATTACHMENT = /\/\/github\.com\/user-attachments\//i
const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
const COMPARISON = /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff|to)\b/i

interface Marking {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, Definition>
  readonly read: ReadHtml
  readonly edits: Edit[]
  readonly tokens: Token[]
  links: number
  /** For each open anchor of raw HTML, whether its end tag goes. */
  readonly anchors: boolean[]
  codeTags: number
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

function mark(marking: Marking, { start, end }: Range, kind: Kind, text?: string): void {
  marking.tokens.push({ kind, text: text ?? marking.source.slice(start, end) })
  const token = `${START}${kind}${marking.tokens.length - 1}${END}`
  marking.edits.push({ start, end, text: token })
}

function markNode(marking: Marking, node: Nodes): void {
  const range = rangeOf(node)
  const url = 'url' in node ? node.url : definitionOf(marking, node)?.url
  const target = url === undefined ? undefined : targetOf(marking, node, url)
  if (isProse(marking, node)) markProse(marking, range, textOf(node))
  else if (node.type === 'html') markHtml(marking, range)
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
  if (!('children' in node)) return
  const children: Nodes[] = [...node.children]
  for (let index = 0; index < children.length; index++) {
    const child = children[index]
    if (!child) continue
    const rest = children.slice(index)
    const count = rest.findIndex(it => !isProse(marking, it))
    const prose = rest.slice(0, count < 0 ? rest.length : count)
    const last = prose.at(-1)
    if (last && prose.length > 1) {
      const range = { start: rangeOf(child).start, end: rangeOf(last).end }
      markProse(marking, range, prose.map(textOf).join(''))
      index += prose.length - 1
    } else markNode(marking, child)
  }
}

interface NewToken {
  readonly kind: Kind
  /** None for the source as it is. */
  readonly text?: string
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

/** An image of the repository becomes the text that stands for it. */
function tokenOfImage(
  { addresses }: Marking,
  url: string,
  alt: string,
  target: Target | undefined
): NewToken {
  if (ATTACHMENT.test(url)) return { kind: 'g', text: '' }
  if (!target) return { kind: 'c' }
  const text = addresses.find(alt).length > 0 ? '' : alt.trim()
  return { kind: text === '' ? 'a' : 'c', text }
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

/** The token of a link that may go with what holds it; no text means the label as it is written. */
function tokenOfTarget(target: Target, label: string, isAddress: boolean): NewToken | undefined {
  const [, digits] = NUMBER.exec(label) ?? []
  switch (target.kind) {
    case 'issue':
      if (isAddress) return { kind: 'i', text: `#${target.number}` }
      return digits === undefined ? undefined : { kind: 'i', text: `#${digits}` }
    case 'commit':
      if (isAddress) return { kind: 'h', text: target.id }
      return /^\W*[\da-f]{5,40}\W*$/i.test(label) ? { kind: 'h' } : undefined
    case 'comparison':
      if (isAddress) return { kind: 'u', text: '' }
      return COMPARISON.test(label) ? { kind: 'u' } : undefined
    case 'other':
      return isAddress ? { kind: 'a', text: label === '' ? '' : target.name } : undefined
    default:
      return target satisfies never
  }
}

function markProse(marking: Marking, { start, end }: Range, value = ''): void {
  const { source, addresses } = marking
  const text = source.slice(start, end)
  if (marking.codeTags > 0) {
    mark(marking, { start, end }, 'c')
    return
  }
  let done = 0
  const all = addresses.find(text)
  // Entities and escapes hide an address: it stays, and is an error in the end.
  if (all.length === 0 && addresses.find(value).length > 0) marking.links++
  for (const { target, ...found } of all) {
    markReferences(marking, start + done, text.slice(done, found.start))
    const token = tokenOfTarget(target, '-', true)
    marking.links++
    const place = { start: start + found.start, end: start + found.end }
    mark(marking, place, token?.kind ?? 'a', token?.text ?? '')
    done = found.end
  }
  markReferences(marking, start + done, text.slice(done))
}

function markReferences(marking: Marking, offset: number, text: string): void {
  for (const { 0: word, index, groups = {} } of text.matchAll(REFERENCE)) {
    const range = { start: offset + index, end: offset + index + word.length }
    const { url, mail, issue, user, hash } = groups
    if (url !== undefined) {
      if (ATTACHMENT.test(url)) mark(marking, range, 'g', '')
      else mark(marking, range, /\/pull\/\d+(?:[#?].*)?$/.test(url) ? 'o' : 'c')
    } else if (mail !== undefined) mark(marking, range, 'm')
    else if (issue !== undefined) mark(marking, range, issue.includes('/') ? 'o' : 'i')
    else if (user !== undefined) mark(marking, range, 'p')
    else mark(marking, range, hash === undefined ? 'c' : 'h')
  }
}

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
