// The file of the licenses: how they are written, and that it is complete or absent.
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { messageOf } from '../runner/words.ts'
import { FIELDS, type License } from '../shop/licenses.ts'

/** Less is kept until there is more. */
const WRITE_BYTES = 64 * 1024

/** Opens a file that has a temporary name until it is complete. Throws an `ActionError` (`output`), as its methods do. */
export async function openDraft(path: string): Promise<Draft> {
  const fail = (cause: unknown) => throwUnwritable(path, cause)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) fail(new Error('it exists and is not a file'))

  await mkdir(dirname(path), { recursive: true }).catch(fail)
  const draftPath = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  const handle = await open(draftPath, 'wx', 0o600).catch(fail)
  return new Draft(path, draftPath, handle)
}

function throwUnwritable(path: string, cause: unknown): never {
  const message = `${path} could not be written: ${messageOf(cause)}.`
  throw new ActionError('output', message, { advice: 'Check the input `output`.', cause })
}

/** A file that is being written. */
class Draft {
  readonly #path: string
  readonly #draftPath: string
  readonly #handle: FileHandle
  /** Not written yet. */
  #pending = ''
  /** In bytes. */
  #size = 0

  constructor(path: string, draftPath: string, handle: FileHandle) {
    this.#path = path
    this.#draftPath = draftPath
    this.#handle = handle
  }

  async write(text: string): Promise<void> {
    this.#pending += text
    if (this.#pending.length >= WRITE_BYTES) await this.#flush()
  }

  /** Renames it to its path, in place of what had it; resolves with its size in bytes. */
  async finish(): Promise<number> {
    const fail = (cause: unknown) => throwUnwritable(this.#path, cause)
    await this.#flush()
    await this.#handle.close().catch(fail)
    await rename(this.#draftPath, this.#path).catch(fail)
    return this.#size
  }

  /** Removes it, unless it is finished. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.#draftPath, { force: true }).catch(() => undefined)
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#pending)
    this.#pending = ''
    this.#size += bytes.length
    await this.#handle.appendFile(bytes).catch(cause => throwUnwritable(this.#path, cause))
  }
}

/**
 * `=1+1`, `a;-1`, `＠x`: what spreadsheets run, in full-width characters, too, and behind white space:
 * https://owasp.org/www-community/attacks/CSV_Injection. Many of them split at other separators than the comma, and do
 * not see the quotes then.
 */
const FORMULA = /(^|[,;:|\t\r\n])((?:(?![\t\r\n])[\s\p{C}])*[=+\-@＝＋－＠])/gu

/** The formats that a list may be written in. */
export type FileFormat = 'json' | 'ndjson' | 'csv'

/** How a list is written. */
interface ListFormat {
  toLine(license: License): string
  /** In front of the first license. */
  readonly head: string
  /** Between two licenses. */
  readonly between: string
  /** After the last license. */
  readonly foot: string
  /** All of a list without licenses. */
  readonly empty: string
}

/** The first line of a CSV list. */
const CSV_HEAD = `${FIELDS.map(toCell).join(',')}\r\n`

const FORMATS: Readonly<Record<FileFormat, ListFormat>> = {
  json: {
    toLine: toJson,
    head: '[\n',
    between: ',\n',
    foot: '\n]\n',
    empty: '[\n]\n'
  },
  ndjson: {
    toLine: toJson,
    head: '',
    between: '\n',
    foot: '\n',
    empty: ''
  },
  csv: {
    toLine: toRow,
    head: CSV_HEAD,
    between: '\r\n',
    foot: '\r\n',
    empty: CSV_HEAD
  }
}

/** The text of a list, piece by piece: call `encode` for one page after another, then `end`. */
export function openEncoder(format: FileFormat): ListEncoder {
  return new ListEncoder(FORMATS[format])
}

class ListEncoder {
  readonly #format: ListFormat
  #isEmpty = true

  constructor(format: ListFormat) {
    this.#format = format
  }

  encode(licenses: readonly License[]): string {
    if (licenses.length === 0) return ''

    const { toLine, head, between } = this.#format
    const before = this.#isEmpty ? head : between
    this.#isEmpty = false
    return before + licenses.map(toLine).join(between)
  }

  end(): string {
    return this.#isEmpty ? this.#format.empty : this.#format.foot
  }
}

function toJson(license: License): string {
  return JSON.stringify(license)
}

function toRow(license: License): string {
  return FIELDS.map(field => toCell(license[field])).join(',')
}

/** A quoted cell. Text that could run as a formula gets an apostrophe in front; a number cannot. */
function toCell(value: unknown): string {
  const text = String(value)
  const harmless = typeof value === 'number' ? text : text.replace(FORMULA, "$1'$2")
  // Some spreadsheets drop such a character, and run what follows it.
  const start = /^[\t\r\n]/.test(harmless) ? "'" : ''
  return `"${start}${harmless.replaceAll('"', '""')}"`
}
