// Whose title is it? Finds the one title of a version in a changelog file, within the part that is the changelog.
import { literal } from '../runner/words.ts'
import { countNumbers } from './grammar.ts'
import {
  type ChangelogText,
  type Heading,
  isAtLeast,
  isLevelWith,
  isTitle,
  rankOf
} from './headings.ts'

/** A changelog file, and the version that is wanted. */
export interface ChangelogFile {
  readonly text: string
  /** For messages. */
  readonly path: string
  readonly version: string
  /** It may name a package: `plugin@1.2.3`. */
  readonly tag: string
}

/** The part of a file that is the changelog. */
export interface Frame {
  /** The heading over it; none if the file begins with it. */
  readonly heading: Heading | undefined
  readonly start: number
  readonly end: number
}

/** The title that was found, or why there is no certain one. */
export type TitleSearch =
  | { readonly kind: 'found'; readonly title: Heading; readonly frame: Frame }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly titles: readonly Heading[] }
  | { readonly kind: 'outside'; readonly titles: readonly Heading[] }

const CHANGELOG = /^[\W_]*(?:change[\s-]?logs?|release notes|version history)[\W_]*$/i
const UPGRADE_NOTICE = /^[\W_]*upgrade notice/i

/** Whether a heading is called Changelog, and nothing else. */
export const isCalledChangelog = (heading: Heading): boolean =>
  !isTitle(heading) && CHANGELOG.test(heading.text)

/** Whether a heading is over what WordPress' readmes say about upgrading. */
export const isUpgradeNotice = (heading: Heading): boolean =>
  !isTitle(heading) && UPGRADE_NOTICE.test(heading.text)

/** Whether a title is called by its version alone: `1.2.3`, `Version 1.2.3`. */
export const isPlain = ({ before }: Heading): boolean =>
  /^(?:version|release|ver\.?|v\.?)?[:\s]*$/.test(before)

/** Whether a heading is the title of a version of the same thing: of as many parts, plain, or called the same. */
export function isAlike(heading: Heading, version: string, before: string): boolean {
  if (!isTitle(heading)) return false
  const hasAsManyParts = countNumbers(heading.version) === countNumbers(version)
  return hasAsManyParts || isPlain(heading) || heading.before === before
}

/** Finds the title of the wanted version. */
export function findTitle({ headings }: ChangelogText, file: ChangelogFile): TitleSearch {
  const version = file.version.toLowerCase()
  const titles = ofPackage(
    headings.filter(it => it.version === version),
    file
  )
  if (titles.length === 0) return { kind: 'none' }

  // The text under Upgrade Notice in WordPress' readmes is no changelog.
  const [noticeStart, noticeEnd] = upgradeNotice(headings)
  const counted = titles.filter(it => it.start < noticeStart || it.start > noticeEnd)
  const frame = frameOf(headings, counted)
  const inside = counted.filter(it => it.start >= frame.start && it.start < frame.end)

  // Where no heading is called Changelog, a second title anywhere in the file may be the one that is meant.
  const isCertain = frame.heading !== undefined && isCalledChangelog(frame.heading)
  const candidates = isCertain ? inside : titles
  if (candidates.length > 1) return { kind: 'several', titles: candidates }

  const [title] = inside
  return title ? { kind: 'found', title, frame } : { kind: 'outside', titles }
}

/** Of titles, those of the package that the tag names; `theme@1.2.3` and `theme-1.2.3` are another's. */
function ofPackage(titles: readonly Heading[], { tag, version }: ChangelogFile) {
  const isSuffix = tag.toLowerCase().endsWith(version.toLowerCase())
  const name = isSuffix ? tag.slice(0, -version.length).replace(/[@/_-]?v?$/i, '') : ''
  if (name === '') return titles

  const named = new RegExp(`(?<![\\w-])${literal(name)}(?=[@/\\s-]*v?\\d)`, 'i')
  const ofName = titles.filter(it => named.test(it.text))
  return ofName.length > 0 ? ofName : titles.filter(it => !/[@/-]$/.test(it.before))
}

/** From where to where a file is about upgrading; nowhere if it has no such heading. */
function upgradeNotice(headings: readonly Heading[]): readonly [start: number, end: number] {
  const notice = headings.find(isUpgradeNotice)
  if (!notice) return [Infinity, Infinity]

  const after = headings.find(
    it => it.start > notice.start && !isTitle(it) && isAtLeast(it, notice)
  )
  return [notice.start, after?.start ?? Infinity]
}

function frameOf(headings: readonly Heading[], titles: readonly Heading[]): Frame {
  const heading = calledChangelog(headings) ?? aboveTitles(headings)
  const start = heading?.end ?? 0
  const title = titles.find(it => it.start >= start)
  const end = heading && title ? frameEnd(headings, heading, title) : Infinity
  return { heading, start, end }
}

/** Whether a heading can be over a title. Levels of two kinds say nothing. */
const canBeOver = (heading: Heading, title: Heading) =>
  heading.kind !== title.kind || heading.level < title.level

/** The first heading called Changelog that is right over titles; below titles of its own level, it is a part of one. */
function calledChangelog(headings: readonly Heading[]): Heading | undefined {
  const seen = new Set<string>()
  let candidate: Heading | undefined
  for (const heading of headings) {
    if (isTitle(heading)) {
      if (candidate && canBeOver(candidate, heading)) return candidate
      candidate = undefined
      seen.add(rankOf(heading))
      continue
    }

    // `== Release notes ==` with a link, and then `== Contact ==`, has no titles.
    const isEnded = candidate !== undefined && isAtLeast(heading, candidate)
    const canStart = isCalledChangelog(heading) && !seen.has(rankOf(heading))
    if (canStart && (isEnded || !candidate)) candidate = heading
    else if (isEnded) candidate = undefined
  }
  return undefined
}

/** The nearest heading above the first title that can be over it. */
function aboveTitles(headings: readonly Heading[]): Heading | undefined {
  const at = headings.findIndex(isTitle)
  const first = headings[at]
  return first && headings.slice(0, at).findLast(it => canBeOver(it, first))
}

/** A frame ends at the next heading as high as its own, the `first`, that is no title. */
function frameEnd(headings: readonly Heading[], first: Heading, title: Heading): number {
  const lastTitle = headings.findLast(it => isTitle(it) && isLevelWith(it, title))
  const end = headings.find(it => {
    if (it.start <= first.start || isTitle(it) || !isAtLeast(it, first)) return false

    // Some readmes have a second Changelog, for older versions.
    if (it.kind === 'wordpress' && it.level === first.level && isCalledChangelog(it)) return false

    // In Markdown, titles of our level may go on below: then it may be a part.
    const goesOn = lastTitle !== undefined && lastTitle.start > it.start
    return !(it.kind === 'markdown' && goesOn)
  })
  return end?.start ?? Infinity
}
