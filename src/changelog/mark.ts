// Owns marked text: notes in which tokens stand for what leads into the repository or names people.
import type { Definition, Link, LinkReference, Nodes, Root } from 'mdast'
import {
  applyEdits,
  CODE_TAG,
  contentOf,
  definitionsOf,
  type Edit,
  type Range,
  rangeOf,
  readHtml,
  textOf
} from './markdown.ts'
import { type Addresses, findReferences, type Target } from './references.ts'

/** A target's kind; or `o` another project's issue, `p` a person, `m` mail, `c` code or what else stays. */
type Kind = Target['kind'] | 'o' | 'p' | 'm' | 'c'
/** Empty: no token. The text is what it becomes if it stays; by default, what the source has there. */
type Token = readonly [kind?: Kind, text?: string]

/** Unicode noncharacters: no text that is meant to be read has them. */
export const START = '\ufdd0'
export const END = '\ufdd1'
export const HEADING = '\ufdd2'
export const HEADING_END = '\ufdd3'

interface Marking {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, readonly Definition[]>
  readonly edits: Edit[]
  /** By a token's index, the text that it becomes if it stays. */
  readonly tokens: string[]
  links: number
  /** End tags that are still to be dropped, such as `/a`, since their start tags were. */
  readonly gone: string[]
  /** How many tags of code are open. */
  code: number
}

/**
 * Gives the notes with tokens as `START kind index END` and headings as `HEADING level … HEADING_END`; their
 * `tokens` by index; and in `links`, how many links and addresses lead into the repository.
 */
export function markText(source: string, root: Root, addresses: Addresses) {
  const parts = { source, addresses, definitions: definitionsOf(root) }
  const marking: Marking = { ...parts, edits: [], tokens: [], links: 0, gone: [], code: 0 }
  // Marks in the notes themselves (`strip.ts` uses the last) become tokens, so none is taken for ours.
  for (const { index } of source.matchAll(/[\ufdd0-\ufdd4]/g)) {
    put(marking, { start: index, end: index + 1 }, ['c'])
  }
  for (const node of root.children) {
    const { start, end } = rangeOf(node)
    if (node.type === 'heading') {
      const line = source.lastIndexOf('\n', start - 1) + 1
      marking.edits.push({ start: line, end: line, text: `${HEADING}${node.depth}` })
      marking.edits.push({ start: end, end, text: HEADING_END })
    }
    marking.code = 0
    markNode(marking, node)
  }
  return { text: applyEdits(source, marking.edits), tokens: marking.tokens, links: marking.links }
}

function put({ source, tokens, edits }: Marking, { start, end }: Range, [kind, text]: Token): void {
  tokens.push(text ?? source.slice(start, end))
  edits.push({ start, end, text: `${START}${kind}${tokens.length - 1}${END}` })
}

function markNode(marking: Marking, node: Nodes): void {
  const { start, end } = rangeOf(node)
  const target = targetOf(marking, node)
  const token = tokenOf(marking, node, target)
  if (token.length > 0) put(marking, { start, end }, token)
  else if (node.type === 'text') markProse(marking, { start, end }, node.value)
  else if (node.type === 'html') markHtml(marking, { start, end })
  else if ('children' in node) {
    if (node.type === 'link' || node.type === 'linkReference') {
      // The brackets and the address go if the link leads into the repository; otherwise they stay.
      const content = contentOf(node) ?? { start: end, end }
      const around = [{ end: content.start }, { start: content.end }]
      for (const range of around.map(edge => ({ start, end, ...edge }))) {
        if (target) marking.edits.push({ ...range, text: '' })
        else put(marking, range, ['c'])
      }
    }
    for (const child of node.children) markNode(marking, child)
  }
}

/** Where a link, an image or a definition leads, by its address, title or label. Counts it in `links`. */
function targetOf(marking: Marking, node: Nodes): Target | undefined {
  const { addresses } = marking
  const unseen = ['title', 'label'].map(name => Reflect.get(node, name) ?? '').join(' ')
  const target = addresses.targetOf(urlOf(marking, node)) ?? addresses.find(unseen)[0]?.target
  if (target && target.kind !== 'g') marking.links++
  return target
}

function urlOf({ definitions }: Marking, node: Nodes): string {
  if ('url' in node) return node.url
  return ('identifier' in node && definitions.get(node.identifier)?.[0]?.url) || ''
}

