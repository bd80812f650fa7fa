// Owns what says that a try may be repeated, and after which pause.
import { expect, test } from '@jest/globals'
import { isPassing } from '../../src/http/errors.ts'
import type { Headers } from '../../src/http/exchange.ts'
import { canWait, pauseBefore, retryAfter } from '../../src/http/pause.ts'

const DATE = 'Wed, 04 Mar 2026 05:06:07 GMT'
const after = (headers: Headers) => {
  const body = Buffer.alloc(0)
  return retryAfter({ kind: 'answer', status: 429, headers, body, tailSent: false }).after
}

test.each<[string, Headers, number | undefined]>([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['no seconds', { 'retry-after': '0' }, 0],
  ['blanks around them', { 'retry-after': ' 7 ' }, 7000],
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
  ['words before a number', { 'retry-after': 'in 7' }, undefined],
  ['a number with its unit', { 'retry-after': '7 seconds' }, undefined],
  ['a day without a date', { 'retry-after': 'Wed, soon' }, undefined],
  ['words before a date', { date: DATE, 'retry-after': `after ${DATE}` }, undefined],
  ['a number below zero, which is no date', { 'retry-after': '-5' }, undefined],
  ['a fraction, which is no date', { 'retry-after': '1.5' }, undefined]
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

test('pauses grow, are never shorter than what was asked for, and differ from run to run', () => {
  const shortest = [1, 2, 3].map(tried => pauseBefore(tried, undefined, 0))
  expect(shortest).toEqual([1000, 2000, 4000])
  expect(pauseBefore(1, 30_000, 0)).toBe(30_000)
  expect(pauseBefore(2, 0, 0)).toBe(2000)
  expect(pauseBefore(1, 30_000, 1)).toBe(45_000)
})

const coded = (code: string) => Object.assign(new Error('x'), { code })

test.each([
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
])('%s may pass', code => {
  expect(isPassing(coded(code))).toBe(true)
  expect(isPassing(new AggregateError([coded(code), coded('ECONNREFUSED')]))).toBe(true)
})

test.each([
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EPROTO',
  'UND_ERR_PRX_TLS',
  'HPE_INVALID_CONSTANT'
])('%s does not', code => {
  expect(isPassing(coded(code))).toBe(false)
  expect(isPassing(new AggregateError([coded('ECONNREFUSED'), coded(code)]))).toBe(false)
})

test.each<[string, Error]>([
  ['without a code', new Error('x')],
  ['with a number for a code', Object.assign(new Error('x'), { code: 104 })],
  ['of several causes, one of them no error', new AggregateError([coded('ECONNREFUSED'), 'x'])]
])('an error %s does not, either', (_, cause) => {
  expect(isPassing(cause)).toBe(false)
})
