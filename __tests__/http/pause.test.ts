// Owns how long a pause is, by us or by the service, and that a cancelled run does not sit it out.
import { getEventListeners } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { canWait, pauseBefore, retryAfter, sleep } from '../../src/http/errors.ts'
import { CancelledError, type Headers } from '../../src/http/exchange.ts'

describe('a pause', () => {
  test.each([
    ['doubles with each try', [0, 1, 2], undefined, 0, [500, 1000, 2000]],
    ['is what the service asks for', [0, 3], 7000, 0, [7000, 7000]],
    ['is no shorter than it would be without', [0, 3], 0, 0, [500, 4000]],
    ['is up to half as long again', [0, 1], 2000, 1, [3000, 3000]]
  ])('%s', (_, tries, after, random, expected) => {
    expect(tries.map(tried => pauseBefore(tried, after, random))).toEqual(expected)
  })
})

test.each([
  ['is not said', undefined, true],
  ['is two minutes', 120_000, true],
  ['is longer', 120_001, false]
])('what a service asks for is waited for or not, where it %s', (_, after, waits) => {
  expect(canWait(after)).toBe(waits)
})

describe('sleeping', () => {
  test('ends by itself, and leaves no listener behind', async () => {
    const { signal } = new AbortController()
    await sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends when the run is cancelled', async () => {
    const cancelling = new AbortController()
    const sleeping = sleep(1_000_000, cancelling.signal)
    cancelling.abort()
    await expect(sleeping).rejects.toBeInstanceOf(CancelledError)
  })

  test('does not begin in a run that is cancelled', async () => {
    await expect(sleep(1_000_000, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError)
  })
})

const DATE = 'Wed, 04 Mar 2026 05:06:07 GMT'
const after = (headers: Headers) => {
  const body = Buffer.alloc(0)
  return retryAfter({ kind: 'answer', status: 429, headers, body, tailSent: false }).after
}

test.each<[string, Headers, number | undefined]>([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['the first of two', { 'retry-after': ['7', '9'] }, 7000],
  [
    'a date, by the answer’s own clock',
    { date: DATE, 'retry-after': DATE.replace('07', '17') },
    10_000
  ],
  ['a date that is past', { date: DATE.replace('07', '17'), 'retry-after': DATE }, 0],
  [
    'a date in the older form, with the day’s whole name',
    { date: DATE, 'retry-after': 'Wednesday, 04-Mar-26 05:06:17 GMT' },
    10_000
  ],
  ['a date long past, without the answer’s own', { 'retry-after': DATE.replace('26', '15') }, 0],
  ['nothing', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['words before a date', { date: DATE, 'retry-after': `after ${DATE}` }, undefined],
  ['a number below zero, which is no date', { 'retry-after': '-5' }, undefined]
])('Retry-After: %s', (_, headers, expected) => {
  expect(after(headers)).toBe(expected)
})

test('a date without the answer’s own is measured against the clock of this machine', () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  const pause = after({ 'retry-after': inAMinute }) ?? 0
  expect(pause).toBeGreaterThan(0)
  expect(pause).toBeLessThanOrEqual(60_000)
})

test('more than any number holds is longer than anybody waits', () => {
  expect(canWait(after({ 'retry-after': '9'.repeat(400) }))).toBe(false)
})
