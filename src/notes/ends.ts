// Where does a section end? At the next title, or where the changelog does; without what belongs to that title.
import type { RootContent } from 'mdast'
import { type ChangelogText, type Heading, isAtLeast, isTitle } from './headings.ts'
import { endOf, startOf } from './markdown.ts'
import { type Frame, isAlike, isCalledChangelog, isUpgradeNotice } from './titles.ts'

/** The text under a title. */
export interface Section {
  readonly title: Heading
  /** The title after it, if that is what ends it. */
  readonly next: Heading | undefined
  /** The headings in it that are no titles of versions of the same thing. */
  readonly parts: readonly Heading[]
  readonly frame: Frame
  readonly start: number
  readonly end: number
}

/** The section under a title: up to the next one, or to where the changelog ends. */
export function findEnd(text: ChangelogText, title: Heading, frame: Frame): Section {
  const below = text.headings.filter(it => it.start > title.start && it.start < frame.end)
  const next = below.find(it => isAlike(it, title.version, title.before))
  const lastTitle = text.headings.findLast(isTitle)?.start ?? title.start
  const ending = below.find(
    it => !isTitle(it) && endsSection(it, title, frame, text.source, lastTitle)
  )
  const limits = [
    next?.start ?? Infinity,
    ending?.start ?? Infinity,
    datedLineBelow(text, title),
    frame.end,
    text.source.length
  ]
  const limit = Math.min(...limits)

  const parts = below.filter(it => it.start < limit)
  const start = title.end
  const isFollowed = next?.start === limit
  return trimEnd(text, {
    title,
    next: isFollowed ? next : undefined,
    parts,
    frame,
    start,
    end: limit
  })
}

/** Whether a heading that is no title ends a section, whatever follows. */
function endsSection(
  heading: Heading,
  title: Heading,
  frame: Frame,
  source: string,
  lastTitle: number
): boolean {
  // `== FAQ ==` after `== Changelog ==`
  const isNextToFrame = frame.heading !== undefined && isAtLeast(heading, frame.heading)
  const isNotice = isUpgradeNotice(heading)
  if ((isNextToFrame || isNotice) && heading.kind === 'wordpress') return true

  // A title without text is not followed by its end, but by its first part.
  const isAtOnce = source.slice(title.end, heading.start).trim() === ''
  if (isAtOnce || !isAtLeast(heading, title)) return false
  if (isCalledChangelog(heading)) return true

  // `== FAQ ==` after the last `= 1.2.3 =` of a file that begins with titles
  const isHigher = heading.kind === 'wordpress' && heading.level < title.level
  return frame.heading === undefined && isHigher && heading.start > lastTitle
}

/** Where WooCommerce's titles are read, a line that ends like one ends a section, whatever its date looks like. */
function datedLineBelow({ lines, grammar }: ChangelogText, title: Heading): number {
  if (title.kind !== 'dated') return Infinity
  const line = lines.find(
    it => it.start > title.start && grammar.endsInVersion.test(it.text.trim())
  )
  return line?.start ?? Infinity
}

/** Lines that belong to the next title: an anchor, a rule, a label of reStructuredText, or an open `<details>`. */
const OF_NEXT = [
  /^<a\s+(?:name|id)=[^>]*>\s*(?:<\/a>)?$/i,
  /^(?:[-*_=] ?){3,}$/,
  /^\.\. _[^\n]*:$/,
  /^<details[^>]*>(?:\s*<summary>.*<\/summary>)?$/i
]

/** Whether a reader sees a block: neither definitions of links nor comments. */
function isShown(node: RootContent): boolean {
  if (node.type !== 'html') return node.type !== 'definition'
  const html = node.value.trim()
  const isComment = html.startsWith('<!--') && html.indexOf('-->') === html.length - 3
  return !isComment
}

/** Leaves out what belongs to the next title, and headings that stand empty above it. */
function trimEnd({ source, blocks }: ChangelogText, section: Section): Section {
  // The definitions at the end of a file belong to all of its sections, even if a comment follows (Pronamic).
  const last = blocks.findLast(it => isShown(it) && startOf(it) < section.end)
  const parts = [...section.parts]
  let end = last ? Math.min(section.end, endOf(last)) : section.end

  while (end > section.start) {
    const part = parts.at(-1)
    const isEmptyPart = part && source.slice(part.end, end).trim() === ''
    if (isEmptyPart) {
      // Without a next title, an empty heading at the end is the section’s own.
      if (!section.next) break
      parts.pop()
      end = part.start
      continue
    }

    const lineStart = Math.max(section.start, source.lastIndexOf('\n', end - 1) + 1)
    const line = source.slice(lineStart, end).trim()
    if (line !== '' && !OF_NEXT.some(it => it.test(line))) break

    // Or back to the line above.
    end = Math.max(section.start, lineStart - 1)
  }
  return { ...section, parts, end: Math.max(end, section.start) }
}
