// How versions and dates are written in changelogs: every expression that reads a title is built here, of named parts.

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
/** `31`, `31st` */
const DAY = String.raw`\d\d?(?:st|nd|rd|th)?`
/** `2026-01-31`, `2026.1.31`, `31/01/2026` */
const FULL_DATE = String.raw`(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4})`
/** Also `31.01.26`, which may be a version elsewhere. */
const NUMERIC_DATE = String.raw`(?:${FULL_DATE}|\d\d?[-./]\d\d?[-./]\d\d)`
const WORD_DATES = [
  // `January 31, 2026`, `Jan 31`
  String.raw`${MONTH}\.?\s+${DAY}(?![\d.]),?(?:\s*\d{4})?`,
  // `31 January 2026`, `31st of Jan`, `31-Jan-2026`
  String.raw`${DAY}\.?[\s-]+(?:of )?${MONTH}\.?,?[\s-]*(?:\d{4})?`,
  // `January 2026`
  String.raw`${MONTH},?\s+\d{4}`
]
const WEEKDAY = String.raw`(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+`
const WORD_DATE = `(?:(?:${WEEKDAY})?(?:${WORD_DATES.join('|')}))`
const ANY_DATE = `(?:${NUMERIC_DATE}|${WORD_DATE})`
/** Distinguishes a date from a version such as `2026.01.31.4`, which goes on. */
const DATE_ENDS = String.raw`(?!\.?\d)`

/** `Acme `, `Changes in Acme Gallery `: six words at most. */
const WORDS = String.raw`(?:[\p{L}@][\p{L}\w@/.'’-]*:?\s+){0,6}?`
/** `plugin@`, `@acme/core@`, `plugin-` */
const PACKAGE = String.raw`(?:[\p{L}@][\w@/.-]*[@/-])?`
/** `v.1.2.3`, `Version1.2.3` */
const UNSPACED = String.raw`(?:v\.|ver(?:sion)?\.?)?`
const BEFORE = `(${WORDS}${PACKAGE}${UNSPACED})`
/** Words that stand over a list of changes: `Changes in `, `What's new in `, `Changelog for ` */
const CHANGES_IN = '(?:changes|change ?log|what.?s new) (?:in|for)'
/** `Version `, `ver.`, `Release: `, `Version # `, `Changes in version ` */
const LABEL = String.raw`(?:(?:version|ver|v|release|${CHANGES_IN})[\s:.#=|–-]*){0,2}`
/** `1.2.3%` and `1.2.3~beta` are no versions of ours. */
const NUMBER_ENDS = '(?![\\w%~])'
const SIGNS = String.raw`[\W_]`

/** Words before a version after which it is not the subject: `Upgrading from 1.2.3`. */
const ASIDE =
  /\b(?:from|since|to|than|before|after|until|why|how|what|we|with|and|or|requires?|supports?|needs?|between|of|think)\b/i

/** The expressions that read versions where one certain version is wanted. */
export interface Grammar {
  /** A heading that begins with a version: what is before it, and the version. */
  readonly title: RegExp
  /** WooCommerce's `2026-01-31 - version 1.2.3`, a whole line. */
  readonly dated: RegExp
  /** A whole line that ends like that, whatever is before: `20012.05.06 - version 1.2.3`. */
  readonly endsInVersion: RegExp
  /** The text within `= 1.2.3 - 2026-01-31` if it is not closed. */
  readonly unclosed: RegExp
  /** A text that begins with a version, after a date or a label at most: `Version 1.2.3`, `v1.2.3 - Albums`. */
  readonly labeled: RegExp
  /** A text that begins with words and a version: what is before it, the version, and what follows. */
  readonly named: RegExp
  /** Every version in a text. */
  readonly anywhere: RegExp
}

/**
 * Makes the expressions for a wanted version. `2024.3.0` looks like a date: where it is wanted, whatever looks like it
 * is a version, and elsewhere none is.
 */
