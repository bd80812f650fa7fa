// Owns what the lines of a changelog file are: code, headings by their marks, and the titles of versions. Pure.
import {
  isDateOrNothing,
  type NamedVersion,
  nameIn,
  READ_MAX_CHARACTERS,
  readVersion
} from './versions.ts'

/** A changelog file, and the version that is wanted. */
export interface ChangelogFile {
  readonly text: string
  /** For messages. */
  readonly path: string
  readonly version: string
  /** It may name a package: `plugin@1.2.3`. */
  readonly tag: string
}

/** A line of a file. */
export interface Line {
  /** As it is sent. */
  readonly text: string
  /** As it is read: empty within closed code and comments. */
  readonly shown: string
  /** Whether it stands within closed code. */
  readonly isCode: boolean
}

/** A line that stands over others, by its marks. */
export interface Heading extends NamedVersion {
  /** `#`, `=`, `_` for underlined ones; lone lines have their own, such as `line **`. */
  readonly marks: string
  /** The lower, the higher up. Levels of different marks are not compared. */
  readonly level: number
  /** Without marks, tags, emphasis and the addresses of links. */
  readonly text: string
  /** Its line, and the one after it. */
  readonly line: number
  readonly end: number
}

/** A changelog file as it is read. */
export interface Changelog {
  readonly lines: readonly Line[]
  readonly headings: readonly Heading[]
  /** The headings of versions: of any product without a name, or of the commonest name. */
  readonly titles: readonly Heading[]
}

/** Reads a file. Only where no heading is a title, lone lines are: those that are all in the same marks. */
export function readChangelog(text: string): Changelog {
  const lines = readLines(text)
  const headings = withoutNotices(lines.flatMap((_, at) => headingAt(lines, at) ?? []))
  const titles = titlesOf(headings)
  if (titles.length > 0) return { lines, headings, titles }

  const lone = readLoneTitles(lines)
  const marks = commonest(lone.map(it => it.marks))
  const alike = lone.filter(it => it.marks === marks)
  const shown = alike.length > 1 ? alike : []
  return {
    lines,
    headings: [...headings, ...shown].toSorted((a, b) => a.line - b.line),
    titles: titlesOf(shown)
  }
}

const COMMENT_END = /-->/

/** The end of what this line opens, code or a comment, within which nothing is a heading; undefined if it opens nothing. */
function closeOf(line: string): RegExp | undefined {
  const [, sign, rest = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
  // Backticks that are followed by others are code within the line.
  if (sign && !(sign.startsWith('`') && rest.includes('`'))) {
    return new RegExp(`^[ \\t>]*${sign}${sign.charAt(0)}*[ \\t]*$`)
  }
  if (/^<pre[\s>]/i.test(line) && !/<\/pre>/i.test(line)) return /<\/pre>/i

  const uncoded = line.includes('<!--') ? line.replace(/`[^`]*`/g, '') : ''
  return uncoded.lastIndexOf('<!--') > uncoded.lastIndexOf('-->') ? COMMENT_END : undefined
}

/** Four tildes or more, as long as the line above: reStructuredText's underline. In Markdown, they would begin code. */
function isTildeUnderline(line: string, above: string): boolean {
  const underline = line.trimEnd()
  const title = above.trimEnd()
  return /^~{4,}$/.test(underline) && /[^~]/.test(title) && underline.length >= title.length
}

/** The lines of a file; tildes under a title are sent as dashes. What nothing closes hides nothing. */
export function readLines(source: string): Line[] {
  const texts = source.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const unclosed = new Set<string>()
  const lines: Line[] = []
  while (lines.length < texts.length) {
    const at = lines.length
    const text = texts[at] ?? ''
    if (isTildeUnderline(text, texts[at - 1] ?? '')) {
      lines.push(toLine('-'.repeat(text.trimEnd().length), text))
      continue
    }

    const close = closeOf(text)
    const end = close && !unclosed.has(close.source) ? findLine(texts, at + 1, close) : -1
    if (close && end < 0) unclosed.add(close.source)
    const hidden = texts.slice(at, end + 1)
    if (hidden.length === 0) lines.push(toLine(text, withoutComments(text)))
    for (const it of hidden) lines.push(toLine(it, '', close !== COMMENT_END))
  }
  return lines
}

function toLine(text: string, shown: string, isCode = false): Line {
  return { text, shown, isCode }
}

function findLine(texts: readonly string[], from: number, line: RegExp): number {
  for (let at = from; at < texts.length; at++) if (line.test(texts[at] ?? '')) return at
  return -1
}

function withoutComments(line: string): string {
  const [first = '', ...others] = line.slice(0, READ_MAX_CHARACTERS).split('<!--')
  const shown = others.map(it => {
    const close = it.indexOf('-->')
    return close < 0 ? `<!--${it}` : ` ${it.slice(close + 3)}`
  })
  return first + shown.join('')
}

/** A line without tags, emphasis, and the addresses of links. */
export function plainText(line: string): string {
  const untagged = line.slice(0, READ_MAX_CHARACTERS).replace(/<[^<>]*>/g, ' ')
  const text = untagged.replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, ' $1 ')
  return text.replace(/\*\*|__|`|\\/g, '').trim()
}

