// Says why no section of a changelog file is sent: the lines that it depends on, and how a title is written there.
import { ActionError } from '../runner/action-error.ts'
import type { Changelog, ChangelogFile } from './changelog-file.ts'
import { isDefinition, plainText } from './marks.ts'
import { isDateOrNothing, isLabel, readVersion } from './versions.ts'

/** Why no section is sent. */
export type Refusal =
  | 'no title'
  | 'several titles'
  | 'several versions'
  | 'unclear end'
  | 'text in title'
  | 'not alone'

/** So many lines are shown, up to so many characters each. */
const LINES_SHOWN = 20
const LINE_MAX_CHARACTERS = 100

const OTHERWISE = 'or set `changelog`, or a path with `{version}` to a file of this version alone.'

/** The fault of the file, and the advice. */
type Words = readonly [what: string, advice: string]

/** The words for each refusal. `example`: the version's title as this file would write it. */
const WORDS: Readonly<Record<Refusal, (version: string, example: string) => Words>> = {
  'no title': (version, example) => [
    `has no heading for "${version}"`,
    `Give the version one heading like those of others, such as "${example}", alone on its line (read are "## ${version}", "= ${version} =", "2026-01-31 - version ${version}" and "<h4>${version}</h4>"); ${OTHERWISE}`
  ],
  'several titles': (version, example) => [
    `has several headings for "${version}"`,
    `Leave one, such as "${example}", or name its package in the tag; ${OTHERWISE}`
  ],
  'several versions': (version, example) => [
    `has one heading for "${version}" and other versions`,
    `Give every version a heading of its own, such as "${example}"; ${OTHERWISE}`
  ],
  'unclear end': (version, example) => [
    `does not say where "${version}" ends`,
    `Give every version a heading like "${example}", and reword other lines that look like one; ${OTHERWISE}`
  ],
  'text in title': (version, example) => [
    `has the text of "${version}" only in its heading`,
    `Put the text on the lines below "${example}".`
  ],
  'not alone': version => [
    `is for "${version}" alone, but has headings of others`,
    'Move their text to files of their own.'
  ]
}

/**
 * The error of a file from which no section is sent.
 * @param at The lines because of which, from 0.
 */
export function explainRefusal(
  why: Refusal,
  changelog: Changelog,
  { path, version }: ChangelogFile,
  at: readonly number[]
): ActionError {
  const [what, advice] = WORDS[why](version, exampleOf(changelog, version))
  const isOutside = why === 'no title' && changelog.outside.length > 0
  const where = isOutside ? ` only outside its changelog, under ${placesOf(changelog)}` : ''
  const found = isOutside ? what.replace('has no', 'has a') : what

  const near = isOutside ? changelog.outside.map(it => it.line) : nearestTo(changelog, version)
  const lines = showLines(changelog, why === 'no title' ? near : at)
  return new ActionError('no-changelog', `changelog-file: "${path}" ${found}${where}${lines}`, {
    advice
  })
}

function showLines({ lines }: Changelog, at: readonly number[]): string {
  const places = [...new Set(at)].toSorted((a, b) => a - b).slice(0, LINES_SHOWN)
  if (places.length === 0) return ', nor for any other version.'

  const shown = places.map(it => {
    const line = lines[it]?.text.slice(0, LINE_MAX_CHARACTERS).trim() ?? ''
    return `\n  line ${it + 1}: ${withInvisible(line)}`
  })
  return `:${shown.join('')}`
}

/** A line in which invisible characters are named, as in `1.2.\u{200b}3`. */
function withInvisible(line: string): string {
  return line.replace(/\p{Cf}/gu, it => `\\u{${it.codePointAt(0)?.toString(16)}}`)
}

/** The lines that name the version; then all that are titles, or look like one. */
function nearestTo({ lines, headings, titles, calendar }: Changelog, version: string): number[] {
  const wanted = version.toLowerCase()
  const mentions = lines.flatMap(({ shown }, at) => {
    if (isDefinition(shown)) return []
    const tokens = shown.toLowerCase().split(/[^\p{L}\p{N}.+~_-]+/u)
    return tokens.includes(wanted) || tokens.includes(`v${wanted}`) ? [at] : []
  })

  const marked = new Set(headings.map(it => it.line))
  const alike = lines.flatMap(({ shown }, at) => {
    if (shown.length > LINE_MAX_CHARACTERS || marked.has(at) || isDefinition(shown)) return []
    const { version: held, name, rest } = readVersion(plainText(shown), calendar)
    return held !== '' && isLabel(name) && isDateOrNothing(rest) ? [at] : []
  })
  const known = [...titles.map(it => it.line), ...alike].toSorted((a, b) => a - b)
  return [...new Set([...mentions, ...known])].slice(0, LINES_SHOWN)
}

/** A title of the version as this file would write it. */
function exampleOf({ headings, titles }: Changelog, version: string): string {
  // A single lone line is no style.
  const marked = titles.find(it => it.kind !== 'bare' || titles.length > 1)
  const model = marked ?? headings.find(it => it.kind === 'equals')
  const level = model?.level ?? 2
  switch (model?.kind) {
    case 'equals':
      return `= ${version} =`
    case 'html':
      return `<h${level}>${version}</h${level}>`
    case 'dated':
      return `2026-01-31 - version ${version}`
    case 'bare':
      return version
    case 'underline':
      return `## ${version}`
    default:
      return `${'#'.repeat(level)} ${version}`
  }
}

/** The headings over the places outside the changelog, by name. */
function placesOf({ headings, outside, calendar }: Changelog): string {
  const over = outside.map(title => {
    const heading = headings.findLast(
      it => it.line < title.line && readVersion(it.text, calendar).version === ''
    )
    return heading ? `"${heading.text.slice(0, LINE_MAX_CHARACTERS)}"` : 'no other heading'
  })
  return [...new Set(over)].join(' and ')
}
