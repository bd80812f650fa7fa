// Makes other people's text harmless for the log: no command of the runner, no control character. Pure.

/**
 * Control characters except the tab, lone surrogates, Unicode's line ends, the byte order mark, and what turns the
 * direction of the text around it: https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings
 */
const CONTROLS = /(?!\t)[\p{Cc}\p{Cs}\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/gu

/** Text for the log without the runner's commands: `::name::` at the start of a line, `##[name]` anywhere. */
export function harmless(text: string): string {
  return linesOf(text).map(guard).join('\n')
}

function guard(line: string): string {
  return /^\s*::/.test(line) ? `| ${line.trimStart()}` : line
}

/** The same for a text of many lines: each gets the margin `  | `, so that none starts with a command. */
export function quoteLines(text: string): string {
  const lines = linesOf(text).map(line => `  | ${line}`.trimEnd())
  return lines.join('\n')
}

/** The same on one line, for a title or the middle of a sentence. */
export function oneLine(text: string): string {
  return guard(joined(text))
}

/** A text of many lines on one, without control characters. */
export function joined(text: string): string {
  return linesOf(text).join(' ').trim()
}

/** Lines as the runner splits them, at LF, CRLF, and a lone CR, without control characters. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.map(line => line.replace(CONTROLS, '\ufffd').replaceAll('##[', '## ['))
}

/** Text of many lines without what could change how other text is shown; line ends become `\n`. */
export function shownText(text: string): string {
  return linesOf(text).join('\n')
}
