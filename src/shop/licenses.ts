// The service's pages of licenses: bytes in, checked licenses out.
import { counted } from '../runner/text.ts'
import { isObject } from './answer.ts'

/** The fields that the service documents for a license, in its order. */
export const FIELDS = ['id', 'userId', 'creatorId', 'productId', 'expires', 'maxIps'] as const

/** A license; at run time it has every field that the service sent, documented or not. */
export type License = Readonly<
  Record<string, unknown> & { id: string; productId: string; expires: string }
>

export interface LicensePage {
  readonly licenses: readonly License[]
  /** The page that the service names as the next; undefined when it names none (left out, null or 0). */
  readonly next: number | undefined
}

/** Reads a page. Its errors name the field, and quote no value. */
export function parsePage(body: Buffer): LicensePage {
  const page = parsePageText(body)
  if (!isObject(page)) throw misfit('the page', page, 'an object')
  if (!Array.isArray(page.licenses)) throw misfit('`licenses`', page.licenses, 'an array')
  const licenses: readonly unknown[] = page.licenses
  assertLicenses(licenses)
  const given = page.nextPage ?? 0
  const next = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given
  if (typeof next !== 'number' || !Number.isSafeInteger(next)) {
    throw misfit('`nextPage`', given, 'an integer')
  }
  return { licenses, next: next === 0 ? undefined : next }
}

/** A number that may lose digits: one with an exponent, or over 15 digits. Strings may match, too. */
const LONG_NUMBER = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/

function parsePageText(body: Buffer): unknown {
  let text = ''
  let page: unknown
  try {
    // Leaves out a byte order mark, too.
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    page = JSON.parse(text)
  } catch {
    if (body.length > 0 && text === '') throw new Error('is not UTF-8')
    if (text.trim() === '') throw new Error('is empty')
    const what = text.trimStart().startsWith('<') ? 'is HTML or XML, not JSON' : 'is not JSON'
    // The parser's own message quotes the text, and so licenses: it is not kept as the cause.
    throw new Error(`${what} (${counted(text.length, 'character')})`)
  }
  return LONG_NUMBER.test(text) ? JSON.parse(text, refuseLoss) : page
}

/** A reviver that throws for lost digits: 15 always fit, unless the exponent is too large or too small. */
function refuseLoss(key: string, value: unknown, { source = '' }: { source?: string } = {}) {
  if (typeof value !== 'number' || source === String(value)) return value
  const digits = source.replace(/e.*/i, '').replace(/^-?[0.]*|\./g, '')
  const isInRange = Number.isFinite(value) && (value !== 0 || digits === '')
  if (isInRange && digits.replace(/0+$/, '').length <= 15) return value
  throw new Error(
    `contains a number with too many digits to be kept exactly: \`${withoutIds(key)}\``
  )
}

function assertLicenses(licenses: readonly unknown[]): asserts licenses is readonly License[] {
  for (const [index, license] of licenses.entries()) {
    if (!isObject(license)) throw misfit(`\`licenses[${index}]\``, license, 'an object')
    const field = FIELDS.find(name => !isField(license, name))
    if (field === undefined) continue
    const wanted = field === 'maxIps' ? 'an integer' : 'a string'
    throw misfit(`\`licenses[${index}].${field}\``, license[field], wanted)
  }
}

/** Whether a value has the documented fields of a license. */
export function isLicense(value: unknown): value is License {
  return isObject(value) && FIELDS.every(name => isField(value, name))
}

function isField(license: Readonly<Record<string, unknown>>, name: (typeof FIELDS)[number]) {
  const value = license[name]
  return name === 'maxIps' ? Number.isInteger(value) : typeof value === 'string'
}

function misfit(place: string, value: unknown, wanted: string): Error {
  if (value === undefined) return new Error(`has no ${place}`)
  const kind = typeof value === 'object' ? 'an object' : `a ${typeof value}`
  const found = Array.isArray(value) ? 'an array' : kind
  const shape = `${place} is ${value === null ? 'null' : found}, not ${wanted}`
  return new Error(`is not of the documented shape: ${shape}`)
}

/** What ids are called, and begin with in many shops. */
const OWNER = /^(?:licen[cs]e|lic|user|usr|customer|cus|buyer|member|owner|account|acct)(?:s|id)?$/i
/** In characters; a longer word is no word of a language. */
const LONGEST_WORD = 20

/** A text of the shop with `…` in place of what looks like the id or the address of a license or a user. */
export function withoutIds(text: string): string {
  let before = ''
  return text.replaceAll(/[\p{L}\p{M}\p{N}_@-]+(?:\.[\p{L}\p{M}\p{N}_@-]+)*/gu, word => {
    const isHidden = looksLikeId(word, before)
    before = word
    return isHidden ? '…' : word
  })
}

function looksLikeId(word: string, before: string): boolean {
  // Versions, rates, and IP addresses.
  if (/^v?\d+(?:\.\d+)+$/.test(word)) return false
  const [start = ''] = word.split(/[_-]/)
  if (/@/.test(word) || word.length > LONGEST_WORD) return true
  if (start !== word && OWNER.test(start)) return true
  const isNamed = OWNER.test(before) || /^id$/i.test(before)
  return /\p{N}/u.test(word) && (word.length >= 5 || word.includes('_') || isNamed)
}
