// Other people's text, made harmless for where it is shown. Pure.

/** Control characters but the tab, lone surrogates, and what some viewers take for a line end. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu

/**
 * Text for the log: no line of it is a command to the runner, which takes `::name::` at the start of a
 * line and `##[name]` anywhere in one, and ends lines at LF, CRLF and a lone CR.
 */
export function harmless(text: string): string {
  return linesOf(text)
    .map(line => (/^\s*::/.test(line) ? `| ${line.trimStart()}` : line))
    .join('\n')
}

/** The same for a text that fills a block: every line has a visible margin. */
export function quoted(text: string): string {
  return linesOf(text)
    .map(line => `  | ${line}`.trimEnd())
    .join('\n')
}

/** On one line, for a title or the middle of a sentence. */
export function oneLine(text: string): string {
  return linesOf(text).join(' ').trim()
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(line => line.replace(CONTROLS, '\ufffd').replaceAll('##[', '## ['))
}

/** Text inside a Markdown table cell or paragraph: shown as it is, never as markup. */
export function markdown(text: string): string {
  const entity = (character: string) => `&#${character.charCodeAt(0)};`
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>#|~@&:$]/g, entity)
    .replace(/www\./gi, found => `${found.slice(0, 3)}&#46;`)
}

/** Text as a folded or fenced block: a fence longer than any run of backticks in it. */
export function fenced(text: string): string {
  const clean = linesOf(text).join('\n')
  const runs = Array.from(clean.matchAll(/`+/g), match => match[0].length)
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run + 1)))
  return `${fence}text\n${clean}\n${fence}`
}

/** A size for people, in the units of storage: 1.5 MB is 1,500,000 bytes. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toPrecision(3)} ${units[power]}`
}
