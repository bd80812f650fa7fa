// Owns the marked text: notes in which what leads to the repository or names people stands as tokens.
import type { Definition, Image, ImageReference, Link, LinkReference, Nodes, Root } from 'mdast'
import {
  applyEdits,
  CODE_TAG,
  contentOf,
  definitionsOf,
  type Edit,
  type HtmlPart,
  type Range,
  rangeOf,
  readHtml,
  textOf
} from './markdown.ts'
import { type Addresses, findReferences, type Target } from './references.ts'

/**
 * What a token stands for: what a `Target` leads to, an `o`ther repository's issue, a `p`erson, a `m`ail
 * address, `c`ode and all else that is not touched.
 */
type Kind = Target['kind'] | 'o' | 'p' | 'm' | 'c'

/** Noncharacters of Unicode: no text that is meant to be read has them. */
export const START = '\ufdd0'
export const END = '\ufdd1'
export const HEADING = '\ufdd2'
export const HEADING_END = '\ufdd3'

export interface MarkedText {
  /** The notes with `START kind index END` for each token, and headings between two marks. */
  readonly text: string
  /** What stands in the text for each token that stays. */
  readonly tokens: readonly string[]
  /** How many links and addresses into the repository it had. */
  readonly links: number
}

/** A text that is being marked. */
interface Marking {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, Definition>
  readonly edits: Edit[]
  readonly tokens: string[]
  links: number
  /** Whether the end tag goes for each tag of raw HTML that is open. */
  readonly tags: { readonly name: string; readonly goes: boolean }[]
  /** How many tags of code are open. */
  code: number
}

/** Marks everything in a parsed text that stripping has to know of; code and links elsewhere are one token. */
export function markText(source: string, root: Root, addresses: Addresses): MarkedText {
  const marking: Marking = {
    ...{ source, addresses, definitions: definitionsOf(root) },
    ...{ edits: [], tokens: [], links: 0, tags: [], code: 0 }
  }
  const { edits, tokens } = marking
  for (const found of source.matchAll(/[\ufdd0-\ufdd4]/g)) {
    put(marking, { start: found.index, end: found.index + 1 }, 'c')
  }
  for (const node of root.children) {
    const { start, end } = rangeOf(node)
    if (node.type === 'heading') {
      const line = source.lastIndexOf('\n', start - 1) + 1
      edits.push({ start: line, end: line, text: `${HEADING}${node.depth}` })
      edits.push({ start: end, end, text: HEADING_END })
    }
    marking.code = 0
    markNode(marking, node)
  }
  return { text: applyEdits(source, edits), tokens, links: marking.links }
}

/** Puts a token in the place of a part of the source; it shows the source unless there is another text. */
function put(marking: Marking, { start, end }: Range, kind: Kind, text?: string): void {
  marking.tokens.push(text ?? marking.source.slice(start, end))
  marking.edits.push({ start, end, text: `${START}${kind}${marking.tokens.length - 1}${END}` })
}

function markNode(marking: Marking, node: Nodes): void {
  const range = rangeOf(node)
  switch (node.type) {
    case 'text':
      markProse(marking, range, node.value)
      break
    case 'html':
      markHtml(marking, range)
      break
    case 'code':
    case 'inlineCode':
      put(marking, range, 'c')
      break
    case 'definition':
      if (targetOf(marking, node)) put(marking, range, 'a', '')
      else put(marking, range, 'c')
      break
    case 'image':
    case 'imageReference': {
      const written = marking.source.slice(range.start, range.end)
      const [, alt = ''] = /^!\[((?:\\.|[^\]\\])*)\]/s.exec(written) ?? []
      markImage(marking, range, targetOf(marking, node), alt)
      break
    }
    case 'link':
    case 'linkReference':
      markLink(marking, node)
      break
    default:
      if ('children' in node) for (const child of node.children) markNode(marking, child)
  }
}

type Pointer = Definition | Image | ImageReference | Link | LinkReference

/** What a link, an image or a definition leads to, or says that it does. */
function targetOf(marking: Marking, node: Pointer): Target | undefined {
  const { addresses } = marking
  const unseen = ['title', 'label'].map(name => Reflect.get(node, name) ?? '').join(' ')
  const target = addresses.targetOf(urlOf(marking, node)) ?? addresses.find(unseen)[0]?.target
  if (target && target.kind !== 'g') marking.links++
  return target
}

function urlOf({ definitions }: Marking, node: Pointer): string {
  return 'url' in node ? node.url : (definitions.get(node.identifier)?.url ?? '')
}

/** An image of the repository becomes the text that stands for it. */
function markImage(marking: Marking, range: Range, target: Target | undefined, alt: string): void {
  if (!target) put(marking, range, 'c')
  else if (target.kind === 'g') put(marking, range, 'g', '')
  else if (alt.trim() === '' || marking.addresses.find(alt).length > 0) put(marking, range, 'a', '')
  else put(marking, range, 'c', alt.trim())
}

