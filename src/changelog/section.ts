// Finds the section of one version in a changelog file.
import type { Root, RootContent } from 'mdast'
import { definitionsFor, parseMarkdown, type Range, rangeOf, textOf } from './markdown.ts'
import { normalize } from './text.ts'

export type Section =
  /** What stands under the version's title. */
  | { readonly kind: 'section'; readonly text: string }
  /** Nothing in the file looks like a version's title, so it is about one version. */
  | { readonly kind: 'whole'; readonly text: string }
  /** It has titles of other versions alone. */
  | { readonly kind: 'missing'; readonly titles: readonly string[] }

/** How files mark a version; the first that fits is taken. */
const STYLES = ['heading', 'wordpress', 'bold', 'line', 'item', 'loose'] as const

interface Title extends Range {
  readonly style: (typeof STYLES)[number]
  /** Of headings: how deep they are. */
  readonly level: number
  /** As it is written, without marks. */
  readonly text: string
  /** The version that it names. */
  readonly version?: Version | undefined
}

interface Version {
  /** Such as `plugin` in `plugin@1.2.3`. */
  readonly scope: string
  readonly number: string
  readonly isWanted: boolean
  /** Whether it comes first in its title, and its date or name after it. */
  readonly isSure: boolean
  /** Whether nothing but a date stands there beside it. */
  readonly isBare: boolean
}

/** What is looked for. */
interface Wanted {
  readonly version: string
  readonly tag: string
  /** What stands before the version in the tag: the name of a package, or a folder. */
  readonly scope: string
}

/** The section of a version, of a monorepo's package when the tag names one. */
export function takeSection(file: string, version: string, tag: string): Section {
  const source = normalize(file.replace(/^\ufeff/, ''))
  const whole = { kind: 'whole', text: source } as const
  // Whatever is a version has a digit, or is what is wanted.
  if (!/\d|unreleased/i.test(source) && !source.includes(version)) return whole
  const root = parseMarkdown(source)
  const before = tag.endsWith(version) ? tag.slice(0, tag.length - version.length) : ''
  const wanted = { version, tag, scope: before.replace(/[@/_-]?v?$/i, '').toLowerCase() }
  const read = (those: readonly Title[]) =>
    those.map(title => ({ ...title, version: readTitle(title.text, wanted) }))
  let titles = read(root.children.flatMap(node => titlesOf(source, node)))
  if (!titles.some(title => title.version?.isWanted || isAboutVersion(title))) {
    titles = read(looseTitles(source, root))
  }
  const found = findTitle(titles, wanted)
  if (!found) {
    const others = titles.filter(isAboutVersion)
    if (others.length === 0) return whole
    const sure = others.filter(({ version }) => version?.isSure ?? true)
    const texts = (sure.length > 0 ? sure : others).map(({ text }) => text)
    return { kind: 'missing', titles: [...new Set(texts)] }
  }
  const { end: start } = found
  const end = trimEnd(root, start, endOf(found, titles, wanted, source.length))
  // The anchor of the next version may be glued to the last line.
  const text = source.slice(start, end).replace(/(?:\n\s*<a\s[^<>]*>(?:<\/a>)?\s*)+$/i, '')
  const section = normalize(found.style === 'item' ? outdent(text) : text)
  const definitions = definitionsFor({ start, end }, source, root).join('\n')
  return { kind: 'section', text: normalize(`${section}\n\n${definitions}`) }
}

/** A version's own title comes before one that only names it, its changes before WordPress's notice. */
function findTitle(titles: readonly Title[], wanted: Wanted): Title | undefined {
  const fitting = titles.filter(({ version }) => version?.isWanted)
  const sure = fitting.filter(({ version }) => version?.isSure)
  // A title in another version's section may name this one, and not be its own.
  const highest = Math.min(...titles.map(({ version, level }) => (version?.isSure ? level : 9)))
  const likely = sure.length > 0 ? sure : fitting.filter(({ level }) => level <= highest)
  const noted = likely.filter(it => !/^upgrade notice/i.test(partOf(it, titles)?.text ?? ''))
  const those = noted.length > 0 ? noted : likely
  const style = STYLES.find(style => those.some(title => title.style === style))
  const own = those.filter(title => title.style === style)
  return own.find(({ version }) => version?.scope === wanted.scope) ?? own[0]
}

const isHeading = ({ style }: Title) => style === 'heading' || style === 'wordpress'

/** The part of the file that a title is in. */
const partOf = ({ start }: Title, titles: readonly Title[]) =>
  titles.findLast(it => it.start < start && isHeading(it) && !isAboutVersion(it))

