// Tests of src/shop/upload.ts: what is sent to the service, when its tail goes, and how a failure before that ends.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Service } from '../../sandbox/service.ts'
import { heeding } from '../http/peers.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'
import { fileOf, inWords, openService, publishTo } from './trying.ts'

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
  const expected = {
    kind: 'notSent',
    certainty: 'not published',
    why: 'no',
    cause,
    retry: false
  }

  expect(await publishTo(service.url, {}, () => Promise.reject(cause))).toEqual(expected)
  expect(await publishTo(service.url, broken)).toEqual(expected)
  expect(service.versions.length).toBe(0)
})

test('the end that an upload came to by itself counts, not the reason to withhold it', async () => {
  service.misbehave({ kind: 'reset-in-body', bytes: 1000 })
  const lost = await publishTo(service.url, {}, heeding)
  expect(inWords(lost)).toBe('notSent lost')
  expect(lost).toMatchObject({ retry: true })

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
