// The section of one version in a changelog file, and where it ends. In any doubt there is none: a
// neighbor's text is never sent, and never a part of a section alone.

import type { ActionError } from '../runner/action-error.ts'
import {
  type Changelog,
  type ChangelogFile,
  directionOf,
  findTitle,
  isCalledChangelog,
  isUpgradeNotice,
  readChangelog,
  type SectionEnd,
  stepsOf,
  type Title
} from './changelog-file.ts'
import { findDoubts, isTitleOfOther } from './doubts.ts'
import { endOfText, type Heading, isAtLeast, isLevelWith, type Line, writeLines } from './marks.ts'
import { explainRefusal } from './refusals.ts'
import {
  isDateOrNothing,
  isLabel,
  isOlder,
  isOnlyDate,
  isOtherRelease,
  isPrerelease,
  plainWords,
  readVersion
} from './versions.ts'

/** The text under the title of the version. Throws an `ActionError` if there is none, or no certain one. */
export function findSection(file: ChangelogFile): string {
  const changelog = readChangelog(file)
  const search = findTitle(changelog, file)
  if (search.kind !== 'found') {
    const lines = search.headings.map(it => it.line)
    throw explainRefusal(search.kind, changelog, file, lines)
  }

  const { title } = search
  const end = findEnd(changelog, title)
  const doubts = [
    ...(end.doubtful ? [end.doubtful.line] : []),
    ...findDoubts(changelog, title, end)
  ]
  if (doubts.length > 0) {
    throw explainRefusal('unclear end', changelog, file, [title.line, ...doubts])
  }

  const text = writeLines(changelog.lines, title.end, end.line)
  if (text === '' && !isDateOrNothing(title.rest)) {
    throw explainRefusal('text in title', changelog, file, [title.line])
  }
  return text
}

/** A file of one version, which is sent whole, with the title of another one in it, or a line like one. */
export function faultInWhole(file: ChangelogFile): ActionError | undefined {
  const changelog = readChangelog(file)
  const { titles, lines, wanted } = changelog
  const own = titles.find(it => it.version === wanted)
  const others = titles.filter(
    it => it.version !== wanted && (isLabel(it.name) || it.name === own?.name)
  )
  const like = lines.flatMap(({ shown }, at) =>
    isTitleOfOther(shown, changelog, new Set([wanted])) ? [at] : []
  )
  const places = [...others.map(it => it.line), ...like]
  return places.length > 0 ? explainRefusal('not alone', changelog, file, places) : undefined
}

/** Of `= 1.2.3 =` */
const READMES_LEVEL = 4

/** The role of a heading below a title: the end of its section, a part of it, or nobody can say which. */
type Role = 'end' | 'part' | 'doubt'

/** A title, and what is asked about the headings below it. */
interface Start {
  readonly changelog: Changelog
  readonly title: Title
  /** Whether a heading as high as the title is a part all the same. */
  readonly isPart: (heading: Heading) => boolean
  /** Whether a heading is as high as the one over the changelog. */
  readonly isFrameLevel: (heading: Heading) => boolean
}

function findEnd(changelog: Changelog, title: Title): SectionEnd {
  const { lines, headings } = changelog
  const titles = new Map(changelog.titles.map(it => [it.line, it]))
  const start: Start = {
    changelog,
    title,
    isPart: partsUnder(changelog, title),
    isFrameLevel: frameLevel(changelog, title)
  }

  for (const heading of headings) {
    if (heading.line <= title.line) continue
    const next = titles.get(heading.line)
    const role = roleOf(start, heading, next)
    if (role === 'part') continue
    const line = endOfText(lines, title.end, heading.line)
    return {
      line,
      next,
      doubtful: role === 'doubt' ? heading : undefined
    }
  }
  const line = endOfText(lines, title.end, lines.length)
  return { line, next: undefined, doubtful: undefined }
}

function roleOf(start: Start, heading: Heading, next: Title | undefined): Role {
  const { changelog, title, isPart, isFrameLevel } = start
  // In Markdown that is a slip, in reStructuredText's code a quotation.
  const isShifted = isIndented(changelog, heading) && !isIndented(changelog, title)
  if (heading.kind === 'underline' && isShifted) return 'doubt'
  if (isAtLeast(heading, title)) return roleOfHigh(start, heading, next)
  if (next && isTitleAlone(next, title)) return roleOfLow(start, next)
  if (isFrameLevel(heading) && !isPart(heading)) {
    return goesOn(changelog, heading, title) ? 'doubt' : 'end'
  }

  const isOtherNotice = isUpgradeNotice(heading) && heading.kind !== title.kind
  return isOtherNotice ? 'doubt' : 'part'
}

const isIndented = ({ lines }: Changelog, { line }: Heading): boolean =>
  /^\s/.test(lines[line]?.text ?? '')

