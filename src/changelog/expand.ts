// Makes links of references to GitHub, where GitHub's own rendering has them.
import type { Definition, Link, LinkReference, Nodes, Root } from 'mdast'
import {
  applyEdits,
  contentOf,
  definitionsOf,
  descend,
  type Edit,
  parseMarkdown,
  type Range,
  rangeOf,
  textOf
} from './markdown.ts'
import type { HtmlPart, ReadHtml } from './read-html.ts'
import { findReferences, keyOf } from './references.ts'
import { addressesOf, isRelative, type Repository } from './repository.ts'
import type { Stripped } from './strip.ts'

/** A changelog as buyers read it. */
export interface BuyerText {
  readonly text: string
  /** What the publisher should know of it. */
  readonly notices: readonly string[]
  /** What `strip` took out. */
  readonly stripped?: Stripped
}

interface Request {
  readonly source: string
  readonly repository: Repository
  /** GitHub's `body_html` of this text. */
  readonly rendering: string | undefined
  readonly read: ReadHtml
}

/** Something in the notes that may be a link on GitHub. */
interface Candidate {
  /** Candidates and links on GitHub of the same key belong together, in their order. */
  readonly key: string
  /** As the publisher wrote it. */
  readonly written: string
  /** The edit that makes it a link; none when it is one already. */
  readonly edit?: (address: string) => Edit
}

/** Expands notes whose line ends are `\n`, exactly where the rendering has a link. */
export async function expand(request: Request): Promise<BuyerText> {
  const { source, repository, rendering, read } = request
  const candidates = findCandidates(await parseMarkdown(source), request)
  // A long number is hardly the id of a commit.
  const first = candidates.find(({ edit, written }) => edit && !/^\d+$/.test(written))
  const rendered = group(readRendering(rendering ?? '', read, repository))
  if (!candidates.some(({ edit, key }) => edit && rendered.has(key))) {
    if (!first) return { text: source, notices: [] }
    const why = rendering ? 'is not of these notes' : 'of the release is not known'
    const notice = `References such as “${first.written}” stay as they are in the changelog: GitHub’s own rendering ${why}.`
    return { text: source, notices: [notice] }
  }
  const edits = [...group(candidates)].flatMap(([key, those]) => {
    const links = rendered.get(key) ?? []
    return those.flatMap(({ edit }, index) => {
      const address = absolute(addressFor(links, index, those.length), repository.serverUrl)
      return edit && address !== undefined ? [edit(address)] : []
    })
  })
  return { text: applyEdits(source, edits), notices: [] }
}

function group<T extends { readonly key: string }>(items: readonly T[]): Map<string, T[]> {
  return Map.groupBy(items, ({ key }) => key)
}

interface Rendered {
  readonly key: string
  /** None where GitHub shows plain text. */
  readonly address: string | undefined
}

/** As often in both: one for one. Otherwise only where GitHub makes the same link of all. */
function addressFor(links: readonly Rendered[], index: number, count: number): string | undefined {
  if (links.length === count) return links[index]?.address
  const [first] = links
  return links.every(({ address }) => address === first?.address) ? first?.address : undefined
}

