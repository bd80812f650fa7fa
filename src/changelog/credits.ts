// Knows what generators of release notes write about people and changes: one function for each form.
// They read lines in which a reference is a sign: Ⓟ a person, Ⓜ mail, Ⓘ an issue, Ⓞ another project's issue,
// Ⓒ a commit, Ⓤ a comparison, Ⓐ any other address in the repository (`pieces.ts`).
import type { Range } from './markdown.ts'

/** What a generator wrote in a line, and that goes; none if the line is not of its form. */
type Form = (line: string) => readonly Range[]

/** In characters of a line; what a generator puts behind a change is shorter. */
const LONGEST_ENDING = 400

/** What a pattern finds at the end of a line. */
function ending(line: string, pattern: RegExp): Range[] {
  const offset = Math.max(0, line.length - LONGEST_ENDING)
  const found = pattern.exec(line.slice(offset))
  return found ? [{ start: offset + found.index, end: line.length }] : []
}

/** What a pattern finds at the start of a line. */
function lead(line: string, pattern: RegExp): Range[] {
  const found = pattern.exec(line)
  return found ? [{ start: 0, end: found[0].length }] : []
}

function everywhere(line: string, pattern: RegExp): Range[] {
  return Array.from(line.matchAll(pattern), ({ 0: { length }, index: start }) => {
    return { start, end: start + length }
  })
}

/** GitHub, and git-cliff after it: `Title by @jane in https://github.com/acme/app/pull/12`. */
const github: Form = line =>
  ending(line, /(?:^|,?(?<!\s)\s+)by\s+Ⓟ\s+in\s+\(?[ⒾⓄⒸⓊ]\)?(?:\s*\(Ⓒ\))?\.?\s*$/iu)

/** changelogithub: `Title &nbsp;-&nbsp; by **Jane Doe** in #12 [<samp>(1234a)</samp>](…)`. */
const changelogithub: Form = line =>
  ending(line, /(?<!\s)\s*&nbsp;-&nbsp;\s+by\s+[^\n]{1,200}?(?:\s+in\s+[ⒾⓄ])?(?:\s*[ⒾⒸ])*\s*$/iu)

/** Words that a name or a reference belongs to. */
const PART =
  /(?:^|[^\p{L}])(?:about|after|against|and|as|at|before|between|by|for|from|in|into|is|like|of|on|or|over|per|see|than|thanks|the|through|to|under|using|via|with|within|without)$/iu

/** Before a name, what leaves a sentence in pieces without it: `Follow us: @acme`, `thanks to @jane`. */
const DANGLING =
  /(?:[:;=→&/(]|(?:^|[^\p{L}])(?:and|as|at|for|from|like|of|or|than|thanks|the|to|with)[,:]?)$/iu

/** release-drafter: `Title @jane (#12)`. After a preposition, the name belongs to the title: `Sort by @date`. */
const releaseDrafter: Form = line => {
  const [found] = ending(line, /(?<=\S)\s+Ⓟ(?=\s*\([ⒾⒸ]\)\s*$)/u)
  const before = found ? line.slice(Math.max(0, found.start - 20), found.start) : ''
  return found && !PART.test(before) && !DANGLING.test(before) ? [found] : []
}
/**
 * lerna-changelog, auto, GoReleaser: `#12 Title ([@jane](…))`, `Title #12 ([@jane](…))`, `1234abc Title (@jane)`.
 * Under `#### Authors: 2` or `#### Committers: 2`, which the first two write, a name is enough.
 */
function lerna(line: string, countsAuthors: boolean): readonly Range[] {
  const isListed = /^\s*\[?[ⒾⒸ]/u.test(line) || /[ⒾⒸ]\)?\s*\(Ⓟ\)\s*$/u.test(line.slice(-20))
  return isListed || countsAuthors ? ending(line, /(?<!\s)\s*\(Ⓟ(?:\s+Ⓟ)*\)\s*$/u) : []
}

/** Cocogitto, and git-cliff's template for it: `Title - (1234abc) - Jane Doe`. */
const cocogitto: Form = line => ending(line, /(?<!\s)\s+-\s+\(Ⓒ\)\s+-\s+[^()\n]{1,60}$/u)

/** conventional-changelog, release-please, semantic-release: `Title ([1234abc](…)), closes #12`. */
const conventional: Form = line =>
  ending(line, /(?:(?<=[ⒾⒸ]\]?\)),?|(?<=Ⓒ),)\s+closes\s+[ⒾⓄ](?:\s+[ⒾⓄ])*\.?\s*$/iu)

/** changesets: `#12 1234abc Thanks @jane! - Title`, `1234abc: Title`; GoReleaser: `1234abc Title`. */
const changesets: Form = line => [
  ...lead(line, /^\s*(?:[ⒾⒸ]\s+){0,3}thanks\s+Ⓟ!\s+-\s+(?=\S)/iu),
  ...lead(line, /^\s*(?:Ⓘ\s+)?Ⓒ\s+-\s+(?=\S)/u),
  ...lead(line, /^\s*\[?Ⓒ\]?:?\s+(?:[-–]\s+)?(?=\S)/u)
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
  if (!found || PART.test(line.slice(Math.max(0, found.start - 20), found.start))) return []
  // After `Done. (#12).`, one stop is enough.
  const rest = /[.!?:]?\s*$/.exec(line.slice(-LONGEST_ENDING))?.[0] ?? ''
  const isDouble = /[.!?]$/.test(line.slice(0, found.start)) && /^[.!?]/.test(rest)
  return [{ start: found.start, end: line.length - (isDouble ? 0 : rest.length) }]
}

const ITEM_FORMS = [github, changelogithub, releaseDrafter, cocogitto, conventional, changesets]

