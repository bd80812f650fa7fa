// Owns marked text: what leads to the repository or names people stands in it as a token.
import type { Definition, Image, ImageReference, Link, LinkReference, Nodes } from 'mdast'
import {
  applyEdits,
  CODE_TAG,
  contentOf,
  type Edit,
  rangeOf,
  readHtml,
  textOf
} from './markdown.ts'
import { type Addresses, findReferences, type Target } from './references.ts'

/** What was taken out of a text. */
export interface Stripped {
  /** Links and addresses into the repository that went, or became their text. */
  links: number
  /** Names of people, and mail addresses. */
  names: number
  /** Images that only people who are logged in can see. */
  images: number
}

/** A text that is being stripped. */
export interface Pass {
  readonly source: string
  readonly addresses: Addresses
  readonly definitions: ReadonlyMap<string, Definition>
  readonly edits: Edit[]
  /** What each token stands for, which may hold other tokens. */
  readonly tokens: string[]
  readonly stripped: Stripped
  /** End tags of HTML whose start tags went. */
  readonly gone: string[]
  /** How many tags of code are open. */
  code: number
}

/**
 * What a token stands for: what a `Target` leads to, an `o`ther repository's issue, a `n`ame, a `m`ail address,
 * `p`eople (names and mail addresses together), a `t`ag of HTML, `c`ode and all else that is not touched.
 */
export type Kind = Target['kind'] | 'o' | 'n' | 'm' | 'p' | 't' | 'c'

/** A new token, between noncharacters: they are in no text that is meant to be read. */
export function put({ stripped, tokens }: Pass, kind: Kind, text: string): string {
  if (kind === 'n' || kind === 'm') stripped.names++
  if (kind === 'g') stripped.images++
  return `\ufdd0${kind}${tokens.push(text) - 1}\ufdd1`
}

/** The text with what its tokens stand for. */
export function restore(pass: Pass, text: string): string {
  return text.replace(/\ufdd0([a-z])(\d+)\ufdd1/g, (_, kind: string, index: string) => {
    if (kind === 'n' || kind === 'm') pass.stripped.names--
    return restore(pass, pass.tokens[Number(index)] ?? '')
  })
}

/** The content of a node with tokens in it, without the marks around. */
export function markContent(pass: Pass, node: Nodes): string {
  const children: readonly Nodes[] = 'children' in node ? node.children : []
  const edits = children.map(child => ({ ...rangeOf(child), text: mark(pass, child) }))
  return applyEdits(pass.source, edits, contentOf(node) ?? { start: 0, end: 0 })
}

/** A node with tokens in it; code and links elsewhere are not touched. */
export function mark(pass: Pass, node: Nodes): string {
  const { start, end } = rangeOf(node)
  const written = pass.source.slice(start, end)
  switch (node.type) {
    case 'text':
      return markProse(pass, written, node.value)
    case 'html':
      return markHtml(pass, written)
    case 'inlineCode':
      return put(pass, 'c', written)
    case 'image':
    case 'imageReference': {
      const [, alt = ''] = /^!\[((?:\\.|[^\]\\])*)\]/s.exec(written) ?? []
      return markImage(pass, targetOf(pass, node, written), written, alt.trim())
    }
    case 'link':
    case 'linkReference':
      return markLink(pass, node, written)
    default: {
      const content = contentOf(node) ?? { start: end, end }
      const before = pass.source.slice(start, content.start)
      return before + markContent(pass, node) + pass.source.slice(content.end, end)
    }
  }
}

type Linked = Link | LinkReference | Image | ImageReference | Definition

const urlOf = (pass: Pass, node: Linked) =>
  'url' in node ? node.url : (pass.definitions.get(node.identifier)?.url ?? '')

/** What a link, an image or a definition leads to, by its address or by what else is written there. */
export function targetOf(pass: Pass, node: Linked, written: string): Target | undefined {
  const { addresses, stripped } = pass
  const target = addresses.targetOf(urlOf(pass, node)) ?? addresses.find(written)[0]?.target
  if (target && target.kind !== 'g') stripped.links++
  return target
}

/** An image of the repository becomes the text that stands for it. */
function markImage(pass: Pass, target: Target | undefined, written: string, alt: string): string {
  if (!target) return put(pass, 'c', written)
  if (target.kind === 'g') return put(pass, 'g', '')
  const isShown = alt !== '' && pass.addresses.find(alt).length === 0
  return isShown ? put(pass, 'c', alt) : put(pass, 'a', '')
}

