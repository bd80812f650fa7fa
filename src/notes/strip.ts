// Takes out of release notes what generators wrote about people and references, and every address of the repository.
// In doubt words stay: a name that remains is harmless, half a sentence is not.
import type { ListItem, Nodes } from 'mdast'
import { ActionError } from '../runner/action-error.ts'
import { addressEdits, hasAddress, openShortener, type RepositoryName, SURE } from './addresses.ts'
import { clean, HEADING, PEOPLE } from './credits.ts'
import { applyEdits, childrenOf, type Edit, endOf, parseMarkdown, startOf } from './markdown.ts'

/** Strips normalized notes; `removed` has each piece taken out. Throws an `ActionError` if an address remains. */
export function strip(source: string, repository: RepositoryName) {
  const shorten = openShortener(repository)
  const text = source.replaceAll(SURE, '')
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

function creditEdits(source: string): { edits: Edit[]; removed: string[] } {
  const edits: Edit[] = []
  const removed: string[] = []
  const slice = (node: Nodes) => source.slice(startOf(node), endOf(node))
  const drop = (first: Nodes, last = first) => {
    const line = source.lastIndexOf('\n', startOf(first) - 1) + 1
    const start = /^[\s>]*$/.test(source.slice(line, startOf(first))) ? line : startOf(first)
    const rest = source.slice(endOf(last), endOf(last) + 200)
    const behind = first.type === 'listItem' ? /^\n/ : /^[ \t]*\n(?:[ \t>]*\n)?/
    edits.push({ start, end: endOf(last) + (behind.exec(rest)?.[0].length ?? 0), text: '' })
  }
  const isNamed = (node: Nodes) =>
    /@[\w[-]|\]\(https?:\/\/github\.com\/[\w-]+\/?\)/.test(slice(node))
  const isName = ({ children }: ListItem) =>
    children.length === 1 && !/[.!?:] |[.!?:]$/.test(children.map(slice).join(''))
  /** Headings such as `New Contributors` with what is under them, where that is people. */
  const findPeople = (nodes: readonly Nodes[]) =>
    nodes.flatMap((heading, index) => {
      const [list, after] = [nodes[index + 1], nodes[index + 2]]
      const title = slice(heading).replace(/^#+/, '')
      if (heading.type !== 'heading' || !HEADING.test(title) || !list) return []
      const isEnd =
        !after || /heading|Break/.test(after.type) || clean(slice(after), false).left === ''
      const isPeople =
        list.type === 'list'
          ? list.children.some(isNamed) && list.children.every(isName)
          : new RegExp(`^${PEOPLE}$`, 'u').test(slice(list))
      if (!isPeople || !isEnd) return []
      drop(heading, list)
      removed.push(slice(heading), slice(list))
      return [heading, list]
    })
  /** Whether nothing is left of the node. */
  const visit = (node: Nodes, isItem = false): boolean => {
    if (node.type === 'paragraph') {
      const { left, cut } = clean(slice(node), isItem)
      removed.push(...cut)
      if (cut.length === 0) return false
      if (left.trim() !== '') edits.push({ start: startOf(node), end: endOf(node), text: left })
      return left.trim() === ''
    }
    const nodes = node.type === 'heading' || node.type === 'table' ? [] : childrenOf(node)
    const people = new Set(findPeople(nodes))
    const left = nodes.filter((child, index) => {
      if (people.has(child)) return false
      const isGone = visit(child, node.type === 'listItem' && index === 0)
      if (isGone) drop(child)
      return !isGone
    })
    return left.length === 0 && nodes.length > 0
  }
  visit(parseMarkdown(source))
  return { edits, removed: removed.map(it => it.replaceAll(SURE, '').trim()) }
}