/** What goes in a list's item, whose text (without the lists in it) this line is. */
export function readItem(line: string, countsAuthors: boolean): Range[] {
  const found = [...ITEM_FORMS.flatMap(form => form(line)), ...lerna(line, countsAuthors)]
  // In front of what goes at the end, there may be references.
  const ends = found.filter(({ start, end }) => end === line.length && start > 0)
  const rest = ends.reduce((least, { start }) => Math.min(least, start), line.length)
  return [...found, ...readReferences(line.slice(0, rest)), ...readParagraph(line)]
}

/** Whether a line is nothing but references to the repository. */
export function isReferences(line: string): boolean {
  return /^[\s,;&()[\].]*[ⒾⒸⓊ][\s,;&()[\].ⒾⒸⓊ]*$/u.test(line)
}

/** The heading in which lerna-changelog and auto count the people: `#### Committers: 2`. */
export const COUNT_OF_AUTHORS = /^#{1,6} (?:Authors|Committers): \d+$/m

/** A person and a reference at the end of an item, in the ways of hand-made templates. */
const SIGNED = [
  /(?<=\S)(?<!\s)(?:,|\s-|\s–|\s—)?\s+(?:by\s+)?Ⓟ(?=\s*\(Ⓘ\)\s*$)/iu,
  /(?<=Ⓘ\)|[^(]Ⓘ)\s*(?:[,–—-]\s*)?(?:by\s+|thanks\s+(?:to\s+)?)?(?:Ⓟ!?|\(Ⓟ\))\s*$/iu,
  /(?<!\s)\s*\((?:by\s+)?Ⓟ\)(?=\s*\(?Ⓘ\)?\s*$)/iu,
  /(?<!\s)\s*\(Ⓘ,?\s+(?:by\s+|thanks\s+(?:to\s+)?)?Ⓟ\)\s*$/iu,
  /(?<!\s)\s*\((?:by\s+)?Ⓟ,?\s+(?:in\s+)?Ⓘ\)\s*$/iu
]

/** What signs the items of a list: where nearly all of three or more are signed, the names are credits. */
export function readSignatures(items: readonly string[]): Range[][] {
  const signed = items.map(item => {
    const offset = Math.max(0, item.length - LONGEST_ENDING)
    const found = SIGNED.map(pattern => pattern.exec(item.slice(offset))).find(it => it !== null)
    if (!found) return []
    const start = offset + found.index
    if (DANGLING.test(item.slice(Math.max(0, start - 20), start))) return []
    return [{ start, end: start + found[0].length }]
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
  ...everywhere(line, /^[^\S\n]*(?:full changelog[^\S\n]*:?\s*)?\[?Ⓤ\]?\.?[^\S\n]*(?:\n|$)/gimu),
  ...everywhere(
    line,
    /^[^\S\n*_]*[*_\t ]*full changelog[*_\t ]*:\s*(?:\[?[ⒶⒸⓄⓊ]\]?|\S{1,200}\.{2,3}\S{1,200})\.?[^\S\n]*(?:\n|$)/gimu
  )
]

/** git: `Co-authored-by: Jane <jane@example.com>`. */
const trailers: Form = line =>
  everywhere(line, /^[^\S\n]*(?:co-authored|signed-off)-by:[^\n]*(?:\n|$)/gimu)

/** What goes in any other text. */
export function readParagraph(line: string): Range[] {
  const lines = [newContributor, fullChangelog, trailers].flatMap(form => form(line))
  return [...lines, ...readReferences(line)]
}

/**
 * Whether a heading is one under which generators list people, and whether only they write it so: changelogen
 * `### ❤️ Contributors`, nx `### ❤️ Thank You`, auto `#### Authors: 2`, lerna-changelog `#### Committers: 2`; but GitHub
 * and release-drafter, like anybody, `## New Contributors` and `## Contributors`.
 */
export function readPeopleHeading(line: string): 'sure' | 'likely' | undefined {
  const sure =
    /^\s*(?:(?:❤️?|:heart:)\s+(?:contributors|thank you)|(?:authors|committers): \d+)\s*$/iu
  if (sure.test(line)) return 'sure'
  return /^[^\p{L}]*(?:new )?contributors?[^\p{L}]*$/iu.test(line) ? 'likely' : undefined
}

/** A line under such a heading, where that is sure also `Jane Doe @jane`, else `@jane`, `Jane Doe (@jane)`. */
export function isPeople(line: string, isSure: boolean): boolean {
  const isNew = newContributor(line).some(({ start, end }) => end - start === line.length)
  const pattern = isSure
    ? /^\s*(?:[^\s.!?:;ⓅⓂ]+\s+){0,6}[-–—]?\s*[(<]?[ⓅⓂ][)>]?(?:\s*[(<]?[ⓅⓂ][)>]?)?[.!]?\s*$/iu
    : /^\s*(?:(?:[^\s.!?:;ⓅⓂ]+\s+){0,6}[(<])?[ⓅⓂ][)>]?[.!]?\s*$/iu
  return isNew || pattern.test(line) || isSentence(line)
}

/** release-drafter's `$CONTRIBUTORS`: `@jane, @joe and Jim`; `@jane and @joe` is one person here. */
function isSentence(line: string): boolean {
  const names = line.trim().split(/, | and /)
  return names.includes('Ⓟ') && names.every(name => name === 'Ⓟ' || isName(name))
}

/** A name alone, as nx and changelogen write it where they know no more: `Jane Doe`. */
export function isName(line: string): boolean {
  return /^\s*\p{Lu}[\p{L}.'’-]*(?:\s+[\p{L}.'’-]+){0,4}\s*$/u.test(line)
}

/** Whether all of a line goes anyway. */
export function isGone(line: string): boolean {
  return fullChangelog(line).some(({ start, end }) => end - start === line.length)
}
