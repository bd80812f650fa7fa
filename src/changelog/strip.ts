// Takes out of notes what generators wrote about people and references; all other words stay.
import type { List, ListItem, Nodes, Root } from 'mdast'
import * as credits from './credits.ts'
import { cut } from './cut.ts'
import {
  applyEdits,
  CODE_TAG,
  definitionsOf,
  descend,
  type Edit,
  parseMarkdown,
  type Range,
  rangeOf,
  readHtml,
  resolveReferences
} from './markdown.ts'
import { type Piece, showPieces } from './pieces.ts'
import { type NotesReading, readPieces, targetOf } from './reading.ts'
import { openAddresses, type RepositoryName } from './references.ts'

export interface Stripped {
  readonly edits: readonly Edit[]
  /** Each piece of the notes that goes, as it was written. */
  readonly removed: readonly string[]
}

interface Stripping extends NotesReading {
  readonly edits: Edit[]
  readonly removed: Range[]
  /** Identifiers of the definitions that the text still uses. */
  readonly used: Set<string>
  /** What headings tell of the generator that wrote the notes. */
  readonly headings: Set<credits.Heading | undefined>
}

/** Says what to change in notes: credits go, and addresses of the repository become text, except in code. */
export function strip(source: string, root: Root, repository: RepositoryName): Stripped {
  const reading = { source, addresses: openAddresses(repository), definitions: definitionsOf(root) }
  const output = { edits: [], removed: [], used: new Set<string>(), headings: new Set<never>() }
  const stripping: Stripping = { ...reading, ...output, gone: [], code: 0 }
  for (const node of root.children) {
    if (node.type === 'heading')
      stripping.headings.add(credits.readGeneratorHeading(show(stripping, node)))
  }
  stripAll(stripping, root.children)
  for (const node of descend(root)) {
    const isDefinition = node.type === 'definition'
    if (isDefinition && (targetOf(stripping, node) || !stripping.used.has(node.identifier))) {
      removeWhole(stripping, node)
    }
  }
  const removed = stripping.removed
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => source.slice(start, end).trim().replace(/\s+/g, ' '))
  return { edits: stripping.edits, removed: removed.filter(piece => piece !== '') }
}

/** A node as one line of text and signs, read without leaving a trace. */
function show(stripping: Stripping, node: Nodes): string {
  return showPieces(stripping.source, readPieces({ ...stripping, gone: [] }, node))
}

/** Strips neighbors, and tells whether nothing is left of any. */
function stripAll(stripping: Stripping, nodes: readonly Nodes[]): boolean {
  const people = nodes.map((_, index) => findPeople(stripping, nodes, index))
  for (const section of people) removeWhole(stripping, ...section)
  const gone = new Set(people.flat())
  const left = nodes.filter(node => !gone.has(node) && !stripNode(stripping, node))
  return left.length === 0
}

function stripNode(stripping: Stripping, node: Nodes): boolean {
  const { start, end } = rangeOf(node)
  switch (node.type) {
    case 'html':
    case 'table':
      if (isContributorsTable(stripping.source.slice(start, end))) {
        removeWhole(stripping, node)
        return true
      }
      if (node.type === 'html') return stripLine(stripping, node)
      for (const cell of node.children.flatMap(row => row.children)) {
        cutOut(stripping, readPieces(stripping, cell), credits.readReferences)
      }
      return false
    case 'paragraph':
    case 'heading':
      // A tag of code that nothing closes ends with its block.
      stripping.code = 0
      return stripLine(stripping, node)
    case 'list':
      return stripList(stripping, node)
    case 'blockquote':
    case 'footnoteDefinition': {
      const isGone = stripAll(stripping, node.children) && node.children.length > 0
      if (isGone) drop(stripping, node)
      return isGone
    }
    default:
      return node.type === 'definition'
  }
}

function stripLine(stripping: Stripping, node: Nodes): boolean {
  const isGone = cutOut(stripping, readPieces(stripping, node), credits.readParagraph)
  if (isGone) drop(stripping, node)
  return isGone
}

function stripList(stripping: Stripping, list: List): boolean {
  const { source, headings } = stripping
  const lines = list.children.map(({ children: [first] }) => {
    stripping.code = 0
    return first?.type === 'paragraph' ? readPieces(stripping, first) : []
  })
  const shown = lines.map(pieces => showPieces(source, pieces))
  const items = credits.settleIds(shown, headings.has('changes'))
  const signatures = credits.readSignatures(items)
  // `They are gone:` needs the items of references under it.
  const { start } = rangeOf(list)
  const isLed = /:[*_\s]*$/.test(source.slice(Math.max(0, start - 20), start))
  const left = list.children.filter((item, index) => {
    const pieces = lines[index] ?? []
    const below = item.children.slice(pieces.length > 0 ? 1 : 0)
    const line = items[index] ?? ''
    const isMere = !isLed && below.length === 0 && credits.isReferences(line)
    const found = isMere
      ? [{ start: 0, end: line.length }]
      : credits.readItem(line, signatures[index] ?? [], headings.has('count'))
    const isGone = pieces.length === 0 || cutOut(stripping, pieces, () => found)
    const isAll = stripAll(stripping, below) && isGone && item.children.length > 0
    if (isAll) drop(stripping, item)
    return !isAll
  })
  if (left.length === 0) drop(stripping, list)
  return left.length === 0
}