export function grammarFor(wanted: string): Grammar {
  const shape = dateShapeOf(wanted)
  const fullDate = shape === '' ? FULL_DATE : `(?!${shape})${FULL_DATE}`
  const date = `(?:${fullDate}${DATE_ENDS}|${WORD_DATE})`
  // `1.2.3`, `1.2.3-beta.1`, `v12`
  const number = String.raw`(?!${fullDate}${DATE_ENDS})v?\d+(?:\.\d+)+[\w.+-]*|v\d+`
  const version = `(${number})${NUMBER_ENDS}`
  const dateBefore = `(?:${date}${SIGNS}+)?`

  return {
    title: new RegExp(`^${SIGNS}*${dateBefore}${BEFORE}[[(]?${version}`, 'u'),
    dated: new RegExp(
      String.raw`^${NUMERIC_DATE}\s*[-–—:|]\s*(?:version|ver\.?|v)?\s*(${number})$`,
      'i'
    ),
    endsInVersion: new RegExp(String.raw`^[^\s*+•-].{0,40}\s[-–—]\s*version\s+(${number})$`, 'i'),
    unclosed: new RegExp(
      String.raw`^(?:version:?|ver\.?|v\.?)?\s*\[?(?:${number})\]?[^=]{0,40}$`,
      'i'
    ),
    labeled: new RegExp(String.raw`^${dateBefore}${LABEL}\(?\[?${version}`, 'i'),
    named: new RegExp(`^${dateBefore}${BEFORE}[[(]?${version}(.*)$`, 'iu'),
    anywhere: new RegExp(String.raw`(?<![\w.])(?:${number})${NUMBER_ENDS}`, 'gi')
  }
}

/** A pattern for all that looks like a version that looks like a date; empty for any other version. */
function dateShapeOf(version: string): string {
  const [date = ''] = new RegExp(`^${FULL_DATE}`).exec(version) ?? []
  const separator = /[-./]/.exec(date)?.[0] ?? ''
  if (separator === '') return ''

  const year = String.raw`\d{4}`
  const other = String.raw`\d\d?`
  const parts = /^\d{4}/.test(date) ? [year, other, other] : [other, other, year]
  return parts.join(`[${separator}]`)
}

/** The version that a title names. */
export interface NamedVersion {
  /** In lower case, without `v`; empty if there is none. */
  readonly version: string
  /** The words before it, such as `version ` or `plugin@`. */
  readonly before: string
}

/** The version that the plain text of a heading begins with. */
export function versionIn(text: string, grammar: Grammar): NamedVersion {
  const [, before = '', number = ''] = grammar.title.exec(text.toLowerCase()) ?? []
  return isAside(before) ? { version: '', before: '' } : { version: cleanVersion(number), before }
}

/** A version as it is compared: in lower case, without `v`, and without signs at its end. */
export function cleanVersion(number: string): string {
  return number.toLowerCase().replace(/^v|(?<![.+-])[.+-]+$/g, '')
}

/** How many numbers a version has: three for `1.2.3-beta.1`. */
export function countNumbers(version: string): number {
  const [numbers = ''] = version.split(/[-+]/, 1)
  return numbers.split('.').length
}

const ONLY_DATE = new RegExp(`^${SIGNS}*${ANY_DATE}${SIGNS}*$`, 'i')
const BEGINS_WITH_DATE = new RegExp(`^${SIGNS}*${ANY_DATE}`, 'i')
const HOLDS_DATE = new RegExp(`(?<![\\w.])(?:${FULL_DATE}${DATE_ENDS}|${WORD_DATE})(?!\\w)`, 'i')
/** `2023` and `in 2023`, but not `#1999` */
const HOLDS_YEAR = /(?<![\w.#])(?:19|20)\d\d(?![\w.])/

/** Whether a text is nothing but a date. */
export const isDate = (text: string): boolean => ONLY_DATE.test(text)
/** Whether a text begins with a date, after signs. */
export const beginsWithDate = (text: string): boolean => BEGINS_WITH_DATE.test(text)
/** Whether there is a date or a year in a text. */
export const holdsDate = (text: string): boolean => HOLDS_DATE.test(text) || HOLDS_YEAR.test(text)
/** A text without its dates. */
export const withoutDates = (text: string): string => text.replace(new RegExp(ANY_DATE, 'gi'), ' ')
/** Whether words before a version say that it is not the subject. */
export const isAside = (before: string): boolean => ASIDE.test(before)
