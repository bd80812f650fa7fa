// Owns what GitHub's runner makes of printed lines: which are commands, what they do, and what it hides.
import { formsOf } from './credentials.ts'

/** A command, with the line it stood in. */
export interface Command {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly data: string
  readonly line: string
}

/** A note on the run's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly message: string
  readonly title?: string
}

/** What the printed lines amount to. */
export interface Log {
  /** What a user sees. */
  readonly log: string
  /** At most ten of a kind, as on the run's page. */
  readonly annotations: readonly Annotation[]
  readonly commands: readonly Command[]
  /** The lines with commands that no action of ours has a reason to print. */
  readonly unexpected: readonly string[]
  /** The texts that `add-mask` was given. */
  readonly masks: readonly string[]
  /** Hides what was to be hidden at the end. */
  readonly mask: (text: string) => string
}

export interface LogOptions {
  readonly debug?: boolean | undefined
  /** What the runner hides before the step starts. */
  readonly secrets?: readonly string[] | undefined
}

const MAX_OF_A_KIND = 10
const MAX_MESSAGE_LENGTH = 4096
const LABELS = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const

/** Reads a text as the runner reads what a step prints. */
export function parseLog(text: string, { debug = false, secrets = [] }: LogOptions = {}): Log {
  const hidden = new Set<string>()
  const shown: string[] = []
  const annotations: Annotation[] = []
  const commands: Command[] = []
  const unexpected: string[] = []
  const masks: string[] = []
  const hide = (secret: string): void => {
    const lines = secret.split(/[\r\n]+/).map(line => line.trim())
    for (const form of [secret, ...lines].flatMap(formsOf)) hidden.add(form)
  }
  const mask = (visible: string): string =>
    [...hidden]
      .sort((a, b) => b.length - a.length)
      .reduce((result, secret) => result.replaceAll(secret, '***'), visible)
  const show = (line: string): void => void shown.push(`${mask(line)}\n`)
  const obey = ({ name, properties, data, line }: Command): unknown => {
    switch (name) {
      case 'error':
      case 'warning':
      case 'notice': {
        // The runner cuts before it writes the log, so the log is cut as well.
        const message = mask(data).slice(0, MAX_MESSAGE_LENGTH)
        const { length } = annotations.filter(({ kind }) => kind === name)
        if (length < MAX_OF_A_KIND) annotations.push({ kind: name, message, ...properties })
        return shown.push(`${LABELS[name]}: ${message}\n`)
      }
      case 'group':
        return show(`▸ ${data}`)
      case 'endgroup':
        return undefined
      case 'debug':
        return debug && show(data.replace(/^/gm, '##[debug]'))
      case 'add-mask':
        masks.push(data)
        return hide(data)
      default:
        return unexpected.push(line)
    }
  }
  secrets.forEach(hide)
  for (const line of linesOf(text)) {
    const command = parseCommand(line)
    if (command === undefined) show(line)
    else {
      commands.push(command)
      obey(command)
    }
  }
  return { log: shown.join(''), annotations, commands, unexpected, masks, mask }
}

/** LF, CRLF and a lone CR end a line, and a byte order mark is swallowed: a command may hide behind either. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The commands that the runner acts on; every other name is text. */
const NAMES: readonly string[] = [
  ...['add-mask', 'add-matcher', 'add-path', 'debug', 'echo', 'endgroup', 'error', 'group'],
  ...['notice', 'remove-matcher', 'save-state', 'set-env', 'set-output', 'stop-commands', 'warning']
]

// What .NET's TrimStart removes: U+0085 too, which JavaScript's keeps, but not U+FEFF.
const COLONS =
  /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*::(.*?)::(.*)$/s
// Anywhere in the line, but only the first one counts.
const BRACKETS = /##\[(.*?)\](.*)$/s

/** Reads one line, in either of the two notations. */
function parseCommand(line: string): Command | undefined {
  const property = /%(0D|0A|25|3A|2C)/g
  const inBrackets = /%(0D|0A|25|3B|5D)/g
  return (
    build(line, COLONS.exec(line), { separator: ',', property, data: /%(0D|0A|25)/g }) ??
    build(line, BRACKETS.exec(line), { separator: ';', property: inBrackets, data: inBrackets })
  )
}

interface Notation {
  readonly separator: string
  /** The escapes in the values of properties, and in the data. */
  readonly property: RegExp
  readonly data: RegExp
}

function build(
  line: string,
  found: RegExpExecArray | null,
  notation: Notation
): Command | undefined {
  const [, head = '', data = ''] = found ?? []
  const [, name = '', given = ''] = /^(\S*) ?(.*)$/s.exec(head) ?? []
  if (!NAMES.includes(name.toLowerCase())) return undefined
  const properties = given.split(notation.separator).flatMap(pair => {
    const [, key, value = ''] = /^([^=]+)=(.+)$/s.exec(pair.trim()) ?? []
    return key === undefined ? [] : [[key, decode(value, notation.property)]]
  })
  return {
    name: name.toLowerCase(),
    properties: Object.fromEntries(properties),
    data: decode(data, notation.data),
    line
  }
}

function decode(text: string, escapes: RegExp): string {
  return text.replace(escapes, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
