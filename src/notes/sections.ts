// Finds the section of one version in a changelog file, by its headings alone; in any doubt it refuses, and says what
// it saw: a neighbor's text is never sent.
import type { Root, RootContent } from 'mdast'
import { ActionError } from '../runner/action-error.ts'
import { literal } from '../runner/words.ts'
import { descend, endOf, parseBlocks, startOf } from './markdown.ts'

/** A changelog file, and the version that is wanted; `path` is for messages, `tag` names a package, perhaps. */
export type ChangelogFile = Readonly<Record<'text' | 'path' | 'version' | 'tag', string>>

/** A heading: its level, the version that it begins with, and what is before that; both are empty for any other. */
type Title = Readonly<
  Record<'start' | 'end' | 'level', number> & Record<'text' | 'version' | 'before', string>
>

const DATE = String.raw`(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4})`
/** Of several parts, or `v12`; dates are none. */
const NUMBER = String.raw`(?!${DATE}(?!\.?\d))v?\d+(?:\.\d+)+[\w.+-]*|v\d+`
/** `[1.2.3] - …`, `2024-01-31 - 1.2.3`, `Changes in Gallery 1.2.3`, `plugin@1.2.3`: at most six words before it. */
const BEFORE = String.raw`(?:[\p{L}@][\p{L}\w@/.'’-]*\s+){0,6}?(?:[\p{L}@][\w@/.-]*[@/-])?`
const TITLE = new RegExp(String.raw`^\W*(?:${DATE}\W+)?(${BEFORE})(${NUMBER})(?![\w%~])`, 'u')
/** Words before a version after which it is not the subject: `Upgrading from 1.2.3`. */
const NOT_ABOUT =
  /\b(?:from|since|to|than|before|after|until|why|how|what|we|with|and|or|requires?|supports?|needs?|between|of|think)\b/i

