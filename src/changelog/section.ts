// Finds the section of one version in a changelog file.
import type { Root, RootContent } from 'mdast'
import {
  definitionsOf,
  descend,
  normalize,
  parseMarkdown,
  type Range,
  rangeOf,
  textOf
} from './markdown.ts'
import {
  isAboutVersion,
  isOtherVersion,
  readTitle,
  type TitleVersion,
  type Wanted,
  wantedOf
} from './title.ts'

export type Section =
  /** What stands under the version's title. */
  | { readonly kind: 'section'; readonly text: string }
  /** Nothing in the file looks like a version's title, so it is about one version. */
  | { readonly kind: 'whole'; readonly text: string }
  /** It has titles of other versions alone. */
  | { readonly kind: 'missing'; readonly titles: readonly string[] }

/** How files mark a version; the first that fits is taken. */
const STYLES = ['heading', 'wordpress', 'bold', 'line', 'item'] as const

interface Title extends Range {
  readonly style: (typeof STYLES)[number]
  readonly level: number
  /** As it is written, without marks. */
  readonly text: string
  readonly version: TitleVersion | undefined
}

/** The section of a version, of a monorepo's package when the tag names one. */
export async function takeSection(file: string, version: string, tag: string): Promise<Section> {
  const source = normalize(file.replace(/^\ufeff/, ''))
  const wanted = wantedOf(version, tag)
  // Whatever is a version has a digit, or is what is wanted.
  if (!/\d|unreleased/i.test(source) && !source.includes(version))
    return { kind: 'whole', text: source }
  const root = await parseMarkdown(source)
  const titles = findTitles(source, root, wanted)
  const found = findTitle(titles, wanted)
  if (!found) {
    const others = titles.filter(isAboutVersion)
    if (others.length === 0) return { kind: 'whole', text: source }
    const sure = others.filter(({ version }) => version?.isSure ?? true)
    return { kind: 'missing', titles: (sure.length > 0 ? sure : others).map(({ text }) => text) }
  }
  const end = trimEnd(root, found.end, endOf(found, titles, wanted, source.length))
  const text = source.slice(found.end, end)
  const section = normalize(found.style === 'item' ? outdent(text) : text)
  const definitions = await definitionsFor(section, { start: found.end, end }, source, root)
  return { kind: 'section', text: normalize([section, ...definitions].join('\n')) }
}

/** A version's own title comes before one that only names it, and the tag's package before others. */
function findTitle(titles: readonly Title[], wanted: Wanted): Title | undefined {
  const fitting = titles.filter(({ version }) => version?.isWanted)
  const sure = fitting.filter(({ version }) => version?.isSure)
  // A title in another version's section may name this one, and not be its own.
  const levels = titles.flatMap(({ version, level }) => (version?.isSure ? [level] : []))
  const unsure = fitting.filter(({ level }) => level <= Math.min(...levels))
  for (const style of STYLES) {
    const those = (sure.length > 0 ? sure : unsure).filter(title => title.style === style)
    const scoped = those.find(({ version }) => version?.scope === wanted.scope)
    const found = scoped ?? those[0]
    if (found) return found
  }
  return undefined
}

/** Up to the next title of the same or a higher level, or of another version. */
function endOf(found: Title, titles: readonly Title[], wanted: Wanted, length: number): number {
  const index = titles.indexOf(found)
  const isHeading = ({ style }: Title) => style === 'heading' || style === 'wordpress'
  const above = titles.slice(0, index).findLast(title => isHeading(title) && !isAboutVersion(title))
  const level = isHeading(found) ? found.level : (above?.level ?? 0)
  const next = titles.slice(index + 1).find(title => {
    if (isHeading(title) && title.level <= level) return true
    if (title.style !== found.style) return false
    return isHeading(title) ? isOtherVersion(title.version, wanted) : !title.version?.isWanted
  })
  return next?.start ?? length
}

function findTitles(source: string, root: Root, wanted: Wanted): Title[] {
  const titles = root.children.flatMap(node => titlesOf(source, node))
  return titles
    .toSorted((a, b) => a.start - b.start)
    .map(title => ({ ...title, version: readTitle(title.text, wanted) }))
}

type Found = Omit<Title, 'version'>

/** The titles in a block at the top: in no quote, no list but its own items, no code. */
function titlesOf(source: string, node: RootContent): Found[] {
  const range = rangeOf(node)
  switch (node.type) {
    case 'heading':
      return [{ ...range, style: 'heading', level: node.depth, text: textOf(node).trim() }]
    case 'html': {
      const html = /<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/gi
      return Array.from(source.slice(range.start, range.end).matchAll(html), match => {
        const start = range.start + match.index
        const text = (match[2] ?? '').replace(/<[^<>]*>/g, '').trim()
        return {
          start,
          end: start + match[0].length,
          style: 'heading',
          level: Number(match[1]),
          text
        }
      })
    }
    case 'paragraph':
    case 'list':
      return linesOf(source, range).flatMap(line => titleOfLine(line, source))
    default:
      return []
  }
}