/** The token for a whole node; empty if its parts are to be marked instead. */
function tokenOf(marking: Marking, node: Nodes, target?: Target): Token {
  if (node.type === 'code' || node.type === 'inlineCode') return ['c']
  if (node.type === 'definition') return target ? ['a', ''] : ['c']
  if (node.type === 'link' || node.type === 'linkReference') return linkToken(marking, node, target)
  if (node.type !== 'image' && node.type !== 'imageReference') return []
  const { start, end } = rangeOf(node)
  const written = marking.source.slice(start, end)
  return imageToken(marking, target, /^!\[((?:\\.|[^\]\\])*)\]/s.exec(written)?.[1] ?? '')
}

/** An image in the repository becomes its alternative text; one behind a login (`g`) becomes nothing. */
function imageToken({ addresses }: Marking, target: Target | undefined, alt: string): Token {
  if (!target) return ['c']
  if (target.kind === 'g') return ['g', '']
  return alt.trim() === '' || addresses.find(alt).length > 0 ? ['a', ''] : ['c', alt.trim()]
}

const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
/** By kind of target, labels that say nothing without the link; any other label stays as text. */
const LABELS = {
  ...{ i: NUMBER, h: /^\W*[\da-f]{5,40}\W*$/i, a: /^$/, g: /^$/ },
  u: /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff|to)\b/i
}

function linkToken(marking: Marking, node: Link | LinkReference, target?: Target): Token {
  const label = textOf(node).trim()
  if (!target) {
    const url = urlOf(marking, node)
    if (url.startsWith('mailto:')) return ['m']
    if (marking.addresses.isPerson(url) || /^@[\w-]+$/.test(label)) return ['p']
    return NUMBER.test(label) && /\/(?:issues|pull)\/\d+$/.test(url) ? ['o'] : []
  }
  const { kind, text } = target
  if (node.children.some(({ type }) => type.startsWith('image'))) return []
  if (label === '' || marking.addresses.find(label).length > 0) return [kind, text]
  if (!LABELS[kind].test(label)) return []
  const { start, end } = contentOf(node) ?? rangeOf(node)
  return [kind, kind === 'i' ? label.replace(NUMBER, '#$1') : marking.source.slice(start, end)]
}

/** Attributes that hold one address, perhaps a relative one; other attributes are searched for addresses. */
const ADDRESS = /^(?:href|src|srcset|poster|action|formaction|cite|data)$/

function markHtml(marking: Marking, range: Range): void {
  const { source, addresses, edits, gone } = marking
  for (const { name, attributes, ...place } of readHtml(source, range)) {
    const isEnd = name.startsWith('/')
    // A `<code>` that nothing closes must not hide the text after it.
    const isCode = CODE_TAG.test(name) && (isEnd || source.includes(`</${name}`, place.end))
    if (isCode) marking.code = Math.max(0, marking.code + (isEnd ? -1 : 1))
    const targets = [...attributes].map(([key, value]) =>
      ADDRESS.test(key) ? addresses.targetOf(value) : addresses.find(value)[0]?.target
    )
    const target = targets.find(it => it !== undefined)
    if (target && target.kind !== 'g') marking.links++
    if (target) gone.push(`/${name}`)
    const start = isEnd ? gone.lastIndexOf(name) : -1
    if (name === '') markProse(marking, place)
    else if (start >= 0 || (target && name === 'a')) edits.push({ ...place, text: '' })
    else put(marking, place, imageToken(marking, target, attributes.get('alt') ?? ''))
    if (start >= 0) gone.splice(start, 1)
  }
}

const KINDS = { url: 'c', mail: 'm', issue: 'i', user: 'p', commit: 'h' } as const

/** Marks the tokens in a piece of text; `value` is the same with escapes and entities resolved. */
function markProse(marking: Marking, range: Range, value = '') {
  const { source, addresses } = marking
  if (marking.code > 0) return put(marking, range, ['c'])
  const found = addresses.find(source.slice(range.start, range.end))
  // An address hidden by entities or escapes is counted but stays: `strip` finds it again and throws.
  if (found.length === 0 && addresses.find(value).length > 0) marking.links++
  const places = found.map(({ target, start, end }) => {
    const place = { start: range.start + start, end: range.start + end }
    if (target.kind !== 'g') marking.links++
    put(marking, place, [target.kind, target.text])
    return place
  })
  for (const { kind, word, ...place } of findReferences(source, range)) {
    // Digits alone (`20240131`) or letters alone (`defaced`) are rarely the id of a commit.
    const short = addresses.shorten(word)
    const isPlain = kind === 'commit' && !/^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]+$/.test(short)
    const other = kind === 'issue' ? /\// : /\/(?:issues|pull)\/\d+(?:[#?].*)?$/
    const isIn = places.some(({ start, end }) => start < place.end && place.start < end)
    if (!isPlain && !isIn) put(marking, place, [other.test(short) ? 'o' : KINDS[kind], short])
  }
}
