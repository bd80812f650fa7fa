// Tells which headings of a changelog file are titles of versions, and which one is the wanted version's. Pure.
import {
  type Heading,
  isAtLeast,
  isLevelWith,
  type Line,
  readBareTitles,
  readHeadings,
  readLines
} from './marks.ts'
import {
  cleanVersion,
  compareNumbers,
  isCalendar,
  isLabel,
  type NamedVersion,
  numbersOf,
  plainWords,
  readVersion
} from './versions.ts'

/** A changelog file, and the version that is wanted. */
export interface ChangelogFile {
  readonly text: string
  /** For messages. */
  readonly path: string
  readonly version: string
  /** It may name a package: `plugin@1.2.3`. */
  readonly tag: string
}

/** A heading that holds a version. */
export interface Title extends Heading, NamedVersion {}

/** Where a section ends. */
export interface SectionEnd {
  /** The line after its last one. */
  readonly line: number
  /** The title below; none if the file ends there, or another heading ends it. */
  readonly next: Title | undefined
  /** The heading below, if nobody can say whether it ends the section, or is a part. */
  readonly doubtful: Heading | undefined
}

/** A changelog file as it is read for one version. */
export interface Changelog {
  readonly lines: readonly Line[]
  readonly headings: readonly Heading[]
  /** The headings that are titles of versions. */
  readonly titles: readonly Title[]
  /** Other headings that hold one: `Upgrading from 1.2.3`. */
  readonly mentions: readonly Title[]
  /** The headings outside a readme's changelog that hold the wanted version. */
  readonly outside: readonly Heading[]
  /** The product's name in the first title; empty if it has none. */
  readonly product: string
  /** The version that is wanted, as it is compared. */
  readonly wanted: string
  /** Whether dates in dots are versions here. */
  readonly calendar: boolean
}

/** Whether a heading is over what WordPress' readmes say about upgrading. */
export const isUpgradeNotice = ({ text }: Heading): boolean =>
  plainWords(text).startsWith('upgrade notice')

/** Whether a heading is called Changelog, and nothing else. */
export const isCalledChangelog = ({ text }: Heading): boolean =>
  /^(?:change ?logs?|release notes|version history)$/.test(plainWords(text))

/** Reads a file. Lone lines are titles only where no heading is one. */
export function readChangelog({ text, version }: ChangelogFile): Changelog {
  const wanted = cleanVersion(version)
  const calendar = isCalendar(wanted)
  const lines = readLines(text)
  const headings = readHeadings(lines, calendar)
  const marked = sortHeadings(lines, headings, wanted, calendar)
  if (marked.titles.length > 0) return marked

  const all = [...headings, ...readBareTitles(lines, calendar)]
  return sortHeadings(
    lines,
    all.toSorted((a, b) => a.line - b.line),
    wanted,
    calendar
  )
}

/** Titles begin with their version, or with words that others in the file begin with, too. */
function sortHeadings(
  lines: readonly Line[],
  headings: readonly Heading[],
  wanted: string,
  calendar: boolean
): Changelog {
  const named = headings.map(it => ({ ...it, ...readVersion(it.text, calendar) }))
  const inside = insideChangelog(named)
  const all = inside.filter(it => it.version !== '')
  const isOnly = countVersions(all) === 1

  // A name counts where most versions are: not in `### Upgrading to 1.2.3`, which stands under each of them.
  const levels = Map.groupBy(all, it => `${it.kind} ${it.level}`)
    .values()
    .toArray()
  const [main = []] = levels.toSorted((a, b) => countVersions(b) - countVersions(a))
  const names = Map.groupBy(main, it => it.name)
  const isKnown = ({ name }: Title) =>
    !isOfLater(name) && (isLabel(name) || isOnly || countVersions(names.get(name) ?? []) > 1)

  const known = new Set(inside)
  return {
    lines,
    headings,
    titles: all.filter(isKnown),
    mentions: all.filter(it => !isKnown(it)),
    outside: named.filter(it => it.version === wanted && !known.has(it)),
    product: main.find(it => !isLabel(it.name) && isKnown(it))?.name ?? '',
    wanted,
    calendar
  }
}

/** `Changes since 1.2.3` are those of the version after it. */
const isOfLater = (name: string): boolean => /(?:^| )(?:since|from|after)$/.test(name)

const countVersions = (titles: readonly Title[]): number =>
  new Set(titles.map(it => it.version)).size

