// How long to wait, and waiting that a cancelled run does not sit out.
import { setTimeout } from 'node:timers/promises'
import { type Answer, CancelledError } from './exchange.ts'

/** In milliseconds. */
const LONGEST_PAUSE = 120_000

/** Whether a run waits as long as a service asks for, in milliseconds; for more than two minutes it does not. */
export function canWait(after = 0): boolean {
  return after <= LONGEST_PAUSE
}

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

/**
 * The pause before the next try, in milliseconds: one that doubles with each try, or what the service asked
 * for if that is longer; with up to half as much again, so that runs that failed together do not come back
 * together.
 */
export function pauseBefore(tried: number, after: number | undefined, random: number): number {
  return Math.max(after ?? 0, 500 * 2 ** tried) * (1 + random / 2)
}

/** Resolves after so many milliseconds, or rejects with `CancelledError` as soon as the signal fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new CancelledError()
  })
}