const NUMBER = /^\[?(?:[\w.-]+\/[\w.-]+#|#|GH-)?(\d+)\]?$/i
const IS_ISSUE = /\/(?:issues|pull)\/\d+(?:[#?].*)?$/
/** The labels of links that may go with what holds them; other labels stay as text. */
const LABELS = {
  ...{ i: NUMBER, h: /^\W*[\da-f]{5,40}\W*$/i, a: /^$/, g: /^$/ },
  u: /\.{2,3}|\b(?:changelog|changes|compare|comparison|commits|diff|to)\b/i
}

function markLink(pass: Pass, node: Link | LinkReference, written: string): string {
  const { source, addresses } = pass
  const { start, end } = rangeOf(node)
  const content = contentOf(node) ?? { start: end, end }
  const [before, after] = [source.slice(start, content.start), source.slice(content.end, end)]
  const label = textOf(node).trim()
  const target = targetOf(pass, node, after)
  if (!target) {
    const url = urlOf(pass, node)
    if (url.startsWith('mailto:')) return put(pass, 'm', written)
    if (addresses.isPerson(url) || /^@[\w-]+$/.test(label)) return put(pass, 'n', written)
    if (NUMBER.test(label) && IS_ISSUE.test(url)) return put(pass, 'o', written)
    return put(pass, 'c', before) + markContent(pass, node) + put(pass, 'c', after)
  }
  const { kind, text } = target
  if (node.children.some(({ type }) => type.startsWith('image'))) return markContent(pass, node)
  if (label === '' || addresses.find(label).length > 0) return put(pass, kind, text)
  if (!LABELS[kind].test(label)) return markContent(pass, node)
  const shown = source.slice(content.start, content.end)
  return put(pass, kind, kind === 'i' ? label.replace(NUMBER, '#$1') : shown)
}

function markHtml(pass: Pass, html: string): string {
  const { source, addresses, gone, stripped } = pass
  const parts = readHtml(html).map(({ name, attributes, start, end }) => {
    const written = html.slice(start, end)
    if (name === '') return markProse(pass, written)
    const isEnd = name.startsWith('/')
    // One that is never closed may be none.
    const isCode = CODE_TAG.test(name) && (isEnd || source.includes(`</${name}`))
    if (isCode) pass.code = Math.max(0, pass.code + (isEnd ? -1 : 1))
    const index = isEnd ? gone.lastIndexOf(name) : -1
    if (index >= 0) gone.splice(index, 1)
    const links = ['href', 'src', 'srcset', 'poster'].map(key => attributes.get(key) ?? '')
    const target =
      links.map(addresses.targetOf).find(it => it !== undefined) ??
      addresses.find(written)[0]?.target
    if (target && target.kind !== 'g') stripped.links++
    if (target) gone.push(`/${name}`)
    if (index >= 0 || (target && name === 'a')) return ''
    if (!target) return put(pass, 't', written)
    return markImage(pass, target, written, attributes.get('alt')?.trim() ?? '')
  })
  return parts.join('')
}

const KINDS = { url: 'c', mail: 'm', issue: 'i', user: 'n', commit: 'h' } as const

/** Marks what is said in a piece of text; `value` is what readers see of it. */
function markProse(pass: Pass, text: string, value = ''): string {
  if (pass.code > 0) return put(pass, 'c', text)
  const found = pass.addresses.find(text)
  // Entities and escapes hide an address: it stays, and is an error in the end.
  if (found.length === 0 && pass.addresses.find(value).length > 0) pass.stripped.links++
  const edits = found.map(({ target, start, end }) => {
    if (target.kind !== 'g') pass.stripped.links++
    return { start, end, text: put(pass, target.kind, target.text) }
  })
  for (const { kind, word, start, end } of findReferences(text)) {
    // A long number, or a word of those letters, is hardly the id of a commit.
    const isPlain = kind === 'commit' && !/^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]+$/.test(word)
    if (isPlain || found.some(it => it.start < end && start < it.end)) continue
    edits.push({ start, end, text: put(pass, IS_ISSUE.test(word) ? 'o' : KINDS[kind], word) })
  }
  return applyEdits(text, edits)
}
