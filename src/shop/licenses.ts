// The service's pages of licenses: bytes in, checked licenses out.
import { isUtf8 } from 'node:buffer'
import { isObject } from '../runner/json.ts'
import { counted } from '../runner/words.ts'
import { isShallow, parseKeepingDigits } from './answer.ts'

/** The fields that the service documents for a license, in its order. */
export const FIELDS = ['id', 'userId', 'creatorId', 'productId', 'expires', 'maxIps'] as const

/** A license; at run time it has every field that the service sent, documented or not. */
export interface License {
  readonly [field: string]: unknown
  readonly id: string
  readonly productId: string | null
}

/** A page of the list. */
export interface LicensePage {
  readonly licenses: readonly License[]
  /** The page that the service names as the next; undefined when it names none (left out, null or 0). */
  readonly next: number | undefined
}

/** Reads a page. Throws an `Error` that names the field, and quotes no value; it is worded to follow "The page". */
export function parsePage(body: Buffer): LicensePage {
  if (!isUtf8(body)) throw new Error('is not UTF-8')

  const page = parseKeepingDigits(body)
  if (page === undefined) throw new Error(`is not JSON (${counted(body.length, 'byte')})`)
  if (!isObject(page)) throw misfit('the page', page, 'an object')
  if (!Array.isArray(page.licenses)) throw misfit('`licenses`', page.licenses, 'an array')

  const licenses: readonly unknown[] = page.licenses
  assertLicenses(licenses)
  return { licenses, next: parseNext(page.nextPage ?? 0) }
}

/** The page that is named as the next, as a number or in digits; undefined for 0. */
function parseNext(given: unknown): number | undefined {
  const next = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given
  if (typeof next !== 'number' || !Number.isSafeInteger(next)) {
    throw misfit('`nextPage`', given, 'an integer')
  }
  return next === 0 ? undefined : next
}

/** Every id is kept while a list is read, and a `Set` takes longer and longer for very long ones. */
const ID_MAX_CHARACTERS = 1000

function assertLicenses(licenses: readonly unknown[]): asserts licenses is readonly License[] {
  for (const [index, license] of licenses.entries()) {
    if (!isObject(license)) throw misfit(`\`licenses[${index}]\``, license, 'an object')

    for (const name of FIELDS) {
      const value = license[name]
      const isNumber = name === 'maxIps'
      if (value === null && name !== 'id') continue
      if (isNumber ? Number.isInteger(value) : typeof value === 'string') continue
      throw misfit(`\`licenses[${index}].${name}\``, value, isNumber ? 'an integer' : 'a string')
    }

    const { id } = license
    if (typeof id === 'string' && id.length > ID_MAX_CHARACTERS) {
      throw new Error(`has a \`licenses[${index}].id\` of ${id.length} characters`)
    }
    if (!isShallow(license)) throw new Error(`has \`licenses[${index}]\` nested too deeply`)
  }
}

function misfit(place: string, value: unknown, wanted: string): Error {
  if (value === undefined) return new Error(`has no ${place}`)
  const shape = `${place} is ${describeType(value)}, not ${wanted}`
  return new Error(`is not of the documented shape: ${shape}`)
}

/** Such as `a string`, `an array` or `null`. */
function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
