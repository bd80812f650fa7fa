// The forms of the file: licenses of a page in, bytes out. Values go through as they came.
import { LICENSE_FIELDS, STRIDE } from '../shop/license.ts'
import type { LicensePage } from '../shop/license-page.ts'
import { eachMember } from '../shop/members.ts'
import { BYTE, skipSpace, skipString, skipValue } from '../shop/scan.ts'
import { appendByte, appendBytes, appendText, type Batch } from './batch.ts'
import { openCsv } from './csv.ts'

const LINE_FEED = 0x0a

export const FORMATS = ['json', 'ndjson', 'csv', 'none'] as const
export type Format = (typeof FORMATS)[number]

/** Writes licenses in one form. */
export interface Encoder {
  /** What stands before the first license. */
  begin(batch: Batch): void
  append(batch: Batch, page: LicensePage, picked: readonly number[]): void
  /** What stands after the last. */
  end(batch: Batch): void
}

/** Prepares a form; what it needs is loaded now, and only if it is wanted. */
export async function openEncoder(format: Exclude<Format, 'none'>): Promise<Encoder> {
  switch (format) {
    case 'json':
      return jsonArray()
    case 'ndjson':
      return jsonLines()
    case 'csv':
      return openCsv()
  }
}

function jsonArray(): Encoder {
  let empty = true
  return {
    begin: batch => appendText(batch, '['),
    append: (batch, page, picked) => {
      for (const index of picked) {
        if (!empty) appendByte(batch, BYTE.comma)
        appendByte(batch, LINE_FEED)
        appendLicense(batch, page, index)
        empty = false
      }
    },
    end: batch => appendText(batch, empty ? ']\n' : '\n]\n')
  }
}

function jsonLines(): Encoder {
  return {
    begin: () => undefined,
    append: (batch, page, picked) => {
      for (const index of picked) {
        appendLicense(batch, page, index)
        appendByte(batch, LINE_FEED)
      }
    },
    end: () => undefined
  }
}

/** As the service wrote it, or else the documented fields in their order and then the others, on one line. */
function appendLicense(batch: Batch, { json, spans }: LicensePage, index: number): void {
  const base = index * STRIDE
  const start = spans[base] ?? 0
  const end = spans[base + 1] ?? 0
  if (spans[base + 2] === 1) appendBytes(batch, json, start, end)
  else appendText(batch, rewrite(json, start))
}

function rewrite(json: Buffer, at: number): string {
  const members = new Map<string, string>(LICENSE_FIELDS.map(name => [name, '']))
  eachMember(json, at, (name, start) => {
    const end = skipValue(json, start)
    members.set(name, compact(json, start, end))
    return end
  })
  const parts = Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`)
  return `{${parts.join(',')}}`
}

/** A value's text without the white space around its parts. */
function compact(json: Buffer, start: number, end: number): string {
  const parts: string[] = []
  let from = start
  for (let i = start; i < end; ) {
    const next = json[i] === BYTE.quote ? skipString(json, i) : i + 1
    i = skipSpace(json, next)
    if (i === next) continue
    parts.push(json.toString('utf8', from, next))
    from = i
  }
  return parts.join('') + json.toString('utf8', from, Math.max(from, end))
}
