// Owns what is sent to the service: the route, the headers, the body; and which side of the tail a failure has.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Service } from '../../sandbox/service.ts'
import { parseTemplate } from '../../src/shop/base64.ts'
import { FIELDS, fileOf, holdForever, inWords, openService, publishTo, TOKEN } from './trying.ts'

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

test('an answer that comes while the tail is held is the answer, and the tail is never asked for twice', async () => {
  let asked = 0
  service.misbehave({ kind: 'early-answer', status: 401, bytes: 10, close: 'fin' })
  const commit = (signal: AbortSignal) => {
    asked += 1
    return holdForever(signal)
  }
  expect(inWords(await publishTo(service.url, { commit }))).toBe('rejected 401')
  expect(asked).toBeLessThanOrEqual(1)
})
