// The wire shape of a page of licenses: the bytes of an answer in, licenses and the number of the next page out. Pure.
import { isObject } from './version.ts'

/** The fields that the service documents for a license, in its order. */
export const LICENSE_FIELDS = [
  'id',
  'userId',
  'creatorId',
  'productId',
  'expires',
  'maxIps'
] as const

/** A license; at run time it has every field that the service sent, documented or not. */
export type License = Readonly<Record<Exclude<LicenseField, 'maxIps'>, string>> & {
  readonly maxIps: number
}

type LicenseField = (typeof LICENSE_FIELDS)[number]

export interface LicensePage {
  readonly licenses: readonly License[]
  /** The number of the page that follows; undefined at the end of the list. */
  readonly next: number | undefined
}

/** The answer is no page of the documented shape. The message begins with a verb and never quotes a value. */
export class PageShapeError extends Error {
  override readonly name = 'PageShapeError'
}

/** Reads the answer to the request for page `asked`; throws a `PageShapeError` that names the field. */
export function parsePage(body: Buffer, asked: number): LicensePage {
  const page = parseJson(decode(body))
  if (!isObject(page)) throw misfit('the page', page, 'an object')
  if (!Array.isArray(page.licenses)) throw misfit('`licenses`', page.licenses, 'an array')
  const licenses: readonly unknown[] = page.licenses
  assertLicenses(licenses)
  const next = readNext(page.nextPage)
  return { licenses, next: licenses.length > 0 && next > asked ? next : undefined }
}

function decode(body: Buffer): string {
  try {
    // Leaves out a byte order mark, too.
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new PageShapeError('is not UTF-8')
  }
}

/** A number that may lose digits: one with an exponent, or with more than 15 digits. It may also find a text. */
const LONG_NUMBER = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/

function parseJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, refuseLoss) : JSON.parse(text)
  } catch (error) {
    if (error instanceof PageShapeError) throw error
    if (text.trim() === '') throw new PageShapeError('is empty')
    const what = text.trimStart().startsWith('<') ? 'is HTML or XML, not JSON' : 'is not JSON'
    // The parser's own message quotes the text, and so licenses: it is not kept as the cause.
    throw new PageShapeError(`${what} (${text.length} characters)`)
  }
}

function refuseLoss(key: string, value: unknown, { source = '' }: { source?: string } = {}) {
  if (typeof value !== 'number' || canonical(source) === canonical(String(value))) return value
  throw new PageShapeError(`contains a number with too many digits to be kept exactly: \`${key}\``)
}

/** The digits of a decimal number and its power of ten, the same for every way to write it. */
function canonical(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - short.length
  return short === '' ? '0' : `${sign}${short}e${power}`
}

function assertLicenses(licenses: readonly unknown[]): asserts licenses is readonly License[] {
  for (const [index, license] of licenses.entries()) {
    if (!isObject(license)) throw misfit(`\`licenses[${index}]\``, license, 'an object')
    for (const field of LICENSE_FIELDS) {
      const value = license[field]
      if (field === 'maxIps' ? Number.isInteger(value) : typeof value === 'string') continue
      const wanted = field === 'maxIps' ? 'an integer' : 'a string'
      throw misfit(`\`licenses[${index}].${field}\``, value, wanted)
    }
  }
}

/** The number of the next page, also as a text of digits; 0 where the value says that there is none. */
function readNext(value: unknown): number {
  if (value === undefined || value === null) return 0
  const next = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (typeof next === 'number' && Number.isSafeInteger(next)) return next
  throw misfit('`nextPage`', value, 'an integer')
}

function misfit(place: string, value: unknown, wanted: string): PageShapeError {
  if (value === undefined) return new PageShapeError(`has no ${place}`)
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : KINDS[typeof value]
  return new PageShapeError(`is not of the documented shape: ${place} is ${found}, not ${wanted}`)
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  number: 'a number',
  object: 'an object',
  string: 'a string'
}
