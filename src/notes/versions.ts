// The forms of versions, dates and nameless releases in the changelogs that people write. Pure.

/** `1.2.3`, `1.2.3-beta.1`, `1.2.3b2` */
const NUMBERS = String.raw`\d{1,20}(?:\.\d{1,20}){1,9}[a-z0-9]{0,20}(?:[-+~_.][a-z0-9]{1,40}){0,9}`
/** `v12`, but not `v12th` */
const MAJOR = String.raw`(?<=(?<![\p{L}\p{N}])v)\d{1,20}(?![\p{L}\p{N}.])`
/** Also after letters of any script, as in `版本1.2.3`; not `1.2.3%`. */
const VERSION = new RegExp(
  String.raw`(?<!\d|\d[-+.])(?:v\.?)?(?:${NUMBERS}|${MAJOR})(?![%\d])`,
  'giu'
)

/** `2026-01-31`, `31/01/26`, `2026年1月31日` */
const MARKED_DATE =
  /(?<![\d.])(?:\d{4}([-/])\d\d?\1\d\d?|\d\d?([-/])\d\d?\2\d\d(?:\d\d)?|\d{4}年\d\d?月\d\d?日)(?!\d)/gu
/** `2026.01.31`, `31.1.2026` */
const DOTTED_DATE =
  /(?<![\d.])(?:(?:19|20)\d\d\.\d\d?\.\d\d?|\d\d?\.\d\d?\.(?:19|20)\d\d)(?!\.?\d)/gu
