// Takes out of release notes what is for GitHub's readers: first `links` makes text of addresses, then `credits` says what
// goes.
import type { Nodes, Paragraph } from 'mdast'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { Addresses, type RepositoryName } from './addresses.ts'
import { arePeople, findEnding, findLead, isForGitHub } from './credits.ts'
import { type UnlinkedNotes, unlink } from './links.ts'
import {
  applyEdits,
  childrenOf,
  type Edit,
  endOf,
  labelOf,
  maskCode,
  parseMarkdown,
  resolveReferences,
  startOf
} from './markdown.ts'

/** Notes without what is for GitHub's readers. */
export interface StrippedNotes {
  readonly text: string
  /** Each piece that was taken out. */
  readonly removed: readonly string[]
}

/** Strips notes. Throws an `ActionError` if an address of the repository would be left outside code. */
export function strip(source: string, repository: RepositoryName): StrippedNotes {
  const addresses = new Addresses(repository)
  const notes = unlink(source, addresses)
  const { edits, removed } = new Search(notes)
  const text = applyEdits(notes.text, edits)

  throwIf(faultInLinks(text, repository) && faultInLinks(maskCode(text), repository))
  return { text, removed: [...notes.pictures, ...removed] }
}

/** The fault of a text in which an address of the repository is left. */
export function faultInLinks(text: string, repository: RepositoryName): ActionError | undefined {
  if (!new Addresses(repository).isIn(resolveReferences(text))) return undefined

  const message = `A link to ${repository.repository} would be left in the changelog.`
  return new ActionError('no-changelog', message, {
    advice: 'Write it in another way, or leave it out.'
  })
}

/** Nodes that are nothing without others in them. */
const CONTAINERS: readonly Nodes['type'][] = [
  'blockquote',
  'list',
  'listItem',
  'table',
  'tableRow',
  'tableCell'
]
/** Plain numbers in brackets are credits if so many paragraphs end with them. */
const PLAIN_ENDINGS = 2

/** A range of the notes that goes, with what the log says of it. */
interface Cut {
  readonly start: number
  readonly text: string
}

/** Finds what of notes without links goes. */
class Search {
  readonly edits: Edit[] = []
  readonly #cuts: Cut[] = []
  /** The cuts of endings that are plain numbers: made once it is known that there are several. */
  readonly #plain: (() => void)[] = []
  readonly #notes: UnlinkedNotes

  constructor(notes: UnlinkedNotes) {
    this.#notes = notes
    this.#visit(parseMarkdown(notes.text))
    if (this.#plain.length >= PLAIN_ENDINGS) for (const cut of this.#plain) cut()
  }

  /** Each piece that goes, in the order of the notes. */
  get removed(): string[] {
    return this.#cuts.toSorted((a, b) => a.start - b.start).map(({ text }) => text)
  }

  /** Goes through a node, and returns whether nothing is left of it. */
  #visit(node: Nodes, parent: Nodes = node): boolean {
    if (node.type === 'paragraph') return this.#visitParagraph(node, parent)

    const nodes = childrenOf(node)
    const gone = new Set<Nodes>()
    for (const [index, child] of nodes.entries()) {
      const heading = nodes[index - 1]
      if (heading && this.#isOfPeople(heading, child)) gone.add(heading).add(child)
      else if (this.#visit(child, node)) gone.add(child)
    }

    const isNothingLeft = CONTAINERS.includes(node.type) && gone.size === nodes.length
    // A table keeps its rows.
    if (!isNothingLeft && node.type !== 'table') for (const child of gone) this.#drop(child)
    return isNothingLeft
  }

  #visitParagraph(node: Paragraph, parent: Nodes): boolean {
    const text = this.#textOf(node)
    const matches = Array.from(text.matchAll(/(?:\n[\s>]*)?[^\n]+/g))
    const lines = matches.map(({ 0: line, index: from }) => {
      return { from, to: from + line.length, isGone: isForGitHub(line) }
    })
    const last = lines.findLast(({ isGone }) => !isGone)
    if (!last || this.#notes.comparisons.has(labelOf(node).trim())) {
      this.#note(startOf(node), text)
      return true
    }

    const marked = node.children.filter(({ type }) => type !== 'text')
    const long = marked.filter(it => this.#textOf(it).includes('\n'))
    for (const { from, to, isGone } of lines) if (isGone) this.#cut(node, from, to, long)

    const own = text.slice(0, last.to).trimEnd()
    const lead = parent.type === 'listItem' && parent.children[0] === node ? findLead(own) : 0
    if (lead > 0) this.#cut(node, 0, lead, marked)
    const ending = findEnding(own.slice(lead), this.#notes.linked)
    if (!ending) return false

    const cut = () => this.#cut(node, lead + ending.from, lead + ending.to, marked)
    if (ending.isPlain) this.#plain.push(cut)
    else cut()
    return false
  }

  /** Whether a heading such as `New Contributors` and the list under it have nothing but people. */
  #isOfPeople(heading: Nodes, list: Nodes): boolean {
    if (heading.type !== 'heading' || list.type !== 'list') return false

    const items = list.children.map(it => this.#textOf(it))
    const isFlat = list.children.every(it => it.children.length === 1)
    if (!isFlat || !arePeople(labelOf(heading), items)) return false
    this.#note(startOf(heading), this.#textOf(heading))
    this.#note(startOf(list), this.#textOf(list))
    return true
  }

  #textOf(node: Nodes): string {
    return this.#notes.text.slice(startOf(node), endOf(node))
  }

  /** Notes what goes, for the log. */
  #note(start: number, text: string): void {
    const label = text.replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1').trim()
    this.#cuts.push({ start, text: label })
  }

  /** Takes a range of a paragraph out, unless it begins or ends within one of its nodes, such as code. */
  #cut(paragraph: Nodes, from: number, to: number, nodes: readonly Nodes[]): void {
    const start = startOf(paragraph) + from
    const end = startOf(paragraph) + to
    const isWithin = (at: number) => nodes.some(it => startOf(it) < at && at < endOf(it))
    if (isWithin(start) || isWithin(end)) return

    this.edits.push({ start, end, text: '' })
    this.#note(start, this.#notes.text.slice(start, end))
  }

  /** Takes a node out with the line that it is on, and an empty one behind it. */
  #drop(node: Nodes): void {
    const { text } = this.#notes
    const line = text.lastIndexOf('\n', startOf(node) - 1) + 1
    const isFirst = /^[\s>]*$/.test(text.slice(line, startOf(node)))
    const rest = text.slice(endOf(node), endOf(node) + 200)
    const behind = node.type === 'listItem' ? /^\n/ : /^[ \t]*\n(?:[ \t>]*\n)?/
    const end = endOf(node) + (behind.exec(rest)?.[0].length ?? 0)
    this.edits.push({ start: isFirst ? line : startOf(node), end, text: '' })
  }
}
