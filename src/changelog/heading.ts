// Reads which version a heading of a changelog is about. Pure.

export interface Title {
  /** As it is written, without the addresses of links. */
  readonly text: string
  readonly version?: TitleVersion
}

export interface TitleVersion {
  /** Such as `plugin` in `plugin@1.2.3`. */
  readonly scope: string
  readonly number: string
  /** Whether nothing but the version, its date and its name stands there. */
  readonly isSure: boolean
  /** Whether nothing but a date stands there beside it. */
  readonly isBare: boolean
}

/** What is looked for. */
export interface Wanted {
  readonly version: string
  readonly tag: string
}

const UNRELEASED = /^\W*unreleased\b/i

/** Reads the content of a heading; the version is the first that it names. */
export function readTitle(content: string, wanted: Wanted): Title {
  const text = content.replace(/\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]/g, ']').trim()
  const plain = text.replace(/<[^<>]*>|[*`]|\\(?=\W)/g, '')
  for (const { 0: word, index } of plain.matchAll(/[^\s()[\],;:|]+/g)) {
    const parsed = parseWord(word.replace(/[.!?]+$/, ''), wanted)
    if (!parsed) continue
    const before = plain.slice(0, index)
    const after = plain.slice(index + word.length)
    const isFirst = /^\W*(?:(?:version|release|ver)\W*)?$/i.test(before)
    // Behind the wanted version anything may stand: `1.2.3 Bugfix release`, `1.2.3 January 2, 2026`.
    const isAlone = isFirst && (parsed.isWanted || isAside(after))
    // A mere number is a version when it stands alone.
    if (!/\./.test(parsed.number) && !parsed.isWanted && !isAlone) continue
    if (/^\d{4}-\d\d-\d\d$/.test(parsed.number) && !parsed.isWanted) continue
    if (!isAlone && !leadsUp(before, after, parsed.isWanted)) return { text }
    const { scope, number } = parsed
    const isBare = isAlone && /^[)\]]*\s*[-–—/([]*\s*(?:$|\d{4})/.test(after)
    return { text, version: { scope, number, isSure: isAlone, isBare } }
  }
  return { text }
}

/** A date, a name after a dash, something in brackets, or nothing. */
function isAside(after: string): boolean {
  return /^[)\]]*\s*(?:$|[-–—/([:|,]|\d{4}|released\b)/i.test(after)
}

/**
 * As in `What’s new in 1.2.3` and `Acme Plugin 1.2.3`, and not in `Upgrading from 1.2.3`. A longer name may
 * stand before the wanted version alone, and no sentence: `Changes in how we think of 1.2.3`.
 */
function leadsUp(before: string, after: string, isWanted: boolean): boolean {
  if (!isAside(after)) return false
  if (/\b(?:in|version|release|ver)\W*$/i.test(before)) return true
  if (/\b(?:from|since|than|to|for|with)\W*$/i.test(before)) return false
  if (before.trim().split(/\s+/).length <= 3) return true
  return isWanted && !/\b(?:of|about|before|after|until|by|and|or)\W*$/i.test(before)
}

function parseWord(word: string, { version, tag }: Wanted) {
  const isWanted = [version, tag].some(wanted => wanted.toLowerCase() === word.toLowerCase())
  if (isWanted) return { scope: scopeOf({ version, tag }, word), number: version, isWanted }
  const [, scope = '', number = ''] =
    /^()v?(\d[\w.+-]*)$/i.exec(word) ??
    /^(.+)[@/]v?(\d[\w.+-]*)$/i.exec(word) ??
    /^([a-z][\w.]*(?:-[a-z][\w.]*)*)[-_]v?(\d+\.\d[\w.+-]*)$/i.exec(word) ??
    []
  return number === '' ? undefined : { scope, number, isWanted: number === version }
}

/** What stands before the version in the tag: the name of a package, or a folder. */
export function scopeOf({ version, tag }: Wanted, word = tag): string {
  if (word !== tag || !tag.endsWith(version)) return ''
  return tag.slice(0, tag.length - version.length).replace(/[@/_-]?v?$/i, '')
}

/** Whether the heading is about a version, or about what has none yet. */
export function isOfVersion({ text, version }: Title): boolean {
  if (!version) return UNRELEASED.test(text)
  return version.isSure || version.number.split('.').length > 2
}

/** Headings that look as if each began a version, though it cannot be read; one that ends in a number may not. */
export function resembling(titles: readonly Title[]): readonly Title[] {
  const starting = titles.filter(({ text }) =>
    /^\W*(?:(?:version|release)\W*)?v?\d+\.\d/i.test(text)
  )
  if (starting.length > 0) return starting
  const ending = titles.filter(({ text }) => /\bv?\d+\.\d[\w.+-]*\W*$/i.test(text))
  return ending.length > 1 ? ending : []
}

/** How well a heading fits: the lower the better, and not at all when undefined. */
export function rankTitle({ version }: Title, wanted: Wanted): number | undefined {
  if (!version || version.number.toLowerCase() !== wanted.version.toLowerCase()) return undefined
  const scope = scopeOf(wanted)
  const isOther = version.scope !== '' && scope !== '' && version.scope !== scope
  if (isOther) return undefined
  return (version.scope === scope ? 0 : 1) + (version.isSure ? 0 : 2)
}

/** Whether a deeper heading still begins another version, as in files of semantic-release. */
export function isOtherVersion(title: Title, wanted: Wanted): boolean {
  const { version } = title
  if (!version?.isBare || version.number.split('.').length < 3) return false
  if (version.scope !== '' && version.scope !== scopeOf(wanted)) return false
  const coreOf = (number: string) => number.split(/[-+]/)[0]
  return coreOf(version.number) !== coreOf(wanted.version)
}
