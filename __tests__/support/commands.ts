// Owns how the runner finds a command in one printed line, in both of its notations.

/** A command as it stands in a line. */
export interface ParsedCommand {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly data: string
}

/** The commands that the runner acts on; every other name is text. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning'
])

type Escapes = readonly (readonly [code: string, character: string])[]

// The percent sign comes last, so that `%250A` stays the text `%0A`.
const DATA_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%']
]
const PROPERTY_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%']
]
const BRACKET_ESCAPES: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%']
]

// What .NET's TrimStart removes: U+0085 too, which JavaScript's keeps, but not U+FEFF.
const LEADING_SPACE = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/

/** Reads one line; `names` are the commands known now, in lower case. */
export function parseCommand(
  line: string,
  names: ReadonlySet<string> = COMMAND_NAMES
): ParsedCommand | undefined {
  return parseColons(line, names) ?? parseBrackets(line, names)
}

/** The property of that name in any case, unless it is empty. */
export function propertyOf(command: ParsedCommand, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const found = Object.entries(command.properties).findLast(([key]) => key.toLowerCase() === wanted)
  return found?.[1] === '' ? undefined : found?.[1]
}

function parseColons(line: string, names: ReadonlySet<string>): ParsedCommand | undefined {
  const text = line.replace(LEADING_SPACE, '')
  if (!text.startsWith('::')) return undefined
  const end = text.indexOf('::', 2)
  if (end < 0) return undefined
  return buildCommand(text.slice(2, end), text.slice(end + 2), names, {
    separator: ',',
    property: PROPERTY_ESCAPES,
    data: DATA_ESCAPES
  })
}

function parseBrackets(line: string, names: ReadonlySet<string>): ParsedCommand | undefined {
  // Anywhere in the line, but only the first one counts.
  const start = line.indexOf('##[')
  const end = start < 0 ? -1 : line.indexOf(']', start)
  if (end < 0) return undefined
  return buildCommand(line.slice(start + 3, end), line.slice(end + 1), names, {
    separator: ';',
    property: BRACKET_ESCAPES,
    data: BRACKET_ESCAPES
  })
}

interface Notation {
  readonly separator: string
  readonly property: Escapes
  readonly data: Escapes
}

function buildCommand(
  head: string,
  data: string,
  names: ReadonlySet<string>,
  notation: Notation
): ParsedCommand | undefined {
  const space = head.indexOf(' ')
  const name = (space < 0 ? head : head.slice(0, space)).toLowerCase()
  if (!names.has(name)) return undefined
  const properties =
    space < 0
      ? []
      : head
          .slice(space + 1)
          .trim()
          .split(notation.separator)
  const pairs = properties.flatMap(property => {
    const [, key, value] = /^=*([^=]+)=+([^=].*)$/s.exec(property) ?? []
    return key === undefined || value === undefined
      ? []
      : [[key, unescapeText(value, notation.property)]]
  })
  return {
    name,
    properties: Object.fromEntries(pairs),
    data: unescapeText(data, notation.data)
  }
}

function unescapeText(text: string, escapes: Escapes): string {
  return escapes.reduce((result, [code, character]) => result.replaceAll(code, character), text)
}
