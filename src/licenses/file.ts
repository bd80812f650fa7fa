// The file of the licenses: how they are written, and that it is complete or absent.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/json.ts'
import { FIELDS, type License } from '../shop/licenses.ts'

/** In characters: less is kept until there is more. */
const WRITE_SIZE = 64 * 1024

/** Opens a file that has a temporary name until it is complete. Throws an `ActionError` (`output`), as its methods do. */
export async function openDraft(path: string) {
  const fail = (cause: unknown) => {
    const message = `${path} could not be written: ${textAt(cause, 'message')}.`
    throw new ActionError('output', message, { advice: 'Check the input `output`.', cause })
  }
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) fail(new Error('it exists and is not a file'))
  await mkdir(dirname(path), { recursive: true }).catch(fail)
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  const handle = await open(draft, 'wx', 0o600).catch(fail)
  let pending = ''
  let size = 0
  const flush = async () => {
    const bytes = Buffer.from(pending)
    pending = ''
    size += bytes.length
    await handle.appendFile(bytes).catch(fail)
  }
  return {
    async write(text: string): Promise<void> {
      pending += text
      if (pending.length >= WRITE_SIZE) await flush()
    },
    /** Renames it to its path, in place of what had it; resolves with its size in bytes. */
    async finish(): Promise<number> {
      await flush()
      await handle.close().catch(fail)
      await rename(draft, path).catch(fail)
      return size
    },
    /** Removes it, unless it is finished. */
    async discard(): Promise<void> {
      await handle.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }
}

/**
 * What spreadsheets run, in full-width characters, too: https://owasp.org/www-community/attacks/CSV_Injection. Many of
 * them split at other separators than the comma, and do not see the quotes then.
 */
const FORMULA = /(^|[,;:|\t\r\n])((?:(?![\t\r\n])[\s\p{C}])*[=+\-@＝＋－＠])/gu

/** The first line of a CSV list. */
const CSV_HEAD = FIELDS.map(toCell).join(',')
const toJson = (license: License) => JSON.stringify(license)
const toRow = (license: License) => FIELDS.map(field => toCell(license[field])).join(',')

/** What is before the first license, between two, after the last, and all of a list without licenses. */
const FORMATS = {
  json: { toLine: toJson, texts: ['[\n', ',\n', '\n]\n', '[\n]\n'] },
  ndjson: { toLine: toJson, texts: ['', '\n', '\n', ''] },
  none: { toLine: toJson, texts: ['', '', '', ''] },
  csv: { toLine: toRow, texts: [`${CSV_HEAD}\r\n`, '\r\n', '\r\n', `${CSV_HEAD}\r\n`] }
} as const

/** The text of a list, piece by piece: call `encode` for one page after another, then `end`. */
export function openEncoder(format: keyof typeof FORMATS) {
  const { toLine, texts } = FORMATS[format]
  const [head, between, foot, empty] = texts
  let isEmpty = true
  return {
    encode(licenses: readonly License[]): string {
      if (licenses.length === 0) return ''
      const before = isEmpty ? head : between
      isEmpty = false
      return before + licenses.map(toLine).join(between)
    },
    end: (): string => (isEmpty ? empty : foot)
  }
}

/** A quoted cell. What could run as a formula gets an apostrophe in front; a number cannot. */
function toCell(value: unknown): string {
  const text = String(value)
  const harmless = typeof value === 'number' ? text : text.replace(FORMULA, "$1'$2")
  // Some spreadsheets drop such a character, and run what follows it.
  const start = /^[\t\r\n]/.test(harmless) ? "'" : ''
  return `"${start}${harmless.replaceAll('"', '""')}"`
}
