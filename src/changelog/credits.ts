// Knows what generators of release notes write about people and changes: one function for each form.
// They read lines in which a reference is a sign: Ⓟ a person, Ⓜ mail, Ⓘ an issue, Ⓞ another project's issue,
// Ⓒ a commit, Ⓤ a comparison, Ⓐ any other address in the repository, Ⓝ and Ⓗ what may be a word (`pieces.ts`).
import type { Range } from './markdown.ts'

/** What a generator wrote in a line, and that goes; none if the line is not of its form. */
type Form = (line: string) => readonly Range[]

/** In characters of a line; what a generator puts behind a change is shorter. */
const LONGEST_ENDING = 400

/** What a pattern finds at the end of a line; what it captures must be a name as git knows it: `Jane Doe`, `jane`. */
function ending(line: string, pattern: RegExp): Range[] {
  const offset = Math.max(0, line.length - LONGEST_ENDING)
  const found = pattern.exec(line.slice(offset))
  const [, name = 'Ⓟ'] = found ?? []
  const isAuthor = isName(name) || /^[\w.-]+(?:\[bot\])?$/.test(name)
  return found && isAuthor ? [{ start: offset + found.index, end: line.length }] : []
}

function everywhere(line: string, pattern: RegExp): Range[] {
  return Array.from(line.matchAll(pattern), ({ 0: { length }, index: start }) => {
    return { start, end: start + length }
  })
}

/** GitHub, and git-cliff after it: `Title by @jane in https://github.com/acme/app/pull/12`, perhaps with `fixes #3`. */
const github: Form = line =>
  ending(
    line,
    /(?:^|,?(?<!\s)\s+)by\s+Ⓟ\s+in\s+\(?[ⒾⓄⒸⓊⓃ]\)?(?:\s*\(Ⓒ\))?(?:,?\s+(?:closes|fixes|resolves)\s+[ⒾⓄ])?\.?\s*$/iu
  )

/** changelogithub: `Title &nbsp;-&nbsp; by **Jane Doe** in #12 [<samp>(1234a)</samp>](…)`. */
const changelogithub: Form = line =>
  ending(line, /(?<!\s)\s*&nbsp;-&nbsp;\s+by\s+[^\n]{1,200}?(?:\s+in\s+[ⒾⓄ])?(?:\s*[ⒾⒸ])*\s*$/iu)

/** Words that a name or a reference belongs to. */
const PART =
  /(?:^|[^\p{L}])(?:about|after|against|also|and|as|at|before|between|by|for|from|in|into|is|like|of|on|or|over|per|see|than|thanks|the|through|to|under|using|via|with|within|without)[,:]?$/iu
/** Verbs that a reference belongs to; `Various fixes` is a noun. */
const VERB =
  /(?:^|(?:also|it|that|this|which)\s)\s*(?:addresses|closes|fixes|implements|merges|refs|replaces|resolves|reverts|supersedes)$/iu