interface Line extends Range {
  readonly text: string
}

function linesOf(source: string, { start, end }: Range): Line[] {
  const lines: Line[] = []
  let at = source.lastIndexOf('\n', start - 1) + 1
  for (const text of source.slice(at, end).split('\n')) {
    lines.push({ start: at, end: at + text.length, text: text.trimEnd() })
    at += text.length + 1
  }
  return lines
}

/** A version, its date or name, and nothing else. */
const VERSION_LINE =
  /^(?:\d{4}[-./]\d\d?[-./]\d\d?\s*[-–—:]?\s*)?(?:version |release |ver\.? ?)?v?\d+(?:\.\d+)+[\w.+-]*:?(?:\s*(?:\(.*\)|\[.*\]|[-–—/|,]?\s*(?:released?:?\s*)?(?=.*\b\d{4}\b).{4,40}))?:?$/i

function titleOfLine({ start, end, text }: Line, source: string): Found[] {
  const [, marks = '', wordpress] = /^(={1,4})\s*([^=\s](?:.*[^=\s])?)\s*\1$/.exec(text) ?? []
  if (wordpress !== undefined) {
    return [{ start, end, style: 'wordpress', level: 4 - marks.length, text: wordpress }]
  }
  const [, , bold] = /^(\*\*|__)(.+?)\1:?\s*(?:\(.*\)|[-–—]?\s*[\d./-]*)$/.exec(text) ?? []
  if (bold !== undefined && VERSION_LINE.test(bold.replaceAll(/[*_[\]]/g, ''))) {
    return [{ start, end, style: 'bold', level: 9, text: text.replaceAll(/\*\*|__/g, '') }]
  }
  const [, item] = /^[-*+] {1,3}(.+)$/.exec(text) ?? []
  const plain = (item ?? text).replaceAll(/[*_`]|^\[|(?<=\d)\](?=\s|$)/g, '')
  if (!VERSION_LINE.test(plain)) return []
  if (item !== undefined) return [{ start, end, style: 'item', level: 9, text: item }]
  const before =
    source
      .slice(0, Math.max(0, start - 1))
      .split('\n')
      .at(-1) ?? ''
  const isAlone = start === 0 || /^\s*$|^[=*~-]{3,}|^\s|^[-*+] /.test(before)
  return isAlone ? [{ start, end, style: 'line', level: 9, text }] : []
}

/** Before the next version's anchor, a rule that only separates, and definitions of the whole file. */
function trimEnd(root: Root, start: number, end: number): number {
  const inside = root.children.filter(
    node => rangeOf(node).start >= start && rangeOf(node).end <= end
  )
  let last = end
  for (const node of inside.toReversed()) {
    if (!isSeparator(node)) break
    last = rangeOf(node).start
  }
  return last
}

function isSeparator(node: RootContent): boolean {
  if (node.type === 'thematicBreak' || node.type === 'definition') return true
  if (node.type === 'html') return /^(?:<a\s[^>]*>|<\/a>|<br\s*\/?>|\s)*$/i.test(node.value)
  return (
    node.type === 'paragraph' &&
    textOf(node).trim() === '' &&
    node.children.every(it => it.type === 'html' || it.type === 'text')
  )
}

/** The items under a version that is an item itself stand as deep as they are. */
function outdent(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const depths = lines.map(line => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const depth = Math.min(...depths)
  return text.replace(new RegExp(`^[ \\t]{${Number.isFinite(depth) ? depth : 0}}`, 'gm'), '')
}

/** The definitions outside of the section that links in it go by, as they are written. */
async function definitionsFor(
  text: string,
  section: Range,
  source: string,
  root: Root
): Promise<string[]> {
  const outside = [...definitionsOf(root).values()]
    .map(definition => ({ ...rangeOf(definition), name: definition.identifier }))
    .filter(({ start }) => start < section.start || start >= section.end)
  if (outside.length === 0 || !text.includes('[')) return []
  const write = ({ start, end }: Range) => source.slice(start, end)
  const whole = await parseMarkdown([text, ...outside.map(write)].join('\n\n'))
  const used = new Set<string>()
  for (const node of descend(whole)) {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(node.identifier)
  }
  const needed = outside.filter(({ name }) => used.has(name)).map(write)
  return needed.length > 0 ? ['', ...needed] : []
}