const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s{1,3})?`
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const DAY = String.raw`\d\d?(?:st|nd|rd|th)?`
const DAY_AND_MONTH = [
  // `January 31`
  String.raw`${MONTH}\.?[\s-]{1,3}${DAY}(?![\d.])`,
  // `31 January`, `31st of Jan`
  String.raw`${DAY}\.?[\s-]{1,3}(?:of )?${MONTH}`,
  // `January`, before a year
  String.raw`${MONTH}(?=,?\s{1,3}\d{4})`
]
/** `January 31, 2026`, `Tue, 31st of Jan`, `January 2026` */
const WORD_DATE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.])${WEEKDAY}(?:${DAY_AND_MONTH.join('|')})(?!\p{L})[.,]?(?:[\s-]{0,3}\d{4}(?![\d.]))?`,
  'giu'
)
/** `2026`, but not `#1999` */
const YEAR = /(?<![\p{L}\p{N}.#])(?:19[89]|20[0-3])\d(?![\p{L}\p{N}]|\.\d)/u

/** `1.2.3 Beta 2` and `1.2.3 (RC)`: other releases than 1.2.3. */
const PRERELEASE =
  /^[^\p{L}\p{N}]*(?:alpha|beta|rc|release candidate|pre|pre-?release|preview|dev|snapshot|nightly|canary|milestone)(?!\p{L})/iu
/** So are `1.2.3 Hotfix 1` and `1.2.3 M2`. */
const NUMBERED = /^[\s–—:,-]{0,5}\p{L}{1,20}(?: \p{L}{1,20})? ?\d{1,3}$/u
/** Only the beginning of a line is searched for versions and dates. */
const READ_MAX_CHARACTERS = 2000

/** The words of a text, in lower case, with single spaces. */
export const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, ' ')
    .trim()

/** Whether versions look like `2026.1.31` here: then such dates are versions. */
export const isCalendar = (version: string): boolean => /^\d{4}\.\d|\.\d{4}$/.test(version)

/** Whether the words before a version call it a version and nothing else. */
export const isLabel = (name: string): boolean => /^(?:version|ver|v|release)?$/.test(name)

/** Whether a text begins as a pre-release does: `Beta 2`. */
export const isPrerelease = (text: string): boolean => PRERELEASE.test(text)

/** A version as it is compared: `v1.2.3-beta.1` and `1.2.3 Beta 1` are the same. */
export function cleanVersion(version: string): string {
  const bare = version.replace(/^v\.?/i, '')
  const [numbers = ''] = /^[\d.]*\d/.exec(bare) ?? []
  return `${numbers} ${plainWords(bare.slice(numbers.length))}`.trim()
}

/** A text without its dates. With `calendar`, dates in dots are versions, and stay. */
export function withoutDates(text: string, calendar: boolean): string {
  const rest = text.slice(0, READ_MAX_CHARACTERS).replace(MARKED_DATE, ' ').replace(WORD_DATE, ' ')
  return calendar ? rest : rest.replace(DOTTED_DATE, ' ')
}

/** All versions in a text. */
export function versionsIn(text: string, calendar: boolean): string[] {
  const found = withoutDates(text, calendar).matchAll(VERSION)
  return Array.from(found, ([version]) => cleanVersion(version))
}

/** The first version in a text, and what stands around it. */
export interface NamedVersion {
  /** Empty if there is none. */
  readonly version: string
  /** The words before it, without dates: what the product is called, or `version`. */
  readonly name: string
  /** The text after it, without dates. */
  readonly rest: string
}

/** Reads the first version of a text. */
export function readVersion(text: string, calendar: boolean): NamedVersion {
  const undated = withoutDates(text, calendar)
  const found = undated.matchAll(VERSION).next().value
  if (!found) return { version: '', name: plainWords(undated), rest: '' }

  const name = plainWords(undated.slice(0, found.index)).replace(/ (?:version|ver|v|release)$/, '')
  const rest = undated.slice(found.index + found[0].length)
  const isOther = PRERELEASE.test(rest) || NUMBERED.test(rest.trim())
  const version = cleanVersion(isOther ? `${found[0]} ${rest}` : found[0])
  return { version, name, rest }
}

/** The numbers of a version: 1, 2 and 3 of `1.2.3-beta.1`. */
export function numbersOf(version: string): number[] {
  const [numbers = ''] = /^[\d.]*\d/.exec(version) ?? []
  return numbers.split('.').map(Number)
}

/** Compares the numbers of two versions, as for `sort`. */
export function compareNumbers(a: string, b: string): number {
  const left = numbersOf(a)
  const right = numbersOf(b)
  const at = left.findIndex((number, index) => number !== (right[index] ?? -1))
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
}

/** Whether nothing of note follows a version: a date, signs, or a word in brackets such as `[YANKED]`. */
export function isDateOrNothing(rest: string): boolean {
  const text = rest.trim()
  const words = text.replace(/(?<=\d)(?:st|nd|rd|th)(?!\p{L})/gu, '').match(/\p{L}{2,}/gu) ?? []
  // `31 janvier 2026`
  const isShort = words.length === 0 || (words.length <= 2 && /\d/.test(text))
  return isShort || /^[[(]\p{L}+[\])]$/u.test(text)
}

/** Whether a text is nothing but a date, or a year. */
export function isOnlyDate(text: string): boolean {
  const rest = withoutDates(text, false).replace(YEAR, '')
  return /\d/.test(text) && !/[\p{L}\p{N}]/u.test(rest)
}

/** Whether a text may be a date: also `31 janvier 2026` and `Spring 2026`. */
export function mayBeDate(text: string): boolean {
  const isOfYear = YEAR.test(text) && (text.match(/\d+/g) ?? []).length <= 2
  return isOnlyDate(text) || (isOfYear && isDateOrNothing(text))
}

/** Whether a text holds a date: `Hotfix - 2026-01-31`. */
export const holdsDate = (text: string): boolean =>
  withoutDates(text, false) !== text.slice(0, READ_MAX_CHARACTERS)

/** `Older`, `Previous versions` */
const OLDER = /^(?:older|earlier|previous|past)(?: (?:versions?|releases?|changes))?$/
/** Whether a text stands for all releases before. */
export const isOlder = (text: string): boolean => OLDER.test(plainWords(text))

/** Titles of releases without a name. */
const OTHER_RELEASES = [
  OLDER,
  /^hot ?fix(?: release)?$/,
  /^(?:initial|first)(?: (?:public|stable|beta))?(?: (?:release|version|commit))?$/,
  /^(?:unreleased|upcoming|next)(?: (?:versions?|releases?|changes))?$/
]

/** Whether a text stands for releases that it does not name: `Initial release`. */
export const isOtherRelease = (text: string): boolean => {
  const words = plainWords(text)
  return OTHER_RELEASES.some(it => it.test(words))
}
