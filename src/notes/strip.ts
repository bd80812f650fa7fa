// Takes out of release notes what generators wrote about people and references, and every address of the repository.
// In doubt words stay: a name that remains is harmless, half a sentence is not.
import type { ListItem, Nodes } from 'mdast'
import { ActionError } from '../runner/action-error.ts'
import { addressEdits, hasAddress, openShortener, type RepositoryName, SURE } from './addresses.ts'
import { clean, HEADING, PEOPLE } from './credits.ts'
import { applyEdits, childrenOf, type Edit, endOf, parseMarkdown, startOf } from './markdown.ts'

/** Notes without what generators wrote. */
export interface Stripped {
  readonly text: string
  /** Each piece that was taken out. */
  readonly removed: readonly string[]
}

/** Strips normalized notes. Throws an `ActionError` if an address remains. */
export function strip(source: string, repository: RepositoryName): Stripped {
  const shorten = openShortener(repository)
  const text = source.replaceAll(SURE, '')

  // Addresses first: what was a link to an issue or a commit is marked, and credits go by that.
  const named = applyEdits(text, addressEdits(text, shorten))
  const { edits, removed } = creditEdits(named)

  const stripped = applyEdits(named, edits).replaceAll(SURE, '').trim()
  if (!hasAddress(stripped, shorten)) return { text: stripped, removed }
  throw new ActionError(
    'no-changelog',
    `A link to ${repository.repository} would be left in the changelog.`,
    { advice: 'Write it in another way, or leave it out.' }
  )
}

/** The edits that take credits away, and each piece that they take. */
interface CreditEdits {
  readonly edits: readonly Edit[]
  readonly removed: readonly string[]
}

function creditEdits(source: string): CreditEdits {
  const search = new CreditSearch(source)
  search.visit(parseMarkdown(source))
  return {
    edits: search.edits,
    removed: search.removed.map(piece => piece.replaceAll(SURE, '').trim())
  }
}

/** Goes through Markdown, and notes what of it is credits. */
class CreditSearch {
  readonly edits: Edit[] = []
  readonly removed: string[] = []
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  /** Goes through a node, and returns whether nothing is left of it. */
  visit(node: Nodes, isItem = false): boolean {
    if (node.type === 'paragraph') return this.#visitParagraph(node, isItem)
    // Generators put credits into items and paragraphs only.
    if (node.type === 'heading' || node.type === 'table') return false

    const nodes = childrenOf(node)
    const people = this.#dropPeople(nodes)
    let isAnyLeft = false
    for (const [index, child] of nodes.entries()) {
      if (people.has(child)) continue

      const isGone = this.visit(child, node.type === 'listItem' && index === 0)
      if (isGone) this.#drop(child)
      else isAnyLeft = true
    }
    return !isAnyLeft && nodes.length > 0
  }

  #visitParagraph(node: Nodes, isItem: boolean): boolean {
    const { left, cut } = clean(this.#slice(node), isItem)
    this.removed.push(...cut)
    if (cut.length === 0) return false

    const isEmpty = left.trim() === ''
    if (!isEmpty) this.edits.push({ start: startOf(node), end: endOf(node), text: left })
    return isEmpty
  }

  /** Drops headings such as `New Contributors` with what is under them, where that is people. Returns what it dropped. */
  #dropPeople(nodes: readonly Nodes[]): ReadonlySet<Nodes> {
    const dropped = new Set<Nodes>()
    for (const [index, heading] of nodes.entries()) {
      const list = nodes[index + 1]
      if (!list || !this.#isAboutPeople(heading, list, nodes[index + 2])) continue

      this.#drop(heading, list)
      this.removed.push(this.#slice(heading), this.#slice(list))
      dropped.add(heading).add(list)
    }
    return dropped
  }

  #isAboutPeople(heading: Nodes, list: Nodes, after: Nodes | undefined): boolean {
    const title = this.#slice(heading).replace(/^#+/, '')
    if (heading.type !== 'heading' || !HEADING.test(title) || !this.#arePeople(list)) return false

    // Words of a person may follow the list, and belong to it.
    if (!after || /heading|Break/.test(after.type)) return true
    return clean(this.#slice(after), false).left === ''
  }

  #arePeople(node: Nodes): boolean {
    if (node.type !== 'list') return new RegExp(`^${PEOPLE}$`, 'u').test(this.#slice(node))

    const mentionsPerson = (item: Nodes) =>
      /@[\w[-]|\]\(https?:\/\/github\.com\/[\w-]+\/?\)/.test(this.#slice(item))
    const isNoSentence = ({ children }: ListItem) =>
      children.length === 1 &&
      !/[.!?:] |[.!?:]$/.test(children.map(child => this.#slice(child)).join(''))
    return node.children.some(mentionsPerson) && node.children.every(isNoSentence)
  }

  /** Takes nodes out with the line that they are on, and an empty one behind them. */
  #drop(first: Nodes, last = first): void {
    const line = this.#source.lastIndexOf('\n', startOf(first) - 1) + 1
    const isFirst = /^[\s>]*$/.test(this.#source.slice(line, startOf(first)))
    const rest = this.#source.slice(endOf(last), endOf(last) + 200)
    const behind = first.type === 'listItem' ? /^\n/ : /^[ \t]*\n(?:[ \t>]*\n)?/
    this.edits.push({
      start: isFirst ? line : startOf(first),
      end: endOf(last) + (behind.exec(rest)?.[0].length ?? 0),
      text: ''
    })
  }

  #slice(node: Nodes): string {
    return this.#source.slice(startOf(node), endOf(node))
  }
}
