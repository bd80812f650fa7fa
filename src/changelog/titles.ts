// Finds the lines of a changelog file that may be titles of versions, and reads what they say about them.
import { hiddenLines } from './hidden.ts'
import type { Range } from './markdown.ts'

/** How files mark a version, best first; a `loose` line may be a title, but none that can be relied on. */
export const STYLES = [
  'wordpress',
  'heading',
  'underlined',
  'bold',
  'line',
  'bullet',
  'dashes',
  'debian',
  'factorio',
  'loose'
] as const

/** Of a line that is no heading. */
const NO_LEVEL = 9

/** A line that may be a title: its text without marks, and its level as a heading. */
export interface Line extends Range {
  readonly style: (typeof STYLES)[number]
  /** Whether it stands in code, where no title is: but what seems to be code may be a mistake in the file. */
  readonly isHidden: boolean
  readonly level: number
  readonly text: string
}

export interface Title extends Line {
  /** Such as `plugin` in `plugin@1.2.3`. */
  readonly scope: string
  readonly isWanted: boolean
  /** Whether it is about a version, or about what has none yet (`Unreleased`). */
  readonly isAbout: boolean
  /** Whether its version comes first, with a date or name after it. */
  readonly isSure: boolean
  /** Whether it ends a section even from a lower level: semantic-release writes `# 1.1.0`, but `## 1.1.1`. */
  readonly isOther: boolean
  /** Whether it names another version of the wanted one's kind: `1.2.2` for `1.2.3`. */
  readonly isRival: boolean
}

/** What is looked for; `scope` is what stands before the version in the tag, such as `plugin`, or ''. */
export type Wanted = Readonly<Record<'version' | 'tag' | 'scope', string>>

/** In characters; a longer line is no title. */
const LONGEST_TITLE = 250
/** A version, its date or name, and nothing else: `1.2.3 (2024-01-31)`, `v1.2.3 - Jan 31, 2024`. */
const VERSION_LINE =
  /^(?:\d{4}[-./]\d\d?[-./]\d\d?\s*[-–—:]?\s*)?(?:(?:version|release|ver\.?) ?v?\d+(?:\.\d+)*|v?\d+(?:\.\d+)+|v\d+)[\w.+-]*:?(?:\s*(?:\([^()]*\)|\[[^[\]]*\]|(?=.*\b\d{4}\b)(?:[-–—/|,]\s*)?(?:released?:?\s*)?\S.{3,39}))?:?$/i
/** GNU: `* Noteworthy changes in release 9.1 (2022-04-15)`; others: `* 1.2.3 (2024-01-31)`. */
const BULLET = /^[*+•-] {1,3}(?:\w+ changes in (?=release |version ))?(\S.*)$/i
/** `-----Changelog for v1.10.1-----` */
const DASHES = /^-{3,}\s*(?:changelog for )?([^-].*?\d[^-]*)-{3,}$/i
/** `gallery (1.2.3-1) unstable; urgency=low` */
const DEBIAN = /^([\w.+-]+ \([^()\s]+\)) [\w -]+;\s*urgency=/
/** `Version: 1.2.3`, under a line of dashes */
const FACTORIO = /^Version: (\d+(?:\.\d+)+)$/

type Mark = Pick<Line, 'style' | 'text'> & Partial<Line>

/** A line that begins with a version: it may be a title, whatever follows but `1.5x faster` and `7.4 is needed`. */
const BEGINS =
  /^(?:(?:version|release|ver\.?) )?v?\d+(?:\.\d+)+(?!\.?\d|\s*(?:x|%|times|m?s|seconds|minutes|hours|[kmgt]i?b|is|are|was|were|will|has)\b)/i
