// The wire shape of a license: where its fields lie in the bytes, or why it is none. Pure.
import { eachMember, kindAt } from './members.ts'
import { BYTE, skipNumber, skipString, skipValue } from './scan.ts'

/** The fields that the service documents for a license, in its order; the last is an integer. */
export const LICENSE_FIELDS = [
  'id',
  'userId',
  'creatorId',
  'productId',
  'expires',
  'maxIps'
] as const

/** Places of fields in that list. */
export const ID = 0
export const PRODUCT_ID = 3
const INTEGER = 5

/**
 * Numbers for each license in `spans`: where the object begins and ends, whether it is tight (the
 * documented fields alone, in their order, without white space), and for each field where its value
 * begins and ends.
 */
export const STRIDE = 3 + 2 * LICENSE_FIELDS.length

/** Where the value of a field begins. */
export function startOf(spans: Uint32Array, index: number, field: number): number {
  return spans[index * STRIDE + 3 + 2 * field] ?? 0
}

/** Where it ends. */
export function endOf(spans: Uint32Array, index: number, field: number): number {
  return spans[index * STRIDE + 4 + 2 * field] ?? 0
}

/** The answer is no page of the documented shape. The message never quotes a value. */
export class PageFault extends Error {
  override readonly name = 'PageFault'
}

const NAMES: readonly string[] = LICENSE_FIELDS
const PREFIXES = LICENSE_FIELDS.map((name, i) => Buffer.from(`${i === 0 ? '{' : ','}"${name}":`))
/** No license takes fewer bytes. */
export const SMALLEST =
  JSON.stringify(Object.fromEntries(LICENSE_FIELDS.map(name => [name, '']))).length - 1
const NONE = new Uint32Array()

/** Notes where the license that begins at `at` and its fields lie; returns the offset after it. */
export function readLicense(json: Buffer, at: number, spans: Uint32Array, index: number): number {
  const base = index * STRIDE
  const tight = readTight(json, at, spans, base)
  const end = tight < 0 ? readLoose(json, at, spans, index) : tight
  spans[base] = at
  spans[base + 1] = end
  spans[base + 2] = tight < 0 ? 0 : 1
  return end
}

/** Reads a license as most servers write it; -1 when this one is written in another way. */
function readTight(json: Buffer, at: number, spans: Uint32Array, base: number): number {
  let i = at
  for (let field = 0; field < PREFIXES.length; field++) {
    const prefix = PREFIXES[field] ?? NONE
    for (let k = 0; k < prefix.length; k++) {
      if (json[i + k] !== prefix[k]) return -1
    }
    i += prefix.length
    const start = i
    if (field === INTEGER) {
      i = skipInteger(json, start)
      if (i < 0) return -1
    } else {
      if (json[start] !== BYTE.quote) return -1
      i = skipString(json, start)
    }
    spans[base + 3 + 2 * field] = start
    spans[base + 4 + 2 * field] = i
  }
  return json[i] === BYTE.closeBrace ? i + 1 : -1
}

/** Reads a license in any order, with any white space and any further fields. */
function readLoose(json: Buffer, at: number, spans: Uint32Array, index: number): number {
  const place = `\`licenses[${index}]`
  if (json[at] !== BYTE.openBrace) throw misfit(`${place}\``, json, at, 'an object')
  const base = index * STRIDE
  const missing = new Set<string>(LICENSE_FIELDS)
  const end = eachMember(json, at, (name, start) => {
    const stop = skipValue(json, start)
    const field = NAMES.indexOf(name)
    if (field < 0) return stop
    const fits = field === INTEGER ? isInteger(json, start, stop) : json[start] === BYTE.quote
    const wanted = field === INTEGER ? 'an integer' : 'a string'
    if (!fits) throw misfit(`${place}.${name}\``, json, start, wanted)
    missing.delete(name)
    spans[base + 3 + 2 * field] = start
    spans[base + 4 + 2 * field] = stop
    return stop
  })
  const [first] = missing
  if (first !== undefined) throw new PageFault(`has no ${place}.${first}\``)
  return end
}

/** The offset after an integer written in digits alone; -1 when it is anything else. */
function skipInteger(json: Buffer, at: number): number {
  const first = json[at] === BYTE.minus ? json[at + 1] : json[at]
  if (first === undefined || first < 0x30 || first > 0x39) return -1
  const end = skipNumber(json, at)
  return isDigits(json, at + 1, end) ? end : -1
}

function isDigits(json: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = json[i] ?? 0
    if (byte < 0x30 || byte > 0x39) return false
  }
  return true
}

/** Also 1.0 and 1e21 are integers, as JavaScript and JSON Schema have it. */
function isInteger(json: Buffer, start: number, end: number): boolean {
  return (
    kindAt(json, start) === 'a number' &&
    Number.isInteger(Number(json.toString('latin1', start, end)))
  )
}

/** A value of the wrong kind. */
export function misfit(place: string, json: Buffer, at: number, wanted: string): PageFault {
  // What is no value at all is no JSON, whatever was wanted.
  skipValue(json, at)
  const kind = kindAt(json, at)
  const found = kind === 'a number' && wanted === 'an integer' ? 'a number that is none' : kind
  return new PageFault(`is not of the documented shape: ${place} is ${found}, not ${wanted}`)
}
