// What all texts for buyers share: line ends, a longest length, and whether there is anything to read. Pure.
import { ActionError } from '../runner/action-error.ts'

/** Line ends become `\n`, and the text is trimmed; nothing else changes. */
export function normalize(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim()
}

/** In UTF-16 units. GitHub takes release notes of 125,000 characters, but a changelog file may be longer. */
const MOST_CHARACTERS = 1_000_000

/** As `normalize`; throws an `ActionError` if the text is too long. */
export function normalizeLimited(text: string): string {
  const normalized = normalize(text)
  if (normalized.length <= MOST_CHARACTERS) return normalized
  throw new ActionError(
    'no-changelog',
    `The changelog has ${normalized.length} characters, and at most ${MOST_CHARACTERS} are taken.`
  )
}

/** Lines that are not meant for buyers: titles, GitHub's last line, and what says that the text is still to be written. */
const NO_NEWS = [
  /^#{1,6}(?:[ \t]|$)/,
  /^[*_[ \t]*full changelog\b/i,
  /^[^\p{L}\d]*(?:todo|wip|tbd)[^\p{L}\d]*$/iu
]

/** Whether a text has anything to read: invisible characters, tags, and headings alone do not count. */
export function hasText(text: string): boolean {
  const seen = text
    .replace(
      /&(?:nbsp|e[mn]sp|thinsp|zerowidthspace|zwnj|zwj|shy|#0*(?:32|160|8203)|#x0*(?:20|a0|200b));|<\/?(?:p|br|div|span)\b[^<>]*>/gi,
      ''
    )
    .replace(/^.+\n=+[ \t]*$/gm, '')
    .split('\n')
    .map(line => line.trim().replace(/^(?:>\s*)+/, ''))
    .filter(line => !NO_NEWS.some(it => it.test(line)))
  return !/^[\s\p{Default_Ignorable_Code_Point}\u2800#*_>~`=+-]*$/u.test(seen.join('\n'))
}
