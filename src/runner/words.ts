// How messages name things: quotes, lists, counts and sizes. Pure.
import { joined, oneLine } from './printing.ts'

/** An invisible comment. Inside `@name` or `#12`, it keeps GitHub from making a link or a mention. */
export const SPLIT = '<!-- -->'

/** The message of an error, or of anything else that was thrown. */
export function messageOf(thrown: unknown): string {
  const { message } = Object(thrown)
  return typeof message === 'string' && message !== '' ? message : String(thrown)
}

/** So many names are shown in a message. */
export const NAMES_SHOWN = 10

/**
 * Invisible characters: control and zero-width characters, spaces that are no plain ones, and accents that stand
 * apart from their letters.
 */
const INVISIBLE =
  /\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|[\u0300-\u036f]/gu

/** A text with invisible characters escaped, such as `\u{a0}`. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** A name in quotes, with invisible characters escaped, and cut after 200 characters. */
export function quoteName(name: string): string {
  const cut = name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name
  return visible(JSON.stringify(cut))
}

/** The same for each of these texts. */
export function quotedTexts<Key extends string>(
  texts: Readonly<Record<Key, string>>
): Readonly<Record<Key, string>> {
  const quoted: Record<Key, string> = { ...texts }
  for (const key in quoted) quoted[key] = quoteName(quoted[key])
  return quoted
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

/** A text with `change` made to all but the spaces at its ends; many of them take no time, as with ` *$`. */
export function withinSpaces(text: string, change: (inner: string) => string): string {
  const inner = text.trim()
  const start = text.indexOf(inner)
  return text.slice(0, start) + change(inner) + text.slice(start + inner.length)
}

/** The runner cuts longer annotations. The shop's messages may be very long. */
export const ANNOTATION_MAX_CHARACTERS = 4000

/** A message for an annotation or a summary, cut to `ANNOTATION_MAX_CHARACTERS`; the log has all of it. */
export function shortened(text: string): string {
  if (text.length <= ANNOTATION_MAX_CHARACTERS) return text
  return `${text.slice(0, ANNOTATION_MAX_CHARACTERS).toWellFormed()}… (cut short; the log has all of it)`
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
  while (value >= 999.5 && power < UNITS.length - 1) {
    value /= 1000
    power += 1
  }

  const isWhole = power === 0 || value >= 999.5
  return `${isWhole ? Math.round(value) : value.toPrecision(3)} ${UNITS[power]}`
}

const MINUTE_MS = 60_000

/** Such as `2026-01-31 14:05 UTC`, a whole minute: never too early, or with `down` never too late. `ms`: since 1970. */
export function timeText(ms: number, rounded: 'up' | 'down' = 'up'): string {
  const minutes = ms / MINUTE_MS
  const whole = rounded === 'up' ? Math.ceil(minutes) : Math.floor(minutes)
  return `${new Date(whole * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
