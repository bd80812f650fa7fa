// Owns the forms of versions and dates in what people write. Pure.

const { raw } = String

/** A version of numbers with dots: `1.2.3`, `1.2.3b2`, `1.2.3-beta.1`; not `1.2.3%`. */
const NUMBERS = raw`(?<!\d|\d\.)\d{1,9}(?:\.\d{1,9}){1,9}[a-z0-9]{0,20}(?:[-+~_.][a-z0-9]{1,40}){0,9}(?![%\d])`
/** A stage, which makes another version of the numbers before it: `Beta`, `RC 2` */
const STAGE = raw`(?:alpha|beta|rc|release candidate|pre|pre-?release|preview|early access|dev|snapshot|nightly)(?!\p{L})[ .-]?\d{0,3}`
/** A version of one number, at the start of a text: `v2` */
const MAJOR = raw`^v\d{1,9}(?![\p{L}\p{N}.])`
const VERSION = new RegExp(raw`${NUMBERS}(?:[ (-]{1,3}${STAGE})?|${MAJOR}`, 'giu')
/** A word with a number and nothing behind it, which makes another version, too: `Hotfix 1`, `M2`, `Rev 86` */
const NUMBERED = /^[\s–—:,(-]{1,3}(\p{L}{1,20}) ?\d{1,3}[\s)]*$/u

/** A date that looks like a version: `2026.01.31`, `31.1.2026` */
const DOTTED_DATE =
  /(?<![\d.])(?:(?:19|20)\d\d\.\d\d?\.\d\d?|\d\d?\.\d\d?\.(?:19|20)\d\d)(?!\.?\d)/g
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const WEEKDAY =
  'mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?'
/** Words before a version that do not say whose it is: `Version`, a date; and whatever is no letter. */
const LABEL = new RegExp(
  raw`(?<!\p{L})(?:version|ver|v|release|${MONTH}|${WEEKDAY}|st|nd|rd|th)(?!\p{L})|[^\p{L}]+`,
  'giu'
)
/** A date, or a part of one: `2026`, `31/1/26`, `January 31`, `31 January`; not `#2026`. */
const DATE = new RegExp(
  raw`(?<![\p{L}\p{N}.#])(?:(?:19[89]|20[0-3])\d|\d\d?[-./]\d\d?[-./]\d\d|(?:${MONTH})\.?[ -]\d\d?|\d\d?[ -](?:${MONTH}))(?![\p{L}\p{N}])`,
  'iu'
)

/** Only so much of a line is read. */
export const READ_MAX_CHARACTERS = 2000

/** A version as it is compared: `v1.2.3-beta.1` and `1.2.3 Beta 1` are the same, `1.2.3` and `12.3` are not. */
export function cleanVersion(version: string): string {
  const [, numbers = '', rest = ''] = /^v?\.?([\d.]*\d)?(.*)$/is.exec(version.trim()) ?? []
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [numbers, ...words].join(' ')
}

/** The first version in a text, and what stands around it. */
export interface NamedVersion {
  /** As it is compared; empty if there is none. */
  readonly version: string
  /** The words before it that are no label: a product's name, or nothing. */
  readonly name: string
  readonly rest: string
}

/** Reads the first version of a text. */
export function readVersion(text: string): NamedVersion {
  const shown = withoutDottedDates(text)
  const first = shown.matchAll(VERSION).next().value
  if (!first) return { version: '', name: '', rest: '' }

  const rest = shown.slice(first.index + first[0].length)
  const [numbered, word = ''] = NUMBERED.exec(rest) ?? []
  // But `1.2.3 - January 31` is followed by a date.
  const isLabel = nameIn(word) === ''
  const isOther = numbered !== undefined && !isLabel
  return {
    version: cleanVersion(isOther ? first[0] + rest : first[0]),
    name: nameIn(shown.slice(0, first.index)),
    rest: isOther ? '' : rest
  }
}

/** The words of a text, in lower case, without labels. */
export function nameIn(text: string): string {
  return text.replace(LABEL, ' ').trim().toLowerCase()
}

/** All versions in a text, as they are compared. */
export function versionsIn(text: string): string[] {
  return Array.from(withoutDottedDates(text).matchAll(VERSION), ([it]) => cleanVersion(it))
}

/** A text without its dates in dots; where it has no other version, they are versions. */
function withoutDottedDates(text: string): string {
  const all = text.slice(0, READ_MAX_CHARACTERS).normalize('NFKC')
  const rest = all.replace(DOTTED_DATE, ' ')
  return rest.search(VERSION) < 0 ? all : rest
}

/** Whether a version is written like a date, as `2026.1.31` is. */
export function looksLikeDate(version: string): boolean {
  return version.replace(DOTTED_DATE, '') === ''
}

const NUMERIC = new Intl.Collator('en', { numeric: true })

/** Compares the numbers of two versions, as for `sort`: those of `1.2` and `1.2.0 Beta` are equal. */
export function compareNumbers(a: string, b: string): number {
  return NUMERIC.compare(numbersOf(a), numbersOf(b))
}

function numbersOf(version: string): string {
  return version.replace(/(?:\.0+)*(?: .*)?$/, '')
}

/** Whether no more than a date, or a word such as `[YANKED]`, follows a version. */
export function isDateOrNothing(rest: string): boolean {
  // A word does not follow a digit, as in `31st`.
  const words = rest.match(/(?<![\p{L}\d])\p{L}+/gu) ?? []
  if (words.length === 0 || (words.length === 1 && holdsDate(rest))) return true
  return /^\s*[[(]\s*\p{L}+\s*[\])]\s*$/u.test(rest)
}

/** Whether a text holds a date. */
export function holdsDate(text: string): boolean {
  return DATE.test(text)
}

/** Whether a text is nothing but numbers, with labels: `12`, `v2`, `Version 12`, `3/1/24`, `Friday, 2 January`. */
export function isOnlyNumber(text: string): boolean {
  return /\d/.test(text) && nameIn(text) === ''
}
