// Owns what is sent to the service: the route, the headers, the body; and which side of the tail a failure has.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { parseTemplate } from '../../src/shop/base64.ts'
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

const base64 = parseTemplate('{"name": "{file_name}", "content": "{base64}"}')

test('a product’s file goes to the product’s route, with every field as it is', async () => {
  const result = await publishTo(service.url)
  expect(inWords(result)).toBe('published 1001')
  const [version] = service.versions
  expect(version).toMatchObject({ route: 'product', versionName: FIELDS.versionName, size: 1000 })
  expect(version?.record).toMatchObject({ title: FIELDS.title, changelog: FIELDS.changelog })
  expect(version?.changelogFormat).toBe('markdown')
  expect(await version?.bytes()).toEqual(Buffer.alloc(1000, 'PK content '))
})

test('a benefit’s file goes to the benefit’s route', async () => {
  await publishTo(service.url, { route: { product: 12, benefit: 34 } })
  expect(service.requests[0]?.path).toBe('/shop/v2/api/products/12/benefits/34/versions')
  expect(service.versions[0]?.route).toBe('benefit')
})

test('the headers are these, and no others', async () => {
  await publishTo(service.url)
  const headers = service.requests[0]?.headers ?? {}
  expect(headers).toEqual({
    host: new URL(service.url).host,
    connection: 'close',
    accept: 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'content-type': expect.stringMatching(/^multipart\/form-data; boundary=[\w-]{50,70}$/),
    'content-length': String(service.requests[0]?.bytes),
    'user-agent': 'tests'
  })
})

test('each try has a boundary of its own', async () => {
  await publishTo(service.url)
  await publishTo(service.url)
  const types = service.requests.map(({ headers }) => headers['content-type'])
  expect(new Set(types).size).toBe(2)
})

test.each(['multipart', 'base64'] as const)('a large file arrives whole, as %s', async kind => {
  const form = kind === 'base64' ? { kind, template: base64 } : { kind }
  const file = fileOf(9 * 1024 * 1024 + 1, 512 * 1024 + 1)
  expect(inWords(await publishTo(service.url, { form, file }))).toBe('published 1001')
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(Buffer.from(chunk))
  expect((await service.versions[0]?.bytes())?.equals(Buffer.concat(chunks))).toBe(true)
})

test('the tail goes when it is allowed, and not before', async () => {
  const seen: number[] = []
  const commit = async () => {
    await new Promise(resolve => setTimeout(resolve, 100))
    seen.push(service.versions.length, service.requests[0]?.bytes ?? -1)
  }
  expect(inWords(await publishTo(service.url, { commit }))).toBe('published 1001')
  const [versions, bytes = 0] = seen
  const whole = Number(service.requests[0]?.headers['content-length'])
  expect(versions).toBe(0)
  expect(bytes).toBe(whole - bytesOfTail(service))
})

/** The file's last byte and all that stands behind it. */
function bytesOfTail({ requests: [request] }: Service): number {
  const body = request?.body ?? Buffer.alloc(0)
  const boundary = /boundary=(.*)$/.exec(request?.headers['content-type'] ?? '')?.[1] ?? ''
  const before = body.lastIndexOf(`--${boundary}`, body.indexOf('name="version_name"'))
  // The line's end before the boundary, and the one byte of the file.
  return body.length - before + 2 + 1
}

test('a tail that is refused is never sent, and the cause is told as it is', async () => {
  const cause = new Error('another run publishes this')
  const result = await publishTo(service.url, { commit: () => Promise.reject(cause) })
  expect(result).toEqual({ kind: 'notPublished', cause })
  expect(service.versions.length).toBe(0)
})

test('an error of the file ends the request, and is told as it is', async () => {
  const cause = new Error('the file changed')
  const file = {
    ...fileOf(1000),
    async *chunks() {
      yield Buffer.alloc(10)
      throw cause
    }
  }
  expect(await publishTo(service.url, { file })).toEqual({ kind: 'notPublished', cause })
  expect(service.versions.length).toBe(0)
})

const hold = { commit: holdForever, file: fileOf(2 * 1024 * 1024) }
test.each<[string, Fault, string, number, Given]>([
  ['a reset after the body', { kind: 'reset-after-body' }, 'unknown lost', 1, {}],
  [
    'a reset in the body',
    { kind: 'reset-in-body', bytes: 1000 },
    'notPublished lost',
    0,
    { file: fileOf(64 * 1024 * 1024) }
  ],
  [
    'silence after it',
    { kind: 'silence-after-body' },
    'unknown TimeoutError',
    1,
    { patience: { ...PATIENCE, answer: 200 } }
  ],
  ['half an answer', { kind: 'truncated-answer', close: 'reset' }, 'unknown 201', 1, {}],
  ['an endless answer', { kind: 'endless-answer' }, 'unknown 201', 1, {}],
  ['gzip that nobody asked for', { kind: 'gzip-answer' }, 'published 1001', 1, {}],
  ['an early 401', { kind: 'early-answer', status: 401, close: 'fin' }, 'rejected 401', 0, hold],
  [
    'an early 413 and a reset',
    { kind: 'early-answer', status: 413, bytes: 100_000, close: 'reset' },
    'rejected 413',
    0,
    hold
  ],
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
