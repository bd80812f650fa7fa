// Owns the proof that once the tail is sent an answer alone decides, and nothing is tried again.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { type Expected, expectAfter, FIELDS, openService, PATIENCE, publishTo } from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService()
})
afterEach(() => service.close())

const hasty = { patience: { ...PATIENCE, answer: 400 } }
const stored = (outcome: string) => ({ outcome, versions: 1 })
test.each<[string, Fault, Expected]>([
  ['a reset', { kind: 'reset-after-body' }, stored('unknown lost')],
  [
    'a reset, with nothing kept',
    { kind: 'reset-after-body', stored: false },
    { outcome: 'unknown lost', versions: 0 }
  ],
  ['silence', { kind: 'silence-after-body' }, stored('unknown TimeoutError')],
  [
    'silence of one that never read',
    { kind: 'silence-at-accept' },
    { outcome: 'unknown TimeoutError', versions: 0 }
  ],
  ['a trickling answer', { kind: 'trickle-answer', everyMs: 30 }, stored('unknown 201')],
  ['trickling headers', { kind: 'slow-headers', everyMs: 30 }, stored('unknown TimeoutError')],
  ['a late answer', { kind: 'slow-answer', ms: 2000 }, stored('unknown TimeoutError')],
  ['an answer in time', { kind: 'slow-answer', ms: 50 }, stored('published 1001')],
  ['10 MiB of answer', { kind: 'huge-answer', mebibytes: 10 }, stored('unknown 201')],
  ['an endless answer', { kind: 'endless-answer' }, stored('unknown 201')],
  ['gzip that nobody asked for', { kind: 'gzip-answer' }, stored('published 1001')],
  ['HTTP/1.0', { kind: 'http-1.0-answer' }, stored('published 1001')],
  ['100 and 103 before it', { kind: 'interim-answers' }, stored('published 1001')],
  ['a header of 1 MiB', { kind: 'huge-header' }, stored('unknown UND_ERR_HEADERS_OVERFLOW')],
  ['10,000 headers', { kind: 'many-headers' }, stored('published 1001')],
  ['a length too large', { kind: 'wrong-length', by: 10 }, stored('unknown 201')],
  ['a length too small', { kind: 'wrong-length', by: -10 }, stored('unknown 201')],
  ['half an answer', { kind: 'truncated-answer', close: 'fin' }, stored('unknown 201')],
  ['half of one and a reset', { kind: 'truncated-answer', close: 'reset' }, stored('unknown 201')]
])('%s', async (_, fault, expected) => {
  const ends = /TimeoutError/.test(expected.outcome) || fault.kind === 'trickle-answer'
  await expectAfter(service, [fault], expected, ends ? hasty : {})
})

const odd = (shape: 'html' | 'deep' | 'proto' | 'nulls' | 'extra-fields' | 'broken-json') =>
  ({ kind: 'odd-answer', shape }) as const
test.each<[string, Fault, string]>([
  ['broken JSON', odd('broken-json'), 'unknown 201'],
  ['HTML', odd('html'), 'unknown 201'],
  ['no body', { kind: 'odd-answer', shape: 'empty' }, 'unknown 201'],
  ['no data', { kind: 'odd-answer', shape: 'no-data' }, 'unknown 201'],
  ['data that is null', { kind: 'odd-answer', shape: 'data-null' }, 'unknown 201'],
  ['data that is a list', { kind: 'odd-answer', shape: 'data-array' }, 'unknown 201'],
  ['no id', { kind: 'odd-answer', shape: 'no-id' }, 'unknown 201'],
  ['an id in text', { kind: 'odd-answer', shape: 'id-string' }, 'unknown 201'],
  ['a broken id', { kind: 'odd-answer', shape: 'id-fraction' }, 'unknown 201'],
  ['nulls', odd('nulls'), 'published 1001'],
  ['more fields', odd('extra-fields'), 'published 1001'],
  ['deep nesting', odd('deep'), 'published 1001'],
  ['odd keys', odd('proto'), 'published 1001'],
  ['a record with 200', { kind: 'odd-answer', shape: 'nulls', status: 200 }, 'published 1001'],
  ['a record with 299', { kind: 'odd-answer', shape: 'nulls', status: 299 }, 'published 1001']
])('a 2xx with %s', async (_, fault, outcome) => {
  await expectAfter(service, [fault], stored(outcome))
})

