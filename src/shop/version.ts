// The service's answers to a publication: unknown JSON in, a version record or an error out.

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
  const { id } = data
  const isInteger = typeof id === 'bigint' || (typeof id === 'number' && Number.isInteger(id))
  const fields = Object.entries(data).filter(([, value]) => isWithin(64, value))
  return isInteger ? { id: BigInt(id).toString(), fields: Object.fromEntries(fields) } : undefined
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

/** Whether a JSON value is an object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Integers that a number cannot hold become bigints. Some servers let a byte order mark slip in. */
function parseKeepingDigits(body: Buffer): unknown {
  const text = body.toString().replace(/^\ufeff/, '')
  try {
    return JSON.parse(text, keepDigits)
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

function keepDigits(_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}
