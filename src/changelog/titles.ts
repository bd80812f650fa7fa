// Which lines of a changelog file may be titles of versions, and what they say about them.
import type { RootContent } from 'mdast'
import { type Range, rangeOf, textOf } from './markdown.ts'

/** How files mark a version, best first. `within` a table or the like, the section's end is unknown. */
export const STYLES = ['heading', 'wordpress', 'bold', 'line', 'item', 'loose', 'within'] as const

/** A line that may be a version's title: its text without marks; its level as a heading, or 9. */
export interface Line extends Range {
  readonly style: (typeof STYLES)[number]
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
}

/** What is looked for; `scope` is what stands before the version in the tag, such as `plugin`, or ''. */
export type Wanted = Readonly<Record<'version' | 'tag' | 'scope', string>>

/** A version with dots; a bare number only after a letter or a word that says so. */
const NUMBER =
  '(?:v?\\d+(?:\\.\\d+)+|(?:v|(?:version|release|ver\\.?) ?v?)\\d+(?:\\.\\d+)*)[\\w.+-]*'
const DAY = '\\d{4}[-./]\\d\\d?[-./]\\d\\d?'
/** A version, its date or name, and nothing else: `1.2.3 (2024-01-31)`, `v1.2.3 - Jan 31, 2024`. */
const VERSION_LINE = new RegExp(
  `^(?:${DAY}\\s*[-–—:]?\\s*)?${NUMBER}:?(?:\\s*(?:\\(.*\\)|\\[.*\\]|(?=.*\\b\\d{4}\\b)(?:[-–—/|,]\\s*)?(?:released?:?\\s*)?\\S.{3,39}))?:?$`,
  'i'
)
const BOLD = /^(\*\*|__)(.+?)\1:?\s*(?:\(.*\)|[-–—]?\s*[\d./-]*|[-–—,]?\s*(?=.*\b\d{4}\b).{4,40})$/
/** A line of its own that ends with a version, such as `Gallery 1.2.3`. */
const LOOSE = new RegExp(
  `^(?:\\p{L}[\\p{L}\\d’' -]{0,40} )?${NUMBER}(?:\\s*\\(.*\\)|[\\s,–—-]+(?=.*\\d{4}).{4,40})?:?$`,
  'iu'
)
/** A version and its only change (`v1.2.3: Fixes`), or Debian's `gallery (1.2.3) stable; urgency=low`. */
const WITH_CHANGE =
  /^(?:[-*+] )?(?:v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})[\w.+-]*\s*(?:[:;–—]|-\s|\s[A-Z])|^[\w.+-]+ \(\d[^()]*\).*; urgency=/

/** A line that looks like a version's title in any style: the text of one version has no two. */
const STRAY =
  /^(?:(?:(?:\d+[.)]|h\d\.)[ \t]+)?[^\p{L}\d\n]*|[^.!?\n]{0,30}\d{4}[^\p{L}\d\n]+|[^\w\n]*(?:<\w[^<>\n]*>[^\w<\n]*)+)(?:(?:version|release|ver|v)["']?[.:]?[ \t"']*)?v?(?!\d\d?\.\d\d?\.\d{4}|\d{4}\.\d\d?\.\d\d?(?!\d))\d+(?:\.\d+)+[\w.+-]*(?:[^\p{L}\d\n]*$|[*_`"')\]>】]*[ \t]*[:;|–—)\]<-].*$)|^[^\n]{0,80}\b20\d\d\b[^\n]{0,80}[ \t]-[ \t]+\d+(?:\.\d+)+[\w.+-]*$/gimu
/** A line with words before a version; lines that begin alike with different versions are their titles. */
const ALIKE =
  /^(?![ \t]*[-*+•])([^\n]{0,60}?\p{L}[^\p{L}\d\n]*v?)(?<![\d.])(\d+(?:\.\d+)+[\w+-]*)(?![\d.]*\d).*$/gmu