/** Whether a line is left in pieces if it ends there: `Sort by`, `Follow us:`, `Reverts`. */
function isPartial(line: string, end: number): boolean {
  const before = line.slice(Math.max(0, end - 20), end)
  return /[:;=→&/(]$/.test(before) || PART.test(before) || VERB.test(before)
}

/** release-drafter: `Title @jane (#12)`. After a preposition, the name belongs to the title: `Sort by @date`. */
const releaseDrafter: Form = line =>
  ending(line, /(?<=\S)\s+Ⓟ(?=\s*\([ⒾⒸⓃ]\)\s*$)/u).filter(({ start }) => !isPartial(line, start))

/**
 * lerna-changelog, auto, GoReleaser: `#12 Title ([@jane](…))`, `Title #12 ([@jane](…))`, `1234abc Title (@jane)`,
 * `1234abc: Title (Jane Doe <jane@example.com>)`. Under `#### Authors: 2` or `#### Committers: 2`, which the first two
 * write, a name or an address is enough.
 */
function lerna(line: string, countsAuthors: boolean): readonly Range[] {
  if (countsAuthors) return ending(line, /(?<!\s)\s*\([ⓅⓂ](?:\s+[ⓅⓂ])*\)\s*$/u)
  const isListed = /^\s*\[?[ⒾⒸⒽ]/u.test(line) || /[ⒾⒸ]\)?\s*\(Ⓟ\)\s*$/u.test(line.slice(-20))
  const people = /(?<!\s)\s*\((?:Ⓟ(?:\s+Ⓟ)*|([^()\n]{1,60}?)\s+<Ⓜ>)\)\s*$/u
  return isListed ? ending(line, people) : []
}

/** Cocogitto, and git-cliff after it: `Title - (1234abc) - Jane Doe`; tj-actions: `Title (1234abc) - (Jane Doe)`. */
const cocogitto: Form = line => [
  ...ending(line, /(?<!\s)\s+-\s+\(Ⓒ\)\s+-\s+([^()\n]{1,60}?)\s*$/u),
  ...ending(line, /(?<=\(Ⓒ\))\s+-\s+\(([^()\n]{1,60}?)\)\s*$/u)
]

/** conventional-changelog, release-please, semantic-release: `Title ([1234abc](…)), closes #12`. */
const conventional: Form = line =>
  ending(line, /(?:(?<=[ⒾⒸ]\]?\)),?|(?<=Ⓒ),)\s+closes\s+[ⒾⓄ](?:\s+[ⒾⓄ])*\.?\s*$/iu)

/** changesets: `#12 1234abc Thanks @jane! - Title`, `1234abc: Title`; GoReleaser: `1234abc Title`. */
const changesets: Form = line => [
  ...everywhere(line, /^\s*(?:[ⒾⒸⒽ]\s+){0,3}thanks\s+Ⓟ!\s+-\s+(?=\S)/giu),
  ...everywhere(line, /^\s*(?:Ⓘ\s+)?Ⓒ\s+-\s+(?=\S)/gu),
  ...everywhere(line, /^\s*\[?Ⓒ\]?:?\s+(?:[-–]\s+)?(?=\S)/gu)
]

/**
 * Nothing but references in brackets at the end of a line: `(#12)`, `([#12](…), [1234abc](…))`, `[[1234abc](…)]:`,
 * ` - (1234abc)`. After a preposition, as in `see (#12)`, they belong to the sentence.
 */
export const readReferences: Form = line => {
  const [found] = ending(
    line,
    /(?<!\s)(?:\s+-(?=\s+\(Ⓒ\)))?(?:,?\s*\\?(?:\(\[?[ⒾⒸ](?:[,\s/]+[ⒾⒸ])*\]?\\?\)|\[[ⒾⒸ](?:[,\s]+[ⒾⒸ])*\\?\]))+(?=[.!?:]?\s*$)/u
  )
  if (!found || isPartial(line, found.start)) return []
  // `Works as number (#1)`
  if (/number\s*\(Ⓘ\)$/iu.test(line.slice(0, found.end))) return []
  // After `Done. (#12).`, one stop is enough.
  const rest = /[.!?:]?\s*$/.exec(line.slice(-LONGEST_ENDING))?.[0] ?? ''
  const isDouble = /[.!?]$/.test(line.slice(0, found.start)) && /^[.!?]/.test(rest)
  return [{ start: found.start, end: line.length - (isDouble ? 0 : rest.length) }]
}

const ITEM_FORMS = [github, changelogithub, releaseDrafter, cocogitto, conventional, changesets]

/** What goes in a list's item, whose text (without the lists in it) this line is, with what signs it. */
export function readItem(line: string, signed: readonly Range[], countsAuthors: boolean): Range[] {
  const forms = ITEM_FORMS.flatMap(form => form(line))
  const found = [...forms, ...lerna(line, countsAuthors), ...signed]
  // In front of what goes at the end, there may be references.
  const ends = found.filter(({ start, end }) => end === line.length && start > 0)
  const rest = ends.reduce((least, { start }) => Math.min(least, start), line.length)
  return [...found, ...readReferences(line.slice(0, rest)), ...readParagraph(line)]
}

