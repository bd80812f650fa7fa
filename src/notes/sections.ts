// The section of one version in a changelog file: its title, its end, and the lines because of which it is refused. In any
// doubt there is none: a neighbor's text is never sent, and never a part of a section alone. Pure.
import { ActionError } from '../runner/action-error.ts'
import { visible } from '../runner/words.ts'
import {
  type Changelog,
  type ChangelogFile,
  type Heading,
  isAtLeast,
  isOfPackage,
  isSameName,
  isUpgradeNotice,
  type Line,
  packageIn,
  plainText,
  readChangelog
} from './changelog-file.ts'
import {
  cleanVersion,
  compareNumbers,
  holdsDate,
  isDateOrNothing,
  isOnlyNumber,
  readVersion,
  versionsIn
} from './versions.ts'

/** The text under the title of the version. Throws an `ActionError` if there is none, or no certain one. */
export function findSection(file: ChangelogFile): string {
  const changelog = readChangelog(file.text)
  const { lines } = changelog
  const title = findTitle(changelog, file)
  const end = findEnd(changelog, title)

  const doubts = findDoubts(changelog, title, end)
  if (doubts.length > 0) {
    throw explainRefusal(file, lines, 'unclear end', [title.line, ...doubts])
  }

  const text = writeLines(lines, title.end, end)
  if (text !== '') return text
  throw explainRefusal(file, lines, 'no text', [title.line])
}

/** The one title of the version. Throws an `ActionError` if there is none, or if there are several. */
function findTitle({ lines, headings, titles }: Changelog, file: ChangelogFile): Heading {
  const wanted = cleanVersion(file.version)
  const withVersion = headings.filter(it => it.version === wanted)
  const name = packageIn(file)
  const ofPackage =
    name === '' ? [] : withVersion.filter(it => it.name !== '' && isSameName(it.name, name))

  // A tag that names its package takes that alone: `theme@1.2.3` is not what the tag `plugin@1.2.3` means.
  const known = new Set(titles)
  const unnamed = withVersion.filter(it => known.has(it) && (name === '' || it.name === ''))
  const found = ofPackage.length > 0 ? ofPackage : unnamed
  const title = found[0]
  if (!title) {
    throw explainRefusal(file, lines, 'no title', placesNear(file, lines, titles))
  }

  // A heading that is no title, but as high as ours, may be over this version, too.
  const own = new Set(found)
  const rivals = withVersion.filter(it => own.has(it) || (name === '' && isAtLeast(it, title)))
  if (rivals.length > 1) {
    throw explainRefusal(file, lines, 'several titles', placesOf(rivals))
  }
  if (RANGE.test(title.rest)) throw explainRefusal(file, lines, 'several versions', [title.line])
  return title
}

const placesOf = (headings: readonly Heading[]): number[] => headings.map(it => it.line)

/** The lines that hold the version; or else, the first titles. */
function placesNear(
  { version }: ChangelogFile,
  lines: readonly Line[],
  titles: readonly Heading[]
): number[] {
  const isNamed = (text: string) =>
    text.split(NO_VERSION).some(it => it.replace(/^v/i, '') === version)
  const mentions = lines.flatMap(({ text }, at) =>
    text.includes(version) && !DEFINITION.test(text) && isNamed(text) ? [at] : []
  )
  return mentions.length > 0 ? mentions : placesOf(titles.slice(0, 3))
}

/** The signs around a version in a line. */
const NO_VERSION = /[^\p{L}\p{N}.+~_-]+/u
/** A title of more versions than one: `1.2.3 - 1.2.5`, `1.2.3 and earlier` */
const RANGE =
  /^[\s\])]*(?:[-–—,/&+]|and|or|to|through)\s*(?:v?\d+\.\d|earlier|older|before|below|previous|prior)/i

/** Where a section ends: at the next title, or below the last one at a heading as high as the one over all. */
function findEnd(changelog: Changelog, title: Heading): number {
  const { lines, headings, titles } = changelog
  const below = headings.filter(it => it.line > title.line)
  const known = new Set(titles)
  const isNext = (it: Heading) => known.has(it) || (isOfPackage(it) && isLevelWith(it, title))
  const frames = framesOf(changelog, title)
  const outside = below.find(it => frames.some(frame => isAtLeast(it, frame)))

  let end = (below.find(isNext) ?? outside)?.line ?? lines.length
  while (end > title.end && belongsToNext(lines, end - 1)) end--
  return end
}

