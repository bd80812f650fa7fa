// Finds the doubts in a section: headings that may be releases, and lines that may be titles written otherwise.
import type { Section } from './ends.ts'
import {
  cleanVersion,
  countNumbers,
  type Grammar,
  holdsDate,
  isDate,
  withoutDates
} from './grammar.ts'
import {
  type ChangelogText,
  type Heading,
  isAtLeast,
  isLevelWith,
  isTitle,
  type Line
} from './headings.ts'
import { isDateAlone, mayBeOfSame, versionOfLine } from './line-titles.ts'
import { isAlike, isCalledChangelog, isPlain, isUpgradeNotice } from './titles.ts'

/** A place in a file that a message shows. */
export interface Position {
  readonly start: number
}

/** The places in a section that may be a neighbor's, in their order; none if it is certain. */
export function findDoubts(text: ChangelogText, section: Section): Position[] {
  const titled = versionsBelow(text, section)
  const doubts = [
    ...doubtfulTitles(text, section),
    ...doubtfulParts(text, section, titled),
    ...doubtfulLines(text, section, titled),
    ...doubtfulEnd(text, section)
  ]
  return doubts.toSorted((a, b) => a.start - b.start)
}

/** The titles, and the lines that look like titles, of other versions in a whole file. */
export function findOthers(text: ChangelogText, version: string): Position[] {
  const titles = text.headings.filter(it => isAlike(it, version, '') && it.version !== version)
  const lines = text.lines.filter(line => {
    const named = versionOfLine(line, text.grammar)
    return named && named.version !== version && mayBeOfSame(named, version)
  })
  return [...titles, ...lines].toSorted((a, b) => a.start - b.start)
}

/** The lines that look like titles of any version. */
export function titleLines({ lines, grammar }: ChangelogText): Line[] {
  return lines.filter(it => versionOfLine(it, grammar) !== undefined)
}

/** The versions that have titles of their own further down: a line that names one of those is text. */
function versionsBelow({ headings }: ChangelogText, { title, frame }: Section): Set<string> {
  const notice = headings.find(it => it.kind === 'wordpress' && isUpgradeNotice(it))
  const end = Math.min(frame.end, notice && notice.start > title.start ? notice.start : Infinity)
  const below = headings.filter(it => it.start > title.start && it.start < end && isTitle(it))
  return new Set(below.map(it => it.version))
}

/** `### WooCommerce 9.1.0` under `## 1.2.3`: what it was tested with, or a neighbor. */
function doubtfulTitles({ headings }: ChangelogText, section: Section): Heading[] {
  const { title, next, parts } = section
  const isCalledOtherwise = (it: Heading) => !isPlain(it) && it.before !== title.before
  const titles = [...parts, ...(next ? [next] : [])].filter(isTitle)
  const doubtful = titles.filter(it => {
    const isDeeper = it.kind === title.kind && it.level > title.level
    const hasAnother = headings.some(at => at.version === it.version && isLevelWith(at, title))
    if (isDeeper && (hasAnother || goesOnInWords(it))) return true
    if (!isCalledOtherwise(it)) return false

    // `## theme@1.2.3` is a neighbor of `## plugin@1.2.3`; deeper, it may be a part.
    return !it.before.includes('@') || isDeeper
  })
  return isOfSeveral(title) ? [title, ...doubtful] : doubtful
}

/** Whether a title may only mention its version: `#### 0.6 regression fixes` under `## 0.7` (Leaflet). */
const goesOnInWords = (heading: Heading): boolean =>
  /^\s+\p{L}/u.test(withoutDates(afterVersion(heading))) && !isOfSeveral(heading)

/** Whether a title is that of older versions, too: `2.0.0 and earlier` (mock), `1.0.0 to 1.0.5`. */
const isOfSeveral = (heading: Heading): boolean =>
  /^\W*(?:(?:and|or) (?:earlier|older|before|below|previous|prior)|to|through)\b/i.test(
    afterVersion(heading)
  )

/** The words of a title after its version. */
function afterVersion({ text, version }: Heading): string {
  const at = text.toLowerCase().indexOf(version)
  return text.slice(at + version.length)
}