/** Whether a line is nothing but references to the repository. */
export function isReferences(line: string): boolean {
  return /^[\s,;&()[\].]*[ⒾⒸⓊ][\s,;&()[\].ⒾⒸⓊ]*$/u.test(line)
}

/** Where generators write commits: at the start of a change; or in brackets at its end, where others have issues. */
const ID_PLACES = [/(?<=^\s*\[?)[ⒸⒽ](?=\]?:?\s)/u, /[ⒸⒽⒾ](?=[\])]+[.:]?\s*$)/u]

/**
 * The items of a list, in which what may be a word is a commit if each item has a reference at that place, some of them
 * surely commits; or if changesets wrote it: `bcf2000: Title`, `Updated dependencies [bcf2000]:`.
 */
export function settleIds(items: readonly string[], isOfChangesets: boolean): readonly string[] {
  const ofChangesets = /(?<=^\s*)Ⓗ(?=:\s)|Ⓗ(?=\]:?\s*$)/gu
  const known = isOfChangesets ? items.map(item => item.replace(ofChangesets, 'Ⓒ')) : items
  return ID_PLACES.reduce((lines, place) => {
    const signs = lines.map(line => place.exec(line)?.[0])
    if (!signs.includes('Ⓒ') || signs.includes(undefined)) return lines
    return lines.map(line => line.replace(place, sign => (sign === 'Ⓗ' ? 'Ⓒ' : sign)))
  }, known)
}

/** A person at the end of an item, with a reference behind, before or in the same brackets. */
const SIGNED =
  /(?<!\s)(?:\s*[,–—-])?\s*(?<![\p{L}\p{N}])(?:\((?:Ⓘ,?\s+)?)?(?:by\s+|thanks\s+(?:to\s+)?)?(?:Ⓟ!?|\(Ⓟ\))\)?(?:,?\s*(?:in\s+)?\(?[ⒾⓃ])?\)?\s*$/iu

const BY = /(?<!\s|ed|en|wn|made|done|built|found|sent)\s+by\s+Ⓟ\s*$/iu

/** What signs the items of a list: where nearly all of three or more are signed, the names are credits. */
export function readSignatures(items: readonly string[]): Range[][] {
  const isOfGithub = items.some(item => github(item).length > 0)
  const signed = items.map(item => {
    const [found] = [...github(item), ...ending(item, SIGNED)]
    if (!found || isPartial(item, found.start)) return []
    // git-cliff knows the pull requests of some commits alone; but `reported by @jane` is a sentence.
    const isAlone = isOfGithub && ending(item, BY).length > 0
    const isReferred = /[ⒾⓄⒸⓊⓃ]/u.test(item.slice(Math.max(0, found.start - 2)))
    const isBalanced = item.indexOf('(', found.start) < 0 === item.indexOf(')', found.start) < 0
    return isBalanced && (isReferred || isAlone) ? [found] : []
  })
  const count = signed.filter(found => found.length > 0).length
  return items.length >= 3 && count >= 0.8 * items.length ? signed : items.map(() => [])
}

/** GitHub's list of new contributors. */
const newContributor: Form = line =>
  everywhere(
    line,
    /^[^\S\n]*Ⓟ[^\S\n]+made[^\S\n]+(?:their|his|her|its)[^\S\n]+first[^\S\n]+contribution(?:[^\S\n]+(?:in|with)[^\S\n]+[ⒾⓄⒸⓊ])?[.!]?[^\S\n]*(?:\n|$)/gimu
  )

