// Versions from tags, templates that are filled with them, and which of two versions is higher.
import { compareVersions, validate } from 'compare-versions'

/** The values for templates. */
export interface Names {
  readonly tag: string
  readonly version: string
  /** The release's name, or the tag if it has none. */
  readonly name: string
}

/** Stands in a `tag-pattern` for the version. */
const VERSION = '{version}'

/** Returns a `tag-pattern`. Throws an `Error` unless it is empty or has exactly one `{version}`. */
export function parseTagPattern(text: string): string {
  if (text === '' || text.split(VERSION).length === 2) return text
  throw new Error(`"${text}" must contain ${VERSION} exactly once, such as "plugin-v${VERSION}"`)
}

/** A tag's name; `refs/tags/v1` becomes `v1`, since people paste refs, too. */
export function parseTag(text: string): string {
  return text.replace(/^refs\/tags\//, '')
}

/** How a tag was read. Where it says nothing for sure, `version` is the whole tag. */
interface TagReading {
  /**
   * `misfit`: the tag does not fit the `tag-pattern`. `hidden`: a version stands in it, behind something else.
   * `none`: it has no digit at all.
   */
  readonly kind: 'version' | 'misfit' | 'hidden' | 'none'
  readonly version: string
  /** With `hidden`, the `tag-pattern` that fits; else empty. */
  readonly pattern: string
}

/** A tag that ends with its version: `app/v1.2`, `app@1.2` and `V1.2` give `1.2`. The `v` goes only before a digit. */
const USUAL_TAG = /(?:^|[/@])v?(\d[^/@]*)$/i
/** A number with dots, such as the `1.4.2` of `plugin-v1.4.2`. */
const DOTTED = /(?<!\d|\d[._])\d+(?:[._]\d+)+/g

/** Reads the version in a tag: by the pattern, or, if that is empty, by the usual forms of tags. */
export function readTag(tag: string, pattern: string): TagReading {
  if (pattern !== '') return readByPattern(tag, pattern)

  const [, plain] = USUAL_TAG.exec(tag) ?? []
  if (plain !== undefined) return readingOf('version', plain)

  const hiding = hidingPattern(tag)
  if (hiding !== '') return readingOf('hidden', tag, hiding)

  // A single letter is a name that somebody chose for a version.
  const isWord = /^\P{Nd}*$/u.test(tag) && /\p{L}.*\p{L}/u.test(tag)
  return readingOf(isWord ? 'none' : 'version', tag)
}

function readByPattern(tag: string, pattern: string): TagReading {
  const [before = '', after = ''] = pattern.split(VERSION)
  const isLonger = tag.length > before.length + after.length
  const fits = isLonger && tag.startsWith(before) && tag.endsWith(after)
  if (!fits) return readingOf('misfit', tag)
  return readingOf('version', tag.slice(before.length, tag.length - after.length))
}

function readingOf(kind: TagReading['kind'], version: string, pattern = ''): TagReading {
  return { kind, version, pattern }
}

/**
 * The `tag-pattern` for the only version in a tag, such as `plugin-v{version}` for `plugin-v1.4.2`; empty if it is
 * not clear which number that is. In `mc1.20-v2` and `mc1.20-1.4` it is not: the first is another product's.
 */
function hidingPattern(tag: string): string {
  const [number, ...others] = tag.matchAll(DOTTED)
  if (number === undefined || others.length > 0) return ''

  const before = tag.slice(0, number.index)
  const rest = tag.slice(number.index)
  const end = rest.search(/[/@]|$/)
  const isApart = /(?:^|[^a-z\d])v?$/i.test(before)
  if (!isApart && number[0].length < end) return ''
  return before + VERSION + rest.slice(end)
}

/** A word in a template that looks like a name, right or wrong, such as `{ version }` or `{release.name}`. */
const BRACED_WORD = /\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}/gu

/** Returns a template for a title. Throws an `Error` about a word in braces that is none of the names. */
export function parseTitle(text: string): string {
  return checkTemplate(text, ['{tag}', '{version}', '{name}'])
}

/** The same for a version's name: a release can be renamed, and its version would then be published again. */
export function parseVersionName(text: string): string {
  return checkTemplate(text, ['{tag}', '{version}'])
}

function checkTemplate(text: string, known: readonly string[]): string {
  const unknown = text.match(BRACED_WORD)?.find(word => !known.includes(word))
  if (unknown === undefined) return text
  throw new Error(`"${text}" contains "${unknown}"; allowed are ${known.join(', ')}`)
}

/** The template with these names put in; any other stays as it is. */
export function fill(template: string, names: Partial<Names>): string {
  return template.replace(/\{(tag|version|name)\}/g, (all, word: keyof Names) => names[word] ?? all)
}

/** One to four numbers, such as `1.2`, `v1.2.3.4`, or `1.2.3-rc.1+build`; the hyphen starts a pre-release. */
const BY_NUMBER = /^v?\d+(?:\.\d+){0,3}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/i

/** How another version ranks; undefined for one that is equal, or that has a form that nobody can rank. */
type Rank = 'higher' | 'lower' | undefined

/**
 * Returns a function that ranks other versions against this one, by SemVer, or dotted. It does not rank `Spring` or
 * `1.5-rc1`.
 */
export function openRanking(version: string): (other: string) => Rank {
  return other => {
    const areRanked = isRanked(version) && isRanked(other)
    const compared = areRanked ? compareVersions(other, version) : 0
    if (compared === 0) return undefined
    return compared > 0 ? 'higher' : 'lower'
  }
}

/** Whether a version can be ranked against others at all. The library throws for any other. */
function isRanked(version: string): boolean {
  return BY_NUMBER.test(version) && validate(version)
}
