// What is done to texts before they are shown: credentials are taken out, and other people's text is made harmless. Pure.
import { unescape as decoded } from 'node:querystring'

/** What is shorter is no credential, and would stand in any text by chance. */
const SHORTEST = 4
/** What splits a text for GitHub's filters, and is not seen. */
const SPLIT = '<!-- -->'

/** Takes secrets out of texts, encoded or escaped ones too: the runner masks only what is printed as it is. */
export function openSecrets() {
  const spellings = new Set<string>()
  let pattern = /(?!)/g
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

/** A pattern for a text with each character, but for letters and digits, escaped in any of these ways or not. */
function escapedAnyhow(text: string): string {
  const parts = text.split(/([^a-z\d])/i).map(part => {
    if (/^[a-z\d]*$/i.test(part)) return part
    const code = part.charCodeAt(0)
    const digits = code.toString(16).padStart(4, '0')
    const entity = /[&<>"]/.test(part) ? '&\\w+;|' : ''
    return `(?:${entity}&#${code};|%${digits.slice(2).toUpperCase()}|\\\\?\\u${digits})`
  })
  return parts.join(`(?:${SPLIT})?`)
}

/** What stands for the password in a proxy's address and in a request to it; messages may quote them. */
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

/** Control characters but the tab, lone surrogates, and what some viewers take for a line end. */
const CONTROLS = /(?!\t)[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu

/** Text for the log without the runner's commands: `::name::` at the start of a line, `##[name]` anywhere. */
export function harmless(text: string): string {
  return linesOf(text).map(guard).join('\n')
}

function guard(line: string): string {
  return /^\s*::/.test(line) ? `| ${line.trimStart()}` : line
}

/** The same for a text that fills a block: every line has a visible margin. */
export function quoted(text: string): string {
  const lines = linesOf(text).map(line => `  | ${line}`.trimEnd())
  return lines.join('\n')
}

/** On one line, for a title or the middle of a sentence. */
export function oneLine(text: string): string {
  return guard(joined(text))
}

function joined(text: string): string {
  return linesOf(text).join(' ').trim()
}

/** The runner, too, ends lines at LF, CRLF and a lone CR. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.map(line => line.replace(CONTROLS, '\ufffd').replaceAll('##[', '## ['))
}

/** Text that Markdown shows as it is. GitHub decodes entities before it links names, so those are split, too. */
export function markdown(text: string): string {
  const entity = (character: string) => `&#${character.charCodeAt(0)};`
  return joined(text)
    .replace(/[\\`*_{}[\]<>#|~@&:$]/g, entity)
    .replace(/^[-+=]|(?<=^\d+)[.)](?=\s|$)/, entity)
    .replace(/&#(?:35|58|64);|www(?=\.)|\bGH(?=-\d)/gi, found => `${found}${SPLIT}`)
}

/** Text with our own `names` in it, shown as code, and with the spaces around them. */
export function prose(text: string): string {
  const parts = text.split(/( *`[^`\n]+` *)/).map(part => {
    const [, before = '', name, after = ''] = /^( *)`(.+)`( *)$/.exec(part) ?? []
    return name === undefined ? markdown(part) : `${before}<code>${markdown(name)}</code>${after}`
  })
  return parts.join('')
}

/** A table in HTML, since Markdown's has a header; values are Markdown without blank lines, and may be empty. */
export function factTable(rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.flatMap(([name, value]) =>
    value === '' ? [] : [`<tr><th align="left">${name}</th><td>${value}</td></tr>`]
  )
  return lines.length === 0 ? '' : ['<table>', ...lines, '</table>'].join('\n')
}

/** Text as a folded or fenced block: a fence longer than any run of backticks in it. */
export function fenced(text: string, language = 'text'): string {
  const clean = linesOf(text).join('\n')
  const longest = clean.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${clean}\n${fence}`
}

/** The runner cuts longer annotations; a message of the service's may be as long as its whole answer. */
export const LONGEST = 4000

/** A message as an annotation and a summary have it; the log has all of it. */
export function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST).toWellFormed()}… (cut short; the log has all of it)`
}

/** Such as `1 release` or `2 releases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people, in the units of storage: 1.5 MB is 1,500,000 bytes. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let value = bytes
  let power = 0
  // From here on, three digits would round up to the next unit.
  for (; value >= 999.5 && power < UNITS.length - 1; power++) value /= 1000
  return `${power === 0 || value >= 999.5 ? Math.round(value) : value.toPrecision(3)} ${UNITS[power]}`
}
