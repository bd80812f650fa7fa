// Says why no section of a changelog file is sent: the lines that it depends on, and how a title is written there.
import { ActionError } from '../runner/action-error.ts'
import { literal } from '../runner/words.ts'
import { type Position, titleLines } from './doubt.ts'
import { type ChangelogText, type Heading, isTitle } from './headings.ts'
import type { ChangelogFile, TitleSearch } from './titles.ts'

/** So many lines are shown, up to so many characters each. */
const LINES_SHOWN = 20
const LINE_LENGTH = 100

const OTHERWISE = 'or set `changelog`, or a path with `{version}` to a file of this version alone.'

/** Why there is no certain title. */
export function explainTitle(
  text: ChangelogText,
  file: ChangelogFile,
  search: Exclude<TitleSearch, { kind: 'found' }>
): ActionError {
  const { path, version } = file
  const example = exampleOf(text, version)
  const advice = `Give the version one heading like those of others, such as "${example}", alone on its line (read are "## ${version}", "= ${version} =", "2026-01-31 - version ${version}" and "<h4>${version}</h4>"); ${OTHERWISE}`
  switch (search.kind) {
    case 'several': {
      const what = `"${path}" has several headings for "${version}"`
      return errorAbout(what, text, search.titles, advice)
    }
    case 'outside': {
      const where = placesOf(text, search.titles)
      const what = `"${path}" has a heading for "${version}" only outside its changelog, under ${where}`
      return errorAbout(what, text, search.titles, advice)
    }
    case 'none': {
      const what = `"${path}" has no heading for "${version}"`
      return errorAbout(what, text, nearestTo(text, version), advice)
    }
  }
}

/** Why it is not certain where a section ends. */
export function explainDoubts(
  text: ChangelogText,
  { path, version }: ChangelogFile,
  places: readonly Position[]
): ActionError {
  const what = `"${path}" does not say where "${version}" ends`
  const example = exampleOf(text, version)
  const advice = `Give every version a heading like "${example}", and reword other lines that look like one; ${OTHERWISE}`
  return errorAbout(what, text, places, advice)
}

/** Why a file of one version is not sent whole. */
export function explainOthers(
  text: ChangelogText,
  { path, version }: ChangelogFile,
  places: readonly Position[]
): ActionError {
  const what = `"${path}" is for "${version}" alone, but has headings of others`
  return errorAbout(what, text, places, 'Move their text to files of their own.')
}

/** The lines that name the version; then all that look like titles. */
function nearestTo(text: ChangelogText, version: string): Position[] {
  const { headings, lines } = text
  const mention = new RegExp(`(?<![\\w.-])${literal(version)}(?![\\w-]|\\.\\w)`, 'i')
  const mentions = [...headings, ...lines].filter(it => mention.test(it.text))
  const titles = [...headings.filter(isTitle), ...titleLines(text)]
  const near = [...mentions, ...titles.toSorted((a, b) => a.start - b.start)]
  return [...new Set(near)].slice(0, LINES_SHOWN)
}

/** A title of the version as this file would write it. */
function exampleOf({ headings }: ChangelogText, version: string): string {
  const titles = headings.filter(isTitle)
  const model = titles[0] ?? headings.find(it => it.kind === 'wordpress')
  switch (model?.kind) {
    case 'wordpress':
      return `= ${version} =`
    case 'html':
      return `<h${model.level}>${version}</h${model.level}>`
    case 'dated':
      return `2026-01-31 - version ${version}`
    default:
      return `${'#'.repeat(model?.level ?? 2)} ${version}`
  }
}

/** The headings over these titles, by name. */
function placesOf({ headings }: ChangelogText, titles: readonly Heading[]): string {
  const over = titles.map(title => {
    const heading = headings.findLast(it => it.start < title.start && !isTitle(it))
    return heading ? `"${heading.text.slice(0, LINE_LENGTH)}"` : 'no other heading'
  })
  return [...new Set(over)].join(' and ')
}

function errorAbout(
  what: string,
  text: ChangelogText,
  places: readonly Position[],
  advice: string
): ActionError {
  const first = places.toSorted((a, b) => a.start - b.start).slice(0, LINES_SHOWN)
  const all = text.source.split('\n')
  const shown = first.map(({ start }) => {
    const number = text.source.slice(0, start).split('\n').length
    return `\n  line ${number}: ${all[number - 1]?.slice(0, LINE_LENGTH).trim()}`
  })
  const lines = shown.length > 0 ? `:${shown.join('')}` : ', nor for any other version.'
  return new ActionError('no-changelog', `changelog-file: ${what}${lines}`, { advice })
}