/** The list of people of which the node at the index is the heading, with that; empty if it is none. */
function findPeople(stripping: Stripping, nodes: readonly Nodes[], index: number): Nodes[] {
  const heading = nodes[index]
  const kind = heading?.type === 'heading' && credits.readGeneratorHeading(show(stripping, heading))
  if (heading?.type !== 'heading' || !kind || kind === 'changes') return []
  const after = nodes.slice(index + 1)
  const isNext = (it: Nodes) =>
    it.type === 'thematicBreak' || (it.type === 'heading' && it.depth <= heading.depth)
  const end = after.findIndex(isNext)
  const below = (end < 0 ? after : after.slice(0, end)).filter(({ type }) => type !== 'definition')
  const isSure = kind !== 'likely'
  const isPeople = (node: Nodes) => credits.isPeople(show(stripping, node), isSure)
  const isPerson = ({ children: [first, ...others] }: ListItem) =>
    first?.type === 'paragraph' &&
    others.length === 0 &&
    (isPeople(first) || (isSure && credits.isName(show(stripping, first))))
  const isOther = below.findIndex(node =>
    node.type === 'list'
      ? !node.children.every(isPerson)
      : node.type !== 'paragraph' || !isPeople(node)
  )
  const people = isOther < 0 ? below : below.slice(0, isOther)
  // The last lines of notes may stand under the heading without being of its section.
  const rest = below.slice(people.length)
  const isRest = rest.every(
    node => node.type === 'paragraph' && credits.isGone(show(stripping, node))
  )
  const isNamed = people.some(node => /[ⓅⓂ]/u.test(show(stripping, node)))
  return isRest && isNamed ? [heading, ...people] : []
}

/** all-contributors: https://github.com/all-contributors/cli/blob/master/src/generate/format-contributor.js */
function isContributorsTable(written: string): boolean {
  return /avatars\d*\.githubusercontent\.com/.test(written) && written.includes('<sub><b>')
}

/** Takes from a line what `read` finds in it, and tells whether nothing is left. */
function cutOut(
  { source, edits, removed, used }: Stripping,
  pieces: readonly Piece[],
  read: (line: string) => readonly Range[]
): boolean {
  const result = cut(source, pieces, read(showPieces(source, pieces)))
  edits.push(...result.edits)
  removed.push(...result.removed)
  for (const node of result.kept.flatMap(({ of = [] }) => of)) {
    if ('identifier' in node) used.add(node.identifier)
  }
  return result.isEmpty
}

/** Drops nodes of which nothing is left, with their lines; between blank lines, also those behind them. */
function drop({ source, edits }: Stripping, ...nodes: readonly Nodes[]): void {
  const ranges = nodes.map(rangeOf)
  const [start = 0, end = 0] = [ranges[0]?.start, ranges.at(-1)?.end]
  const line = source.lastIndexOf('\n', start - 1) + 1
  if (!/^[\s>]*$/.test(source.slice(line, start))) {
    edits.push({ start, end, text: '' })
    return
  }
  const isApart = line === 0 || /\n[ \t>]*\n$/.test(source.slice(Math.max(0, line - 40), line))
  const behind = isApart ? /[ \t]*\n(?:[ \t>]*\n)*/y : /[ \t]*\n/y
  behind.lastIndex = end
  edits.push({ start: line, end: end + (behind.exec(source)?.[0].length ?? 0), text: '' })
}

function removeWhole(stripping: Stripping, ...nodes: readonly Nodes[]): void {
  for (const node of nodes) {
    const { start, end } = rangeOf(node)
    stripping.removed.push({ start, end })
  }
  drop(stripping, ...nodes)
}

/** Whether an address of the repository is left outside of code, however it is written. */
export function leaks(text: string, repository: RepositoryName): boolean {
  const { find } = openAddresses(repository)
  const isIn = (written: string) => {
    const read = resolveReferences(written)
    const decoded = read.replace(/%([\da-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16))
    )
    return [written, read, decoded].some(it => find(it).length > 0)
  }
  if (!isIn(text)) return false
  const code = [...descend(parseMarkdown(text))].filter(({ type }) =>
    /^(?:code|inlineCode)$/.test(type)
  )
  const prose = applyEdits(
    text,
    code.map(node => ({ ...rangeOf(node), text: ' ' }))
  )
  const parts = readHtml(prose)
  const ends = new Map(parts.map(({ name }, index) => [name, index]))
  // The end tag up to which all is code; a tag that nothing closes hides nothing.
  let until = ''
  const shown = parts.filter(({ name }, index) => {
    const isCode = until !== ''
    const isStart = CODE_TAG.test(name) && (ends.get(`/${name}`) ?? -1) > index
    if (name === until) until = ''
    else if (isStart && !isCode) until = `/${name}`
    return !isCode
  })
  return isIn(shown.map(({ start, end }) => prose.slice(start, end)).join(' '))
}