/** Whether the last line of a section belongs to the title below it, or to all of them. */
function belongsToNext(lines: readonly Line[], at: number): boolean {
  const text = lines[at]?.text ?? ''
  return OF_NEXT.test(text.trim()) || isTitleOfDefinition(lines, at)
}

const isTitleOfDefinition = (lines: readonly Line[], at: number): boolean =>
  DEFINITION_TITLE.test(lines[at]?.text ?? '') && DEFINITION.test(lines[at - 1]?.text ?? '')

const isLevelWith = (a: Heading, b: Heading): boolean => a.marks === b.marks && a.level === b.level

/** The headings over the titles: the last one in their marks, such as `## Changelog`, and the file's own in any. */
function framesOf({ headings, titles }: Changelog, title: Heading): Heading[] {
  const isOver = (it: Heading) => it.marks === title.marks && it.level < title.level
  const above = headings.filter(it => it.line < (titles[0]?.line ?? 0))
  const first = above[0]?.marks === title.marks ? undefined : above[0]
  // Lone titles have no marks to compare.
  const last = above.findLast(it => isOver(it) || title.marks.startsWith('line'))
  return [last, first].filter(it => it !== undefined)
}

/** Lines above a title that belong to it, or to all: rules, anchors, `<details>`, definitions. */
const OF_NEXT =
  /^(?:(?:[-*_=#] ?){3,}|<a [^>]*>(?:<\/a>)?|<details>|<summary>.*<\/summary>|<details><summary>.*<\/summary>|\.\. _.*:|<!--.*-->|\[[^\]]+\]:.*)?$/

/** A definition of a link or a footnote: `[guide]: https://example.com`, `[^1]: A footnote` */
const DEFINITION = /^ {0,3}\[([^\]]+)\]:/
/** The title of a definition, on a line of its own. */
const DEFINITION_TITLE = /^\s+(['"]).*\1\s*$/

/** The text of some lines, with the definitions of links that it uses. */
function writeLines(lines: readonly Line[], start: number, end: number): string {
  const own = lines.slice(start, end).map(it => it.text)
  // The edge of a box around the title
  const text = own.join('\n').replace(/^(?:\s*#{7,})?(?:[^\S\n]*\n)*/, '')
  const labels = text.toLowerCase().matchAll(/\[([^[\]]+)\]/g)
  const used = new Set(Array.from(labels, ([, label]) => label))

  const definitions = lines.flatMap(({ text: line, shown }, at) => {
    const isOutside = at < start || at >= end
    const label = DEFINITION.exec(shown)?.[1]?.toLowerCase()
    if (!isOutside || !used.has(label)) return []
    const below = lines[at + 1]?.text ?? ''
    return DEFINITION_TITLE.test(below) ? [line, below] : [line]
  })
  return [text.trimEnd(), '', ...definitions].join('\n').trimEnd()
}

/** The lines because of which a section is not sent. */
function findDoubts(changelog: Changelog, title: Heading, end: number): number[] {
  const strays = placesOf(strayTitles(changelog, title))
  const ofHeadings = placesOf(highHeadings(changelog, title, end))
  return [...strays, ...ofHeadings, ...doubtfulLines(changelog, title, end)]
}

/**
 * The titles that may be no titles of this product. Where versions do not go on, below ours, as they do in the file: ours,
 * and those nested in it (`### 1.20.4` under `## 1.2.3`). Else those nested ones that have other words, or a version that
 * has a title as high as ours.
 */
function strayTitles({ titles }: Changelog, title: Heading): Heading[] {
  const below = titles.filter(it => it.line > title.line)
  const next = below.findIndex(it => isAtLeast(it, title))
  const nested = next < 0 ? below : below.slice(0, next)
  const alike = titles.filter(it => isLevelWith(it, title))
  const known = new Set(alike.map(it => it.version))
  const isTitle = ({ rest }: Heading) => isDateOrNothing(rest) || RANGE.test(rest)
  const parts = nested.filter(it => !isTitle(it) || known.has(it.version))

  const isLone = title.marks.startsWith('line')
  const above = isLone ? titles.filter(it => it.line < title.line).slice(-1) : []
  const chain = [...above, title, ...nested, ...below.slice(nested.length, nested.length + 1)]
  const direction = directionOf(alike)
  const isInOrder = stepsOf(chain).every(it => it * direction >= 0)
  const isChecked = isLone || nested.length > 0
  return isChecked && !isInOrder ? [title, ...nested] : parts
}

/** How versions go from title to title: positive numbers rise. */
function stepsOf(titles: readonly Heading[]): number[] {
  return titles.slice(1).map((it, at) => compareNumbers(it.version, titles[at]?.version ?? ''))
}

/** Whether versions rise (1) or fall (-1) from title to title; they fall where that is not clear. */
function directionOf(titles: readonly Heading[]): number {
  const steps = stepsOf(titles)
  return steps.filter(it => it > 0).length > steps.length / 2 ? 1 : -1
}

/** A heading that stands there so often is a part of sections: `## Added`. */
const REPEATED = 3

/** The headings in a section that are as high as titles, or as the one over all; and an Upgrade Notice in other marks. */
function highHeadings(changelog: Changelog, title: Heading, end: number): Heading[] {
  const { headings } = changelog
  const alike = Map.groupBy(headings, it => it.text)
  const isPart = ({ text }: Heading) =>
    !/\p{N}/u.test(text) && (alike.get(text)?.length ?? 0) >= REPEATED
  const frames = [title, ...framesOf(changelog, title)]
  const isHigh = (it: Heading) => frames.some(frame => isAtLeast(it, frame))

  const inside = headings.filter(it => it.line > title.line && it.line < end)
  return inside.filter(
    it => (isHigh(it) && !isPart(it)) || (isUpgradeNotice(it) && it.marks !== title.marks)
  )
}

/** A list item: `- a`, `1. a`; not one that holds a heading, `- ## 1.2.2`. */
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?!#)/
/** A package and its version: `@acme/core@1.4.1` */
const PACKAGE = /[\p{L}\p{N}]@v?\.?\d[\p{L}\p{N}.+-]*/gu
/** A line that is marked as a title: `## a`, `**a**`, `<b>a</b>` */
const MARKED =
  /^\s*(?:#{1,6} |\*\*[^*]+\*\*[^\p{L}\p{N}]*$|__[^_]+__[^\p{L}\p{N}]*$|<(?:b|strong|h\d)[ >])/u
/** A title of versions that it does not name: `Older versions`, `Initial release:`, `**Hotfix**` */
const NAMELESS =
  /^[^\p{L}\p{N}]*(?:(?:older|earlier|previous|past|initial|first)(?: \p{L}{1,20}){0,2}|unreleased|hot ?fix|(?:build|alpha|beta|rc) ?\d+)[^\p{L}]*$/iu

/** The lines of a section that may be over the text of another version, in whatever marks. */
function doubtfulLines(changelog: Changelog, title: Heading, end: number): number[] {
  const { lines, titles } = changelog
  const known = new Set(titles.map(it => it.version))
  const liesBetween = betweenTitles(changelog, title)
  const jumps = isBeforeJump(titles, title)
  const first = lines.findIndex((it, at) => at >= title.end && it.text.trim() !== '')

  const doubts: number[] = []
  for (let at = title.end; at < end; at++) {
    const { text = '', shown = '', isCode = false } = lines[at] ?? {}
    const isDefinition = DEFINITION.test(shown) || isTitleOfDefinition(lines, at)
    if (text.trim() === '' || isDefinition) continue

    // A title within code: its fence may be open by mistake, and be closed by the next one.
    const inCode = isCode ? titleIn(text, title) : ''
    if (inCode !== '' && !known.has(inCode) && liesBetween(inCode)) doubts.push(at)
    if (shown.trim() === '') continue

    // A version behind `name@` is that package's.
    const plain = plainText(shown)
    const held = versionsIn(ITEM.test(shown) ? plain.replace(PACKAGE, ' ') : plain)
    const holdsOther = held.some(it => !known.has(it) && liesBetween(it))
    const isOther = jumps && !ITEM.test(shown) && isVersionOfAny(plain, known)
    if (holdsOther || isOther || (at > first && isUntitled(shown, plain, title))) doubts.push(at)
  }
  return doubts
}

/** The version that a line is a title of, with no name or that of our title; empty if it is none. */
function titleIn(text: string, title: Heading): string {
  const { version, name, rest } = readVersion(plainText(text))
  const isTitle = (name === '' || name === title.name) && isDateOrNothing(rest)
  return isTitle ? version : ''
}

/** Whether versions go back behind a title, as where `7.0.0-beta` follows on 6.1: "between" says nothing there. */
function isBeforeJump(titles: readonly Heading[], title: Heading): boolean {
  const next = titles.find(it => it.line > title.line && isAtLeast(it, title))
  if (!next) return false
  const direction = directionOf(titles.filter(it => isLevelWith(it, title)))
  return compareNumbers(next.version, title.version) * direction < 0
}

/** Whether a line is nothing but a version, with any name, of which there is no title: `Gallery 1.2.2 - 2024-01-02`. */
function isVersionOfAny(plain: string, known: ReadonlySet<string>): boolean {
  const { version, rest } = readVersion(plain)
  return version !== '' && !known.has(version) && isDateOrNothing(rest)
}

/** Tells whether a version lies between a title and the next one that is as high; where none is, below it. */
function betweenTitles({ titles }: Changelog, title: Heading): (version: string) => boolean {
  const next = titles.find(it => it.line > title.line && isAtLeast(it, title))
  return version => {
    const againstOurs = compareNumbers(version, title.version)
    const againstNext = next ? compareNumbers(version, next.version) : 1
    // A pre-release of ours, or of the next one; `1.2` is `1.2.0`.
    if (againstOurs === 0 || againstNext === 0) {
      const same = againstOurs === 0 ? title.version : next?.version
      return version !== same && `${version}${same}`.includes(' ')
    }
    return againstOurs * againstNext < 0
  }
}

/** Longer lines are sentences. */
const LONE_MAX_CHARACTERS = 80

/** Whether a line is nothing but another version, a date, a number, or words that stand for versions. */
function isUntitled(shown: string, plain: string, title: Heading): boolean {
  const { version, name, rest } = readVersion(plain)
  if (version !== '' && isDateOrNothing(rest)) return name === '' && version !== title.version
  if (shown.length > LONE_MAX_CHARACTERS) return false

  // An issue, `(#12)`, and a line of code, such as `[10, 2]`, are no numbers of versions.
  const isNumber = isOnlyNumber(plain) && !/#\d|[{}"'[\]]/.test(shown)
  if (isNumber) return true
  if (ITEM.test(shown)) return false
  const isDated = version === '' && holdsDate(plain)
  return NAMELESS.test(plain) || (isDated && (MARKED.test(shown) || isDateOrNothing(plain)))
}

/** Why no section is sent, in words about the version. */
const REFUSALS = {
  'no title': (version: string) => `has no heading for ${version}`,
  'several titles': (version: string) => `has several headings for ${version}`,
  'several versions': (version: string) => `has one heading for ${version} and other versions`,
  'unclear end': (version: string) => `does not say where ${version} ends`,
  'no text': (version: string) => `has no text under its heading for ${version}`
}

/** Says why no section is sent, with the lines, counted from 0, because of which. */
function explainRefusal(
  { path, version }: ChangelogFile,
  lines: readonly Line[],
  why: keyof typeof REFUSALS,
  at: readonly number[]
): ActionError {
  const where = at.length > 0 ? `:${showLines(lines, at)}` : ', nor for any other version.'
  const message = `changelog-file: "${path}" ${REFUSALS[why](`"${version}"`)}${where}`
  return new ActionError('no-changelog', message, {
    advice: `Give every version one heading, such as "## ${version}", and reword other lines that look like one; or set \`changelog\`, or a path with \`{version}\` to a file of this version alone.`
  })
}

/** So many lines are shown, up to so many characters each. */
const LINES_SHOWN = 20
const LINE_MAX_CHARACTERS = 100

/** Lines of a file, for a message: each on a line of its own, with its number. */
export function showLines(lines: readonly Line[], at: readonly number[]): string {
  const places = [...new Set(at)].toSorted((a, b) => a - b).slice(0, LINES_SHOWN)
  const shown = places.map(it => {
    const line = lines[it]?.text.slice(0, LINE_MAX_CHARACTERS).trim() ?? ''
    return `\n  line ${it + 1}: ${visible(line)}`
  })
  return shown.join('')
}