/** Lines that seem to be titles of versions such as this, in styles whose sections cannot be told apart. */
export function findStrays(text: string, { version }: Wanted): string[] {
  const groups = Map.groupBy(text.matchAll(ALIKE), ([, before = '']) => before.replace(/\d+/g, '0'))
  const parts = /^\d+(?:\.\d+)*/.exec(version)?.[0].split('.').length
  const isSameKind = (other = '') => !parts || other.split(/[^\d.]/)[0]?.split('.').length === parts
  const isOfOthers = /^(?!\s*#).*\b(?:with|for|from|in|requires?|supports?|needs?)\b|:\/\//i
  const alike = [...groups].flatMap(([before, lines]) => {
    const versions = new Set(lines.map(([, , other]) => other).filter(isSameKind))
    const isOwn = versions.has(version) || !isOfOthers.test(before)
    return versions.size > 1 && isOwn ? lines : []
  })
  const found = [...text.matchAll(STRAY), ...alike].map(([line]) => line.trim())
  return [...new Set(found)]
}

/** The lines of a top-level block that may be titles: not in quotes, fenced code, or lists within lists. */
export function linesOf(source: string, node: RootContent): Line[] {
  const start = source.lastIndexOf('\n', rangeOf(node).start - 1) + 1
  const written = source.slice(start, rangeOf(node).end)
  const isQuoted = node.type === 'blockquote' || node.type === 'definition'
  if (isQuoted || /^\s*(?:`{3}|~{3}|<!--)/.test(written)) return []
  const place = (at: number, { length }: string) => ({ start: at, end: at + length, level: 9 })
  const block = /<(?:pre|summary|td)\b/i.test(written) ? 'code' : node.type
  let before = source.slice(source.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1))
  let next = start
  const lines = written.split('\n').flatMap((line): Line[] => {
    const mark = markOf(line, next === start || block !== 'paragraph', block, before)
    const placed = place(next, line)
    next += line.length + 1
    before = line
    return mark ? [{ ...placed, ...mark }] : []
  })
  // Several lines of text above a rule are a heading to Markdown, but no title.
  const said = written.split('\n').filter(line => /[^\s=*~-]/.test(line))
  if (node.type === 'heading' && (/^ {0,3}#/.test(written) || said.length === 1)) {
    const heading = { ...place(start, written), level: node.depth, text: textOf(node).trim() }
    return [{ ...heading, style: 'heading' }, ...lines]
  }
  const tags = node.type === 'html' ? written.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gis) : []
  const headings = Array.from(tags, ({ 0: whole, 1: level, 2: content = '', index }): Line => {
    const text = content.replace(/<[^<>]*>/g, '').trim()
    return { ...place(start + index, whole), style: 'heading', level: Number(level), text }
  })
  return [...headings, ...lines]
}

type Mark = Pick<Line, 'style' | 'text'> & { readonly level?: number }

/** How a line in a kind of block marks a version, if it does; a paragraph's first line needs no marks. */
function markOf(line: string, isFirst: boolean, block: string, before: string): Mark | undefined {
  const [text, within] = [line.trimEnd(), { style: 'within', text: line.trim() } as const]
  if (block === 'table') {
    const cells = text.split('|').slice(0, 3)
    return cells.some(cell => VERSION_LINE.test(cell.trim())) ? within : undefined
  }
  if (block === 'paragraph' || block === 'list') {
    const [, marks = '', wordpress] = /^(={1,4})\s*([^=\s](?:.*[^=\s])?)\s*\1$/.exec(text) ?? []
    if (wordpress) return { style: 'wordpress', level: 4 - marks.length, text: wordpress }
    const bold = BOLD.exec(text)?.[2]?.replaceAll(/[*_[\]]/g, '') ?? ''
    if (VERSION_LINE.test(bold)) return { style: 'bold', text: text.replaceAll(/\*\*|__/g, '') }
    const [, item] = /^[-*+] {1,3}(.+)$/.exec(text) ?? []
    const plain = (item ?? text).replaceAll(/[*_`]|^\[|(?<=\d)\](?=\s|$)/g, '')
    const isAlone = /^\s*$|^[=*~-]{3,}|^\s|^[-*+] /.test(before)
    const style = item ? 'item' : 'line'
    if (VERSION_LINE.test(plain) && (item || isAlone)) return { style, text: plain }
    if (isFirst && WITH_CHANGE.test(text)) return within
    if (block === 'list' || !(isFirst || /^\s*</.test(text))) return undefined
  }
  const bare = text.replace(/<[^<>]*>|^[\s#=*_~-]+|[\s#=*_~-]+$|\*\*/g, '').trim()
  if (!LOOSE.test(bare)) return undefined
  return block === 'code' ? within : { style: 'loose', text: bare }
}

const NO_TITLE = { scope: '', isWanted: false, isAbout: false, isSure: false, isOther: false }
const IS_DATE = new RegExp(`^${DAY}$|^\\d\\d?[-./]\\d\\d?[-./]\\d{4}$`)
/** Before a version, words after which it is not the subject: `Upgrading from 1.2.3`. */
const NOT_ABOUT = /\b(?:from|since|between|than|before|after|until|was|of|why|with|and|or|to)\W*$/i
/** After a version: another one (`→ 2.0`), or a pre-release (`beta 1`). */
const NOT_ALONE = /^\s*(?:(?:→|[-=]>|to)\s*v?\d|(?:alpha|beta|rc|preview)[\s.-]*\d)/i
/** After a version: a date, a name after a dash, something in brackets, or nothing. */
const ASIDE = /^[)\]]*[:.!]*\s*(?:$|[-–—/([:|,]|\d{4}|released\b)/i

/** What a title is about: the first version that it names, unless it goes on to another. */
export function readTitle({ text, style }: Line, wanted: Wanted): Omit<Title, keyof Line> {
  const isUnreleased = /^\W*unreleased\b/i.test(text) && !text.includes(wanted.version)
  if (style === 'within' || isUnreleased) return { ...NO_TITLE, isAbout: true, isSure: true }
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
    const isSameKind = parts >= Math.min(3, wanted.version.split('.').length)
    const isElse = scope !== '' && scope !== wanted.scope
    const isBare = isSure && /^[)\]]*:?\s*[-–—/([]*\s*(?:$|\d{4})/.test(after)
    const isSame = number.split(/[-+]/)[0] === wanted.version.split(/[-+]/)[0]
    return {
      scope,
      isWanted: isWanted && !(isElse && wanted.scope !== ''),
      isAbout: isSure || isSameKind || /^v\d/i.test(word),
      isSure,
      isOther: isBare && parts > 2 && !isElse && !isSame
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