function absolute(address: string | undefined, serverUrl: string): string | undefined {
  if (address === undefined || /^https?:\/\//i.test(address)) return address
  return /^\/(?!\/)/.test(address) ? new URL(address, serverUrl).href : undefined
}

const CODE_TAGS = ['code', 'pre', 'tt', 'samp', 'script', 'style', 'textarea']
/** The key of a link that somebody wrote: its text, apart from references. */
const labelKey = (text: string) => `[${text.replace(/\s+/g, ' ').trim()}]`

function readRendering(html: string, read: ReadHtml, { repository }: Repository): Rendered[] {
  const found: Rendered[] = []
  let anchor: { address: string; text: string; isReference: boolean } | undefined
  let code = 0
  for (const part of read(html)) {
    if (part.kind === 'comment') continue
    if (part.kind === 'text') {
      if (anchor) anchor.text += part.value
      else if (code === 0) {
        for (const { key } of findReferences(part.value, repository)) {
          found.push({ key, address: undefined })
        }
      }
    } else if (part.name === 'a') {
      if (anchor) {
        const { address, text, isReference } = anchor
        found.push({ key: isReference ? keyOf(text, repository) : labelKey(text), address })
      }
      anchor = anchorOf(part)
    } else if (/^(?:code|pre)$/.test(part.name)) code += part.kind === 'start' ? 1 : -1
  }
  return found
}

function anchorOf(part: HtmlPart) {
  if (part.kind !== 'start') return undefined
  const value = (name: string) => part.attributes.find(it => it.name === name)?.value
  const address = value('href')
  const isReference = /(?:issue|commit)-link|(?:user|team)-mention/.test(value('class') ?? '')
  return address === undefined ? undefined : { address, text: '', isReference }
}

/** Footnotes come last on GitHub, in the order of their calls. */
function findCandidates(root: Root, request: Request): Candidate[] {
  const calls = [...descend(root)].flatMap(node =>
    node.type === 'footnoteReference' ? [node.identifier] : []
  )
  const orderOf = (node: Nodes) =>
    node.type === 'footnoteDefinition' ? calls.indexOf(node.identifier) + 1 : 0
  const search: Search = {
    ...{ ...request, definitions: definitionsOf(root), found: [] },
    ...{ codeTags: 0, anchor: undefined }
  }
  for (const node of root.children.toSorted((a, b) => orderOf(a) - orderOf(b))) visit(search, node)
  return search.found
}

interface Search extends Request {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly found: Candidate[]
  codeTags: number
  /** The anchor of raw HTML that is open. */
  anchor: { readonly href: (Range & { value: string }) | undefined; text: string } | undefined
}

function visit(search: Search, node: Nodes): void {
  const { start, end } = rangeOf(node)
  if (node.type === 'text') addReferences(search, node.value, { start, end }, false)
  else if (node.type === 'html') visitHtml(search, { start, end })
  else if (node.type === 'link' || node.type === 'linkReference') visitLink(search, node)
  else if ('children' in node) for (const child of node.children) visit(search, child)
}

function visitLink(search: Search, node: Link | LinkReference): void {
  const { source, definitions, found, repository } = search
  const { start, end } = rangeOf(node)
  const place = node.type === 'link' ? node : definitions.get(node.identifier)
  const written = place?.url ?? ''
  const key = labelKey(textOf(node))
  if (!isRelative(written)) {
    // An address alone is shown as what it leads to.
    const isBare = source[start] !== '[' && written !== ''
    const target = isBare ? addressesOf(repository).targetOf(written) : undefined
    if (target?.kind === 'issue') found.push({ key: `#${target.number}`, written })
    else if (target?.kind === 'commit') found.push({ key: target.id.toLowerCase(), written })
    else found.push({ key, written })
    return
  }
  const content = node.type === 'link' ? contentOf(node)?.end : undefined
  const range = place ? destinationOf(source, rangeOf(place), content) : undefined
  const edit = (address: string): Edit => ({
    ...(range ?? { start: end, end }),
    text: encode(address)
  })
  found.push(range ? { key, written, edit } : { key, written })
}

function addReferences(search: Search, text: string, range: Range, isHtml: boolean): void {
  if (search.anchor) search.anchor.text += text
  if (search.codeTags > 0 || search.anchor?.href) return
  const { source, found, repository } = search
  const slice = source.slice(range.start, range.end)
  for (const { key, ...place } of findReferences(slice, repository.repository)) {
    const start = range.start + place.start
    const end = range.start + place.end
    const written = source.slice(start, end)
    const edit = (address: string): Edit => {
      if (isHtml) return { start, end, text: `<a href="${escapeHtml(address)}">${written}</a>` }
      const link = `[${written}](${encode(address)})`
      // Right after an exclamation mark it would be an image.
      const before = source.slice(Math.max(0, start - 100), start)
      if (!/(?<!\\)(?:\\\\)*!$/.test(before)) return { start, end, text: link }
      return { start: start - 1, end, text: `\\!${link}` }
    }
    found.push({ key, written, edit })
  }
}

function visitHtml(search: Search, range: Range): void {
  for (const part of search.read(search.source.slice(range.start, range.end))) {
    const start = range.start + part.start
    const end = range.start + part.end
    if (part.kind === 'text') addReferences(search, part.value, { start, end }, true)
    else if (part.kind !== 'comment' && part.name === 'a') {
      closeAnchor(search)
      if (part.kind === 'end') continue
      const href = part.attributes.find(({ name }) => name === 'href')
      const place = href && {
        ...href,
        start: range.start + href.start,
        end: range.start + href.end
      }
      search.anchor = { href: place, text: '' }
    } else if (part.kind !== 'comment' && CODE_TAGS.includes(part.name)) {
      search.codeTags = Math.max(0, search.codeTags + (part.kind === 'start' ? 1 : -1))
    }
  }
}

function closeAnchor(search: Search): void {
  const { href, text } = search.anchor ?? {}
  search.anchor = undefined
  if (!href) return
  const key = labelKey(text ?? '')
  const { start, end, value: written } = href
  const edit = (address: string) => ({ start, end, text: `href="${escapeHtml(address)}"` })
  search.found.push(isRelative(written) ? { key, written, edit } : { key, written })
}

/** Where the address stands in a link `[label](address "title")` or a definition `[name]: address`. */
function destinationOf(source: string, { start, end }: Range, content?: number): Range | undefined {
  const from = content ?? start
  const text = source.slice(from, end)
  const pattern = content === undefined ? /^\[(?:\\.|[^\]\\])*\]:\s*/ : /^\]\(\s*/
  const [before] = pattern.exec(text) ?? []
  if (before === undefined) return undefined
  const [address = ''] = /^(?:<[^>\n]*>|\S+?(?=\s*\)$|\s|$))/.exec(text.slice(before.length)) ?? []
  const inset = address.startsWith('<') ? 1 : 0
  const at = from + before.length
  return { start: at + inset, end: at + address.length - inset }
}

/** Without what would end the address of a Markdown link. */
function encode(address: string): string {
  return address.replace(/[\s()<>\\|`]/g, character => {
    const code = character.charCodeAt(0).toString(16).toUpperCase()
    return `%${code.padStart(2, '0')}`
  })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
