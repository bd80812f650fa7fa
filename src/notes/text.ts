// Owns all texts for buyers: their line ends and their length, and whether there is anything to read in them. Pure.
import { ActionError } from '../runner/action-error.ts'

/** GitHub's own limit of release notes, and ours of every text. */
const TEXT_MAX_CHARACTERS = 125_000

/** Line ends become `\n`, and blank lines at the start and the end go; nothing else changes. */
export function normalize(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const first = lines.findIndex(it => it.trim() !== '')
  const last = lines.findLastIndex(it => it.trim() !== '')
  return first < 0 ? '' : lines.slice(first, last + 1).join('\n')
}

/**
 * The fault of a text that is too long.
 * @param source What it is, as the beginning of a sentence.
 */
export function faultInLength(text: string, source: string): ActionError | undefined {
  if (text.length <= TEXT_MAX_CHARACTERS) return undefined

  const size = text.length.toLocaleString('en')
  const most = TEXT_MAX_CHARACTERS.toLocaleString('en')
  const message = `${source} ${size} characters, and at most ${most} are sent.`
  return new ActionError('no-changelog', message, {
    advice: 'Leave only what is new in this version.'
  })
}

/** Tags without attributes, which show nothing by themselves. */
const BARE_TAGS = /<\/?[a-z]+ ?\/?>|&nbsp;/gi
/** A line of nothing but invisible characters and marks. */
const UNREADABLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800#*_>~`=+|:-]*$/u
/** A heading with number signs: `## Changed`, `> # News` */
const HEADING = /^[>\s]*#{1,6}(?:[ \t]|$)/
/** GitHub's last line. */
const FULL_CHANGELOG = /^[*_[\s]*full changelog(?![\p{L}\p{N}_])/iu

/** Whether a text has anything to read: headings and GitHub's last line alone do not count. */
export function hasText(text: string): boolean {
  const shown = text.replace(BARE_TAGS, '').replace(/^.+\n=+[ \t]*$/gm, '')
  const lines = shown.split('\n')
  return lines.some(it => !UNREADABLE.test(it) && !HEADING.test(it) && !FULL_CHANGELOG.test(it))
}
