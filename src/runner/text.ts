// Prepares texts to be shown: takes credentials out, and makes other people's text harmless. Pure.
import { unescape as decoded } from 'node:querystring'

/** In characters. Shorter texts are no credentials, and would be found in other texts by chance. */
const SHORTEST = 4
/** An invisible comment. Inside `@name` or `#12`, it keeps GitHub from making a link or a mention. */
const SPLIT = '<!-- -->'

/** Replaces secrets by `***`, also encoded or escaped ones: the runner masks only exact copies. */
export function openSecrets() {
  const spellings = new Set<string>()
  let pattern = /(?!)/g // matches nothing
  return {
    add(secret: string): void {
      if (secret.trim().length < SHORTEST) return
      spellings.add(secret).add(Buffer.from(secret).toString('base64'))
      const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
      pattern = new RegExp(longestFirst.map(escapedAnyhow).join('|'), 'g')
    },
    conceal: (text: string): string => text.replace(pattern, '***')
  }
}

/** In rounds: what was escaped more often is not shown as a credential by anything. */
const ESCAPED = 3

/**
 * Conceals credentials in other people's text as it arrives, before anything cuts it: also those whose characters are
 * escaped, as in JSON within a message, in HTML, or in addresses.
 */
export function concealReceived(text: string, conceal: (text: string) => string): string {
  let plain = text
  for (let round = 0; round < ESCAPED; round++) plain = unescapeAll(plain)
  const concealed = conceal(plain)
  return concealed === plain ? conceal(text) : concealed
}

function unescapeAll(text: string): string {
  const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')
  return text
    .replace(/\\u([\da-f]{4})|&#x([\da-f]{1,6});|%([\da-f]{2})/gi, (_, a, b, c) =>
      character(Number.parseInt(a ?? b ?? c, 16))
    )
    .replace(/&#(\d{1,7});/g, (_, code) => character(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => NAMED[name.toLowerCase()] ?? '')
    .replace(/\\(?=[^\w\s])/g, '')
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'"
}

/** A pattern for a text whose punctuation may be escaped: a `"` also as `&quot;`, `&#34;`, `%22`, or `\"`. */
function escapedAnyhow(text: string): string {
  const parts = text.split(/([^a-z\d])/i).map(part => {
    if (/^[a-z\d]*$/i.test(part)) return part
    const code = part.charCodeAt(0)
    const digits = code.toString(16).padStart(4, '0')
    const percent = digits.slice(2).replace(/[a-f]/, it => `[${it}${it.toUpperCase()}]`)
    const entity = /[&<>"]/.test(part) ? '&\\w+;|' : ''
    return `(?:${entity}&#${code};|%${percent}|\\\\?\\u${digits})`
  })
  return parts.join(`(?:${SPLIT})?`)
}

/** A regular expression, without the flags `u` and `v`, that matches only this text. */
export function literal(text: string): string {
  return text.replace(/\W/g, '\\$&')
}

/** The proxies' passwords: as written, decoded, and as in `Proxy-Authorization`. Messages may quote them. */
export function proxySecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  return names.flatMap(name => {
    const [, user = '', password = ''] =
      /^(?:\w+:\/\/)?([^:@/]*):([^/]+)@/.exec(env[name] ?? '') ?? []
    const word = decoded(password)
    const pair = Buffer.from(`${decoded(user)}:${word}`).toString('base64')
    return password === '' ? [] : [password, word, pair]
  })
}

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

function joined(text: string): string {
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

/** So many names are shown in a message. */
export const NAMES_SHOWN = 10

/** A name in quotes, with invisible characters escaped, and cut after 200 characters. */
export function quoteName(name: string): string {
  const cut = name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  return JSON.stringify(cut).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escaped)
}

/**
 * Other people's words, such as a server's message: on one line and in quotes that nothing in them can end, without the
 * backticks that make code of ours.
 */
export function quoteText(text: string): string {
  const line = joined(text).replace(/\s+/g, ' ')
  return `"${line.replace(/["`]/g, "'")}"`
}

/** Such as `"a", "b" and 3 more`: ten names at most. */
export function listNames(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return `${names.slice(0, NAMES_SHOWN).map(quoteName).join(', ')}${more}`
}

/** The same, with a line for each; `rows` are shown as they are. */
export function listLines(rows: readonly string[]): string {
  const lines = firstRows(rows, NAMES_SHOWN).map(row => `\n  ${row}`)
  return lines.join('')
}

/** The first of these texts on a line each, and how many more there are. */
export function firstOfMany(texts: readonly string[], most: number): string {
  const shown = texts.map(text => oneLine(text.length > 200 ? `${text.slice(0, 200)}…` : text))
  return firstRows(shown, most).join('\n')
}

function firstRows(rows: readonly string[], most: number): string[] {
  const left = rows.length - most
  return [...rows.slice(0, most), ...(left > 0 ? [`… and ${left} more`] : [])]
}

/** Text that Markdown shows as it is. GitHub links `&#64;name`, too, so `SPLIT` goes between the two. */
export function markdown(text: string): string {
  const entity = (character: string) => `&#${character.charCodeAt(0)};`
  return joined(text)
    .replace(/[\\`*_{}[\]<>#|~@&:$]/g, entity)
    .replace(/^[-+=]|^\d+[.)](?=\s|$)/, found => found.slice(0, -1) + entity(found.slice(-1)))
    .replace(/&#(?:35|58|64);|www(?=\.)|\bGH(?=-\d)/gi, found => `${found}${SPLIT}`)
}

/** Text of our own as Markdown, in which names in backticks become code. */
export function prose(text: string): string {
  const parts = text.trim().split(/(`[^`\n]+`)/)
  const shown = parts.map((part, index) =>
    index % 2 === 0 ? withinSpaces(part, markdown) : `<code>${markdown(part.slice(1, -1))}</code>`
  )
  return shown.join('')
}

/** A text with `change` made to all but the spaces at its ends; many of them take no time, as with ` *$`. */
export function withinSpaces(text: string, change: (inner: string) => string): string {
  const inner = text.trim()
  const start = text.indexOf(inner)
  return text.slice(0, start) + change(inner) + text.slice(start + inner.length)
}

/** The parts that are not empty, with a blank line between them. */
export function joinBlocks(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n')
}

/** A table of plain texts in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdown).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** An HTML table, as Markdown's needs a header. Values: Markdown without blank lines; empty: left out. */
export function factTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.flatMap(([name, value]) =>
    value === '' ? [] : [`<tr><th align="left">${name}</th><td>${value}</td></tr>`]
  )
  return lines.length === 0 ? '' : ['<table>', ...lines, '</table>'].join('\n')
}

/** Text as a fenced code block; the fence is longer than any run of backticks in the text. */
export function fenced(text: string, language = 'text'): string {
  const clean = shownText(text)
  const longest = clean.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${clean}\n${fence}`
}

/** In characters; the runner cuts longer annotations. The shop's messages may be very long. */
export const LONGEST = 4000

/** A message for an annotation or a summary, cut to `LONGEST`; the log has all of it. */
export function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST).toWellFormed()}… (cut short; the log has all of it)`
}

/** A count with its noun, such as `1 release` or `2 releases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people, in decimal units: `1.50 MB` is 1,500,000 bytes. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let value = bytes
  let power = 0
  // From 999.5 on, three digits would show 1000, so the next unit is used.
  for (; value >= 999.5 && power < UNITS.length - 1; power++) value /= 1000
  return `${power === 0 || value >= 999.5 ? Math.round(value) : value.toPrecision(3)} ${UNITS[power]}`
}
