// Owns what is sent to the service: the route, the headers, the body; and which side of the tail a failure has.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { type CheckRequest, checkRoute, judgeContact } from '../../src/shop/check.ts'
import { heeding } from '../http/peers.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'
import { fileOf, inWords, openService, PATIENCE, publishTo, TOKEN } from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService({ pathPrefix: '/shop/v2' })
})
afterEach(() => service.close())

test('the tail goes when it is allowed, and not before', async () => {
  const seen: number[] = []
  const decide = async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    seen.push(service.versions.length, service.requests[0]?.bytes ?? -1)
  }

  const result = await publishTo(service.url, {}, decide)

  expect(inWords(result)).toBe('published 1001')
  const [request] = service.requests
  const body = request?.body ?? Buffer.alloc(0)
  const boundary = /boundary=(.*)$/.exec(request?.headers['content-type'] ?? '')?.[1] ?? ''
  const end = body.lastIndexOf(`\r\n--${boundary}`, body.indexOf('name="version_name"'))
  // All but the file's last byte and everything behind it.
  expect(seen).toEqual([0, end - 1])
})

test('a tail that is refused, or a file that cannot be read, ends the request, and the cause is returned', async () => {
  const cause = new Error('no')
  async function* chunks() {
    yield Buffer.alloc(10)
    throw cause
  }
  const broken = { file: { ...fileOf(1000), chunks } }
  const expected = { kind: 'notPublished', cause, retry: false }

  expect(await publishTo(service.url, {}, () => Promise.reject(cause))).toEqual(expected)
  expect(await publishTo(service.url, broken)).toEqual(expected)
  expect(service.versions.length).toBe(0)
})

test('the end that an upload came to by itself counts, not the reason to withhold it', async () => {
  service.misbehave({ kind: 'reset-in-body', bytes: 1000 })
  const lost = await publishTo(service.url, {}, heeding)
  expect([inWords(lost), lost]).toMatchObject(['notPublished lost', { retry: true }])

  service.misbehave({
    kind: 'early-answer',
    bytes: 1000,
    status: 413,
    close: 'fin'
  })
  const refused = await publishTo(service.url, {}, heeding)
  expect(inWords(refused)).toBe('rejected 413')
  expect(service.versions).toEqual([])
})

test('the record may repeat texts that are longer than any other answer', async () => {
  const fields = { ...VERSION_FIELDS, changelog: '\u0001"é'.repeat(300_000) }
  const result = await publishTo(service.url, { fields })
  expect(inWords(result)).toBe('published 1001')
})

const check = (over: Pick<CheckRequest, 'route' | 'upload'>) =>
  checkRoute(connect, {
    service: { baseUrl: service.url, token: TOKEN },
    patience: PATIENCE,
    signal: new AbortController().signal,
    conceal: String,
    ...over
  })

const TYPE = 'multipart/form-data; boundary=publish-version-check'

test.each([
  ['multipart', { product: 12, benefit: 34 }, TYPE, '--publish-version-check--\r\n'],
  ['base64', { product: 12 }, 'application/json', '{}']
] as const)('a check as %s asks the real route without a field', async (...row) => {
  const [upload, route, type, body] = row

  expect(await check({ upload, route })).toMatchObject({ kind: 'checked', status: 422 })

  const [request] = service.requests
  const option = 'benefit' in route ? '/benefits/34' : ''
  expect(request?.path).toBe(`/shop/v2/api/products/12${option}/versions`)
  expect([request?.headers['content-type'], request?.body?.toString()]).toEqual([type, body])
  expect([service.versions, service.notifications]).toEqual([[], []])
})

const answer = (status: number, body: unknown): Fault => {
  return {
    kind: 'answer',
    status,
    body,
    stored: false
  }
}
const MISSED = {
  message: 'No.',
  errors: { title: ['is required'] }
}

// All others are in `__tests__/faults/service-contact.test.ts`.
test.each<[string, Fault, string, string]>([
  ['a web page and 301', answer(301, '<html>'), 'strange', 'stop'],
  ['a web page and 501', answer(501, '<html>'), 'strange', 'upload'],
  ['a bare 405', answer(405, ''), 'strange', 'upload'],
  ['missed fields and 500', answer(500, MISSED), 'rejected', 'upload'],
  ['half', { kind: 'truncated-answer', close: 'fin', stored: false }, 'strange', 'upload']
])('a check that is answered with %s says this about an upload', async (...row) => {
  const [, fault, kind, verdict] = row
  service.misbehave(fault)

  const result = await check({ route: { product: 12 }, upload: 'multipart' })

  expect([result.kind, judgeContact(result)]).toEqual([kind, verdict])
})
