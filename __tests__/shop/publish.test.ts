// Owns what is sent to the service: the route, the headers, the body; and which side of the tail a failure has.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { parseTemplate } from '../../src/shop/body.ts'
import { type CheckRequest, checkRoute, judgeContact } from '../../src/shop/publish.ts'
import {
  FIELDS,
  fileOf,
  type Given,
  holdForever,
  inWords,
  openService,
  PATIENCE,
  publishTo,
  TOKEN
} from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService({ pathPrefix: '/shop/v2' })
})
afterEach(() => service.close())

test('a product’s file goes to the product’s route, with every field and these headers alone', async () => {
  expect(inWords(await publishTo(service.url))).toBe('published 1001')
  const [version] = service.versions
  const { versionName, title, changelog } = FIELDS
  expect(version).toMatchObject({ route: 'product', versionName, size: 1000 })
  expect(version).toMatchObject({ record: { title, changelog }, changelogFormat: 'markdown' })
  expect(await version?.bytes()).toEqual(Buffer.alloc(1000, 'PK content '))
  const [request] = service.requests
  expect(request?.headers).toEqual({
    host: new URL(service.url).host,
    connection: 'close',
    accept: 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'content-type': expect.stringMatching(/^multipart\/form-data; boundary=[\w-]{50,70}$/),
    'content-length': String(request?.bytes),
    'user-agent': expect.stringMatching(/^publish-version\/\d/)
  })
})

test('a benefit’s file goes to the benefit’s route, and each try has a boundary of its own', async () => {
  const route = { product: 12, benefit: 34 }
  for (const _ of [1, 2]) await publishTo(service.url, { route })
  expect(service.requests[0]?.path).toBe('/shop/v2/api/products/12/benefits/34/versions')
  expect(service.versions[0]?.route).toBe('benefit')
  const types = service.requests.map(({ headers }) => headers['content-type'])
  expect(new Set(types).size).toBe(2)
})

test.each([
  ['multipart', undefined],
  ['base64', parseTemplate('{"name": "{file_name}", "content": "{base64}"}')]
])('a large file arrives whole, as %s', async (_, template) => {
  const file = fileOf(9 * 1024 * 1024 + 1, 512 * 1024 + 1)
  expect(inWords(await publishTo(service.url, { template, file }))).toBe('published 1001')
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(Buffer.from(chunk))
  expect((await service.versions[0]?.bytes())?.equals(Buffer.concat(chunks))).toBe(true)
})

test('the tail goes when it is allowed, and not before', async () => {
  const seen: number[] = []
  const permit = async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    seen.push(service.versions.length, service.requests[0]?.bytes ?? -1)
  }
  expect(inWords(await publishTo(service.url, { permit }))).toBe('published 1001')
  const [request] = service.requests
  const body = request?.body ?? Buffer.alloc(0)
  const boundary = /boundary=(.*)$/.exec(request?.headers['content-type'] ?? '')?.[1] ?? ''
  const end = body.lastIndexOf(`\r\n--${boundary}`, body.indexOf('name="version_name"'))
  // All but the file's last byte and what stands behind it.
  expect(seen).toEqual([0, end - 1])
})

test('a tail that is refused, or a file that cannot be read, ends the request, and the cause is told', async () => {
  const cause = new Error('no')
  async function* chunks() {
    yield Buffer.alloc(10)
    throw cause
  }
  const broken = { file: { ...fileOf(1000), chunks } }
  for (const given of [{ permit: () => Promise.reject(cause) }, broken]) {
    const expected = { kind: 'notPublished', cause, retry: false }
    expect(await publishTo(service.url, given)).toEqual(expected)
  }
  expect(service.versions.length).toBe(0)
})

const hold = { permit: holdForever, file: fileOf(2 * 1024 * 1024) }
const large = { file: fileOf(64 * 1024 * 1024) }
const LATE = 'no complete answer within 0.2 seconds'
const soon = { patience: { ...PATIENCE, answer: 200 } }
const early413 = { kind: 'early-answer', status: 413, bytes: 100_000, close: 'reset' } as const
test.each<[string, Fault, string, number, Given]>([
  ['a reset after the body', { kind: 'reset-after-body' }, 'unknown lost', 1, {}],
  ['a reset in it', { kind: 'reset-in-body', bytes: 1000 }, 'notPublished lost', 0, large],
  ['silence after it', { kind: 'silence-after-body' }, `unknown ${LATE}`, 1, soon],
  ['half an answer', { kind: 'truncated-answer', close: 'reset' }, 'unknown 201', 1, {}],
  ['an endless answer', { kind: 'endless-answer' }, 'unknown 201', 1, {}],
  ['gzip that nobody asked for', { kind: 'gzip-answer' }, 'published 1001', 1, {}],
  ['an early 401', { kind: 'early-answer', status: 401, close: 'fin' }, 'rejected 401', 0, hold],
  ['an early 413 and a reset', early413, 'rejected 413', 0, hold],
  ['an early 201', { kind: 'early-created', bytes: 1000, close: 'keep' }, 'unknown 201', 0, hold]
])('%s', async (_, fault, outcome, versions, given) => {
  service.misbehave(fault)
  const result = await publishTo(service.url, given)
  expect([inWords(result), service.versions.length]).toEqual([outcome, versions])
})

