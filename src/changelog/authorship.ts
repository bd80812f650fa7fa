// Finds what release notes say of who worked on the code: GitHub's lists and endings. Pure.
import type { Addresses } from './addresses.ts'
import type { Edit } from './edits.ts'
import { locate, type Range } from './ranges.ts'
import { addressOf, definitionsByName, type Heading, proseOf, type Reading } from './reading.ts'

const USER = '[*_]{0,3}@[a-z\\d][\\w-]{0,99}(?:\\/[\\w.-]{1,100})?(?:\\[bot\\])?[*_]{0,3}'
const USERS = `${USER}(?:(?:,?[ \\t]{1,9}(?:and|with|&)[ \\t]{1,9}|,[ \\t]{0,9})${USER}){0,50}`
const PULL_REQUEST =
  '\\(?(?:(?:[\\w.-]{1,100}\\/[\\w.-]{1,100})?#\\d{1,20}|GH-\\d{1,20}|https?:\\/\\/\\S{1,300}\\/pull\\/\\d{1,20}[\\w\\/#?=.-]{0,200})\\)?'
const END = '(?=[*_.!]{0,3}[ \\t]{0,9}$)'

const BY_ENDING = new RegExp(
  `(?<![ \\t])[ \\t]{1,9}by[ \\t]{1,9}${USERS}[ \\t]{1,9}in[ \\t]{1,9}${PULL_REQUEST}${END}`,
  'giu'
)
const FIRST_CONTRIBUTION = new RegExp(
  `^[ \\t]{0,9}${USERS} made (?:their|his|her|its) first contribution(?:[ \\t]{1,9}(?:in|with|to)[ \\t]{1,9}${PULL_REQUEST})?${END}`,
  'iu'
)
const FULL_CHANGELOG = /^[ \t*_]{0,9}full changelog[ \t*_]{0,9}:?[ \t*_]{0,9}/iu
const COMPARISON = /^\S{1,200}\.{2,3}\S{1,200}$/u
const NEW_CONTRIBUTORS = /^\W{0,20}new contributors\W{0,20}$/iu

/** A line of the visible text. */
interface Line extends Range {
  readonly text: string
}

/** Takes out `by @user in #12` endings, the list of new contributors, and the `Full Changelog` line. */
export function takeOutAuthorship(reading: Reading, addresses: Addresses): Edit[] {
  const lines = linesOf(proseOf(reading))
  const contributions = lines.filter(({ text }) => FIRST_CONTRIBUTION.test(text))
  const comparisons = findComparisons(lines, reading, addresses)
  const whole = [...contributions, ...comparisons].map(line => sourceOf(reading, line))
  const endings = lines.flatMap(({ text, start }) =>
    Array.from(text.matchAll(BY_ENDING), ({ index, 0: ending }) =>
      sourceOf(reading, { start: start + index, end: start + index + ending.length })
    )
  )
  const gone = new Set([...contributions, ...comparisons])
  const rest = lines.filter(line => line.text.trim() !== '' && !gone.has(line))
  const headings = contributions.length > 0 ? emptyHeadings(reading, rest) : []
  return [...whole, ...endings, ...headings].map(({ start, end }) => ({ start, end, text: '' }))
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map(line => {
    const end = start + line.length
    const found = { start, end, text: line }
    start = end + 1
    return found
  })
}

/** Where a part of the visible text stands, with the whole of each link whose text lies in it. */
function sourceOf({ pieces, links }: Reading, part: Range): Range {
  const ranges = locate(pieces, part)
  let start = ranges[0]?.start ?? 0
  let end = ranges.at(-1)?.end ?? start
  for (const { label, ...link } of links) {
    if (label.start < start || label.end > end || label.start === label.end) continue
    start = Math.min(start, link.start)
    end = Math.max(end, link.end)
  }
  return { start, end }
}

/** The lines that lead to the comparison of two versions in the repository. */
function findComparisons(lines: readonly Line[], reading: Reading, addresses: Addresses): Line[] {
  const definitions = definitionsByName(reading)
  const home = reading.links.filter(link => {
    const address = addressOf(link, definitions)
    return address && addresses.leadsInto(address.value)
  })
  const isAddress = (text: string) => {
    const [found] = addresses.find(text)
    return found?.start === 0 && found.end === text.length
  }
  return lines.flatMap((line, index) => {
    const prefix = FULL_CHANGELOG.exec(line.text)?.[0]
    if (prefix === undefined) return []
    const rest = line.text.slice(prefix.length).replace(/[ \t*_.]{1,9}$/u, '')
    if (isAddress(rest) || COMPARISON.test(rest)) return [line]
    const place = sourceOf(reading, line)
    const link = home.find(({ start, end }) => start >= place.start && end <= place.end)
    if (link && reading.source.slice(link.label.start, link.label.end).endsWith(rest)) return [line]
    const next = lines[index + 1]
    return rest === '' && next && isAddress(next.text.trim()) ? [line, next] : []
  })
}

/** The headings of lists of new contributors that hold nothing any more. */
function emptyHeadings(reading: Reading, rest: readonly Line[]): Heading[] {
  const { headings, source, pieces } = reading
  const places = rest.map(line => locate(pieces, line)[0]?.start ?? 0)
  return headings.filter(({ content, end }, index) => {
    if (!NEW_CONTRIBUTORS.test(source.slice(content.start, content.end))) return false
    const next = headings[index + 1]?.start ?? source.length
    return !places.some(place => place >= end && place < next)
  })
}
