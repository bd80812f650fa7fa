// The formats of a list: JSON and NDJSON with all fields, one license a line; CSV with the documented ones.
import { FIELDS, type License } from '../shop/licenses.ts'

/** Returns the text of a list piece by piece: call `encode` for one page after another, then `end`. */
interface ListEncoder {
  encode(licenses: readonly License[]): string
  end(): string
}

/** What spreadsheets run, in full-width characters, too: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** The first line of a CSV list. */
export const CSV_HEAD = FIELDS.map(toCell).join(',')
const toJson = (license: License) => JSON.stringify(license)
const toRow = (license: License) => FIELDS.map(field => toCell(license[field])).join(',')

/** What is before the first license, between two, after the last, and all of a list without licenses. */
const FORMATS = {
  json: { toLine: toJson, texts: ['[\n', ',\n', '\n]\n', '[\n]\n'] },
  ndjson: { toLine: toJson, texts: ['', '\n', '\n', ''] },
  none: { toLine: toJson, texts: ['', '', '', ''] },
  csv: { toLine: toRow, texts: [`${CSV_HEAD}\r\n`, '\r\n', '\r\n', `${CSV_HEAD}\r\n`] }
} as const

/** Returns an encoder for one list. */
export function openEncoder(format: keyof typeof FORMATS): ListEncoder {
  const { toLine, texts } = FORMATS[format]
  const [head, between, foot, empty] = texts
  let isEmpty = true
  return {
    encode(licenses) {
      if (licenses.length === 0) return ''
      const before = isEmpty ? head : between
      isEmpty = false
      return before + licenses.map(toLine).join(between)
    },
    end: () => (isEmpty ? empty : foot)
  }
}

/** A quoted cell. A text that could run as a formula gets an apostrophe in front; a number cannot. */
function toCell(value: unknown): string {
  const text = String(value)
  const isFormula = typeof value !== 'number' && FORMULA.test(text)
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`
}