/** Up to the next title of the same or a higher level, or of another version. */
function endOf(found: Title, titles: readonly Title[], wanted: Wanted, length: number): number {
  const level = isHeading(found) ? found.level : (partOf(found, titles)?.level ?? 0)
  const next = titles.slice(titles.indexOf(found) + 1).find(title => {
    if (isHeading(title) && title.level <= level) return true
    if (title.style !== found.style) return false
    return isHeading(title) ? isOtherVersion(title.version, wanted) : !title.version?.isWanted
  })
  return next?.start ?? length
}

/** The titles in a block at the top: in no quote, no list but its own items, no code. */
function titlesOf(source: string, node: RootContent): Title[] {
  const range = rangeOf(node)
  const written = source.slice(range.start, range.end)
  switch (node.type) {
    case 'heading':
      return [{ ...range, style: 'heading', level: node.depth, text: textOf(node).trim() }]
    case 'html': {
      const headings = written.matchAll(/<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/gi)
      return Array.from(headings, ({ 0: whole, 1: level, 2: content = '', index }) => {
        const start = range.start + index
        const text = content.replace(/<[^<>]*>/g, '').trim()
        return { start, end: start + whole.length, style: 'heading', level: Number(level), text }
      })
    }
    case 'paragraph':
    case 'list': {
      const from = source.lastIndexOf('\n', range.start - 1) + 1
      const lines = source.slice(from, range.end).matchAll(/.+/g)
      return Array.from(lines).flatMap(({ 0: line, index }) =>
        titleOfLine(source, from + index, line)
      )
    }
    default:
      return []
  }
}

/** A version, its date or name, and nothing else. */
const VERSION_LINE =
  /^(?:\d{4}[-./]\d\d?[-./]\d\d?\s*[-–—:]?\s*)?(?:version |release |ver\.? ?)?v?\d+(?:\.\d+)+[\w.+-]*:?(?:\s*(?:\(.*\)|\[.*\]|[-–—/|,]?\s*(?:released?:?\s*)?(?=.*\b\d{4}\b).{4,40}))?:?$/i

