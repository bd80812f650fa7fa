// The service's answers: unknown JSON in, a version record or an error out; and who answered: the shop's API, or a server
// in front of it that speaks in its place.

import { type Answer, headerOf } from '../http/exchange.ts'
import { isObject } from '../runner/json.ts'
import { concealReceived } from '../runner/secrets.ts'

/** `id`: decimal digits, since a number may not hold it; `fields`: all that came, documented or not. */
export type VersionRecord = Readonly<{ id: string; fields: Readonly<Record<string, unknown>> }>

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

/** A documented failure: a message, and for a wrong form the complaints by field. */
export interface ServiceError {
  readonly message: string
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** The record in a body of the form `{ data: { id: integer, … } }`, or undefined for anything else. */
export function parseVersion(body: Buffer): VersionRecord | undefined {
  const answer = parseKeepingDigits(body)
  const data = isObject(answer) ? answer.data : undefined
  if (!isObject(data)) return undefined
  // As the digits that came: a number may not hold them.
  const id = JSON.stringify(data.id) ?? ''
  const fields = Object.entries(data).filter(([, value]) => isWithin(64, value))
  return /^-?\d+$/.test(id) ? { id, fields: Object.fromEntries(fields) } : undefined
}

/** The failure in a body of one of the two documented shapes, or undefined for anything else. */
export function parseError(body: Buffer): ServiceError | undefined {
  const answer = parseKeepingDigits(body)
  if (!isObject(answer) || typeof answer.message !== 'string') return undefined
  const complaints = isObject(answer.errors) ? Object.entries(answer.errors) : []
  const say = (text: unknown) => (typeof text === 'object' && text !== null ? '…' : String(text))
  const fields = complaints.map(
    ([field, texts]) => [field, (Array.isArray(texts) ? texts : [texts]).map(say)] as const
  )
  return { message: answer.message, fields: Object.fromEntries(fields) }
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
  // A reviver makes the reading of a long text several times slower.
  const reviver = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && /^-?\d{16,}$/.test(source) ? JSON.rawJSON(source) : value
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, reviver) : JSON.parse(text)
  } catch (error) {
    // JSON nested too deeply for the reviver, which recurses, loses only the digits.
    return error instanceof RangeError ? JSON.parse(text) : undefined
  }
}

/** Whether a value is nested no deeper; anything deeper would exhaust its reader's stack. */
function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(inner => isWithin(depth - 1, inner))
}

/** What an answer shows of its sender. */
export interface Answered {
  readonly status: number
  readonly error: ServiceError | undefined
  /** An HTML page in place of JSON, as from a storefront, a login page, a gateway, or a firewall. */
  readonly webPage: boolean
  /** The page's own title; empty without one. */
  readonly title: string
  /** What the server calls itself, such as `nginx`, without a version; empty if it does not say. */
  readonly server: string
  /** Where a redirect points; empty without one. */
  readonly location: string
}

/** In bytes: how much of a page is searched for what it says of itself. */
const PAGE_START = 8192
const TITLE_LENGTH = 80

/** Takes the credentials of the step out of a text. */
export type Conceal = (text: string) => string

/** Reads what an answer shows of its sender. Its words may repeat credentials, which are concealed. */
export function readAnswered(answer: Answer, conceal: Conceal): Answered {
  const { status, body, truncated } = answer
  const receive = (text: string) => concealReceived(text, conceal)
  const start = body.toString('utf8', 0, PAGE_START)
  const said = truncated ? undefined : parseError(body)
  const error = said && concealError(said, receive)
  const isHtml =
    /^text\/html\b/i.test(headerOf(answer, 'content-type')) ||
    /^\s*<(!doctype\s+html|html)\b/i.test(start)
  // Some servers call their JSON HTML.
  const webPage = isHtml && error === undefined
  return {
    status,
    error,
    webPage,
    title: webPage ? titleOf(start, receive) : '',
    server: /^[a-z][\w-]{0,30}/i.exec(receive(headerOf(answer, 'server')))?.[0] ?? '',
    location: receive(headerOf(answer, 'location'))
  }
}

function concealError({ message, fields }: ServiceError, receive: Conceal): ServiceError {
  const complaints = Object.entries(fields).map(
    ([field, texts]) => [receive(field), texts.map(receive)] as const
  )
  return { message: receive(message), fields: Object.fromEntries(complaints) }
}

/** A title that does not end within the limits is none: a credential in it might be cut in two. */
function titleOf(page: string, receive: Conceal): string {
  const [, title = ''] = /<title[^>]{0,100}>([^<]{1,500})</i.exec(page) ?? []
  const text = receive(title).replace(/\s+/g, ' ').trim()
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH).toWellFormed()}…` : text
}
