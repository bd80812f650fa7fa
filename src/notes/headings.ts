// Reads a changelog file: its headings in all styles, and its lines outside code and comments.
import type { Nodes, Root, RootContent } from 'mdast'
import { cleanVersion, type Grammar, grammarFor, type NamedVersion, versionIn } from './grammar.ts'
import { applyEdits, descend, type Edit, endOf, parseBlocks, startOf } from './markdown.ts'
import { dashTildes } from './tildes.ts'

/** The marks that make a line a heading: `## A`, `= A =`, `<h2>A</h2>`, or the date in `2026-01-31 - version 1.2.3`. */
export type HeadingKind = 'markdown' | 'wordpress' | 'html' | 'dated'

/** A heading. It is a title if it names a version. */
export interface Heading extends NamedVersion {
  readonly kind: HeadingKind
  /** The lower, the higher up. Levels of two kinds cannot be compared. */
  readonly level: number
  readonly start: number
  readonly end: number
  /** Without marks. */
  readonly text: string
}

/** A line with its place; code and comments in it are blank. */
export interface Line {
  readonly start: number
  readonly text: string
}

/** A changelog file as it is read. All places are offsets of `source`. */
export interface ChangelogText {
  readonly source: string
  readonly grammar: Grammar
  /** In their order. */
  readonly headings: readonly Heading[]
  readonly lines: readonly Line[]
  readonly blocks: readonly RootContent[]
}

/** Whether a heading names a version. */
export const isTitle = ({ version }: Heading): boolean => version !== ''

/** Whether a heading is of a kind and at its level or higher. */
export const isAtLeast = (heading: Heading, other: Heading): boolean =>
  heading.kind === other.kind && heading.level <= other.level

/** Whether two headings are of the same kind and level. */
export const isLevelWith = (heading: Heading, other: Heading): boolean =>
  heading.kind === other.kind && heading.level === other.level

/** The kind and level of a heading, to be compared. */
export const rankOf = ({ kind, level }: Heading): string => `${kind} ${level}`

/** Reads a file in which a version is wanted. */
export function readChangelog(text: string, wanted: string): ChangelogText {
  const source = dashTildes(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
  const grammar = grammarFor(wanted)
  const root = parseBlocks(source)

  const markdown = root.children.flatMap(node => markdownHeading(source, node, grammar))
  const headings = [...markdown]
  const lines: Line[] = []
  let nearest = 0
  for (const line of readableLines(source, root)) {
    // Both are in their order, so that long files take no time.
    while ((markdown[nearest]?.end ?? Infinity) <= line.start) nearest++
    const end = line.start + line.text.length
    const isInMarkdown = (markdown[nearest]?.start ?? Infinity) <= end
    if (isInMarkdown) continue

    const heading = headingIn(line, grammar)
    if (heading) headings.push(heading)
    else lines.push(line)
  }
  headings.sort((a, b) => a.start - b.start)
  return { source, grammar, headings, lines, blocks: root.children }
}

function markdownHeading(source: string, node: RootContent, grammar: Grammar): Heading[] {
  if (node.type !== 'heading') return []

  const start = startOf(node)
  const end = endOf(node)
  const written = source.slice(start, end)
  const span = { kind: 'markdown', level: node.depth, end } as const

  const underline = written.lastIndexOf('\n')
  if (underline < 0) {
    return [toHeading({ ...span, start }, written.replace(/^#+/, ''), grammar)]
  }

  // Under a paragraph, only the line above the underline is meant.
  const from = written.lastIndexOf('\n', underline - 1) + 1
  return [toHeading({ ...span, start: start + from }, written.slice(from, underline), grammar)]
}

type HeadingSpan = Pick<Heading, 'kind' | 'level' | 'start' | 'end'>

/** So much of a line is read: a title says early whose it is. */
const LONGEST_READ = 500

function toHeading(span: HeadingSpan, written: string, grammar: Grammar): Heading {
  const text = plainText(written.slice(0, LONGEST_READ))
  return { ...span, text, ...versionIn(text, grammar) }
}

/** `= 1.2.3 =`, `== Changelog ==`; people forget marks at the end. */
const WORDPRESS = /^(={1,4}) *([^=\s].*)$/
const HTML = /^<h([1-6])\b[^>]*>(.*)<\/h\1>$/i

/** The heading that a line is, in any style but Markdown's. */
function headingIn({ start, text }: Line, grammar: Grammar): Heading | undefined {
  const isIndented = /^(?: {4}|\t)/.test(text)
  const line = text.trim()
  const first = line.charAt(0)
  if (isIndented || line.length > LONGEST_READ) return undefined

  const end = start + text.length

  if (first === '=') {
    const [, marks = '', rest = ''] = WORDPRESS.exec(line) ?? []
    if (!rest.endsWith('=') && !grammar.unclosed.test(rest)) return undefined
    const name = rest.replace(/[ =]+$/, '')
    // `=== Plugin ===` is above `== Changelog ==`, and that above `= 1.2.3 =`.
    return toHeading({ kind: 'wordpress', level: 5 - marks.length, start, end }, name, grammar)
  }

  if (first === '<') {
    const [, level, name = ''] = HTML.exec(line) ?? []
    if (level === undefined) return undefined
    return toHeading({ kind: 'html', level: Number(level), start, end }, name, grammar)
  }

  const [, number] = grammar.dated.exec(line) ?? []
  if (number === undefined) return undefined

  const version = cleanVersion(number)
  return { kind: 'dated', level: 1, start, end, text: line, version, before: '' }
}

/** A line as it is read: without tags, emphasis, escapes, and the addresses of links. */
export function plainText(line: string): string {
  return line
    .replace(/<[^<>]*>|\*\*|__|`|\\(?=\W)/g, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .trim()
}

/** All lines, with blanks in place of closed code and comments: what is there is not meant as a title. */
function readableLines(source: string, root: Root): Line[] {
  const hidden = descend(root).flatMap(node => hiddenIn(source, node))
  const shown = applyEdits(source, hidden)
  let start = 0
  return shown.split('\n').map(text => {
    const line = { start, text }
    start += text.length + 1
    return line
  })
}

/** The edits that blank the code or the comments of a block. */
function hiddenIn(source: string, node: Nodes): Edit[] {
  const start = startOf(node)
  const end = endOf(node)
  const blank = (from: number, to: number): Edit => {
    return { start: from, end: to, text: source.slice(from, to).replace(/[^\n]/g, ' ') }
  }
  if (node.type === 'code')
    return isClosedFence(source.slice(start, end)) ? [blank(start, end)] : []
  if (node.type !== 'html' && node.type !== 'paragraph') return []

  const edits: Edit[] = []
  const written = source.slice(start, end)
  let from = written.indexOf('<!--')
  while (from >= 0) {
    const close = written.indexOf('-->', from + 4)
    if (close < 0) break
    if (!isInCode(written, from)) edits.push(blank(start + from, start + close + 3))
    from = written.indexOf('<!--', close + 3)
  }
  return edits
}

/** Whether a place is within backticks on its line. */
function isInCode(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return line.split('`').length % 2 === 0
}

/** A fence that is never closed swallows the rest of a file, and indented code is text with too many spaces. */
function isClosedFence(code: string): boolean {
  const last = code.slice(code.lastIndexOf('\n') + 1)
  return /^[`~]{3}/.test(code) && code.includes('\n') && /^[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(last)
}
