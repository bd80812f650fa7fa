// The section of one version in a changelog file: whose title, where it ends, and what in it is doubtful. In any doubt
// it refuses, and says what it saw: a neighbor's text is never sent, and never a part of a section alone.
import { findDoubts, findOthers, type Position } from './doubt.ts'
import { findEnd, type Section } from './ends.ts'
import { type ChangelogText, readChangelog } from './headings.ts'
import { endOf, startOf } from './markdown.ts'
import { explainDoubts, explainOthers, explainTitle } from './refusals.ts'
import { type ChangelogFile, findTitle } from './titles.ts'

/** The text under the title of the version. Throws an `ActionError` if there is none, or no certain one. */
export function findSection(file: ChangelogFile): string {
  const text = readChangelog(file.text, file.version.toLowerCase())
  const search = findTitle(text, file)
  if (search.kind !== 'found') throw explainTitle(text, file, search)

  const section = findEnd(text, search.title, search.frame)
  const doubts = findDoubts(text, section)
  if (doubts.length > 0) {
    const places = new Set<Position>([search.title, ...doubts])
    throw explainDoubts(text, file, [...places])
  }

  return withDefinitions(text, section)
}

/** Throws an `ActionError` if a file that is to be sent whole has a title of another version. */
export function refuseOthers(file: ChangelogFile): void {
  const version = file.version.toLowerCase()
  const text = readChangelog(file.text, version)
  const others = findOthers(text, version)
  if (others.length > 0) throw explainOthers(text, file, others)
}

/** The text of a section, with the definitions of links that it uses. */
function withDefinitions({ source, blocks }: ChangelogText, section: Section): string {
  const text = source.slice(section.start, section.end).trim()
  const lower = text.toLowerCase()
  const definitions = blocks.flatMap(node => {
    if (node.type !== 'definition' || !lower.includes(`[${node.identifier}]`)) return []
    const start = startOf(node)
    const end = endOf(node)
    const isInside = start >= section.start && end <= section.end
    return isInside ? [] : [source.slice(start, end)]
  })
  return `${text}\n\n${definitions.join('\n')}`.trim()
}