const plain = (text: string) =>
  text
    .replace(/<[^<>]*>|\*\*|__|`|\\(?=\W)/g, '')
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .trim()

/** The version that a heading begins with, without its `v`, and what is before it. */
function versionIn(text: string) {
  const [, before = '', number = ''] = TITLE.exec(text.toLowerCase()) ?? []
  if (NOT_ABOUT.test(before)) return { version: '', before: '' }
  return { version: number.replace(/^v|(?<![.+-])[.+-]+$/g, ''), before }
}

/** Markdown's headings, and WordPress' `= 1.2.3 =`, which are deeper than any of Markdown's own. */
function titlesIn(source: string, node: RootContent): Title[] {
  const [start, end] = [startOf(node), endOf(node)]
  const written = source.slice(start, end)
  const make = (from: number, to: number, level: number, line: string): Title => {
    const text = plain(line)
    return { start: from, end: to, level, text, ...versionIn(text) }
  }
  if (node.type === 'heading') {
    // Under a paragraph, only the line above the underline is meant.
    const lines = written.split('\n')
    const line = lines.at(-2) ?? written.replace(/^#+|#+$/g, '')
    const from = lines.length > 1 ? start + written.lastIndexOf(line) : start
    return [make(from, end, node.depth, line)]
  }
  if (node.type !== 'paragraph' && node.type !== 'list') return []
  return [...written.matchAll(/^ {0,3}(={1,4}) *([^=\s].*?) *\1\s*$/gm)].map(match => {
    const [line, marks = '', name = ''] = match
    const at = start + match.index
    return make(at, at + line.length, 5 - marks.length, name)
  })
}

/** `## 1.2.3`, `= 1.2.3 =`, `<h2>1.2.3</h2>`, whatever follows the version. */
const MARKED = /^[\s>]*(?:#{1,6}|={1,4}|<h\d\b[^>]*>)\s*(?=\S)/i
/** `1.2.3`, `**1.2.3**`, `Version 1.2.3 - 2026-01-31`, `Release 1.2.3 (Jan 31, 2026)` alone. */
const ALONE = new RegExp(
  String.raw`^\s*(?:version |release )?(?:${NUMBER})(?:\W*|\W+[^.!?;]{0,30}\d{4}\W*|\s*\([^()]{1,40}\)\W*)$`,
  'i'
)

/**
 * The lines that look like the titles of versions, whatever Markdown takes them for: an HTML block, a list or a fence
 * that is never closed may swallow a heading. Code and comments have none.
 */
function linesIn(source: string, root: Root): Title[] {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  let prose = source
  for (const node of descend(root)) {
    const [start, end] = [startOf(node), endOf(node)]
    const isOpen = /^[`~]{3}(?![\s\S]*\n[ \t>]*[`~]{3,}[ \t]*$)/.test(source.slice(start, end))
    if (node.type !== 'code' || isOpen) continue
    prose = prose.slice(0, start) + blank(source.slice(start, end)) + prose.slice(end)
  }
  let at = 0
  const lines = prose.replace(/<!--[\s\S]*?-->/g, blank).split('\n')
  return lines.map(line => {
    const start = at
    at += line.length + 1
    const text = plain(line)
    const isTitle = MARKED.test(line) || ALONE.test(text)
    return { start, end: at, level: 0, text, ...versionIn(isTitle ? text : '') }
  })
}

const partsOf = (version: string) => version.split(/[-+]/, 1)[0]?.split('.').length
const isPlain = ({ before }: Title) => /^(?:version |release )?$/.test(before)
/** Whether a heading is of a version of the same thing: of as many parts, or called the same, unlike `API 2.0`. */
const isAlike = (it: Title, version: string, before = '') =>
  it.version !== '' &&
  (partsOf(it.version) === partsOf(version) || isPlain(it) || it.before === before)

function readTitles(text: string) {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const root = parseBlocks(source)
  const { children } = root
  const titles = children.flatMap(node => titlesIn(source, node))
  return { source, children, titles, lines: linesIn(source, root) }
}

/** The package that a tag such as `plugin@1.2.3` names; empty for a tag of a version alone. */
function scopeOf({ tag, version }: ChangelogFile): string {
  return tag.endsWith(version) ? tag.slice(0, -version.length).replace(/[@/_-]?v?$/i, '') : ''
}

/** The text under the heading of the version. Throws an `ActionError` if there is none, or no certain one. */
export function findSection(file: ChangelogFile): string {
  const { path, version } = file
  const { source, children, titles, lines } = readTitles(file.text)
  const scope = scopeOf(file)
  const named = new RegExp(`(?<![\\w-])${literal(scope)}(?=[@/\\s-]*v?\\d)`, 'i')
  const isNamed = ({ text }: Title) => scope !== '' && named.test(text)
  // WordPress' readmes name versions again under `== Upgrade Notice ==`.
  const notice = titles.find(({ text }) => /^upgrade notice/i.test(text))
  const after = notice && titles.find(it => it.start > notice.start && it.level <= notice.level)
  const [from, to] = [notice?.start ?? Infinity, after?.start ?? Infinity]
  const own = titles.filter(title => {
    // `theme@1.2.3` or `theme-1.2.3` is another package's.
    const isForeign = scope !== '' && /[@/-]$/.test(title.before) && !isNamed(title)
    const isInNotice = title.start > from && title.start < to
    return title.version === version.toLowerCase() && !isForeign && !isInNotice
  })
  const [found, second] = own.some(isNamed) ? own.filter(isNamed) : own
  if (!found) {
    const versions = [...titles, ...lines].filter(title => title.version !== '')
    const about = versions.length > 0 ? versions : lines.filter(it => it.text.includes(version))
    throw refuse(`"${path}" has no heading for "${version}"`, source, about)
  }
  if (second) throw refuse(`"${path}" has several headings for "${version}"`, source, own)
  const below = titles.filter(it => it.start > found.start)
  const isSibling = (it?: Title) => it?.version === '' && it.level === found.level
  // conventional-changelog writes `### 1.2.3`, and then `### Bug Fixes` at once: that is a part.
  const isFlat = isSibling(below[0]) && source.slice(found.end, below[0]?.start).trim() === ''
  const isOfVersion = (it: Title) => isAlike(it, version, found.before)
  // So is `## New Features` before the next version, if its level is the same.
  const stop = below.find(it => isOfVersion(it) || (it.level <= found.level && !isSibling(it)))
  const isBetween = stop?.level === found.level
  const next = below.find(it => {
    if (isOfVersion(it) || /^\W*unreleased\b/i.test(it.text)) return true
    const isPart = isSibling(it) && (isFlat || (isBetween && !/\d/.test(it.text)))
    return it.level <= found.level && !isPart
  })
  // `#### OpenSSL 3.0.1` under `## Version 17.3.0` is a part, perhaps.
  const isOther = next && next.level > found.level && !isPlain(next) && next.before !== found.before
  const limit = next?.start ?? source.length
  // The definitions at the end of a file belong to all of its sections.
  const last = children.findLast(it => it.type !== 'definition' && startOf(it) < limit)
  const end = last ? Math.min(limit, endOf(last)) : limit
  const doubtful = lines.filter(it => {
    const isInside = it.start >= found.end && it.start < end
    return isInside && isOfVersion(it) && it.version !== found.version
  })
  if (isOther) doubtful.push(next)
  if (doubtful.length > 0) {
    const what = `"${path}" does not say where "${version}" ends`
    throw refuse(what, source, [found, ...doubtful])
  }
  const text = source.slice(found.end, end).trim()
  const definitions = children.flatMap(node => {
    if (node.type !== 'definition' || !text.toLowerCase().includes(`[${node.identifier}]`))
      return []
    const [start, stop] = [startOf(node), endOf(node)]
    return start > found.end && stop < end ? [] : source.slice(start, stop)
  })
  return `${text}\n\n${definitions.join('\n')}`.trim()
}

/** Throws an `ActionError` if a file that is to be sent whole has a heading of another version. */
export function refuseOthers(file: ChangelogFile): void {
  const { path, version } = file
  const { source, lines } = readTitles(file.text)
  const others = lines.filter(
    line => isAlike(line, version) && line.version !== version.toLowerCase()
  )
  if (others.length === 0) return
  const what = `"${path}" is for "${version}" alone, but has headings of others`
  throw refuse(what, source, others, 'Move their text to files of their own.')
}

const WAYS_OUT =
  'Give the version one heading, like those of others or "## 1.2.3"; or set `changelog`, or a path with `{version}` to a file of this version alone.'

function refuse(message: string, source: string, titles: readonly Title[], advice = WAYS_OUT) {
  // A heading may be among the lines, too.
  const first = titles.toSorted((a, b) => a.start - b.start).slice(0, 40)
  const numbers = first.map(({ start }) => source.slice(0, start).split('\n').length)
  const all = source.split('\n')
  const shown = [...new Set(numbers)].slice(0, 20)
  const lines = shown.map(number => `\n  line ${number}: ${all[number - 1]?.slice(0, 100).trim()}`)
  const nearest = lines.length > 0 ? `:${lines.join('')}` : ', nor for any other version.'
  return new ActionError('no-changelog', `changelog-file: ${message}${nearest}`, { advice })
}
