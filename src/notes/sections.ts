// Finds the section of one version in a changelog file, by its headings alone; in any doubt it refuses, and says what
// it saw: a neighbor's text is never sent.
import type { RootContent } from 'mdast'
import { ActionError } from '../runner/action-error.ts'
import { endOf, parseBlocks, startOf } from './markdown.ts'

/** A changelog file, and the version that is wanted; `path` is for messages, `tag` names a package, perhaps. */
export type ChangelogFile = Readonly<Record<'text' | 'path' | 'version' | 'tag', string>>

/** A heading: its level, and the version that it begins with; empty for any other. */
type Title = Readonly<
  Record<'start' | 'end' | 'level', number> & Record<'text' | 'version', string>
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

/** The version that a heading begins with, without its `v`; empty for any other heading. */
function versionIn(text: string): string {
  const [, before = '', number = ''] = TITLE.exec(text) ?? []
  return NOT_ABOUT.test(before) ? '' : number.replace(/^v|[.+-]+$/gi, '').toLowerCase()
}

/** The level of bold and bare lines, which are perhaps titles. */
const DOUBTFUL = 9
const LINE = /^(?:\*\*|__).*\d.*(?:\*\*|__)\W*$|^(?:version |release )?v?\d+\.\d.{0,40}[^.,;]$/i

/** Markdown's headings, WordPress' `= 1.2.3 =`, which are deeper than any of Markdown's own, and doubtful lines. */
function titlesIn(source: string, node: RootContent): Title[] {
  const [start, end] = [startOf(node), endOf(node)]
  const written = source.slice(start, end)
  const make = (from: number, to: number, level: number, line: string): Title => {
    const text = plain(line)
    return { start: from, end: to, level, text, version: versionIn(text) }
  }
  if (node.type === 'heading') {
    // Under a paragraph, only the line above the underline is meant.
    const lines = written.split('\n')
    const line = lines.at(-2) ?? written.replace(/^#+|#+$/g, '')
    const from = lines.length > 1 ? start + written.lastIndexOf(line) : start
    return [make(from, end, node.depth, line)]
  }
  if (node.type !== 'paragraph' && node.type !== 'list') return []
  const named = [...written.matchAll(/^ {0,3}(={1,4}) *([^=\s].*?) *\1\s*$/gm)].map(match => {
    const [line, marks = '', name = ''] = match
    const at = start + match.index
    return make(at, at + line.length, 5 - marks.length, name)
  })
  const [line = ''] = written.split('\n', 1)
  return LINE.test(line) ? [make(start, start, DOUBTFUL, line), ...named] : named
}

const partsOf = (version: string) => version.split(/[-+]/, 1)[0]?.split('.').length

function readTitles(text: string) {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const { children } = parseBlocks(source)
  return { source, children, titles: children.flatMap(node => titlesIn(source, node)) }
}

/** The package that a tag such as `plugin@1.2.3` names; empty for a tag of a version alone. */
function scopeOf({ tag, version }: ChangelogFile): string {
  return tag.endsWith(version) ? tag.slice(0, -version.length).replace(/[@/_-]?v?$/i, '') : ''
}

/** The text under the heading of the version. Throws an `ActionError` if there is none, or no certain one. */
export function findSection(file: ChangelogFile): string {
  const { path, version } = file
  const { source, children, titles } = readTitles(file.text)
  const scope = scopeOf(file)
  const isNamed = ({ text }: Title) => scope !== '' && text.includes(scope)
  // WordPress' readmes name versions again under `== Upgrade Notice ==`.
  const notice = titles.find(({ text }) => /^upgrade notice/i.test(text))
  const after = notice && titles.find(it => it.start > notice.start && it.level <= notice.level)
  const [from, to] = [notice?.start ?? Infinity, after?.start ?? Infinity]
  const own = titles.filter(title => {
    const isForeign = scope !== '' && /\w@v?\d/.test(title.text) && !isNamed(title)
    const isInNotice = title.start > from && title.start < to
    const isOwn = title.version === version.toLowerCase() && title.level !== DOUBTFUL
    return isOwn && !isForeign && !isInNotice
  })
  const [found, second] = own.some(isNamed) ? own.filter(isNamed) : own
  if (!found) {
    const about = titles.filter(title => title.version !== '')
    throw refuse(`"${path}" has no heading for "${version}"`, source, about)
  }
  if (second) throw refuse(`"${path}" has several headings for "${version}"`, source, own)
  const isRepeated = (it: Title) => it.level === DOUBTFUL && it.version === found.version
  const below = titles.filter(it => it.start > found.start && !isRepeated(it))
  const isSibling = (it?: Title) => it?.version === '' && it.level === found.level
  // conventional-changelog writes `### 1.2.3`, and then `### Bug Fixes` at once: that is a part.
  const isFlat = isSibling(below[0]) && source.slice(found.end, below[0]?.start).trim() === ''
  const isAlike = (it: Title) => it.version !== '' && partsOf(it.version) === partsOf(version)
  // So is `## New Features` before the next version, if its level is the same.
  const stop = below.find(it => isAlike(it) || (it.level <= found.level && !isSibling(it)))
  const isBetween = stop?.level === found.level
  const next = below.find(it => {
    if (isAlike(it) || /^\W*unreleased\b/i.test(it.text)) return true
    const isPart = isSibling(it) && (isFlat || (isBetween && !/\d/.test(it.text)))
    return it.level <= found.level && !isPart
  })
  // `#### OpenSSL 3.0.1` under `## Version 17.3.0` is a part, perhaps.
  const [mine, its] = [found, next].map(it => TITLE.exec(it?.text ?? '')?.[1])
  const isOther = next && next.level > found.level && !/^(?:version |release )?$/i.test(its ?? '')
  if (next?.level === DOUBTFUL || (isOther && its !== mine)) {
    throw refuse(`"${path}" does not say where "${version}" ends`, source, [found, next])
  }
  const limit = next?.start ?? source.length
  // The definitions at the end of a file belong to all of its sections.
  const last = children.findLast(it => it.type !== 'definition' && startOf(it) < limit)
  const end = last ? Math.min(limit, endOf(last)) : limit
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
  const { source, titles } = readTitles(file.text)
  const others = titles.filter(title => {
    const isSame = title.version === version.toLowerCase() || title.level === DOUBTFUL
    return title.version !== '' && !isSame && partsOf(title.version) === partsOf(version)
  })
  if (others.length === 0) return
  throw refuse(`"${path}" is for "${version}" alone, but has headings of others`, source, others)
}

function refuse(message: string, source: string, titles: readonly Title[]): ActionError {
  const lines = titles.slice(0, 20).map(({ start }) => {
    const [line = ''] = source.slice(start, start + 100).split('\n', 1)
    return `\n  line ${source.slice(0, start).split('\n').length}: ${line.trim()}`
  })
  const nearest = lines.length > 0 ? `:${lines.join('')}` : ', and none of any version.'
  return new ActionError('no-changelog', `changelog-file: ${message}${nearest}`, {
    advice:
      'Give the version one heading such as "## 1.2.3"; or set `changelog`, or a path with `{version}` to a file of this version alone.'
  })
}