/** Longer lines are no headings. */
const HEADING_MAX_CHARACTERS = 500
/** A date in digits: `2026-01-31`, `31/1/26`; people slip, as in `20012-01-31`. */
const DATE = String.raw`(?:\d{4,5}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,5})`
const LABELED = String.raw`(?:(?:version|ver|v)[. ]?)?\d[\d.]*[\p{L}\p{N}.+_-]{0,40}`
/** A title whose date comes first: `2026-01-31 - version 1.2.3` */
const DATED = new RegExp(`^${DATE} ?[-–—:|] ?${LABELED}$`, 'iu')

function toHeading(marks: string, level: number, text: string, line: number, end: number): Heading {
  const plain = plainText(text)
  return {
    ...readVersion(plain),
    marks,
    level,
    text: plain,
    line,
    end
  }
}

/** The heading that begins at a line: `## 1.2.3`, `= 1.2.3 =`, `1.2.3` over `=====`, or `2026-01-31 - version 1.2.3`. */
export function headingAt(lines: readonly Line[], at: number): Heading | undefined {
  const line = lines[at]?.shown.trimEnd() ?? ''
  if (line === '' || line.length > HEADING_MAX_CHARACTERS) return undefined

  const [, hashes, hashed = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
  if (hashes) return toHeading('#', hashes.length, hashed.replace(/[ \t]#+$/, ''), at, at + 1)

  const [, signs, equaled = ''] = /^ {0,3}(={1,4})(?!=) *(\S.*)$/.exec(line) ?? []
  if (signs) {
    const heading = toHeading('=', 5 - signs.length, withoutEquals(equaled), at, at + 1)
    // People forget the marks at the end of a title.
    if (line.endsWith('=') || heading.version !== '') return heading
  }

  if (DATED.test(line)) return toHeading('dated', 1, line, at, at + 1)
  return underlinedAt(lines, at, line)
}

function withoutEquals(text: string): string {
  let end = text.length
  while (end > 0 && /[ =]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function underlinedAt(lines: readonly Line[], at: number, line: string): Heading | undefined {
  const below = lines[at + 1]?.shown.trimEnd() ?? ''
  const [, sign = ''] = /^([=~-])\1{2,}$/.exec(below) ?? []
  if (sign === '' || !/^[\p{L}\p{N}[*]/u.test(line) || /^\* /.test(line)) return undefined

  const heading = toHeading('_', '=-~'.indexOf(sign) + 1, line, at, at + 2)
  // Underlined is a title alone: `Version 2.0 is next` over `---` is a sentence over a rule.
  const isTitle = heading.version !== '' && isDateOrNothing(heading.rest)
  return isTitle || below.length >= line.length ? heading : undefined
}

/** The lone lines that are nothing but a version, perhaps with a name and a date, in whatever marks. */
export function readLoneTitles(lines: readonly Line[]): Heading[] {
  return lines.flatMap(({ shown }, at) => {
    if (headingAt(lines, at)) return []
    if (shown.length > 80 || /^\s|^[-*+] |^\d+[.)] /.test(shown)) return []

    const [marks] = /^[^\p{L}\p{N}]*/u.exec(shown) ?? []
    const heading = toHeading(`line ${marks}`, 1, shown, at, at + 1)
    const isAlone =
      !/[\p{L}\p{N}]/u.test(lines[at - 1]?.text ?? '') || shown.trimEnd().endsWith(':')
    return isAlone && heading.version !== '' && isDateOrNothing(heading.rest) ? [heading] : []
  })
}

/** Whether a heading is over what WordPress' readmes say about upgrading. */
export const isUpgradeNotice = ({ text }: Heading): boolean => /^upgrade notice/i.test(text)

/** Whether a heading is as high as another one, in the same marks. */
export const isAtLeast = (a: Heading, b: Heading): boolean =>
  a.marks === b.marks && a.level <= b.level

/** All headings but those under an Upgrade Notice. */
function withoutNotices(headings: readonly Heading[]): Heading[] {
  const kept: Heading[] = []
  let notice: Heading | undefined
  for (const heading of headings) {
    if (notice && isAtLeast(heading, notice)) notice = undefined

    const begins = isUpgradeNotice(heading)
    if (begins || !notice) kept.push(heading)
    if (begins) notice = heading
  }
  return kept
}

/** Words before a version that tell of the changes after it: `Changes since 1.2.3` */
const OF_LATER = /(?:^| )(?:since|from|after|upgrad(?:e|ing) to)$/

function titlesOf(headings: readonly Heading[]): Heading[] {
  const named = headings.filter(it => it.version !== '' && !OF_LATER.test(it.name))
  const name = commonest(named.map(it => it.name))
  return named.filter(it => it.name === '' || it.name === name)
}

/** The text that most are; empty if several are alone. */
function commonest(texts: readonly string[]): string {
  const groups = [...Map.groupBy(texts, it => it).values()]
  const [most = []] = groups.toSorted((a, b) => b.length - a.length)
  return most.length > 1 || texts.length === 1 ? (most[0] ?? '') : ''
}

/** Whether a heading names a package as npm does: `theme@1.2.3`. */
export const isOfPackage = ({ text }: Heading): boolean => /[\p{L}\p{N}]@v?\.?\d/u.test(text)

/** The package that a tag names: `plugin` in `plugin@1.2.3`; empty if it names none. */
export function packageIn({ tag, version }: ChangelogFile): string {
  return tag.endsWith(version) ? nameIn(tag.slice(0, tag.length - version.length)) : ''
}

/** Whether two names are of one package: `@acme/plugin` and `plugin`. */
export function isSameName(a: string, b: string): boolean {
  return ` ${a}`.endsWith(` ${b}`) || ` ${b}`.endsWith(` ${a}`)
}
