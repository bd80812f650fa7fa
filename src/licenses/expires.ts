// Which licenses expire soon. The service does not document the form of `expires`: ISO dates and times are read.
import { ListingError } from './pages.ts'

const MS_PER_DAY = 24 * 60 * 60 * 1000

/** From the first to the last moment, in milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(?:Z|([+-]\d\d):?(\d\d)?)?)?$/i

/**
 * Returns when an ISO 8601 text is: a date is the whole day, and without a zone it is in UTC. Returns undefined
 * for another text, and for a date that no calendar has, such as February 30.
 */
export function parseExpiry(text: string): Span | undefined {
  const [, date, time, second = '00', zone = '+00', minutes = '00'] = ISO.exec(text.trim()) ?? []
  if (date === undefined) return undefined
  const midnight = Date.parse(`${date}T00:00Z`)
  // `Date` takes February 30 for March 2.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  if (time === undefined) return { from: midnight, to: midnight + MS_PER_DAY - 1 }
  // `Date` knows no leap seconds.
  const [before, after] = second === '60' ? ['59', 1000] : [second, 0]
  const moment = Date.parse(`${date}T${time}:${before}${zone}:${minutes}`) + after
  return Number.isNaN(moment) ? undefined : { from: moment, to: moment }
}

/**
 * Returns a function that says whether a license expires within so many days from `now`. A text without a digit
 * (`never`) is no date. Any other that is not read throws a `ListingError` with its shape, never its value.
 */
export function makeExpiryFilter(now: number, days: number): (expires: string) => boolean {
  const end = now + days * MS_PER_DAY
  return expires => {
    const span = parseExpiry(expires)
    if (span) return span.to >= now && span.from <= end
    if (!/\p{N}/u.test(expires)) return false
    throw new ListingError(
      'strange-answer',
      `A license has an expiry date of the form \`${shapeOf(expires)}\` (each digit as 0, each letter as a), so nobody knows whether it expires soon: only dates such as 2027-03-01 and times such as 2027-03-01T18:00:00Z are read`,
      'Leave out `expires-within`, or ask the shop for ISO dates.'
    )
  }
}

/** In characters. */
const LONGEST_SHAPE = 40

function shapeOf(text: string): string {
  const shape = text
    .slice(0, LONGEST_SHAPE)
    .replaceAll(/[\p{L}\p{M}]/gu, 'a')
    .replaceAll(/\p{N}/gu, '0')
    .replaceAll(/[^a0 !-/:-@[-_{-~]/gu, '?')
  return text.length > LONGEST_SHAPE ? `${shape}…` : shape
}
