// Owns reading GitHub's Markdown, with its places in the source, and edits there. Loaded late: most runs do not need it.
import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { decodeString } from 'micromark-util-decode-string'

/** The text with its character references and escapes resolved. */
export { decodeString as resolveReferences }

/** A change at offsets of the source, as for `slice`: `end` is not included. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Parses Markdown. Bare addresses stay text, so every node has a position. */
export function parseMarkdown(source: string): Root {
  // The transforms look for bare addresses, and make nodes without a position.
  const mdastExtensions = gfmFromMarkdown().map(extension => ({ ...extension, transforms: [] }))
  const disable = { null: ['emailAutolink', 'protocolAutolink', 'wwwAutolink'] }
  return fromMarkdown(source, { extensions: [gfm(), { disable }], mdastExtensions })
}

/** Where a node begins in the source. */
export const startOf = ({ position }: Nodes): number => position?.start.offset ?? 0
/** Where it ends. */
export const endOf = ({ position }: Nodes): number => position?.end.offset ?? 0
/** The nodes in a node; none if it can have none. */
export const childrenOf = (node: Nodes): readonly Nodes[] =>
  'children' in node ? node.children : []

/** A node and all nodes under it, parents first, in the order of the source. */
export function descend(node: Nodes): Nodes[] {
  const nodes: Nodes[] = []
  const add = (it: Nodes) => {
    nodes.push(it)
    childrenOf(it).forEach(add)
  }
  add(node)
  return nodes
}

/** The words of a node, without marks. */
export function labelOf(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value
  return childrenOf(node).map(labelOf).join('')
}

/** The source with letters in place of code, so that everything stays where it is. */
export function maskCode(source: string): string {
  const code = descend(parseMarkdown(source)).filter(
    ({ type }) => type === 'code' || type === 'inlineCode'
  )
  const edits = code.map(node => {
    const start = startOf(node)
    const end = endOf(node)
    return { start, end, text: source.slice(start, end).replace(/[^\n]/g, 'x') }
  })
  return applyEdits(source, edits)
}

/** The source with the edits made; one that starts within another is dropped. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = ''
  let done = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < done) continue

    text += source.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return text + source.slice(done)
}

/** The source without HTML's comments, and Markdown's `[//]: # (…)`; the spaces and lines around them stay. */
export function removeComments(source: string): string {
  const nodes = descend(parseMarkdown(source))
  const code = nodes.filter(({ type }) => type === 'code' || type === 'inlineCode')
  const isInCode = (at: number) => code.some(node => startOf(node) < at && at <= endOf(node))

  const edits = nodes.flatMap(node => {
    if (isCommentDefinition(node)) return [{ start: startOf(node), end: endOf(node), text: '' }]
    if (node.type !== 'html') return []

    const html = source.slice(startOf(node), endOf(node))
    const comments = html.matchAll(/<!--(?:-?>|[\s\S]*?(-->|$))/g)
    return Array.from(comments, ({ 0: comment, 1: close, index }) => {
      const start = startOf(node) + index
      const end = start + comment.length
      if (close !== '') return { start, end, text: '' }

      // In `<p><!-- a`, a blank line ends the HTML, but the text up to `-->` is not meant to be seen.
      const later = source.indexOf('-->', end) + 3
      const isClosed = later >= 3 && !isInCode(later)
      return { start, end: isClosed ? later : end, text: '' }
    })
  })
  return applyEdits(source, edits)
}

/** Whether a definition is a comment, as it leads nowhere: `[//]: # (…)`, `[comment]: <> (…)` */
function isCommentDefinition(node: Nodes): boolean {
  if (node.type !== 'definition') return false
  return /^(?:\/\/|comment)$/i.test(node.identifier) && /^#?$/.test(node.url)
}
