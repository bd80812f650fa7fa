// What says that a try may be repeated, and when; how long a run waits at most is in http/pause.ts. Pure.
import type { Answer } from '../http/exchange.ts'

/** `Retry-After` in milliseconds: seconds, or a date, which is measured against the answer's own date. */
export function retryAfter({ headers }: Answer): { after?: number } {
  const value = [headers['retry-after'] ?? []].flat()[0]?.trim() ?? ''
  if (/^\d+$/.test(value)) return { after: Number(value) * 1000 }
  // A date starts with the day of the week. `Date.parse` takes "-5" for one, too, in 2001.
  const until = /^[A-Z][a-z]{2,8},/.test(value) ? Date.parse(value) : Number.NaN
  const now = Date.parse(String(headers.date ?? ''))
  if (Number.isNaN(until)) return {}
  return { after: Math.max(until - (Number.isNaN(now) ? Date.now() : now), 0) }
}

const PASSING = new Set<unknown>([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET'
])

/** Whether a cause is a failure to connect or a lost connection, which may pass. */
export function isPassing(cause: Error): boolean {
  if ('code' in cause && PASSING.has(cause.code)) return true
  return (
    cause instanceof AggregateError && cause.errors.every(e => e instanceof Error && isPassing(e))
  )
}
