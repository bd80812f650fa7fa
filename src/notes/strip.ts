// Takes out of release notes what is for GitHub's readers: goes through the Markdown, and asks `credits` what goes, and
// `links` what becomes of addresses.
import type { Nodes } from 'mdast'
import { ActionError } from '../runner/action-error.ts'
import { Addresses, type RepositoryName } from './addresses.ts'
import {
  findEndings,
  findLead,
  isComparison,
  isForGitHub,
  isOverPeople,
  isUpdate
} from './credits.ts'
import { Links } from './links.ts'
import {
  applyEdits,
  childrenOf,
  descend,
  type Edit,
  endOf,
  maskCode,
  parseMarkdown,
  resolveReferences,
  startOf
} from './markdown.ts'
import { back, isSpace, type Piece, piecesOf, splitLines } from './pieces.ts'

/** Notes without what is for GitHub's readers. */
export interface StrippedNotes {
  readonly text: string
  /** Each piece that was taken out. */
  readonly removed: readonly string[]
}

/** Strips normalized notes. Throws an `ActionError` if an address remains. */
export function strip(source: string, repository: RepositoryName): StrippedNotes {
  const addresses = new Addresses(repository)
  const { edits, removed } = new Search(source, addresses)
  const text = applyEdits(source, edits).trim()
  if (!isLeft(text, addresses)) return { text, removed }
  throw new ActionError(
    'no-changelog',
    `A link to ${repository.repository} would be left in the changelog.`,
    { advice: 'Write it in another way, or leave it out.' }
  )
}

/** Whether an address is left outside code. Parsing takes long, and is seldom needed. */
function isLeft(text: string, addresses: Addresses): boolean {
  const isAnywhere = addresses.isIn(resolveReferences(text))
  return isAnywhere && addresses.isIn(resolveReferences(maskCode(text)))
}

/** A range of the source that was taken out. */
interface Cut {
  readonly start: number
  readonly end: number
}

/** Where a paragraph stands. */
type Place = 'apart' | 'start of item' | 'whole item'

/** Finds what of some notes goes. */
class Search {
  readonly #edits: Edit[] = []
  readonly #cuts: Cut[] = []
  readonly #source: string
  readonly #links: Links

  constructor(source: string, addresses: Addresses) {
    this.#source = source
    const root = parseMarkdown(source)
    this.#links = new Links(source, descend(root), addresses)
    this.#visit(root)
  }

  /** The edits: those that remove a text come before those of its addresses. */
  get edits(): readonly Edit[] {
    return [...this.#edits, ...this.#links.edits]
  }

  /** Each piece that goes, in the order of the source, without the addresses of links. */
  get removed(): string[] {
    const { pictures, addresses } = this.#links
    // A picture that only GitHub shows has no other words; a key may stand behind its address.
    const shown = pictures.map(({ start, source }) => {
      return { start, text: source.replace(/\?[^\s"'<>()]*/g, '') }
    })
    const others = this.#cuts.map(({ start, end }) => {
      const label = this.#source.slice(start, end).replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
      return { start, text: addresses.shorten(label).trim() }
    })
    return [...shown, ...others].toSorted((a, b) => a.start - b.start).map(({ text }) => text)
  }

  /** Goes through a node, and returns whether nothing is left of it. */
  #visit(node: Nodes, place: Place = 'apart'): boolean {
    switch (node.type) {
      case 'paragraph':
        return this.#visitParagraph(node, place)
      case 'html':
        return this.#links.isTakenOut(node)
      case 'table':
        return this.#isOfPictures(node)
      case 'heading':
        return false
    }

    const nodes = childrenOf(node)
    const people = this.#findPeople(nodes)
    const first = nodes.length === 1 ? 'whole item' : 'start of item'
    const gone = nodes.filter((child, index) => {
      if (people.has(child)) return true
      return this.#visit(child, node.type === 'listItem' && index === 0 ? first : 'apart')
    })
    const isNothingLeft = gone.length > 0 && gone.length === nodes.length
    if (!isNothingLeft || node.type === 'root') for (const child of gone) this.#drop(child)
    return isNothingLeft
  }

  #visitParagraph(node: Nodes, place: Place): boolean {
    const pieces = this.#piecesOf(node)
    if (isComparison(pieces) || (place === 'whole item' && isUpdate(pieces))) {
      this.#note(startOf(node), endOf(node))
      return true
    }

    const lines = splitLines(pieces)
    const gone = new Set(lines.filter(isForGitHub))
    for (const line of gone) {
      const isOfPictures = line.every(it => isSpace(it) || it.kind === 'picture')
      if (!isOfPictures) this.#note(line[0]?.start ?? 0, line.at(-1)?.end ?? 0)
    }
    const last = lines.findLastIndex(line => !gone.has(line))
    if (last < 0) return gone.size > 0

    this.#cutLines(node, lines, gone, last)
    this.#cutCredits(node, lines.filter(line => !gone.has(line)).flat(), place !== 'apart')
    return false
  }

