// Owns what becomes of links and pictures in notes: those of the repository become text, and what only GitHub shows goes.
import type { Nodes } from 'mdast'
import type { Addresses, Page } from './addresses.ts'
import {
  applyEdits,
  childrenOf,
  descend,
  type Edit,
  endOf,
  labelOf,
  parseMarkdown,
  startOf
} from './markdown.ts'
import { findGoneTags, textOfPicture } from './tags.ts'

/** An address without a host, other than a place on the same page. */
const RELATIVE = /^(?!\s*(?:[a-z][a-z\d+.-]*:|\/\/|#|$))/i
/** The label of a commit that is nothing else. */
const COMMIT = /^[[(]?[\da-f]{5,40}[\])]?$/
/** The label of an issue that is nothing else: `#12`, `12`, `GH-12`, `(#12)`. */
const NUMBER = /^[[(]?(?:#|GH-)?(\d+)[\])]?$/i

/** Notes without links to the repository. */
export interface UnlinkedNotes {
  readonly text: string
  /** The numbers and commits that were links. */
  readonly linked: ReadonlySet<string>
  /** The labels of links to comparisons. */
  readonly comparisons: ReadonlySet<string>
  /** The pictures that went, as they were written, without the keys behind their addresses. */
  readonly pictures: readonly string[]
}

/** Makes text of links to the repository: each becomes its label, and a bare address its number, commit or file name. */
export function unlink(source: string, addresses: Addresses): UnlinkedNotes {
  const unlinker = new Unlinker(source, addresses)
  return {
    text: applyEdits(source, unlinker.edits),
    linked: unlinker.linked,
    comparisons: unlinker.comparisons,
    pictures: unlinker.pictures.map(it => it.replace(/\?[^\s"'<>()]*/g, ''))
  }
}

class Unlinker {
  readonly edits: Edit[] = []
  readonly linked = new Set<string>()
  readonly comparisons = new Set<string>()
  readonly pictures: string[] = []
  readonly #source: string
  /** The source with spaces in place of tags that go. */
  readonly #shown: string
  readonly #addresses: Addresses
  readonly #urls: ReadonlyMap<string, string>

  constructor(source: string, addresses: Addresses) {
    this.#source = source
    this.#addresses = addresses
    const nodes = descend(parseMarkdown(source))
    // The first of several definitions counts.
    const definitions = nodes.filter(it => it.type === 'definition').toReversed()
    this.#urls = new Map(definitions.map(({ identifier, url }) => [identifier, url]))

    const tags = findGoneTags(
      source,
      nodes.filter(it => it.type === 'html'),
      it => this.#isOwn(it)
    )
    this.edits.push(...tags.edits)
    this.pictures.push(...tags.pictures)
    const blanks = tags.edits.map(({ start, end }) => {
      return { start, end, text: ' '.repeat(end - start) }
    })
    this.#shown = applyEdits(source, blanks)
    for (const node of nodes) this.#visit(node)
  }

  /** Whether an address leads into the repository, or nowhere outside of it. */
  #isOwn(url: string): boolean {
    return RELATIVE.test(url) || this.#addresses.isIn(url)
  }

  #visit(node: Nodes): void {
    const start = startOf(node)
    const end = endOf(node)
    if (node.type === 'text' || node.type === 'html') this.#shorten(start, end)

    const url = this.#urlOf(node)
    if (url === '' || !this.#isOwn(url)) return
    if ('alt' in node) this.#dropPicture(start, end, node.alt ?? '')
    else if (node.type === 'definition') this.#edit(start, end + 1, '')
    else this.#unlink(node, this.#addresses.pageOf(url))
  }

  /** The address to which a node leads; empty if it is none. */
  #urlOf(node: Nodes): string {
    if ('url' in node) return node.url
    return 'identifier' in node ? (this.#urls.get(node.identifier) ?? '') : ''
  }

  #edit(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text })
  }

  #dropPicture(start: number, end: number, alternative: string): void {
    this.pictures.push(this.#source.slice(start, end))
    this.#edit(start, end, textOfPicture(alternative))
  }

  /** Shortens the bare addresses in a range. */
  #shorten(from: number, to: number): void {
    const text = this.#shown.slice(from, to)
    for (const { start, end, page } of this.#addresses.find(text)) {
      this.#know(page, page.short)
      if (page.kind === 'picture') this.#dropPicture(from + start, from + end, '')
      else this.#edit(from + start, from + end, page.short)
    }
  }

  /** A link becomes its label without the marks around it, or the name of its page if the label is that. */
  #unlink(node: Nodes, page: Page | undefined): void {
    const start = startOf(node)
    const end = endOf(node)
    const label = labelOf(node)
    if (page?.kind === 'picture' && this.#addresses.pageOf(label)) {
      this.#dropPicture(start, end, '')
      return
    }
    if (page) this.#know(page, label)

    const isIssue = page?.kind === 'issue' && page.short === `#${NUMBER.exec(label)?.[1]}`
    const isCommit = page?.kind === 'commit' && COMMIT.test(label)
    if (page && (isIssue || isCommit)) {
      this.#edit(start, end, page.short)
      return
    }

    const inner = childrenOf(node)
    const first = inner.at(0)
    const last = inner.at(-1)
    this.#edit(start, first ? startOf(first) : end, '')
    if (last) this.#edit(endOf(last), end, '')
  }

  #know({ kind, short }: Page, label: string): void {
    if (kind === 'comparison') this.comparisons.add(label)
    if (kind === 'issue' || kind === 'commit') this.linked.add(short)
  }
}