const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
/** The labels of links that may go with what holds them; other labels stay as text. */
const LABELS = {
  ...{ i: NUMBER, h: /^\W*[\da-f]{5,40}\W*$/i, a: /^$/, g: /^$/ },
  u: /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff|to)\b/i
}

function markLink(marking: Marking, node: Link | LinkReference): void {
  const range = rangeOf(node)
  const target = targetOf(marking, node)
  const [kind, text] = tokenOfLink(marking, node, target)
  if (kind) {
    put(marking, range, kind, text)
    return
  }
  // What is around the label goes, or is not touched.
  const content = contentOf(node) ?? { start: range.end, end: range.end }
  for (const mark of [
    { start: range.start, end: content.start },
    { start: content.end, end: range.end }
  ]) {
    if (target) marking.edits.push({ ...mark, text: '' })
    else if (mark.end > mark.start) put(marking, mark, 'c')
  }
  for (const child of node.children) markNode(marking, child)
}

/** The kind of a link that is a token as a whole, and its text unless that is the link itself. */
function tokenOfLink(
  marking: Marking,
  node: Link | LinkReference,
  target: Target | undefined
): [kind?: Kind, text?: string] {
  const { addresses, source } = marking
  const label = textOf(node).trim()
  if (!target) {
    const url = urlOf(marking, node)
    if (url.startsWith('mailto:')) return ['m']
    if (addresses.isPerson(url) || /^@[\w-]+$/.test(label)) return ['p']
    return NUMBER.test(label) && /\/(?:issues|pull)\/\d+$/.test(url) ? ['o'] : []
  }
  if (node.children.some(({ type }) => type.startsWith('image'))) return []
  const { kind, text } = target
  if (label === '' || addresses.find(label).length > 0) return [kind, text]
  if (!LABELS[kind].test(label)) return []
  const { start, end } = contentOf(node) ?? rangeOf(node)
  return [kind, kind === 'i' ? label.replace(NUMBER, '#$1') : source.slice(start, end)]
}

function markHtml(marking: Marking, range: Range): void {
  for (const part of readHtml(marking.source.slice(range.start, range.end))) {
    const place = { start: range.start + part.start, end: range.start + part.end }
    if (CODE_TAG.test(part.name)) {
      marking.code = Math.max(0, marking.code + (part.name.startsWith('/') ? -1 : 1))
    }
    if (part.name === '') markProse(marking, place)
    else if (part.name.startsWith('/')) {
      const index = marking.tags.findLastIndex(({ name }) => `/${name}` === part.name)
      const [tag] = index < 0 ? [] : marking.tags.splice(index)
      if (tag?.goes) marking.edits.push({ ...place, text: '' })
      else put(marking, place, 'c')
    } else markTag(marking, place, part)
  }
}

/** Attributes whose value is an address, even a relative one. */
const ADDRESS = /^(?:href|src|srcset|poster|action|formaction|cite|data)$/

function markTag(marking: Marking, range: Range, { name, attributes }: HtmlPart): void {
  const { addresses, tags } = marking
  const targets = [...attributes].map(([key, value]) =>
    ADDRESS.test(key) ? addresses.targetOf(value) : addresses.find(value)[0]?.target
  )
  const target = targets.find(it => it !== undefined)
  if (target && target.kind !== 'g') marking.links++
  tags.push({ name, goes: target !== undefined })
  if (target && name === 'a') marking.edits.push({ ...range, text: '' })
  else {
    const alt = (attributes.get('alt') ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    markImage(marking, range, target, alt)
  }
}

/** Marks what is said in a piece of text; `value` is what readers see of it. */
function markProse(marking: Marking, { start, end }: Range, value = ''): void {
  const { source, addresses } = marking
  const text = source.slice(start, end)
  if (marking.code > 0) put(marking, { start, end }, 'c')
  if (marking.code > 0) return
  const found = addresses.find(text)
  // Entities and escapes hide an address: it stays, and is an error in the end.
  if (found.length === 0 && addresses.find(value).length > 0) marking.links++
  let done = 0
  for (const { target, ...place } of found) {
    markReferences(marking, start + done, text.slice(done, place.start))
    if (target.kind !== 'g') marking.links++
    const range = { start: start + place.start, end: start + place.end }
    put(marking, range, target.kind, target.text)
    done = place.end
  }
  markReferences(marking, start + done, text.slice(done))
}

const KINDS = { url: 'c', mail: 'm', issue: 'i', user: 'p', commit: 'h' } as const

function markReferences(marking: Marking, offset: number, text: string): void {
  for (const { kind, word, start } of findReferences(text)) {
    const range = { start: offset + start, end: offset + start + word.length }
    // A long number, or a word of those letters, is hardly the id of a commit.
    const isPlain = kind === 'commit' && !/^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]+$/.test(word)
    const isOther =
      kind === 'issue' ? word.includes('/') : /\/(?:issues|pull)\/\d+(?:[#?].*)?$/.test(word)
    if (!isPlain) put(marking, range, isOther ? 'o' : KINDS[kind])
  }
}
