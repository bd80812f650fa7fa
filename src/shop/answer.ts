// The service's answers: unknown JSON in, a version record or an error out; and who answered: the shop's API, or a server
// in front of it that speaks in its place.
import { type Answer, headerOf } from '../http/exchange.ts'
import { isObject } from '../runner/json.ts'

/** A version as the service has recorded it. */
export interface VersionRecord {
  /** Decimal digits, since a number may not hold it. */
  readonly id: string
  /** All fields that came, documented or not. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The fields that the service documents for a version record, in its order. */
export const VERSION_FIELDS = [
  'id',
  'product_id',
  'option_id',
  'purchase_benefit_id',
  'benefit_name',
  'version_number',
  'title',
  'changelog',
  'download_url',
  'file_name',
  'created_at',
  'updated_at'
] as const

/** A documented failure. */
export interface ServiceError {
  readonly message: string
  /** The complaints about a wrong form, by field; empty for any other failure. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** A field that is nested more deeply would exhaust the stack of its reader. */
const MAX_JSON_LEVELS = 64

/** The record in an answer of the form `{ data: { id: integer, … } }`, or undefined for anything else. */
export function parseVersion(answer: Pick<Answer, 'body'>): VersionRecord | undefined {
  const json = parseKeepingDigits(answer.body)
  const data = isObject(json) ? json.data : undefined
  if (!isObject(data)) return undefined

  // As the digits that came: a number may not hold them.
  const id = JSON.stringify(data.id) ?? ''
  if (!/^-?\d+$/.test(id)) return undefined

  const fields = Object.entries(data).filter(([, value]) => isShallow(value))
  return { id, fields: Object.fromEntries(fields) }
}

/** The failure in a body of one of the two documented shapes, or undefined for anything else. */
export function parseError(body: Buffer): ServiceError | undefined {
  const answer = parseKeepingDigits(body)
  if (!isObject(answer) || typeof answer.message !== 'string') return undefined

  const complaints = isObject(answer.errors) ? Object.entries(answer.errors) : []
  const fields = complaints.map(([field, texts]): [string, readonly string[]] => [
    field,
    (Array.isArray(texts) ? texts : [texts]).map(describeComplaint)
  ])
  return { message: answer.message, fields: Object.fromEntries(fields) }
}

function describeComplaint(text: unknown): string {
  return typeof text === 'object' && text !== null ? '…' : String(text)
}

declare global {
  interface JSON {
    /** https://tc39.es/proposal-json-parse-with-source/, which TypeScript's library lacks. */
    rawJSON(text: string): object
  }
}

/**
 * The value of a JSON text; undefined for any other text. Integers that a number cannot hold keep their digits. Some
 * servers let a byte order mark slip in.
 */
export function parseKeepingDigits(body: Buffer): unknown {
  const text = body.toString().replace(/^\ufeff/, '')
  try {
    // A reviver makes the reading of a long text several times slower.
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch (error) {
    // JSON nested too deeply for the reviver, which recurses, loses only the digits.
    return error instanceof RangeError ? JSON.parse(text) : undefined
  }
}

/** A reviver: an integer of 16 digits or more stays as it was written. */
function keepDigits(_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  const isLong = typeof value === 'number' && /^-?\d{16,}$/.test(source)
  return isLong ? JSON.rawJSON(source) : value
}

/** Whether a value can be written as JSON: one that is nested too deeply can be read, but not written. */
export function isShallow(value: unknown): boolean {
  return isWithin(MAX_JSON_LEVELS, value)
}

/** Whether a value has no more levels than these. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(inner => isWithin(depth - 1, inner))
}

/** An answer, as far as it shows who sent it. */
export interface AnswerOrigin {
  readonly status: number
  readonly error: ServiceError | undefined
  /** An HTML page in place of JSON, as from a storefront, a login page, a gateway, or a firewall. */
  readonly webPage: boolean
  /** The page's own title; empty without one. */
  readonly title: string
  /** The first words of an answer that is not JSON, without tags; empty for any other. */
  readonly firstWords: string
  /** A 401 that asks for a user and a password, as a front server does. */
  readonly asksPassword: boolean
  /** The server's own name for itself, such as `nginx`, without a version; empty if it gives none. */
  readonly server: string
  /** Where a redirect points; empty without one. */
  readonly location: string
}

/** So much of a page is searched for what it says of itself. */
const PAGE_START_CHARACTERS = 8192
/** How much of a title is shown. */
const TITLE_MAX_CHARACTERS = 80
/** How much is shown of an answer that is not JSON. */
const WORDS_MAX_CHARACTERS = 80

/** Takes the credentials of the step out of a text. */
export type Conceal = (text: string) => string

/** Reads who sent an answer. Its words may repeat credentials, which are concealed. */
export function readAnswered(answer: Answer, conceal: Conceal): AnswerOrigin {
  const { status, body, truncated } = answer
  const start = body.toString('utf8', 0, PAGE_START_CHARACTERS)
  const said = truncated ? undefined : parseError(body)
  const error = said && concealError(said, conceal)

  // Some servers send JSON with the content type of HTML.
  const webPage = isHtml(answer, start) && error === undefined
  return {
    status,
    error,
    webPage,
    title: webPage ? titleOf(start, conceal) : '',
    firstWords: firstWordsOf(body, start, conceal),
    asksPassword: status === 401 && /^basic\b/i.test(headerOf(answer, 'www-authenticate')),
    server: describeServer(conceal(headerOf(answer, 'server'))),
    location: conceal(headerOf(answer, 'location'))
  }
}

function isHtml(answer: Answer, start: string): boolean {
  const isCalledSo = /^text\/html\b/i.test(headerOf(answer, 'content-type'))
  return isCalledSo || /^\s*<(!doctype\s+html|html)\b/i.test(start)
}

/** The first name in a `Server` header: the `nginx` of `nginx/1.22.1 (Ubuntu)`. */
function describeServer(header: string): string {
  return /^[a-z][\w-]{0,30}/i.exec(header)?.[0] ?? ''
}

function concealError({ message, fields }: ServiceError, conceal: Conceal): ServiceError {
  const complaints = Object.entries(fields).map(([field, texts]): [string, readonly string[]] => [
    conceal(field),
    texts.map(conceal)
  ])
  return { message: conceal(message), fields: Object.fromEntries(complaints) }
}

/** Such as `Warning: Undefined variable`, which PHP prints before the JSON. */
function firstWordsOf(body: Buffer, start: string, conceal: Conceal): string {
  if (parseKeepingDigits(body) !== undefined) return ''
  const text = conceal(start)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > WORDS_MAX_CHARACTERS
    ? `${text.slice(0, WORDS_MAX_CHARACTERS).toWellFormed()}…`
    : text
}

/** A title that does not end within the limits is none: a credential in it might be cut in two. */
function titleOf(page: string, conceal: Conceal): string {
  const [, title = ''] = /<title[^>]{0,100}>([^<]{1,500})</i.exec(page) ?? []
  const text = conceal(title).replace(/\s+/g, ' ').trim()
  return text.length > TITLE_MAX_CHARACTERS
    ? `${text.slice(0, TITLE_MAX_CHARACTERS).toWellFormed()}…`
    : text
}
