// Which lines of a section may be over the text of another version, so that it is not sent. Pure.
import {
  type Changelog,
  directionOf,
  isInOrder,
  type SectionEnd,
  stepsOf,
  type Title
} from './changelog-file.ts'
import { isDefinition, isLevelWith, plainText } from './marks.ts'
import {
  compareNumbers,
  holdsDate,
  isDateOrNothing,
  isLabel,
  isOtherRelease,
  mayBeDate,
  numbersOf,
  readVersion,
  versionsIn
} from './versions.ts'

const ITEM = /^\s*(?:[-*+•]|\d+[.)])\s/
/** `**2026**`, `12`, `Version 2:`, `### Beta 3` */
const ONLY_NUMBER =
  /^(?:#{1,6} |[*_>\s]{1,9})?(?:(?:version|release|build|alpha|beta|rc) )?v?\d{1,4}[*_:\s]*$/i
/** `## a`, `**a**`, `__a__`, `<b>a</b>` */
const EMPHASIZED = /^(?:#{1,6} |\*\*[^*]+\*\*:?$|__[^_]+__:?$|<(?:b|strong)>[^<]+<)/i
/** `Hotfix`, but no sentence */
const LONE_WORDS = /^\p{L}[^.:;,!?)]{0,40}$/u
/** Longer lines hold no title. */
const TITLE_MAX_CHARACTERS = 70

/** The lines of a section that may be a neighbor's title, in whatever marks. */
export function findDoubts(changelog: Changelog, title: Title, end: SectionEnd): number[] {
  const { lines, titles, wanted, calendar } = changelog
  const outside = titles.filter(it => it.line < title.end || it.line >= end.line)
  const titled = new Set([wanted, ...outside.map(it => it.version)])
  const isNear = nearness(changelog, title, end)

  const doubts = title.kind === 'bare' && !isInOrder(titles, title) ? [title.line] : []
  let isFirst = true
  for (let at = title.end; at < end.line; at++) {
    const { text, shown } = lines[at] ?? { text: '', shown: '' }
    if (text.trim() === '' || isDefinition(text)) continue

    // A version between ours and the next that has no title; also in code, which may be a fence by mistake.
    const isShort = text.trim().length < TITLE_MAX_CHARACTERS && !ITEM.test(text)
    const held = versionsIn(plainText(text), calendar)
    const isAtStart = isLabel(readVersion(withoutMarks(text.replace(ITEM, '')), calendar).name)
    const holdsNear = held.some(it => !titled.has(it) && isNear(it, isShort, isAtStart))

    const isLone = lines[at - 1]?.text.trim() === ''
    const isOther =
      shown.trim() !== '' &&
      (isTitleOfOther(shown, changelog, titled) || (isShort && isUntitled(shown, isFirst, isLone)))
    // Among lone titles, any lone words may be one: `Hotfix`
    const isLoneWords = title.kind === 'bare' && isLone && LONE_WORDS.test(shown.trimEnd())
    if (holdsNear || isOther || (isLoneWords && !isFirst)) doubts.push(at)
    if (shown.trim() !== '') isFirst = false
  }
  return doubts
}

/**
 * Whether a line is nothing but another version, in whatever marks.
 * @param shown The line as it is read.
 * @param titled Versions that have titles of their own elsewhere: a line with one of them is not meant.
 */
export function isTitleOfOther(
  shown: string,
  { calendar }: Changelog,
  titled: ReadonlySet<string>
): boolean {
  const { version, name, rest } = readVersion(withoutMarks(shown), calendar)
  return version !== '' && !titled.has(version) && isLabel(name) && isDateOrNothing(rest)
}

/** The text of a line from its first letter or digit on. */
function withoutMarks(line: string): string {
  return plainText(line).replace(/^[^\p{L}\p{N}]+/u, '')
}

/** Whether a line may be over the text of another release, though it names none: `12 May 2026`, `12`, `Older versions`. */
function isUntitled(shown: string, isFirst: boolean, isLone: boolean): boolean {
  const text = plainText(shown)
  const stands = isLone || EMPHASIZED.test(shown)
  // Right under the title, a date is its own, and `Initial release` is all there is to say.
  if (isFirst) return false
  if (mayBeDate(text) || ONLY_NUMBER.test(shown)) return true
  return stands && (isOtherRelease(text) || (EMPHASIZED.test(shown) && holdsDate(text)))
}

/** Tells the versions that may be released between ours and the next title, or, if there is none, before ours. */
function nearness({ titles, wanted }: Changelog, title: Title, end: SectionEnd) {
  const direction = directionOf(titles, title)
  const isRising = direction > 0
  const level = titles.filter(it => isLevelWith(it, title))
  const isSingle = level.length === 1
  const isMixed = stepsOf(level).some(it => it * direction < 0)
  const next = end.next?.version
  const own = numbersOf(wanted)
  return (version: string, isShort: boolean, isAtStart: boolean): boolean => {
    // `Gallery 1.2 is here` under `1.2.0`
    if (withoutZeros(version) === withoutZeros(wanted)) return false

    const numbers = numbersOf(version)
    const isSameMajor = numbers[0] === own[0]
    const isAlike = numbers.length === own.length
    // `Gallery 4.2.5` between `5.0` and `4.2.4`
    const isLikeNext = isShort && next !== undefined && numbers.length === numbersOf(next).length
    const isLonger = numbers.length > own.length || isShort
    const isComparable = isAlike || isLikeNext || (isLonger && isSameMajor)
    if (!isComparable) return false

    // A pre-release of ours, or of the next one
    const order = compareNumbers(version, wanted)
    const isSame = order === 0 || (next !== undefined && compareNumbers(version, next) === 0)
    if (isSame) return isShort || version.includes(' ')

    // Where titles jump up and down, "between" says nothing.
    if (isMixed && isAlike && isShort) return true
    if (next !== undefined) return order * compareNumbers(version, next) < 0

    // Under the last title. A file with one title may go on upwards.
    const goesOn = isRising ? order > 0 : order < 0
    if (goesOn) return isShort || isSameMajor || isAtStart
    return isSingle && order > 0 && isShort && isSameMajor
  }
}

const withoutZeros = (version: string): string => version.replace(/(?:\.0{1,9}){1,9}$/, '')