/** `== Added ==` between `= 1.2.3 =` and `= 1.2.2 =`: it ends the changelog, or is a part in the wrong marks. */
function doubtfulEnd({ headings, source }: ChangelogText, section: Section): Heading[] {
  const { title, next, end } = section
  const ending = headings.find(it => it.start >= end)
  if (next || !ending || isTitle(ending) || isUpgradeNotice(ending)) return []

  // `# Changelog`, when a section was put above it
  const isHigher = isAtLeast(ending, title) && !isLevelWith(ending, title)
  if (isHigher && isCalledChangelog(ending)) return []

  const below = headings.find(
    it => it.start > ending.start && (isTitle(it) || isAtLeast(it, ending))
  )
  const isSame = below && isTitle(below) && (isPlain(below) || below.before === title.before)
  const goesOn = isSame && isLevelWith(below, title)
  const hasText = below && source.slice(ending.end, below.start).trim() !== ''
  return goesOn && hasText ? [ending] : []
}

/**
 * The headings without a version of the same thing that may be a neighbor's: as high as the title, like a release's own, or
 * with a version in them that has no title below. `titled`: the versions that have one.
 */
function doubtfulParts(text: ChangelogText, section: Section, titled: Set<string>): Heading[] {
  const { title, next, frame, start } = section
  const parts = section.parts.filter(it => !isTitle(it))
  const [first] = section.parts
  const atOnce = first && text.source.slice(start, first.start).trim() === '' ? first : undefined
  const isNextLevel = next !== undefined && isLevelWith(next, title)

  return parts.filter(part => {
    const isFrameLevel = frame.heading !== undefined && isAtLeast(part, frame.heading)
    if (isFrameLevel && part.kind === 'markdown') return true

    const isHigh = isAtLeast(part, title)
    const isOwnDate = part === atOnce && !isHigh && part.kind === title.kind && isDate(part.text)
    if (isOwnDate) return false
    if (mayBeRelease(part)) return true
    if (holdsOther(part, text.grammar, title, isHigh, titled)) return true

    // conventional-changelog writes `### 1.2.3`, and then `### Bug Fixes` at once, again and again.
    const isLikeFirst = atOnce !== undefined && isLevelWith(part, atOnce)
    return isHigh && !isLikeFirst && !isNextLevel
  })
}

/** Headings of releases without a version of their own. */
const RELEASE_NAMES = [
  /^unreleased/i,
  // `Next`, `Next release`
  /^next(?: (?:version|release)s?)?$/i,
  // `Beta`, `RC 2`
  /^(?:alpha|beta|rc)(?:\W*\d[\w.]*)?$/i,
  // `Release 12`, `v. 2`
  /^(?:version|release|v)\W*\d+$/i,
  // `Build 12`
  /^build\W*\d/i,
  // `Older`, `Previous versions`
  /^(?:older|earlier|previous)(?:$| (?:version|release|change))/i
]

/** Whether a heading may be that of a release: `2 Fast`, `Spring 2026`, `Unreleased`. */
function mayBeRelease({ text }: Heading): boolean {
  const name = text.replace(/^[\W_]+|[\W_]+$/g, '')
  return /^\d/.test(name) || holdsDate(text) || RELEASE_NAMES.some(it => it.test(name))
}

/** Whether a heading names another version: high up any, in a part one like ours that has no title. */
function holdsOther(
  { text }: Heading,
  { anywhere }: Grammar,
  { version }: Heading,
  isHigh: boolean,
  titled: Set<string>
): boolean {
  const held = Array.from(text.matchAll(anywhere), ([number]) => cleanVersion(number))
  const others = held.filter(it => it !== version && !titled.has(it))
  return others.some(it => isHigh || countNumbers(it) === countNumbers(version))
}

/** The lines that may be a neighbor's title. `titled`: the versions that have titles below. */
function doubtfulLines(text: ChangelogText, section: Section, titled: Set<string>): Line[] {
  const { title, start, end } = section
  const lines = text.lines.filter(it => it.start >= start && it.start < end)
  const first = lines.find(it => it.text.trim() !== '')
  return lines.filter(line => {
    // A date right under the title is its own.
    if (line !== first && isDateAlone(line.text)) return true

    const named = versionOfLine(line, text.grammar)
    if (!named || named.version === title.version || titled.has(named.version)) return false
    return mayBeOfSame(named, title.version)
  })
}