function titleOfLine(source: string, start: number, line: string): Title[] {
  const range = { start, end: start + line.length, level: 9 }
  const text = line.trimEnd()
  const [, marks = '', wordpress] = /^(={1,4})\s*([^=\s](?:.*[^=\s])?)\s*\1$/.exec(text) ?? []
  if (wordpress !== undefined) {
    return [{ ...range, style: 'wordpress', level: 4 - marks.length, text: wordpress }]
  }
  const [, , bold] =
    /^(\*\*|__)(.+?)\1:?\s*(?:\(.*\)|[-–—]?\s*[\d./-]*|[-–—,]?\s*(?=.*\b\d{4}\b).{4,40})$/.exec(
      text
    ) ?? []
  if (bold !== undefined && VERSION_LINE.test(bold.replaceAll(/[*_[\]]/g, ''))) {
    return [{ ...range, style: 'bold', text: text.replaceAll(/\*\*|__/g, '') }]
  }
  const [, item] = /^[-*+] {1,3}(.+)$/.exec(text) ?? []
  const plain = (item ?? text).replaceAll(/[*_`]|^\[|(?<=\d)\](?=\s|$)/g, '')
  if (!VERSION_LINE.test(plain)) return []
  if (item !== undefined) return [{ ...range, style: 'item', text: plain }]
  const [before = ''] = source.slice(0, start).split('\n').slice(-2)
  const isAlone = start === 0 || /^\s*$|^[=*~-]{3,}|^\s|^[-*+] /.test(before)
  return isAlone ? [{ ...range, style: 'line', text }] : []
}

/** A line of its own that ends with a version, such as `Gallery 1.2.3` or `<b>1.2.3</b>`. */
const LOOSE =
  /^(?:\p{L}[\p{L}\d’' -]{0,40} )?v?\d+\.\d+[\w.+-]*(?:\s*\(.*\)|[\s,–—-]+(?=.*\d{4}).{4,40})?:?$/iu

/** For want of proper titles; one line with words before its version may be a sentence. */
function looseTitles(source: string, root: Root): Title[] {
  const found = root.children.flatMap(node => {
    const { start: from, end: to } = rangeOf(node)
    const isText = ['paragraph', 'html', 'heading'].includes(node.type)
    const lines = isText ? source.slice(from, to).matchAll(/^.+|\n[ \t]*<.+/g) : []
    return Array.from(lines, ({ 0: line, index }) => {
      const text = line.replace(/<[^<>]*>|^[\s#=*_~-]+|[\s#=*_~-]+$|\*\*/g, '').trim()
      const range = { start: from + index, end: from + index + line.length }
      return { ...range, style: 'loose', level: 9, text } as const
    })
  })
  const those = found.filter(({ text }) => LOOSE.test(text))
  return those.length > 1 || /^v?\d|^(?:version|release)\b/i.test(those[0]?.text ?? '') ? those : []
}

const DATE = /^\d{4}[-./]\d\d?[-./]\d\d?$|^\d\d?[-./]\d\d?[-./]\d{4}$/
/** Coming from a version is not being about it. */
const NOT_ABOUT = /\b(?:from|since|than|before|after|until|was|of|why|with|and|or|to)\W*$/i
/** A date, a name after a dash, something in brackets, or nothing. */
const ASIDE = /^[)\]]*[:.!]*\s*(?:$|[-–—/([:|,]|\d{4}|released\b)/i

/** The version that a title is about: the first that it names. */
function readTitle(title: string, wanted: Wanted): Version | undefined {
  for (const { 0: word, index } of title.matchAll(/[^\s()[\],;:|“”"']+/g)) {
    const parsed = parseWord(word, wanted)
    if (!parsed) continue
    const { isWanted, scope, number, rest } = parsed
    const before = title.slice(0, index)
    const after = rest + title.slice(index + word.length)
    const isSure = /^[^\p{L}\p{N}]*(?:(?:version|release|ver)\W*)?$/iu.test(before)
    if (!isSure && (NOT_ABOUT.test(before) || !(isWanted || ASIDE.test(after)))) return undefined
    const isBare = isSure && /^[)\]]*:?\s*[-–—/([]*\s*(?:$|\d{4})/.test(after)
    const isOther = scope !== '' && wanted.scope !== '' && scope !== wanted.scope
    return { scope, number, isWanted: isWanted && !isOther, isSure, isBare }
  }
  return undefined
}

/** A word that is a version, or ends with one. */
function parseWord(word: string, { version, tag, scope }: Wanted) {
  const text = word.replace(/[.!?*_`]+$/, '').toLowerCase()
  const own = { number: version, isWanted: true, rest: '' }
  if (text === version.toLowerCase()) return { ...own, scope: '' }
  if (text === tag.toLowerCase()) return { ...own, scope }
  const [, name = '', number = '', rest = ''] =
    /^(?:[\p{Lo}\p{Lm}]+)?()v?(\d[\w.+-]*)([^\x20-\x7e].*)?$/u.exec(text) ??
    /^(.+)[@/]v?(\d[\w.+-]*)()$/.exec(text) ??
    /^([a-z][\w.]*(?:-[a-z][\w.]*)*)[-_]v?(\d+\.\d[\w.+-]*)()$/.exec(text) ??
    []
  const isWanted = number === version.toLowerCase()
  // A mere number or a date is no version, unless it is wanted.
  if (!isWanted && (!/\d\.\d/.test(number) || DATE.test(number))) return undefined
  return { scope: name, number, isWanted, rest }
}

/** Whether a title is that of a version, or of what has none yet. */
function isAboutVersion({ text, version }: Title): boolean {
  if (/^\W*unreleased\b/i.test(text)) return true
  return version !== undefined && (version.isSure || version.number.split('.').length > 2)
}

/** Whether a deeper title still begins another version, as in files of semantic-release; a pre-release does not. */
function isOtherVersion(version: Version | undefined, wanted: Wanted): boolean {
  if (!version?.isBare || version.number.split('.').length < 3) return false
  const isOwn = version.scope === '' || version.scope === wanted.scope
  const coreOf = (number: string) => number.split(/[-+]/)[0]
  return isOwn && coreOf(version.number) !== coreOf(wanted.version)
}

/** Before the next version's anchor, a rule that only separates, and definitions of the whole file. */
function trimEnd(root: Root, start: number, end: number): number {
  const inside = root.children.filter(
    node => rangeOf(node).start >= start && rangeOf(node).end <= end
  )
  const kept = inside.findLastIndex(node => !isSeparator(node))
  const next = inside[kept + 1]
  return next ? rangeOf(next).start : end
}

function isSeparator(node: RootContent): boolean {
  if (node.type === 'thematicBreak' || node.type === 'definition') return true
  if (node.type === 'html') return /^(?:<a\s[^>]*>|<\/a>|<br\s*\/?>|\s)*$/i.test(node.value)
  const isPlain =
    node.type === 'paragraph' && node.children.every(({ type }) => /^(?:html|text)$/.test(type))
  return isPlain && textOf(node).trim() === ''
}

/** The items under a version that is an item itself stand as deep as they are. */
function outdent(text: string): string {
  const depths = Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([indent]) => indent.length)
  return text.replace(new RegExp(`^[ \\t]{${Math.min(...depths, 99)}}`, 'gm'), '')
}