/** GitHub: `**Full Changelog**: …/compare/v1...v2`; changelogen: `[compare changes](…)`; or a comparison alone. */
const fullChangelog: Form = line => [
  // Without a colon it may be a part of a sentence, unless it ends the block.
  ...everywhere(line, /(?<=^|\n)[^\S\n]*(?:full changelog\s+)?\[?Ⓤ\]?\.?\s*$/giu).filter(it => {
    const before = line.slice(0, it.start).trimEnd()
    return !isPartial(before, before.length)
  }),
  ...everywhere(
    line,
    /^[^\S\n*_]*[*_\t ]*full changelog[*_\t ]*:\s*(?:\[?[ⒶⒸⓄⓊ]\]?|\S{1,200}\.{2,3}\S{1,200})\.?[^\S\n]*(?:\n|$)/gimu
  )
]

/** git: `Co-authored-by: Jane <jane@example.com>`, or `Co-authored-by: Jane Doe`. */
const trailers: Form = line =>
  everywhere(line, /^[^\S\n]*(?:co-authored|signed-off)-by:[^\n]*(?:\n|$)/gimu).filter(range => {
    const by = line.slice(range.start, range.end).replace(/^[^:]*:\s*/, '')
    return /[ⓅⓂ][>)]?[.,]?\s*$/u.test(by) || (/\S\s+\S/.test(by) && isName(by))
  })

/** What goes in any other text. */
export function readParagraph(line: string): Range[] {
  const lines = [newContributor, fullChangelog, trailers].flatMap(form => form(line))
  return [...lines, ...readReferences(line)]
}

export type Heading = 'count' | 'sure' | 'likely' | 'changes'

/**
 * What generators write under a heading. A `count` of people: auto `#### Authors: 2`, lerna-changelog
 * `#### Committers: 2`; people, where only they write so: changelogen `### ❤️ Contributors`, nx `### ❤️ Thank You`; or
 * anybody: GitHub `## New Contributors`, release-drafter `## Contributors`; and changesets `### Patch Changes`.
 */
export function readGeneratorHeading(line: string): Heading | undefined {
  if (/^\s*(?:authors|committers): \d+\s*$/iu.test(line)) return 'count'
  if (/^\s*(?:❤️?|:heart:)\s+(?:contributors|thank you)\s*$/iu.test(line)) return 'sure'
  if (/^(?:major|minor|patch) changes$/iu.test(line)) return 'changes'
  return /^[^\p{L}]*(?:new )?contributors?[^\p{L}]*$/iu.test(line) ? 'likely' : undefined
}

const isWhole = (line: string, form: Form) =>
  form(line).some(({ start, end }) => end - start === line.length)

/** A line under such a heading, where that is sure also `Jane Doe @jane`, else `@jane`, `Jane Doe (@jane)`. */
export function isPeople(line: string, isSure: boolean): boolean {
  const pattern = isSure
    ? /^\s*(?:[^\s.!?:;ⓅⓂ]+\s+){0,6}[-–—]?\s*[(<]?[ⓅⓂ][)>]?(?:\s*[(<]?[ⓅⓂ][)>]?)?[.!]?\s*$/iu
    : /^\s*(?:(?:[^\s.!?:;ⓅⓂ]+\s+){0,6}[(<])?[ⓅⓂ][)>]?[.!]?\s*$/iu
  return isWhole(line, newContributor) || pattern.test(line) || isSentence(line)
}

/** release-drafter's `$CONTRIBUTORS`: `@jane, @joe and Jim`; `@jane and @joe` is one person here. */
function isSentence(line: string): boolean {
  const names = line.trim().split(/, | and /)
  return names.includes('Ⓟ') && names.every(isName)
}

/** A name alone, as nx and changelogen write it where they know no more: `Jane Doe`, `Jan van der Doe`. */
export function isName(line: string): boolean {
  return /^\s*(?:Ⓟ|[\p{Lu}\p{Lo}][\p{L}.'’-]*(?:\s+(?:(?:af|al|bin|da|de|del|den|der|di|do|dos|du|el|la|le|ter|van|von|y|zu)\s+)*[\p{Lu}\p{Lo}][\p{L}.'’-]*){0,4})\s*$/u.test(
    line
  )
}

/** Whether all of a line goes anyway. */
export const isGone = (line: string) => isWhole(line, fullChangelog)
