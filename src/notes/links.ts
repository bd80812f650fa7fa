// Owns what becomes of links, pictures and HTML in notes: those of the repository become text, what only GitHub shows goes.
import type { Definition, Nodes } from 'mdast'
import type { Addresses } from './addresses.ts'
import { childrenOf, type Edit, endOf, labelOf, startOf } from './markdown.ts'
import type { LinkFacts } from './pieces.ts'
import { type Picture, type ReadTags, readTags, textOfPicture } from './tags.ts'

/** An address without a host, other than a place on the same page. */
const RELATIVE = /^(?!\s*(?:[a-z][a-z\d+.-]*:|\/\/|#|$))/i

/** The links of notes. */
export class Links implements LinkFacts {
  readonly addresses: Addresses
  readonly edits: Edit[] = []
  /** The pictures and videos that were taken out. */
  readonly pictures: Picture[]
  readonly #source: string
  readonly #urls: ReadonlyMap<string, string>
  readonly #tags: ReadTags

  constructor(source: string, nodes: readonly Nodes[], addresses: Addresses) {
    this.addresses = addresses
    this.#source = source
    this.#urls = urlsOf(nodes)
    this.#tags = readTags(source, nodes, addresses)
    this.pictures = [...this.#tags.pictures]
    for (const node of nodes) this.#rewrite(node)
  }

  urlOf(node: Nodes): string {
    if ('url' in node) return node.url
    return 'identifier' in node ? (this.#urls.get(node.identifier) ?? '') : ''
  }

  isTakenOut(node: Nodes): boolean {
    if (node.type === 'html') return this.#tags.texts.get(node)?.trim() === ''
    if (node.type === 'text') return false
    if ('alt' in node) return this.#isOwn(this.urlOf(node)) && textOfPicture(node.alt ?? '') === ''
    if (node.type !== 'link' && node.type !== 'linkReference') return false

    // A picture that links to itself, or a bare address in `<…>`.
    const url = this.urlOf(node)
    const isVideo = this.addresses.pageOf(url)?.kind === 'picture' && labelOf(node) === url
    const isOfPictures = childrenOf(node).every(it => this.isTakenOut(it))
    return this.#isOwn(url) && (isVideo || isOfPictures)
  }

  /** Whether an address leads into the repository, or to what only GitHub shows. */
  #isOwn(url: string): boolean {
    return (
      RELATIVE.test(url) || this.addresses.pageOf(url) !== undefined || this.addresses.isIn(url)
    )
  }

  #rewrite(node: Nodes): void {
    const start = startOf(node)
    const end = endOf(node)
    if (node.type === 'text') {
      this.#rewriteText(node)
      return
    }
    if (node.type === 'html') {
      this.edits.push({ start, end, text: this.#tags.texts.get(node) ?? '' })
      return
    }

    const url = this.urlOf(node)
    if (url === '' || !this.#isOwn(url)) return
    if ('alt' in node) {
      this.pictures.push({ start, source: this.#source.slice(start, end) })
      this.edits.push({ start, end, text: textOfPicture(node.alt ?? '') })
      return
    }
    const isDefinition = node.type === 'definition'
    if (isDefinition) this.edits.push({ start, end: end + 1, text: '' })
    else this.#rewriteLink(node, url)
  }

  #rewriteText(node: Nodes): void {
    const offset = startOf(node)
    const text = this.#source.slice(offset, endOf(node))
    for (const { start, end, text: short, page } of this.addresses.find(text)) {
      if (page.kind === 'picture') {
        this.pictures.push({ start: offset + start, source: text.slice(start, end) })
      }
      this.edits.push({ start: offset + start, end: offset + end, text: short })
    }
  }

  /** A link becomes its label, or the number of its address if its label is that. */
  #rewriteLink(node: Nodes, url: string): void {
    const start = startOf(node)
    const end = endOf(node)
    const short = this.addresses.pageOf(url)?.short
    const [, number] = /^[[(]?(?:#|GH-)?(\d+)[\])]?$/i.exec(labelOf(node)) ?? []
    if (number !== undefined && short === `#${number}`) {
      this.edits.push({ start, end, text: short })
      return
    }

    // The marks around the label go; nodes within it are edited by themselves.
    const first = childrenOf(node).at(0)
    const last = childrenOf(node).at(-1)
    if (!first || !last) {
      this.edits.push({ start, end, text: '' })
      return
    }
    this.edits.push({ start, end: startOf(first), text: '' })
    this.edits.push({ start: endOf(last), end, text: '' })
  }
}

/** The addresses of link definitions, by their names. */
function urlsOf(nodes: readonly Nodes[]): ReadonlyMap<string, string> {
  const isDefinition = (node: Nodes): node is Definition => node.type === 'definition'
  // The first of several definitions counts.
  const definitions = nodes.filter(isDefinition).toReversed()
  return new Map(definitions.map(({ identifier, url }) => [identifier, url]))
}