  /** Takes lines out of a paragraph of which others stay; `last`: the last of these. */
  #cutLines(
    node: Nodes,
    lines: readonly Piece[][],
    gone: ReadonlySet<Piece[]>,
    last: number
  ): void {
    for (const line of lines.slice(0, last)) {
      if (gone.has(line)) this.#edit(line[0]?.start ?? 0, line.at(-1)?.end ?? 0)
    }
    if (last < lines.length - 1) this.#edit(lines[last]?.at(-1)?.start ?? 0, endOf(node))
  }

  #cutCredits(node: Nodes, kept: readonly Piece[], isItem: boolean): void {
    const pieces = kept.slice(
      kept.findIndex(it => !isSpace(it)),
      back(kept, kept.length, isSpace)
    )
    const lead = isItem ? findLead(pieces) : 0
    if (lead > 0) this.#cut(startOf(node), pieces[lead]?.start ?? 0)

    const own = pieces.slice(lead)
    for (const { from, to } of findEndings(own)) {
      this.#cut(own[from - 1]?.end ?? 0, own[to - 1]?.end ?? 0)
    }
  }

  /** Headings such as `New Contributors`, with the people under them. */
  #findPeople(nodes: readonly Nodes[]): ReadonlySet<Nodes> {
    const found = new Set<Nodes>()
    for (const [index, heading] of nodes.entries()) {
      if (heading.type !== 'heading') continue

      const three = nodes.slice(index, index + 3)
      if (!isOverPeople(three, it => this.#piecesOf(it))) continue
      for (const node of three.slice(0, 2)) {
        this.#note(startOf(node), endOf(node))
        found.add(node)
      }
    }
    return found
  }

  #isOfPictures(table: Nodes): boolean {
    const cells = descend(table).filter(({ type }) => type === 'tableCell')
    const pieces = cells.flatMap(cell => this.#piecesOf(cell)).filter(it => !isSpace(it))
    return pieces.length > 0 && pieces.every(({ kind }) => kind === 'picture')
  }

  #piecesOf(node: Nodes): readonly Piece[] {
    return piecesOf(node, this.#source, this.#links)
  }

  /** Notes what goes, for the log. */
  #note(start: number, end: number): void {
    this.#cuts.push({ start, end })
  }

  #edit(start: number, end: number): void {
    this.#edits.push({ start, end, text: '' })
  }

  #cut(start: number, end: number): void {
    this.#note(start, end)
    this.#edit(start, end)
  }

  /** Takes a node out with the line that it is on, and an empty one behind it. */
  #drop(node: Nodes): void {
    const line = this.#source.lastIndexOf('\n', startOf(node) - 1) + 1
    const isFirst = /^[\s>]*$/.test(this.#source.slice(line, startOf(node)))
    const rest = this.#source.slice(endOf(node), endOf(node) + 200)
    const behind = node.type === 'listItem' ? /^\n/ : /^[ \t]*\n(?:[ \t>]*\n)?/
    this.#edit(isFirst ? line : startOf(node), endOf(node) + (behind.exec(rest)?.[0].length ?? 0))
  }
}
