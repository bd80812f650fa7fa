// Takes out of notes what leads into a repository, or says who works there: what was made of it alone goes, too.
import type { Nodes, Parents } from 'mdast'
import { clean, type Place } from './clean.ts'
import { mark, markContent, type Pass, restore, type Stripped, targetOf } from './mark.ts'
import { applyEdits, contentOf, definitionsOf, parseMarkdown, rangeOf, textOf } from './markdown.ts'
import { addressesOf, type Repository } from './references.ts'
import { normalize, TextError } from './text.ts'

/**
 * Strips notes whose line ends are `\n` and which hold no comments.
 * @throws TextError when an address under the repository would remain outside of code.
 */
export function strip(
  source: string,
  repository: Repository
): { readonly text: string; readonly stripped: Stripped } {
  const result = stripOnce(source, repository)
  // Where nothing led there, nothing does now.
  if (result.stripped.links > 0 && stripOnce(result.text, repository).stripped.links > 0) {
    throw new TextError(
      `an address under ${repository.repository} would remain in the changelog, which \`changelog-links: strip\` does not allow: write it in another way, or leave it out`
    )
  }
  return result
}

function stripOnce(source: string, repository: Repository) {
  const root = parseMarkdown(source)
  const known = { source, addresses: addressesOf(repository), definitions: definitionsOf(root) }
  const stripped = { links: 0, names: 0, images: 0 }
  const pass = { ...known, stripped, tokens: [], gone: [], edits: [], code: 0 }
  const stays = stripBlocks(pass, root, 'text')
  return { text: stays ? normalize(applyEdits(source, pass.edits)) : '', stripped }
}

/** Where lists of people stand. */
const PEOPLE_TITLE =
  /^[^\p{L}]*(?:new |all |code )*(?:contributors?|committers?|authors?|credits)\b[^.]*$/iu

/** Strips blocks that stand one after another; whether any of them stays. */
function stripBlocks(pass: Pass, { type, children }: Parents, place: Place): boolean {
  const blocks: readonly Nodes[] = children
  const ranks = blocks.map(block => rankOf(pass, block))
  let isOfPeople = place === 'people'
  const stays = blocks.map((block, index) => {
    if (type === 'root') pass.code = 0
    const isTitle = ranks[index] !== TEXT
    if (isTitle) isOfPeople = PEOPLE_TITLE.test(textOf(block))
    return stripBlock(pass, block, isOfPeople && !isTitle ? 'people' : place)
  })
  // A heading goes when nothing is left of what it had, the last ones first.
  for (const [index, rank] of [...ranks.entries()].toReversed()) {
    const follows = (it: Nodes, at: number) =>
      at > index && stays[at] && it.type !== 'thematicBreak'
    const next = blocks.findIndex(follows)
    const below = stays.slice(index + 1, next < 0 ? undefined : next)
    const isOver = next < 0 || (ranks[next] ?? TEXT) <= rank
    if (rank !== TEXT && isOver && below.includes(false)) stays[index] = false
  }
  if (!stays.includes(true)) return blocks.length === 0
  for (const [index, block] of blocks.entries()) {
    if (stays[index] || stays[index - 1] === false) continue
    const next = stays.indexOf(true, index)
    takeOut(pass, block, blocks.at(next < 0 ? -1 : next - 1) ?? block, blocks[next])
  }
  return true
}

const [LABEL, TEXT] = [7, 8]

/** How deep a heading is; a line that says what comes next, or is the first of an alert, is below all. */
function rankOf({ source }: Pass, node: Nodes): number {
  if (node.type === 'heading') return node.depth
  const { start, end } = rangeOf(node)
  const isLabel = /^(?:[*_]{2}[^*_:]+:?[*_]{2}:?|[\p{L} ]{1,30}:|\[!\w+\])$/u
  return node.type === 'paragraph' && isLabel.test(source.slice(start, end)) ? LABEL : TEXT
}

/** Whether anything of a block stays. */
function stripBlock(pass: Pass, node: Nodes, place: Place): boolean {
  const range = rangeOf(node)
  switch (node.type) {
    case 'paragraph':
    case 'heading':
    case 'tableCell':
    case 'html': {
      if (node.type !== 'html' && node.children.length === 0) return true
      const isCell = node.type === 'tableCell'
      const marked = node.type === 'html' ? mark(pass, node) : markContent(pass, node)
      const text = restore(pass, clean(pass, marked, isCell ? 'cell' : place))
      pass.edits.push({ ...(contentOf(node) ?? range), text })
      return isCell || text === marked || !/^\s*(?:\[!\w+\])?\s*$/.test(text)
    }
    case 'definition':
      return !targetOf(pass, node, pass.source.slice(range.start, range.end))
    case 'listItem':
      return stripBlocks(pass, node, place === 'text' ? 'item' : place)
    default:
      return 'children' in node ? stripBlocks(pass, node, place) : true
  }
}

/** Takes out the lines of blocks that are gone, or what stands between the mark of an item and its next block. */
function takeOut({ source, edits }: Pass, first: Nodes, last: Nodes, next?: Nodes): void {
  const [start, end] = [rangeOf(first).start, rangeOf(last).end]
  const line = source.lastIndexOf('\n', start - 1) + 1
  if (!/^[\s>]*$/.test(source.slice(line, start))) {
    edits.push({ start, end: next ? rangeOf(next).start : end, text: '' })
    return
  }
  const above = source.slice(source.lastIndexOf('\n', line - 2) + 1, line)
  const lines = /^[ \t>]*\n?$/.test(above) ? /.*\n?(?:[ \t>]*\n)*/y : /.*\n?/y
  lines.lastIndex = end
  lines.test(source)
  edits.push({ start: line, end: lines.lastIndex, text: '' })
}