test('the record may repeat texts that are longer than any other answer', async () => {
  const fields = { ...FIELDS, changelog: '\u0001"é'.repeat(300_000) }
  expect(inWords(await publishTo(service.url, { fields }))).toBe('published 1001')
})

describe('a check', () => {
  afterEach(() => expect([service.versions, service.notifications]).toEqual([[], []]))

  const check = (over: Partial<CheckRequest> = {}, token = TOKEN) =>
    checkRoute(connect, {
      service: { baseUrl: service.url, token },
      route: { product: 12 },
      upload: 'multipart',
      patience: PATIENCE,
      signal: new AbortController().signal,
      ...over
    })
  const TYPE = 'multipart/form-data; boundary=publish-version-check'

  test.each([
    ['multipart', { product: 12, benefit: 34 }, TYPE, '--publish-version-check--\r\n'],
    ['base64', { product: 12 }, 'application/json', '{}']
  ] as const)('as %s asks the real route without any field', async (upload, route, type, body) => {
    expect(await check({ upload, route })).toMatchObject({ kind: 'checked', status: 422 })
    const [request] = service.requests
    const option = 'benefit' in route ? '/benefits/34' : ''
    expect(request?.path).toBe(`/shop/v2/api/products/12${option}/versions`)
    expect([request?.headers['content-type'], request?.body?.toString()]).toEqual([type, body])
  })

  test('tells a bad token and an unknown product', async () => {
    expect(await check({}, 'another')).toMatchObject({ kind: 'rejected', status: 401 })
    const url = `${service.url}/api/products/99/versions`
    const unknown = { kind: 'rejected', status: 404, url }
    expect(await check({ route: { product: 99 } })).toMatchObject(unknown)
  })

  const answer = (status: number, body: unknown, location?: string): Fault => {
    const headers = location === undefined ? {} : { location }
    return { kind: 'answer', status, body, headers, stored: false }
  }
  const MISSED = { message: 'No.', errors: { title: ['is required'] } }
  const PAGE = '<html>'
  type Verdict = ReturnType<typeof judgeContact>
  test.each<[string, Fault, object, Verdict]>([
    ['missed fields', answer(400, MISSED), { kind: 'checked' }, 'upload'],
    ['a message', answer(400, { message: 'No.' }), { kind: 'rejected' }, 'upload'],
    ['missed fields and 500', answer(500, MISSED), { kind: 'rejected' }, 'upload'],
    ['missed fields and 401', answer(401, MISSED), { kind: 'rejected' }, 'stop'],
    ['missed fields and 403', answer(403, MISSED), { kind: 'rejected' }, 'stop'],
    ['missed fields and 404', answer(404, MISSED), { kind: 'rejected' }, 'stop'],
    ['missed fields and 429', answer(429, MISSED), { kind: 'rejected' }, 'repeat'],
    ['a success', answer(201, { data: { id: 7 } }), { status: 201 }, 'stop'],
    ['a success with errors', answer(200, MISSED), { status: 200 }, 'stop'],
    ['a success without a word', answer(204, ''), { status: 204 }, 'stop'],
    ['a redirect', answer(307, '', '/elsewhere'), { location: '/elsewhere' }, 'stop'],
    ['a redirect with errors', { ...answer(302, MISSED) }, {}, 'stop'],
    ...[200, 301, 401, 403, 404, 405].map(status => page(status, 'stop')),
    ...[400, 411, 413, 415, 422, 500, 501].map(status => page(status, 'upload')),
    ...[429, 502, 503, 504].map(status => page(status, 'repeat')),
    ['a 405 without a page', answer(405, MISSED), { kind: 'checked' }, 'upload'],
    ['a bare 405', answer(405, ''), { webPage: false }, 'upload'],
    ['an error in another form', answer(500, { error: 'x' }), { status: 500 }, 'upload'],
    ['half an answer', { kind: 'truncated-answer', close: 'fin', stored: false }, {}, 'upload'],
    ['a reset', { kind: 'reset-before-body' }, { kind: 'noAnswer' }, 'repeat'],
    ['silence', { kind: 'silence-after-body', stored: false }, { kind: 'noAnswer' }, 'stop']
  ])('that is answered with %s is asked once, and says this about an upload', async (...row) => {
    const [, fault, expected, verdict] = row
    service.misbehave(fault)
    const result = await check(fault.kind === 'silence-after-body' ? soon : {})
    expect(result).toMatchObject({ kind: 'strange', ...expected })
    expect(judgeContact(result)).toBe(verdict)
    expect(service.requests.length).toBeLessThanOrEqual(1)
  })

  function page(status: number, verdict: Verdict): [string, Fault, object, Verdict] {
    return [`a web page and ${status}`, answer(status, PAGE), { status, webPage: true }, verdict]
  }

  test('keeps the pause that is asked for', async () => {
    const headers = { 'retry-after': '7' }
    service.misbehave({ kind: 'answer', status: 503, headers, stored: false })
    expect(await check()).toMatchObject({ kind: 'rejected', status: 503, after: 7000 })
  })
})