/** A heading as high as the title, or higher: a title, what stands in the place of one, or a part. */
function roleOfHigh(start: Start, heading: Heading, next: Title | undefined): Role {
  const { changelog, title, isPart, isFrameLevel } = start
  const { text } = heading
  const isUnreleased = plainWords(text).startsWith('unreleased')
  if (next || isOnlyDate(text) || isUnreleased || isOlder(text)) return 'end'

  const isOverOthers = () => {
    const below = changelog.titles.find(it => it.line > heading.line)
    return below?.kind === heading.kind && below.level > heading.level
  }
  // `# Changelog` over `## 1.2.2`, when a tool put `# 1.2.3` above it
  if (isCalledChangelog(heading) && isOverOthers()) return 'end'

  const isHigher = heading.level < title.level
  if (isHigher && (isUpgradeNotice(heading) || isCalledChangelog(heading))) return 'end'
  if (isPart(heading)) return 'part'

  // `# FAQ` after `# Changelog` and `## 1.2.3`; in a readme, `== FAQ ==` after `= 1.2.3 =`
  const isOfReadme = title.kind === 'equals' && title.level === READMES_LEVEL
  const beginsElse = isHigher && (isFrameLevel(heading) || isOfReadme)
  return beginsElse && !goesOn(changelog, heading, title) ? 'end' : 'doubt'
}

/**
 * A title that is deeper, or in other marks: semantic-release writes `# 2.0.0` over `## 1.9.1`. Up to the next title of
 * our level, versions must go on in the direction of the file: `### 1.20.4` under `## 1.2.3` may be another product's.
 */
function roleOfLow({ changelog, title }: Start, next: Title): Role {
  const { titles } = changelog
  const isElsewhere = (it: Title) => it !== next && it.version === next.version
  const hasAnother = titles.some(it => isElsewhere(it) && isLevelWith(it, title))

  const below = titles.filter(it => it.line >= next.line)
  const following = below.findIndex(it => isLevelWith(it, title))
  const chain = [title, ...(following < 0 ? below : below.slice(0, following + 1))]
  const direction = directionOf(titles, title)
  const goesBack = stepsOf(chain).some(it => it * direction < 0)
  return hasAnother || goesBack ? 'doubt' : 'end'
}

const isTitleAlone = ({ name, rest }: Title, title: Title): boolean =>
  isDateOrNothing(rest) && (isLabel(name) || name === title.name)

/** Tells the headings as high as the one over the changelog, in any marks: `## FAQ`. */
function frameLevel({ headings, titles }: Changelog, title: Title) {
  const first = titles.find(it => it.kind === title.kind) ?? title
  const over = new Map<Heading['kind'], Heading>()
  for (const heading of headings) {
    if (heading.line >= first.line) break
    // `### Added` under `## Unreleased` is over nothing.
    const isLower = heading.kind === title.kind && heading.level >= title.level
    if (!isLower) over.set(heading.kind, heading)
  }
  return (heading: Heading): boolean => {
    const frame = over.get(heading.kind)
    return frame !== undefined && heading.level <= frame.level
  }
}

/** Whether a heading is followed by titles like ours: then it may be a part. */
function goesOn({ headings, lines, calendar }: Changelog, heading: Heading, title: Title): boolean {
  const isOurs = ({ text }: Heading) => {
    const { version, name } = readVersion(text, calendar)
    return version !== '' && (isLabel(name) || name === title.name)
  }
  const below = headings.find(
    it => it.line > heading.line && (isOurs(it) || isAtLeast(it, heading))
  )
  const isFollowed = below !== undefined && isLevelWith(below, title)
  return isFollowed && (heading.kind !== 'equals' || hasTextBetween(lines, heading.end, below.line))
}

function hasTextBetween(lines: readonly Line[], start: number, end: number): boolean {
  return lines.slice(start, end).some(it => it.text.trim() !== '')
}

/** A heading as high as titles is a part if it stands under so many of them. */
const REPEATED = 3

/** Tells the headings as high as a title, or higher, that are parts: right under it, or under several titles. */
function partsUnder(changelog: Changelog, title: Title): (heading: Heading) => boolean {
  const { headings, titles, lines } = changelog
  const next = headings.find(it => it.line > title.line)
  const isAtOnce = next?.kind === title.kind && !hasTextBetween(lines, title.end, next.line)
  const lastTitle = titles.findLast(it => isLevelWith(it, title))

  const keyOf = ({ kind, level, text }: Heading) => `${kind} ${level} ${plainWords(text)}`
  const over = new Map<string, Set<number>>()
  const starts = new Set(titles.filter(it => isLevelWith(it, title)).map(it => it.line))
  let nearest = -1
  for (const heading of headings) {
    if (starts.has(heading.line)) nearest = heading.line
    else over.set(keyOf(heading), (over.get(keyOf(heading)) ?? new Set()).add(nearest))
  }

  return heading => {
    // `Hotfix 2`, `dark mode - 2024-01-20`, `Older versions`
    const { text } = heading
    if (/\p{N}/u.test(text) || isPrerelease(text) || isOtherRelease(text)) return false

    // `##### 1.2.3`, and at once `### Bug Fixes`
    const isLikeFirst = isAtOnce && heading.kind === next.kind && heading.level >= next.level
    const isInside = heading.level >= title.level || (lastTitle?.line ?? 0) > heading.line
    return (isLikeFirst && isInside) || (over.get(keyOf(heading))?.size ?? 0) >= REPEATED
  }
}
