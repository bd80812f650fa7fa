// Owns the proof that nothing is published before the tail, and that what may be tried again is.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { type Expected, expectAfter, fileOf, openService, PATIENCE, published } from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService()
})
afterEach(() => service.close())

const MIB = 1024 * 1024
const lost = { outcome: 'notPublished lost', tries: 4, versions: 0 }
const once = (fault: Fault) => [fault]
const four = (fault: Fault) => [fault, fault, fault, fault]

function early(status: number, headers: Record<string, string> = {}): Fault {
  return { kind: 'early-answer', status, headers, bytes: 1000, close: 'fin' }
}

const big = { file: fileOf(2 * MIB) }
test.each<[string, readonly Fault[], Expected]>([
  ['a reset at once is tried again', once({ kind: 'reset-at-connect' }), published(2)],
  ['a reset at once is tried four times', four({ kind: 'reset-at-connect' }), lost],
  ['a reset before the body is tried again', once({ kind: 'reset-before-body' }), published(2)],
  ['a reset before the body, four times', four({ kind: 'reset-before-body' }), lost],
  ['a reset in the body is tried again', once({ kind: 'reset-in-body', bytes: MIB }), published(2)],
  ['a reset in the body, four times', four({ kind: 'reset-in-body', bytes: MIB }), lost],
  [
    'a 429 with seconds to wait is tried again',
    once(early(429, { 'retry-after': '7' })),
    published(2)
  ],
  ['a 429 without is tried again', once(early(429)), published(2)],
  ['a 429, four times', four(early(429)), { outcome: 'rejected 429', tries: 4, versions: 0 }],
  ['a 503 is tried again', once(early(503)), published(2)],
  ['a 503, four times', four(early(503)), { outcome: 'rejected 503', tries: 4, versions: 0 }],
  [
    'a 429 with more than two minutes to wait is not',
    once(early(429, { 'retry-after': '121' })),
    { outcome: 'rejected 429', versions: 0 }
  ]
])('%s', async (_, faults, expected) => {
  await expectAfter(service, faults, expected, big, faults.length)
})

const statuses = [301, 302, 303, 307, 308, 400, 401, 403, 404, 408, 409, 413, 422, 500, 502, 504]
test.each(statuses)('an early %i is a refusal, and not tried again', async status => {
  await expectAfter(
    service,
    [early(status)],
    { outcome: `rejected ${status}`, versions: 0 },
    big,
    1
  )
})

const endings = ['fin', 'reset', 'keep'] as const
test.each(endings)('an early answer is heard when the connection ends by %s', async close => {
  for (const bytes of [0, 100_000, MIB]) {
    const fault = { kind: 'early-answer', status: 413, close, bytes } as const
    const given = { ...big, file: fileOf(8 * MIB) }
    const { result } = await expectAfter(
      service,
      [fault],
      { outcome: 'rejected 413', versions: 0 },
      given,
      1
    )
    expect(result).toMatchObject({ error: { message: 'Early answer.' }, tailSent: false })
  }
})

test.each(endings)('an early 201 proves nothing, when it ends by %s', async close => {
  const fault = { kind: 'early-created', bytes: 100_000, close } as const
  // Nothing complete was sent; a service that stores all the same cannot be told from one that does not.
  await expectAfter(service, [fault], { outcome: 'unknown 201', versions: 0 }, big, 1)
})

test('the pauses are those that the service asks for', async () => {
  const date = new Date('2026-03-04T05:06:07Z')
  const until = new Date(date.getTime() + 90_000)
  const dated = { date: date.toUTCString(), 'retry-after': until.toUTCString() }
  const faults = [early(429, { 'retry-after': '7' }), early(429, dated), early(503)]
  const { pauses } = await expectAfter(service, faults, published(4), big, 3)
  expect(pauses).toEqual([7000, 90_000, undefined])
})

test('a redirect is told with its target, and not followed', async () => {
  const fault = early(307, { location: 'https://elsewhere.example/api' })
  const { result } = await expectAfter(
    service,
    [fault],
    { outcome: 'rejected 307', versions: 0 },
    big,
    1
  )
  expect(result).toMatchObject({ location: 'https://elsewhere.example/api' })
})

test.each<[string, Fault]>([
  ['after the headers', { kind: 'silence-after-headers' }],
  ['in the body', { kind: 'silence-in-body', bytes: MIB }]
])('a service that stops reading %s is given up, and not tried again', async (_, fault) => {
  const given = { patience: { ...PATIENCE, stall: 800 }, file: fileOf(64 * MIB) }
  await expectAfter(
    service,
    [fault],
    { outcome: 'notPublished TimeoutError', versions: 0 },
    given,
    1
  )
})
