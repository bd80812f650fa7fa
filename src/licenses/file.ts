// The file of the licenses: how they are written, and that it is complete or absent.
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { messageOf } from '../runner/words.ts'
import { FIELDS, type License } from '../shop/licenses.ts'

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
  /** In bytes. */
  #size = 0

  constructor(path: string, draftPath: string, handle: FileHandle) {
    this.#path = path
    this.#draftPath = draftPath
    this.#handle = handle
  }

  async write(text: string): Promise<void> {
    this.#size += Buffer.byteLength(text)
    await this.#handle.appendFile(text).catch(cause => throwUnwritable(this.#path, cause))
  }

  /** Renames it to its path, in place of what had it; resolves with its size in bytes. */
  async finish(): Promise<number> {
    const fail = (cause: unknown) => throwUnwritable(this.#path, cause)
    await this.#handle.close().catch(fail)
    await rename(this.#draftPath, this.#path).catch(fail)
    return this.#size
  }

  /** Removes it, unless it is finished. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    await rm(this.#draftPath, { force: true }).catch(() => undefined)
  }
}

/**
 * The beginning of a formula, which spreadsheets run: `=1+1`, `a;-1`, `x;"=1`, `＠x` in full-width characters, also behind
 * white space (https://owasp.org/www-community/attacks/CSV_Injection). Many of them split at other separators than the
 * comma, and take a quote behind one for the start of a cell.
 */
const FORMULA = /(^|[,;:|\t\r\n])((?:(?![\t\r\n])["\s\p{C}])*[=+\-@＝＋－＠])/gu

/** The formats that a list may be written in. */
export type FileFormat = 'json' | 'csv'

/** How a list is written. */
interface ListFormat {
  readonly head: string
  toLine(license: License): string
  /** Between two licenses. */
  readonly between: string
  readonly foot: string
}

const FORMATS: Readonly<Record<FileFormat, ListFormat>> = {
  json: {
    head: '[',
    toLine: license => `\n${JSON.stringify(license)}`,
    between: ',',
    foot: '\n]\n'
  },
  csv: {
    head: toRow(FIELDS),
    toLine: license => toRow(FIELDS.map(field => license[field])),
    between: '',
    foot: ''
  }
}

/** The text of a list, piece by piece: call `encode` for one page after another, then `end`. */
export function openEncoder(format: FileFormat): ListEncoder {
  return new ListEncoder(FORMATS[format])
}

class ListEncoder {
  readonly #format: ListFormat
  #before: string

  constructor(format: ListFormat) {
    this.#format = format
    this.#before = format.head
  }

  encode(licenses: readonly License[]): string {
    if (licenses.length === 0) return ''

    const { toLine, between } = this.#format
    const text = this.#before + licenses.map(toLine).join(between)
    this.#before = between
    return text
  }

  /** The rest; of a list without licenses, all of it. */
  end(): string {
    const { head, foot } = this.#format
    return this.#before === head ? head + foot : foot
  }
}

function toRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

/** A quoted cell. Text that could run as a formula gets an apostrophe in front; a number cannot. */
function toCell(value: unknown): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'number' ? text : text.replace(FORMULA, "$1'$2")
  // Some spreadsheets drop such a character, and run what follows it.
  const start = /^[\t\r\n]/.test(harmless) ? "'" : ''
  return `"${start}${harmless.replaceAll('"', '""')}"`
}