/** All headings but those about upgrading; in a readme, only those under `== Changelog ==`. */
function insideChangelog(headings: readonly Title[]): Title[] {
  const changelog = headings.find(it => it.kind === 'equals' && isCalledChangelog(it))
  let part: Title | undefined
  let notice: Title | undefined
  return headings.filter(heading => {
    const isPart = changelog && isAtLeast(heading, changelog) && heading.version === ''
    if (isPart) part = heading
    if (notice && isAtLeast(heading, notice)) notice = undefined
    if (isUpgradeNotice(heading)) notice = heading
    return !notice && (!changelog || (part !== undefined && isCalledChangelog(part)))
  })
}

/** The title that was found, or the headings because of which there is no certain one. */
export type TitleSearch =
  | { readonly kind: 'found'; readonly title: Title }
  | {
      readonly kind: 'no title' | 'several titles' | 'several versions'
      readonly headings: readonly Heading[]
    }

/** Finds the one title of the wanted version: with the name of the tag's package, with the product's name, or with none. */
export function findTitle(changelog: Changelog, file: ChangelogFile): TitleSearch {
  const { titles, mentions, product, wanted } = changelog
  const name = packageIn(file)
  const all = [...titles, ...mentions].filter(it => it.version === wanted)
  const ofTag = name === '' ? [] : all.filter(it => isOfPackage(it, name))
  const isNamed = ofTag.length > 0

  // `theme@1.2.3` is not what `plugin@1.2.3` means.
  const others = titles.filter(it => it.version === wanted && !(name !== '' && isPackage(it)))
  const found = isNamed ? ofTag : others
  const title = found.find(it => isNamed || isLabel(it.name) || it.name === product)
  if (!title) return { kind: 'no title', headings: [] }

  const isRival = (it: Title) => !isNamed && it.version === wanted && isAtLeast(it, title)
  const headings = [...found, ...mentions.filter(isRival)]
  if (headings.length > 1) return { kind: 'several titles', headings }
  if (isOfSeveral(title, changelog)) return { kind: 'several versions', headings }
  return { kind: 'found', title }
}

/** Whether a title belongs to other versions, too: `1.2.3 - 1.2.5`, `1.2.3 and earlier`. */
function isOfSeveral({ rest }: Title, { wanted, calendar }: Changelog): boolean {
  const { version, name } = readVersion(rest, calendar)
  const isOther = version !== '' && version !== wanted
  const isAlike = numbersOf(version).length === numbersOf(wanted).length
  const isNext = name.length < 4 && !/[([/]/.test(rest)
  const isInWords =
    /^[^\p{L}\p{N}]*(?:(?:and|or) (?:earlier|older|before|below|previous|prior)|to|through)(?!\p{L})/iu
  return (isOther && isAlike && isNext) || isInWords.test(rest)
}

/** The package that a tag names: `plugin` in `plugin@1.2.3`; empty if it names none. */
function packageIn({ tag, version }: ChangelogFile): string {
  const isSuffix = tag.toLowerCase().endsWith(version.toLowerCase())
  return isSuffix ? plainWords(tag.slice(0, -version.length).replace(/[@/_-]?v?$/i, '')) : ''
}

function isOfPackage({ name }: Title, wanted: string): boolean {
  const bare = name.replace(/(?:@|@?v)$/, '').trim()
  return ` ${bare}`.endsWith(` ${wanted}`)
}

/** Whether a title names a package: `theme@1.2.3`, `theme-1.2.3`. */
const isPackage = ({ text }: Title): boolean => /[\p{L}\p{N}][@/-]v?\d+\./u.test(text)

/** How versions go from title to title: positive numbers rise. */
export const stepsOf = (titles: readonly Title[]): number[] =>
  titles.slice(1).map((it, at) => compareNumbers(it.version, titles[at]?.version ?? ''))

/** Whether versions rise (1) or fall (-1) from title to title; they fall where that is not clear. */
export function directionOf(titles: readonly Title[], title: Title): number {
  const steps = stepsOf(titles.filter(it => isLevelWith(it, title)))
  const rising = steps.filter(it => it > 0).length
  return rising > steps.length / 2 ? 1 : -1
}

/** Whether titles without marks fall, or rise, around one, as in most of the file: a line of the text would not. */
export function isInOrder(titles: readonly Title[], title: Title): boolean {
  const direction = directionOf(titles, title)
  const at = titles.findIndex(it => it.line === title.line)
  const near = titles.slice(Math.max(0, at - 1), at + 2)
  const steps = stepsOf(near)
  // `1.2.3b` after `1.2.3` is no step.
  return steps.length > 0 && steps.every(it => it * direction >= 0)
}