/** One that is followed by what no sentence goes on with. */
const BEGINS_APART =
  /^(?:(?:[Vv]ersion|[Rr]elease|[Vv]er\.?) )?v?\d+(?:\.\d+)+[\w+-]*(?:\s*$|\s+[^a-z\s]|[:(/–—])/
/** A line with a few words before its version, such as `Gallery 1.2.3`: it may be a title. */
const LOOSE =
  /^(?![-*+•] )(?!.*\b(?:with|for|from|to|since|than|is|at|and|or|requires?|supports?|needs?|now|tested|until|by)\b)(?:[^\s\d]\S*\s+){0,5}v?\d+(?:\.\d+)+[\w+-]*(?:\s*[([].{0,60}|[\s,–—-]+(?=.*\d{4}).{4,40}|\s*:.{0,20})?$/iu

/** How a line marks a title, if it does; without headings. */
function readLine(line: string, before: string, after: string): Mark | undefined {
  const plain = line.replace(/[*_`]|^\[|\](?=\s|$|\()/g, '').trim()
  const isVersion = VERSION_LINE.test(plain)
  const isBold = /^(?:\*\*|__)[^*_].*(?:\*\*|__)|^[*_]{2}.*[*_]{2}:?$/.test(line)
  if (isBold && isVersion) return { style: 'bold', text: plain }
  const debian = DEBIAN.exec(line)?.[1]
  if (debian) return { style: 'debian', text: debian.replace(/^\S+ \((.*)\)$/, '$1') }
  const factorio = FACTORIO.exec(line)?.[1]
  if (factorio && /^-{20,}$/.test(before)) return { style: 'factorio', text: factorio }
  const dashes = DASHES.exec(line)?.[1]
  if (dashes) return { style: 'dashes', text: dashes.trim() }
  const bullet = BULLET.exec(line)?.[1]?.replace(/[*_`]/g, '')
  if (bullet !== undefined) {
    // `- PHP 8.1`, or `- 8.1`, may be the version of something else: a title has a date, or its items under it.
    const isOver = /\b\d{4}\b/.test(bullet) || /^[ \t]+\S/.test(after)
    return VERSION_LINE.test(bullet) && isOver ? { style: 'bullet', text: bullet } : undefined
  }
  const isAlone = /^\s*$|^[=*~-]{3,}|^\s|^[-*+] /.test(before) || VERSION_LINE.test(before)
  if (isAlone && isVersion) return { style: 'line', text: plain }
  // Not headings as they are written, but meant as such: `##1.2.3`, `<h2>1.2.3</h2><p>…`.
  const [, almost] = /^(?:#{2,6}|<h[1-6][^<>]*>)\s*([^<\s]*\d\.\d[^<]*)/i.exec(line) ?? []
  if (almost) return { style: 'loose', text: almost.trim() }
  const text = plain.replace(/<[^<>]*>/g, '').replace(/^=+\s*/, '')
  // Under a line of text, `1.0. This …` is where prose was wrapped; `[1.2.3]: https://…` is a definition.
  const begins = /^(?!\s|\[[^\]]*\]:)/.test(line) && (isAlone ? BEGINS : BEGINS_APART).test(text)
  const isLoose = isVersion || begins || (!isBold && before.trim() === '' && LOOSE.test(plain))
  return isLoose ? { style: 'loose', text } : undefined
}

/** The lines that may be titles, in order: not in code, quotes, comments, or other HTML that is closed. */
export function findLines(source: string): Line[] {
  const lines = source.split('\n')
  const hidden = hiddenLines(lines)
  let done = 0
  return lines.flatMap((line, index): Line[] => {
    const start = done
    const end = start + line.length
    done = end + 1
    if (line.length > LONGEST_TITLE || line.trim() === '') return []
    const [before = '', after = ''] = [lines[index - 1], lines[index + 1]]
    const isApart = /^[\t>|]| {4}/.test(line)
    const mark =
      readHeading(line, before, after) ?? (!isApart && readLine(line.trimEnd(), before, after))
    if (!mark) return []
    const isUnderlined = mark.style === 'underlined'
    const range = { start, end: isUnderlined ? end + 1 + after.length : end }
    return [{ level: NO_LEVEL, ...mark, ...range, isHidden: hidden.has(index) }]
  })
}

/** A line as a heading of Markdown, WordPress, HTML or reStructuredText, if it is one. */
function readHeading(line: string, before: string, after: string): Mark | undefined {
  const [, atx, heading = ''] = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*$/.exec(line) ?? []
  if (atx) {
    const text = headingText(heading.replace(/ #+$/, ''))
    return { style: 'heading', level: atx.length, text }
  }
  const [, marks, text = ''] = /^ {0,3}(={1,4})\s*([^=\s].*?)\s*\1\s*$/.exec(line) ?? []
  if (marks) return { style: 'wordpress', level: 4 - marks.length, text }
  const [, rank, html = ''] = /^\s*<h([1-6])\b[^>]*>(.*?)<\/h\1>\s*$/i.exec(line) ?? []
  if (rank) return { style: 'heading', level: Number(rank), text: headingText(html) }
  const level = underlineOf(line, before, after)
  return level > 0 ? { style: 'underlined', level, text: headingText(line) } : undefined
}

/** What readers see of a heading's Markdown. */
function headingText(heading: string): string {
  return heading
    .replace(/<[^<>]*>/g, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\))?[^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/\\(?=[[\]().])|\*\*|__|`/g, '')
    .trim()
}

/** The level of a heading by the line under it, or 0. */
function underlineOf(line: string, before: string, after: string): number {
  const [, mark = ''] =
    /^ {0,3}(={2,}|-{3,}|~{3,}|\^{3,}|\+{3,}|\*{3,}|"{3,})[ \t]*$/.exec(after) ?? []
  const text = line.trim()
  const holds = /\d/.test(text)
  const isText = mark !== '' && /^ {0,3}[^\s#>|]/.test(line) && !/^[=~^+*-]{3,}$|^[-*+] /.test(text)
  // `---` under a last line of text is meant as a rule, and one that is too short is no underline.
  const isRule = mark === '---' && !holds
  const isShort = !/^[=-]/.test(mark) && mark.length < text.length
  const isFirst = holds || before.trim() === '' || /^[=~^+*-]{3,}\s*$|^\.\. _/.test(before)
  return isText && !isRule && !isShort && isFirst ? '=-~^+*"'.indexOf(mark.charAt(0)) + 1 : 0
}

const NO_TITLE = {
  scope: '',
  isWanted: false,
  isAbout: false,
  isSure: false,
  isOther: false,
  isRival: false
}
const IS_DATE = /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4})$/
/** Before a version, words after which it is not the subject: `Upgrading from 1.2.3`. */
const NOT_ABOUT =
  /\b(?:since \S+|from|since|between|than|before|after|until|was|of|why|with|and|or|to)\W*$/i
/** After a version: another one (`→ 2.0`), or a pre-release (`beta 1`). */
const NOT_ALONE =
  /^\s*(?:(?:→|[-=]>|to)\s*v?\d|(?:alpha|beta|rc|release candidate|preview)[\s.-]*\d)/i
/** After a version: a date, a name after a dash, something in brackets, or nothing. */
const ASIDE = /^[)\]]*[:.!]*\s*(?:$|[-–—/([:|,]|\d{4}|released\b)/i

/** What a title is about: the first version that it names, unless it goes on to another. */
export function readTitle({ text, level }: Line, wanted: Wanted): Omit<Title, keyof Line> {
  const isUnreleased = /^\W*unreleased\b/i.test(text) && !text.includes(wanted.version)
  if (isUnreleased) return { ...NO_TITLE, isAbout: true, isSure: true }
  for (const { 0: word, index } of text.matchAll(/[^\s()[\],;:|“”"']+/g)) {
    const before = text.slice(0, index)
    const isNumber = word === text || /\b(?:version|release|ver)\W*$/i.test(before)
    const version = readWord(word, wanted, isNumber)
    if (!version) continue
    const { scope, number, isWanted, rest } = version
    const after = rest + text.slice(index + word.length)
    if (isWanted && NOT_ALONE.test(after)) continue
    const isSure = /^(?:\d{4}[-./\d]+)?[^\p{L}\d]*(?:(?:version|release|ver)\W*)?$/iu.test(before)
    if (!isSure && (NOT_ABOUT.test(before) || !(isWanted || ASIDE.test(after)))) return NO_TITLE
    const parts = number.split('.').length
    const wantedParts = wanted.version.split('.').length
    const isSameKind = parts >= Math.min(3, wantedParts)
    const isElse = scope !== '' && scope !== wanted.scope
    const isBare = isSure && /^[)\]]*:?\s*[-–—/([]*\s*(?:$|\d{4})/.test(after)
    // `1.2.x is stable.` is about no version.
    if (/\.x$/.test(number) && !isWanted && !isBare) return NO_TITLE
    // Not where a sentence ends.
    const isOwnLine = level === NO_LEVEL && isBare && parts > 1 && !text.endsWith('.')
    const isSame = number.split(/[-+]/)[0] === wanted.version.split(/[-+]/)[0]
    return {
      scope,
      isWanted: isWanted && !(isElse && wanted.scope !== ''),
      isAbout: isSure || isSameKind || /^v\d/i.test(word),
      isSure,
      isOther: isBare && parts > 2 && !isElse && !isSame,
      isRival: !isWanted && !isElse && !isSame && (parts === wantedParts || isOwnLine)
    }
  }
  return NO_TITLE
}

/** Reads `1.2.3版`, `plugin@1.2.3` or `plugin-1.2.3`; `isNumber`: a number such as `12` counts. */
function readWord(word: string, { version, tag, scope }: Wanted, isNumber: boolean) {
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
  const isMere = !/\d\.\d|^v\d/.test(text) && !(isNumber && /^\d{1,3}$/.test(number))
  // A date is not a version, unless it is the wanted one.
  if (number === '' || (!isWanted && (isMere || IS_DATE.test(number)))) return undefined
  return { scope: name, number, isWanted, rest }
}