const refusals = [400, 401, 403, 404, 405, 411, 413, 415, 422, 307, 308]
test.each(refusals)('%i is a refusal, whatever its body', async status => {
  const fault = { kind: 'answer', status, stored: false, body: '<p>No.</p>' } as const
  await expectAfter(service, [fault], { outcome: `rejected ${status}`, versions: 0 })
})

const doubts = [301, 302, 303, 402, 408, 409, 410, 500, 501, 502, 503, 504, 599]
test.each(doubts)(
  '%i without a documented body says nothing, and is not tried again',
  async status => {
    const fault = { kind: 'answer', status, body: '<p>Oh.</p>' } as const
    await expectAfter(service, [fault], stored(`unknown ${status}`))
  }
)

test.each([500, 502, 503, 504])('%i with a documented body does not, either', async status => {
  const fault = { kind: 'answer', status, body: { message: 'Server Error' } } as const
  const { result } = await expectAfter(service, [fault], stored(`unknown ${status}`))
  expect(result).toMatchObject({
    cause: { message: `the shop answered ${status}: Server Error` }
  })
})

test('a 429 is a refusal that names its pause, and is not tried again', async () => {
  const headers = { 'retry-after': '7' }
  const fault = { kind: 'answer', status: 429, stored: false, headers } as const
  const { result } = await expectAfter(service, [fault], { outcome: 'rejected 429', versions: 0 })
  expect(result).toMatchObject({ after: 7000 })
})

test.each([301, 302, 303, 307, 308])(
  'a %i to the same path elsewhere is a refusal',
  async status => {
    const location = 'https://www.shop.example/api/products/12/versions'
    const fault = { kind: 'answer', status, stored: false, headers: { location } } as const
    const expected = { outcome: `rejected ${status}`, versions: 0 }
    const { result } = await expectAfter(service, [fault], expected)
    expect(result).toMatchObject({ location, moved: 'https://www.shop.example' })
  }
)

test.each([
  ['another path', 'https://www.shop.example/login'],
  ['the same host', '/api/products/12/versions']
])('a 302 to %s says nothing', async (_, location) => {
  const fault = { kind: 'answer', status: 302, headers: { location } } as const
  await expectAfter(service, [fault], stored('unknown 302'))
})

test('the record may repeat texts that are longer than any other answer', async () => {
  const fields = { ...FIELDS, changelog: '\u0001"é'.repeat(300_000) }
  await expectAfter(service, [], stored('published 1001'), { fields })
})

test('a web page is told as one', async () => {
  const page = '<!DOCTYPE html><title>My shop</title>'
  service.misbehave({ kind: 'answer', status: 200, body: page })
  const result = await publishTo(service.url)
  expect(result).toMatchObject({
    kind: 'unknown',
    cause: {
      message: expect.stringContaining(
        'answered 200, but it is a web page, not the record of a version'
      )
    }
  })
  service.misbehave({ kind: 'answer', status: 404, body: page, stored: false })
  expect(await publishTo(service.url)).toMatchObject({ kind: 'rejected', webPage: true })
})

test('a 4xx with a documented body is a refusal with its message and fields', async () => {
  const errors = { version_name: ['is taken'], file: 'too old', odd: [1, null] }
  const body = { message: 'The version exists.', errors }
  const fault = { kind: 'answer', status: 410, stored: false, body } as const
  const { result } = await expectAfter(service, [fault], { outcome: 'rejected 410', versions: 0 })
  const fields = { version_name: ['is taken'], file: ['too old'], odd: ['1', 'null'] }
  expect(result).toMatchObject({ error: { message: 'The version exists.', fields } })
})
