// Which lines of a changelog file are headings, and which belong to one: by their marks, never by their words. Pure.
import { normalize } from './text.ts'
import { isDateOrNothing, isLabel, readVersion } from './versions.ts'

/** A line of a file. */
export interface Line {
  /** As it is sent. */
  readonly text: string
  /** As it is read: empty within closed code and comments. */
  readonly shown: string
}

/** A heading, in whatever marks. */
export interface Heading {
  readonly kind: 'hash' | 'underline' | 'equals' | 'html' | 'dated' | 'bare'
  /** The lower, the higher up. Levels of two kinds cannot be compared. */
  readonly level: number
  /** Without marks, tags, emphasis and the addresses of links. */
  readonly text: string
  /** Its first line, and the one after it. */
  readonly line: number
  readonly end: number
}

/** Whether a heading is of a kind and at its level or higher. */
export const isAtLeast = (a: Heading, b: Heading): boolean =>
  a.kind === b.kind && a.level <= b.level

/** Whether two headings are of the same kind and level. */
export const isLevelWith = (a: Heading, b: Heading): boolean =>
  a.kind === b.kind && a.level === b.level

/** Longer lines are no headings. */
const HEADING_MAX_CHARACTERS = 500
/** Longer lines without marks are no titles. */
const BARE_TITLE_MAX_CHARACTERS = 80
/** `---`, `* * *`, `=====` */
const RULE = /^(?:([-*_=~+^"#])[ \t]*)(?:\1[ \t]*){2,}$/
/** The levels of underlined headings, from the top down. */
const LEVELS: Readonly<Record<string, number>> = {
  '=': 1,
  '-': 2,
  '~': 3,
  '^': 4,
  '"': 4,
  '*': 4,
  '+': 4
}

/** Whether a line is nothing but a rule, or an underline. */
export const isRule = (line: string): boolean => RULE.test(line.trim())

/** A line without tags, emphasis, escapes, and the addresses of links. */
export function plainText(line: string): string {
  return line
    .slice(0, HEADING_MAX_CHARACTERS * 4)
    .replace(/\*\*|__|`|~~|\\(?=[^\p{L}\p{N}\s])/gu, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, ' $1 ')
    .replace(/(?<!\p{L})[a-z]{2,12}:\/\/\S+/giu, '')
    .trim()
}

/** `~~~` or three backticks, and more: the sign, how many, and whether nothing follows. */
interface Fence {
  readonly sign: string
  readonly length: number
  readonly isBare: boolean
}

function fenceIn(line: string): Fence | undefined {
  const [before = '', marks = ''] = /^[ \t>]*(`{3,}|~{3,})/.exec(line) ?? []
  const rest = line.slice(before.length)
  // Backticks that are followed by others are code within the line.
  if (marks === '' || (marks.startsWith('`') && rest.includes('`'))) return undefined
  return { sign: marks.charAt(0), length: marks.length, isBare: rest.trim() === '' }
}

/** How long the longest fence that can close one is, of each sign, below each line. */
function longestBelow(fences: readonly (Fence | undefined)[], sign: string): number[] {
  const longest = new Array<number>(fences.length).fill(0)
  for (let at = fences.length - 2; at >= 0; at--) {
    const below = fences[at + 1]
    const length = below?.isBare && below.sign === sign ? below.length : 0
    longest[at] = Math.max(longest[at + 1] ?? 0, length)
  }
  return longest
}

/** Four tildes or more, as long as the line above: reStructuredText's underline. In Markdown, they would begin code. */
function isTildeUnderline(line: string, above: string): boolean {
  const underline = line.trimEnd()
  const title = above.trimEnd()
  const isUnderText = title !== '' && !isRule(title)
  return /^~{4,}$/.test(underline) && isUnderText && underline.length >= title.length
}

/** HTML in which nothing is a heading: where it opens, and what closes it. */
interface Block {
  readonly opens: (line: string) => boolean
  readonly close: string
}

const BLOCKS: readonly Block[] = [
  { opens: opensComment, close: '-->' },
  { opens: line => /^<pre[\s>](?!.*<\/pre>)/i.test(line), close: '</pre>' }
]

/** The lines of a file. Code and comments that are closed are not read; tildes under a title are sent as dashes. */
export function readLines(source: string): Line[] {
  const texts = source
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const fences = texts.map(fenceIn)
  const longest = { '`': longestBelow(fences, '`'), '~': longestBelow(fences, '~') }
  const blocks = BLOCKS.map(block => {
    return { ...block, last: texts.findLastIndex(it => it.includes(block.close)) }
  })

  let open: Fence | Block | undefined
  return texts.map((text, at) => {
    const fence = fences[at]
    if (open) {
      const closes =
        'close' in open
          ? text.includes(open.close)
          : fence?.isBare && fence.sign === open.sign && fence.length >= open.length
      if (closes) open = undefined
      return { text, shown: '' }
    }

    if (isTildeUnderline(text, texts[at - 1] ?? '')) {
      return { text: '-'.repeat(text.trimEnd().length), shown: text }
    }

    // A fence that nothing closes is text.
    const isCode = fence && (longest[fence.sign as '`' | '~'][at] ?? 0) >= fence.length
    if (isCode) open = fence
    else open = blocks.find(it => at < it.last && it.opens(text))
    return { text, shown: open ? '' : withoutComments(text) }
  })
}

function opensComment(line: string): boolean {
  if (!line.includes('<!--')) return false
  const outsideCode = line.replace(/`[^`]*`/g, '')
  return outsideCode.lastIndexOf('<!--') > outsideCode.lastIndexOf('-->')
}

function withoutComments(line: string): string {
  const [first = '', ...others] = line.split('<!--')
  const shown = others.map(it => {
    const close = it.indexOf('-->')
    return close < 0 ? `<!--${it}` : ` ${it.slice(close + 3)}`
  })
  return first + shown.join('')
}

const NUMERIC_DATE = String.raw`(?:\d{4,5}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,5})`
const LABELED = String.raw`(?:(?:version|ver\.?|v) ?)?v?\d{1,9}(?:\.\d{1,9}){1,9}[\p{L}\p{N}.+_-]{0,40}`
/** WooCommerce's `2026-01-31 - version 1.2.3`, also with a date such as `20012-01-31`. */
const DATED = new RegExp(`^${NUMERIC_DATE} ?[-–—:|] ?(${LABELED})$`, 'iu')

/** A line as headings are read from it, with those around it. */
interface Place {
  readonly lines: readonly Line[]
  readonly at: number
  /** Without spaces at its end; empty if it is too long to be a heading. */
  readonly line: string
  readonly calendar: boolean
}

/** Reads the heading that begins at a line, in one kind of marks. */
type HeadingReader = (place: Place) => Heading | undefined

/** The marks that make a heading. */
const READERS: readonly HeadingReader[] = [
  // `## 1.2.3`
  ({ line, at }) => {
    const [, marks, text = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
    if (!marks) return undefined
    return toHeading('hash', marks.length, withoutEnd(text, '#'), at)
  },
  // `1.2.3` over `=====`, or between two such lines
  ({ lines, line, at, calendar }) => {
    const below = lines[at + 1]?.shown.trimEnd() ?? ''
    const [, sign = ''] = /^ {0,3}([=\-~^"*+])\1{2,}$/.exec(below) ?? []
    const level = LEVELS[sign]
    const isText = line !== '' && !isRule(line) && !/^(?: {4}|\t|\s*[-*+>|] )/.test(line)
    const isFramed = lines[at - 1]?.shown.trimEnd() === below
    if (!level || !isText || ('*+'.includes(sign) && !isFramed)) return undefined

    // `Version 2.0 is next` over `---` is a sentence over a rule.
    const { version, rest } = readVersion(plainText(line), calendar)
    const isShorter = below.trim().length < line.trim().length
    if (isShorter && version !== '' && !isDateOrNothing(rest)) return undefined

    const heading = toHeading('underline', level, line, at)
    return { ...heading, line: isFramed ? at - 1 : at, end: at + 2 }
  },
  // `= 1.2.3 =`; people forget the marks at the end of a title.
  ({ line, at, calendar }) => {
    const [, marks, rest = ''] = /^ {0,3}(={1,4}) *([^=\s].*)$/.exec(line) ?? []
    if (!marks) return undefined
    const heading = toHeading('equals', 5 - marks.length, withoutEnd(rest, '='), at)
    const isShort = heading.text.length < BARE_TITLE_MAX_CHARACTERS && !heading.text.includes('=')
    const isTitle = isShort && readVersion(heading.text, calendar).version !== ''
    return rest.endsWith('=') || isTitle ? heading : undefined
  },
  // `<h4>1.2.3</h4>`
  ({ line, at }) => {
    const [, level, text = ''] = /^<h([1-6])(?:\s[^>]*)?>(.*)<\/h\1>$/i.exec(line.trim()) ?? []
    return level ? toHeading('html', Number(level), text, at) : undefined
  },
  // `2026-01-31 - version 1.2.3`
  ({ line, at }) => {
    const [, text] = DATED.exec(line.trim().replace(/\s+/g, ' ')) ?? []
    return text ? toHeading('dated', 1, text, at) : undefined
  }
]

function toHeading(kind: Heading['kind'], level: number, text: string, at: number): Heading {
  return { kind, level, text: plainText(text), line: at, end: at + 1 }
}

/** A text without such a sign, and without spaces, at its end. */
function withoutEnd(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && [' ', '\t', sign].includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The headings of a file, in their order. With `calendar`, versions look like dates. */
export function readHeadings(lines: readonly Line[], calendar: boolean): Heading[] {
  const headings: Heading[] = []
  for (let at = 0; at < lines.length; at++) {
    const shown = lines[at]?.shown.trimEnd() ?? ''
    if (shown === '' || shown.length > HEADING_MAX_CHARACTERS) continue

    const place = { lines, at, line: shown, calendar }
    const heading = READERS.map(read => read(place)).find(it => it !== undefined)
    if (!heading) continue

    headings.push(heading)
    at = heading.end - 1
  }

  // Only AsciiDoc closes none, and counts its marks the other way round.
  const isClosed = headings.some(
    it => it.kind === 'equals' && lines[it.line]?.shown.trimEnd().endsWith('=')
  )
  return headings.map(it =>
    it.kind === 'equals' && !isClosed ? { ...it, level: 5 - it.level } : it
  )
}

/**
 * The lone lines that are titles where no heading is: `1.2.3`, `Version 1.2.3:`, `Gallery 1.2.3 - 2026-01-31`. Of names,
 * only the commonest counts, and only if it stands there twice.
 */
export function readBareTitles(lines: readonly Line[], calendar: boolean): Heading[] {
  const found = lines.flatMap(({ shown }, at) => {
    if (shown.length > BARE_TITLE_MAX_CHARACTERS || !/^[\p{L}\p{N}[]/u.test(shown)) return []
    const above = lines[at - 1]?.text.trim() ?? ''
    const isAlone = above === '' || isRule(above) || shown.trimEnd().endsWith(':')
    const text = plainText(shown)
    const { version, name, rest } = readVersion(text, calendar)
    return isAlone && version !== '' && isDateOrNothing(rest) ? [{ name, text, at }] : []
  })

  const names = Map.groupBy(found, it => it.name)
    .values()
    .toArray()
  const [common = []] = names.toSorted((a, b) => b.length - a.length)
  const isCommon = (name: string) => common.length > 1 && name === common[0]?.name
  return found
    .filter(it => isLabel(it.name) || isCommon(it.name))
    .map(({ text, at }) => toHeading('bare', 1, text, at))
}

/** `[guide]: https://example.com`, `[^1]: A footnote` */
const DEFINITION = /^ {0,3}\[([^\]]+)\]:/
/** The title of a definition, on a line of its own. */
const DEFINITION_TITLE = /^\s+(['"]).*\1$/
/** More signs than a heading has: the edge of a box around a title. */
const BOX = /^#{7,}$/
/** Lines that belong to the title below: rules, boxes, anchors, labels of reStructuredText, `<details>`. */
const OF_NEXT = [
  /^(?:([-*_=])[ \t]*)(?:\1[ \t]*){2,}$/,
  BOX,
  /^<a\s+(?:name|id)=[^>]*>\s*(?:<\/a>)?$/i,
  /^\.\. _[^\n]*:$/,
  /^<details[^>]*>(?:\s*<summary>.*<\/summary>)?$/i,
  /^<summary>.*<\/summary>$/i
]

/** Whether a line defines a link or a footnote, which stands at the end of a file, but belongs where it is used. */
export const isDefinition = (line: string): boolean => DEFINITION.test(line)

/**
 * Where the text of some lines ends, without those that belong to the title below.
 * @param limit The line after the last one.
 */
export function endOfText(lines: readonly Line[], start: number, limit: number): number {
  let end = limit
  while (end > start && belongsToNext(lines, end - 1)) end--
  return end
}

/**
 * The text of some lines, with the definitions that it uses.
 * @param end The line after the last one.
 */
export function writeLines(lines: readonly Line[], start: number, end: number): string {
  const own = lines.slice(start, end)
  const first = own.findIndex(it => it.text.trim() !== '' && !BOX.test(it.text.trim()))
  const texts = first < 0 ? [] : own.slice(first).map(it => it.text)
  const text = normalize(texts.join('\n'))
  const used = new Set(
    Array.from(text.toLowerCase().matchAll(/\[([^[\]]+)\]/g), ([, name]) => name)
  )

  const definitions = lines.flatMap(({ text: line, shown }, at) => {
    const [, name = ''] = DEFINITION.exec(shown) ?? []
    const isOutside = at < start || at >= end
    if (!isOutside || !used.has(name.toLowerCase())) return []
    const below = lines[at + 1]?.text.trimEnd() ?? ''
    return DEFINITION_TITLE.test(below) ? [line, below] : [line]
  })
  return `${text}\n\n${definitions.join('\n')}`.trim()
}

function belongsToNext(lines: readonly Line[], at: number): boolean {
  const { text = '', shown = '' } = lines[at] ?? {}
  const line = text.trim()
  if (line === '') return true
  if (line.length > HEADING_MAX_CHARACTERS) return false

  // A comment on one line, or nothing but the end of code
  if (shown.trim() === '') return line.startsWith('<!--') && line.endsWith('-->')
  if (isDefinition(text) || OF_NEXT.some(it => it.test(line))) return true
  return DEFINITION_TITLE.test(text.trimEnd()) && isDefinition(lines[at - 1]?.text ?? '')
}
