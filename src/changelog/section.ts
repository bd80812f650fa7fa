// Finds the section of one version in a changelog file. Pure.
import { normalise } from './changelog.ts'
import {
  isOfVersion,
  isOtherVersion,
  rankTitle,
  readTitle,
  resembling,
  type Title,
  type Wanted
} from './heading.ts'
import type { Range } from './ranges.ts'
import { definitionsByName, type Heading, type Reading } from './reading.ts'

export type Section =
  /** What stands under the version's heading. */
  | { readonly kind: 'section'; readonly text: string }
  /** The file has no headings of versions, so it is about one version. */
  | { readonly kind: 'whole'; readonly text: string }
  /** It has headings of other versions alone. */
  | { readonly kind: 'missing'; readonly headings: readonly string[] }

interface Titled {
  readonly heading: Heading
  readonly title: Title
}

/** The section of a version in a file in the style of Keep a Changelog. */
export async function takeSection(file: string, version: string, tag: string): Promise<Section> {
  const source = normalise(file)
  if (!/^[ \t]*(?:#|=+[ \t]*$|-+[ \t]*$)/m.test(source)) return { kind: 'whole', text: source }
  const { readMarkdown } = await import('./read-markdown.ts')
  const reading = await readMarkdown(source, 'blocks')
  const wanted = { version, tag }
  const titles = reading.headings
    .filter(({ top }) => top)
    .map(heading => {
      const { start, end } = heading.content
      return { heading, title: readTitle(source.slice(start, end), wanted) }
    })
  const found = findTitle(titles, wanted)
  if (!found) {
    const among = titles.map(({ title }) => title)
    const sure = among.filter(isOfVersion)
    // Better an error than the changes of all versions, under headings that only people can read.
    const headings = sure.length > 0 ? sure : resembling(among)
    if (headings.length === 0) return { kind: 'whole', text: source }
    return { kind: 'missing', headings: headings.map(({ text }) => text) }
  }
  const section = trimDefinitions(reading, sectionOf(found, titles, wanted, source.length))
  const text = normalise(source.slice(section.start, section.end))
  const definitions = await definitionsFor(text, section, reading)
  return { kind: 'section', text: normalise([text, definitions.join('\n')].join('\n\n')) }
}

function findTitle(titles: readonly Titled[], wanted: Wanted): Titled | undefined {
  let best: { titled: Titled; rank: number } | undefined
  for (const titled of titles) {
    const rank = rankTitle(titled.title, wanted)
    if (rank !== undefined && rank < (best?.rank ?? Infinity)) best = { titled, rank }
  }
  return best?.titled
}

/** Up to the next heading of the same or a higher level, or of another version. */
function sectionOf(
  found: Titled,
  titles: readonly Titled[],
  wanted: Wanted,
  length: number
): Range {
  const next = titles
    .slice(titles.indexOf(found) + 1)
    .find(
      ({ heading, title }) => heading.level <= found.heading.level || isOtherVersion(title, wanted)
    )
  return { start: found.heading.end, end: next?.heading.start ?? length }
}

/** The definitions of the whole file often stand at its end, after the oldest version's section. */
function trimDefinitions({ source, definitions }: Reading, { start, end }: Range): Range {
  let last = end
  for (const definition of definitions.toReversed()) {
    if (definition.end > last) continue
    if (source.slice(definition.end, last).trim() !== '') break
    last = definition.start
  }
  return { start, end: last }
}

/** The definitions outside of the section that links in it go by, as they are written. */
async function definitionsFor(text: string, section: Range, reading: Reading): Promise<string[]> {
  const outside = [...definitionsByName(reading).values()]
    .filter(({ start }) => start < section.start || start >= section.end)
    .toSorted((a, b) => a.start - b.start)
  if (outside.length === 0 || !text.includes('[')) return []
  const write = ({ start, end }: Range) => reading.source.slice(start, end)
  const { readMarkdown } = await import('./read-markdown.ts')
  const { links } = await readMarkdown([text, ...outside.map(write)].join('\n\n'))
  const used = new Set(links.map(({ reference }) => reference))
  return outside.filter(({ name }) => used.has(name)).map(write)
}
