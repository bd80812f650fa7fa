// Reads printed lines as GitHub's runner does: which are commands, their effects, and the texts that it hides.

/** A command, with the line it stood in. */
export interface Command {
  readonly name: string
  readonly title: string | undefined
  readonly data: string
  readonly line: string
}

/** A note on the run's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly message: string
  readonly title?: string
}

/** Printed lines as the runner takes them. */
export interface PrintedLog {
  /** The log as a user sees it. */
  readonly log: string
  /** At most ten of a kind, as on the run's page. */
  readonly annotations: readonly Annotation[]
  readonly commands: readonly Command[]
  /** The texts that `add-mask` was given. */
  readonly masks: readonly string[]
  /** Hides in a text all that had to be hidden at the end. */
  mask(visible: string): string
}

type Texts = Readonly<Record<string, string>>

/** How a line of the log begins that is a note on the run's page, too. */
const LABELS = {
  error: 'Error',
  warning: 'Warning',
  notice: 'Notice'
} as const

/** How many notes of a kind the runner takes from a step. */
const MOST_ANNOTATIONS = 10
/** How long a note may be, in UTF-16. */
const LONGEST_ANNOTATION = 4096

/** Reads a text as the runner reads a step's output; `secrets` are the texts that it hides before the step starts. */
export function parseLog(text: string, secrets: readonly string[] = []): PrintedLog {
  const hidden = new Set<string>()
  const shown: string[] = []
  const annotations: Annotation[] = []
  const commands: Command[] = []

  const hide = (secret: string): void => {
    const lines = secret.split(/[\r\n]+/).map(line => line.trim())
    for (const form of [secret, ...lines].flatMap(formsOf)) hidden.add(form)
  }
  const mask = (visible: string): string =>
    [...hidden]
      .sort((a, b) => b.length - a.length)
      .reduce((result, secret) => result.replaceAll(secret, '***'), visible)
  const show = (line: string): void => {
    shown.push(`${mask(line)}\n`)
  }
  const obey = ({ name, title, data }: Command): void => {
    if (name === 'add-mask') hide(data)
    if (name === 'group') show(`▸ ${data}`)
    if (name !== 'error' && name !== 'warning' && name !== 'notice') return

    // The runner cuts before it writes the log, so the log is cut as well.
    const message = mask(data).slice(0, LONGEST_ANNOTATION)
    const alike = annotations.filter(({ kind }) => kind === name)
    if (alike.length < MOST_ANNOTATIONS) {
      annotations.push(title ? { kind: name, message, title } : { kind: name, message })
    }
    shown.push(`${LABELS[name]}: ${message}\n`)
  }

  secrets.forEach(hide)
  // LF, CRLF and a lone CR end a line, and a byte order mark is swallowed: a command may hide behind either.
  for (const line of text.replace(/^\uFEFF|(\r\n|\n|\r)$/g, '').split(/\r\n|\n|\r/)) {
    const command = parseCommand(line)
    if (command) {
      commands.push(command)
      obey(command)
    } else {
      show(line)
    }
  }

  const masks = commands.filter(({ name }) => name === 'add-mask').map(({ data }) => data)
  return {
    log: shown.join(''),
    annotations,
    commands,
    masks,
    mask
  }
}

/** The commands that an action of ours has a reason to print. */
const MEANT = ['add-mask', 'debug', 'endgroup', 'error', 'group', 'notice', 'warning']
/** The commands that the runner acts on; every other name is text. */
const NAMES: readonly string[] = [
  ...MEANT,
  'add-matcher',
  'add-path',
  'echo',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands'
]

/** How a command is written, and what is escaped in its properties and its data. */
interface Notation {
  /** Its groups are the name with the properties, and the data. */
  readonly pattern: RegExp
  /** Stands between two properties. */
  readonly separator: string
  readonly escapes: RegExp
  readonly inData: RegExp
}

const NOTATIONS: readonly Notation[] = [
  {
    // Such as `::error title=a::message`, with nothing but blanks before it.
    // The blanks are those that .NET's TrimStart removes: U+0085 too, which JavaScript's keeps, but not U+FEFF.
    pattern:
      /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*::(.*?)::(.*)$/s,
    separator: ',',
    escapes: /%(0D|0A|25|3A|2C)/g,
    inData: /%(0D|0A|25)/g
  },
  {
    // Such as `##[error title=a]message`, anywhere in the line, but only the first one counts.
    pattern: /##\[(.*?)\](.*)$/s,
    separator: ';',
    escapes: /%(0D|0A|25|3B|5D)/g,
    inData: /%(0D|0A|25|3B|5D)/g
  }
]

/** Reads one line, in either notation. */
function parseCommand(line: string): Command | undefined {
  for (const { pattern, separator, escapes, inData } of NOTATIONS) {
    const [, head = '', data = ''] = pattern.exec(line) ?? []
    const [, name = '', properties = ''] = /^(\S*) ?(.*)$/s.exec(head) ?? []
    if (!NAMES.includes(name.toLowerCase())) continue

    const title = properties.split(separator).find(pair => /^\s*title=./s.test(pair))
    return {
      name: name.toLowerCase(),
      title: title && decode(title.trim().slice('title='.length), escapes),
      data: decode(data, inData),
      line
    }
  }
  return undefined
}

function decode(text: string, escapes: RegExp): string {
  return text.replace(escapes, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** A text as it is and in the encodings that the runner hides along with it. */
function formsOf(text: string): string[] {
  // Base64 depends on where in a text the bytes are; these are the characters that stay the same.
  const base64 = [0, 1, 2]
    .map(offset => Buffer.from(text).subarray(offset))
    .map(inner => inner.toString('base64', 0, inner.length - (inner.length % 3)))
    .filter(form => form.length >= 8)
  const forms = [
    text,
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
    ...base64,
    ...base64.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))
  ]
  return forms.filter(form => form !== '')
}

/** The most that the runner takes, in bytes: of a summary, and of a job's outputs in UTF-16. */
const MAX_BYTES = 1_048_576

/** The faults of a run: outputs that the runner would not take, and commands that no action of ours has a reason for. */
export function faultsOf(commands: readonly Command[], outputs: Texts, summary: string): string[] {
  const unmeant = commands.filter(({ name }) => !MEANT.includes(name))
  const faults = unmeant.map(({ line }) => `Unexpected command: ${line}`)

  const { length } = Object.values(outputs).join('')
  if (2 * length > MAX_BYTES) faults.push('The outputs hold more than 1 MB.')
  if (Buffer.byteLength(summary) > MAX_BYTES) faults.push('The summary is too large.')
  return faults
}

/** Where a credential stands, plain or encoded, whole or in a piece of 16 characters; does not say which one. */
export function findCredential(texts: Texts, credentials: readonly string[]): string | undefined {
  for (const [index, credential] of credentials.entries()) {
    const pieces = formsOf(credential).flatMap(form =>
      Array.from({ length: Math.max(1, form.length - 15) }, (_, at) => form.slice(at, at + 16))
    )
    for (const [place, raw] of Object.entries(texts)) {
      // A step has to print a credential once, to have it hidden.
      const text = raw.replace(/^::add-mask::.*$/gm, '')
      const at = Math.max(...pieces.map(piece => text.indexOf(piece)))
      const before = text.slice(Math.max(0, at - 60), at)
      if (at >= 0) return `Credential ${index + 1} stands in ${place}, after: ${before}`
    }
  }
  return undefined
}
