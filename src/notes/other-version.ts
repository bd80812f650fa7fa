// Owns whether a text is that of another version: the last one's notes, or a file with the history in it. Pure.
import { ActionError } from '../runner/action-error.ts'
import { quoteName } from '../runner/words.ts'
import {
  type ChangelogFile,
  type Heading,
  headingAt,
  readChangelog,
  readLines,
  readLoneTitles
} from './changelog-file.ts'
import { showLines } from './sections.ts'
import { cleanVersion, compareNumbers, isDateOrNothing, looksLikeDate } from './versions.ts'

const WORD_MAKES_IT_NONE = 'a word before the version makes it none, as in "## Minecraft 1.20.1".'

/** The fault of a file of one version, which is sent whole, with a heading that is nothing but another version. */
export function faultInWhole({ text, path, version }: ChangelogFile): ActionError | undefined {
  const { lines, headings } = readChangelog(text)
  const wanted = cleanVersion(version)
  const all = [...headings, ...readLoneTitles(lines)].filter(it => isVersionAlone(it, version))
  const others = all.filter(it => it.version !== wanted).map(it => it.line)
  if (others.length === 0) return undefined

  const message = `changelog-file: "${path}" is for "${version}" alone, but has headings of others:${showLines(lines, others)}`
  return new ActionError('no-changelog', message, {
    advice: `Move the text of other versions to files of their own; if it is no version of the product, ${WORD_MAKES_IT_NONE}`
  })
}

/** The fault of release notes of which the first heading is nothing but a lower version of as many parts. */
export function faultInNotes(notes: string, version: string): ActionError | undefined {
  const lines = readLines(notes)
  const at = lines.findIndex((_, line) => headingAt(lines, line) !== undefined)
  const heading = headingAt(lines, at)
  if (!heading || !isVersionAlone(heading, version)) return undefined

  const wanted = cleanVersion(version)
  const isAlike = partsOf(heading.version) === partsOf(wanted)
  if (!isAlike || compareNumbers(heading.version, wanted) >= 0) return undefined

  const title = quoteName(lines[at]?.text.trim() ?? '')
  const message = `The notes of the release begin with the heading ${title}, of another version than "${version}".`
  return new ActionError('no-changelog', message, {
    advice: `Write what is new in "${version}"; if the heading is no version of the product, ${WORD_MAKES_IT_NONE}`
  })
}

/** Whether a heading is nothing but a version, perhaps with a date; a date alone is none where versions are not written so. */
function isVersionAlone({ version, name, rest }: Heading, ours: string): boolean {
  const isDate = looksLikeDate(version) && !looksLikeDate(cleanVersion(ours))
  return version !== '' && name === '' && isDateOrNothing(rest) && !isDate
}

function partsOf(version: string): number {
  const [numbers = ''] = version.split(' ')
  return numbers.split('.').length
}
