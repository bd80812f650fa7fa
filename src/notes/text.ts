// All texts for buyers: their line ends, and whether there is anything to read in them. Pure.

/** Line ends become `\n`, the indentation that all lines share goes, and the text is trimmed; nothing else changes. */
export function normalize(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  return withoutIndent(lines).join('\n').trim()
}

/** Lines without the indentation that they share. Were the first one alone trimmed, the others would be below it. */
function withoutIndent(lines: readonly string[]): string[] {
  const written = lines.filter(line => line.trim() !== '')
  const indents = written.map(line => /^[ \t]*/.exec(line)?.[0] ?? '')
  const shared = indents.reduce(commonStart, indents[0] ?? '')
  return lines.map(line => line.slice(shared.length))
}

function commonStart(a: string, b: string): string {
  const differs = [...a].findIndex((character, at) => character !== b[at])
  return differs < 0 ? a : a.slice(0, differs)
}

/** A line that is not meant for buyers, and what it is called. */
type NoNewsLine = readonly [line: RegExp, name: string]

const NO_NEWS: readonly NoNewsLine[] = [
  [/^#{1,6}(?:[ \t]|$)/, 'headings'],
  // GitHub's last line.
  [/^[*_[ \t]*full changelog(?![\p{L}\p{N}_])/iu, 'the Full Changelog line'],
  // Words in place of a text that is still to be written.
  [/^[^\p{L}\p{N}]*(?:todo|wip|tbd)[^\p{L}\p{N}]*$/iu, 'words such as TODO'],
  // Words that a program writes in place of a text that it does not have.
  [
    /^[^\p{L}\p{N}]*(?:null|undefined|\[object \p{L}+\])[^\p{L}\p{N}]*$/iu,
    'what a program writes for no text'
  ]
]

/** Matches what is left of lines that hold nothing to read. */
const UNREADABLE = /^[\s\p{Default_Ignorable_Code_Point}\u2800#*_>~`=+|:-]*$/u

/** The lines without tags, invisible characters and the underlined titles, trimmed. */
function visibleLines(text: string): string[] {
  return text
    .replace(
      /&(?:nbsp|e[mn]sp|thinsp|zerowidthspace|zwnj|zwj|shy|#0*(?:32|160|8203)|#x0*(?:20|a0|200b));|<\/?(?:p|br|div|span)(?![a-z\d-])[^<>]*>/gi,
      ''
    )
    .replace(/^.+\n=+[ \t]*$/gm, '# ')
    .split('\n')
    .map(line => line.trim().replace(/^(?:>\s*)+/, ''))
}

/** The lines that have anything to read: invisible characters, tags, and headings alone do not count. */
export function newsIn(text: string): string[] {
  const lines = visibleLines(text).filter(line => !UNREADABLE.test(line))
  return lines.filter(line => !NO_NEWS.some(([it]) => it.test(line)))
}

/** Whether a text has anything to read. */
export function hasText(text: string): boolean {
  return newsIn(text).length > 0
}

/** The parts of a text without news, such as `headings` and `the Full Changelog line`; none if nothing can be seen. */
export function namesOfNoNews(text: string): string[] {
  const lines = visibleLines(text)
  return NO_NEWS.filter(([it]) => lines.some(line => it.test(line))).map(([, name]) => name)
}

/** A text that may be an escaped line break; a false match only costs time. */
const MAY_BE_ESCAPED = /%(?:25)?0[ad]|\\[nr]|\\u000|&#/i

/** Whether a line break may be escaped in a text, so that it has to be parsed to know. */
export function mayBeEscaped(text: string): boolean {
  return MAY_BE_ESCAPED.test(text)
}

/** `<<<<<<< HEAD`, `>>>>>>> feature`; `=======` alone may underline a title. */
export const CONFLICT = /^(?:<{7}|>{7})(?: .*)?$/m

/** `$CHANGES`, `${NOTES}`, `${{ … }}`, `$(cat notes.md)`, `{{ .Version }}` */
const TEMPLATE = String.raw`(?:\$[A-Z_]{2,40}|\$\{[^{}\n]{1,99}\}|\$?\{\{[^{}\n]{1,199}\}\}|\$\([^()\n]{1,199}\))`
/** A line of nothing else, perhaps in an item, a heading or quotes. */
export const UNFILLED = new RegExp(
  String.raw`^[ \t>]*(?:(?:[-*+]|#{1,6}) )?["'*_]{0,3}${TEMPLATE}["'*_]{0,3}[ \t]*$`,
  'm'
)

/** Whether a text may only point elsewhere, so that it has to be parsed to know: short, with a file’s name or an address. */
export function mayPoint(text: string): boolean {
  const news = newsIn(text.replace(/<!--[\s\S]*?(?:-->|$)/g, '')).join('\n')
  if (news.length > POINTER_MAX_CHARACTERS) return false
  return /\.\p{L}|\/|[A-Z]{4}|\]\(/u.test(news) || /changelog|notes|entry|entries/i.test(news)
}

/** A longer text says more than where to look. */
export const POINTER_MAX_CHARACTERS = 300
