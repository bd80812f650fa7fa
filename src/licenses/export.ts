// The forms of the file: licenses in, text out. Adapter to csv-stringify.
import { LICENSE_FIELDS, type License } from '../shop/license-page.ts'

/** The values of the input `format`. */
export const FORMATS = ['json', 'ndjson', 'csv', 'none'] as const
export type Format = (typeof FORMATS)[number]

/** Writes licenses in one form. */
export interface Encoder {
  /** What stands before the first license. */
  readonly head: string
  /** The licenses of one page; called for one page after another. */
  encode(licenses: readonly License[]): string
  /** What stands after the last license. */
  readonly foot: string
}

/** Prepares a form; what it needs is loaded now, and only if it is wanted. */
export async function openEncoder(format: Exclude<Format, 'none'>): Promise<Encoder> {
  switch (format) {
    case 'json':
      return jsonArray()
    case 'ndjson':
      return { head: '', encode: licenses => licenses.map(lineOf).join(''), foot: '' }
    case 'csv':
      return csv()
  }
}

function lineOf(license: License): string {
  return `${JSON.stringify(license)}\n`
}

function jsonArray(): Encoder {
  let separator = '\n'
  const encode = (licenses: readonly License[]) => {
    let text = ''
    for (const license of licenses) {
      text += separator + JSON.stringify(license)
      separator = ',\n'
    }
    return text
  }
  return { head: '[', encode, foot: '\n]\n' }
}

/** The documented fields, with an apostrophe before what a spreadsheet would run as a formula. */
async function csv(): Promise<Encoder> {
  const { stringify } = await import('csv-stringify/sync')
  const encode = (licenses: readonly License[]) =>
    stringify(licenses.map(cellsOf), {
      record_delimiter: 'windows',
      escape_formulas: true,
      // A lone CR or LF ends a line for most readers, so it needs quotes as well.
      quote_record_delimiter: true
    })
  return { head: `${LICENSE_FIELDS.join(',')}\r\n`, encode, foot: '' }
}

function cellsOf(license: License): (string | number)[] {
  return LICENSE_FIELDS.map(field => license[field])
}
