// Lines of text that may be titles, though they are no headings: bold, in a list, a table, or a frame of signs. Pure.
import {
  beginsWithDate,
  cleanVersion,
  countNumbers,
  type Grammar,
  isAside,
  isDate,
  withoutDates
} from './grammar.ts'
import { type Line, plainText } from './headings.ts'

/** In characters, of lines that hold nothing but a date. */
const LONGEST_DATE = 60
/** In characters, of lines as they are written. */
const LONGEST_LINE = 200
/** In characters, of lines without their marks. */
const LONGEST_TITLE = 80

/** `**2026**`, `12`, `Version 2:` */
const ONLY_NUMBER = /^[*_\s]*(?:(?:version|release|build) )?\d{1,4}[*_:\s]*$/i

/** Whether a line holds nothing but a date, or a number: `12 May 2026`, `12`. */
export function isDateAlone(text: string): boolean {
  return text.length < LONGEST_DATE && (isDate(text) || ONLY_NUMBER.test(text))
}

/** A version whose title a line of text may be. */
export interface LineVersion {
  readonly version: string
  /** Nothing follows but a date, and it is in no list: as a title would stand. */
  readonly isWhole: boolean
}

/** Whether a line may be a title of the same thing: of as many parts, or whole. */
export function mayBeOfSame({ version, isWhole }: LineVersion, wanted: string): boolean {
  return isWhole || countNumbers(version) === countNumbers(wanted)
}

/** `- a`, `1. a`, or an indented line. */
const LIST_ITEM = /^(?: {2}|\t|[ \t>]*(?:[-*+•]|\d+[.)])[ \t])/
/** `- ## 1.2.2` is a title, in the list by mistake. */
const HEADING_IN_LIST = /^[\W\d]*#{1,6} /
/** `[1.2.2]: https://…` */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/

/** The version whose title a line may be, in whatever marks; undefined for any other line. */
export function versionOfLine({ text }: Line, grammar: Grammar): LineVersion | undefined {
  const mayHoldVersion = /\d\.\d|v\d/i.test(text)
  if (!mayHoldVersion || text.length > LONGEST_LINE || DEFINITION.test(text)) return undefined

  const plain = plainText(text)
  if (plain.length > LONGEST_TITLE) return undefined

  const atEnd = versionAtEnd(text, grammar)
  if (atEnd) return atEnd

  const words = plain.replace(/^[\s>]*\d+[.)][ \t]+(?=\S)/, '').replace(/^[\W_]+/, '')
  const isInList = LIST_ITEM.test(text) && !HEADING_IN_LIST.test(text)
  const labeled = grammar.labeled.exec(words)
  if (labeled) return versionAfterLabel(words, labeled, isInList)
  return versionAfterName(words, grammar, isInList, /<summary/i.test(text))
}

/** `20012-05-06 - version 1.2.3`, with whatever stands for a date. */
function versionAtEnd(text: string, { endsInVersion }: Grammar): LineVersion | undefined {
  const [, number] = endsInVersion.exec(text.trim()) ?? []
  return number === undefined ? undefined : { version: cleanVersion(number), isWhole: false }
}

/** `Version 1.2.3 - 2026-01-31`, or the number alone. */
function versionAfterLabel(
  words: string,
  [all, number = '']: RegExpExecArray,
  isInList: boolean
): LineVersion | undefined {
  const rest = words.slice(all.length)
  if (!mayFollowTitle(rest) && !beginsWithDate(words)) return undefined
  return {
    version: cleanVersion(number),
    isWhole: isInList ? isDate(rest) : isDateOrNothing(rest)
  }
}

/** `Gallery 1.2.3`. After a product's name, a sentence is more likely, so nothing but a date may follow. */
function versionAfterName(
  words: string,
  { named }: Grammar,
  isInList: boolean,
  isSummary: boolean
): LineVersion | undefined {
  const [, before = '', number = '', rest = ''] = named.exec(words) ?? []
  const isName = number !== '' && !isAside(before) && !/\bfor\b/i.test(before)
  if (!isName) return undefined

  const isTitleAlone = !isInList && isDateOrNothing(rest)
  const mayBeTitle = isTitleAlone || isSummary || beginsWithDate(rest)
  return mayBeTitle ? { version: cleanVersion(number), isWhole: false } : undefined
}

function isDateOrNothing(text: string): boolean {
  return /^[\W_]*$/.test(text) || isDate(text)
}

/** Whether a title may go on like that after its version: a date, a sign such as `-`, `:` or `|`, or two words. */
function mayFollowTitle(rest: string): boolean {
  if (isDateOrNothing(rest) || beginsWithDate(rest)) return true
  if (/^["'*_`)\]]*\s*[-–—:([|/"“'*]/.test(rest)) return true
  const words = withoutDates(rest).match(/[\p{L}\d]+/gu) ?? []
  return words.length <= 2 && !/^[.,;`]/.test(rest)
}
