// Owns what an exchange proves about a publication: on which side of the tail it ended, and what was answered.
import { describe, expect, test } from '@jest/globals'
import { type Answer, CancelledError, ProxyError, TimeoutError } from '../../src/http/exchange.ts'
import { judge, type PublishResult } from '../../src/shop/publish.ts'
import { inWords } from './trying.ts'

const ADDRESS = 'https://shop.example/api/products/12/versions'
const RECORD = '{"data":{"id":7,"title":null}}'
const PAGE = '<!DOCTYPE html><title>My shop</title>'
const ERROR = '{"message":"No.","errors":{"version_name":["is taken"],"file":"too old"}}'
const MOVED = 'https://www.shop.example/api/products/12/versions'

function answered(status: number, body = '', more: Partial<Answer> = {}): PublishResult {
  const answer = { kind: 'answer', status, headers: {}, body: Buffer.from(body) } as const
  return judge({ ...answer, tailSent: true, ...more }, ADDRESS)
}
const early = { tailSent: false }
const broken = (cause: Error, tailSent: boolean) =>
  judge({ kind: 'broken', phase: 'answer', cause, tailSent }, ADDRESS)
const lost = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })

describe('after the tail', () => {
  test.each([200, 201, 299])('a %i with a record is a publication', status => {
    expect(answered(status, RECORD)).toMatchObject({ kind: 'published', record: { id: '7' } })
  })

  test.each([
    ['nothing', '', 'its body is not the record of a version'],
    ['another JSON', '{"data":{"id":"7"}}', 'its body is not the record of a version'],
    ['half a record', RECORD.slice(0, -2), 'its body is not the record of a version'],
    ['a web page', PAGE, 'it is a web page, not the record of a version']
  ])('a 201 with %s is unknown', (_, body, said) => {
    expect(answered(201, body)).toMatchObject({
      ...{ kind: 'unknown', status: 201 },
      cause: { message: `the shop answered 201, but ${said}` }
    })
  })

  test('a 201 that was cut off is unknown, even where a record can be read', () => {
    const cut = answered(201, RECORD, { truncated: new TimeoutError('no complete answer') })
    expect(cut).toMatchObject({
      cause: { message: 'the shop answered 201, but no complete answer' }
    })
    expect(inWords(cut)).toBe('unknown 201')
  })

  test.each([400, 401, 403, 404, 405, 411, 413, 415, 422, 429, 307, 308])(
    'a %i is a refusal whatever its body, and not tried again',
    status => {
      for (const body of ['', PAGE, ERROR]) {
        expect(answered(status, body)).toMatchObject({ kind: 'rejected', status, tailSent: true })
        expect(answered(status, body)).not.toHaveProperty('retry')
      }
    }
  )

  test.each([402, 408, 409, 410])('a %i is one with a documented body alone', status => {
    const fields = { version_name: ['is taken'], file: ['too old'] }
    expect(answered(status, ERROR)).toMatchObject({
      ...{ kind: 'rejected', error: { message: 'No.', fields } }
    })
    expect(inWords(answered(status, PAGE))).toBe(`unknown ${status}`)
  })

  test.each([301, 302, 303, 500, 501, 502, 503, 504, 599])(
    'a %i says nothing, not even with a documented body, which is quoted',
    status => {
      expect(answered(status, PAGE)).toMatchObject({ kind: 'unknown', status })
      expect(answered(status, ERROR)).toMatchObject({
        ...{ kind: 'unknown', status },
        cause: { message: `the shop answered ${status}: No.` }
      })
    }
  )

  test.each([301, 302, 303, 307, 308])('a %i to the same path elsewhere is a refusal', status => {
    expect(answered(status, '', { headers: { location: MOVED } })).toMatchObject({
      ...{ kind: 'rejected', location: MOVED, moved: 'https://www.shop.example' }
    })
  })

  test.each([
    ['another path', 'https://www.shop.example/login'],
    ['the same host', '/api/products/12/versions'],
    ['nowhere', 'https://']
  ])('a 302 to %s says nothing', (_, location) => {
    const result = answered(302, '', { headers: { location } })
    expect(result).toMatchObject({ kind: 'unknown', status: 302 })
    expect(result).toMatchObject({ cause: { message: expect.stringContaining(location) } })
  })

  test('a 429 names its pause', () => {
    const headers = { 'retry-after': '7' }
    expect(answered(429, '', { headers })).toMatchObject({ kind: 'rejected', after: 7000 })
  })

  test.each<[string, Error]>([
    ['a lost connection', lost],
    ['silence', new TimeoutError('no complete answer')],
    ['a cancelled run', new CancelledError()],
    ['a proxy that broke off', new ProxyError('lost', 'ECONNRESET')]
  ])('%s is unknown', (_, cause) => {
    expect(broken(cause, true)).toEqual({ kind: 'unknown', cause })
  })

  test('a proxy that answered by itself has passed nothing on', () => {
    const cause = new ProxyError('the proxy answered 407', '', undefined, 407)
    expect(broken(cause, true)).toEqual({ kind: 'notPublished', cause })
  })
})

describe('before the tail', () => {
  test.each([301, 302, 303, 307, 308, 400, 401, 403, 404, 408, 409, 413, 422, 500, 502, 504])(
    'a %i is a refusal, and not tried again',
    status => {
      expect(inWords(answered(status, '', early))).toBe(`rejected ${status}`)
      expect(answered(status, '', early)).not.toHaveProperty('retry')
    }
  )

  test.each([429, 503])('a %i may be tried again, after the pause that it asks for', status => {
    const headers = { 'retry-after': '7' }
    const kind = 'rejected'
    expect(answered(status, '', early)).toMatchObject({ kind, retry: {} })
    expect(answered(status, '', { ...early, headers })).toMatchObject({
      ...{ kind, after: 7000, retry: { after: 7000 } }
    })
  })

  test('a 201 proves nothing', () => {
    expect(answered(201, RECORD, early)).toMatchObject({
      ...{ kind: 'unknown', status: 201, early: true },
      cause: { message: 'the shop answered 201 before the request was completely sent' }
    })
  })

  test('a web page is told as one', () => {
    expect(answered(404, PAGE, early)).toMatchObject({ kind: 'rejected', webPage: true })
    const headers = { 'content-type': 'text/html' }
    expect(answered(404, 'Oh.', { ...early, headers })).toMatchObject({ webPage: true })
  })

  test.each<[string, Error, object]>([
    ['a lost connection is tried again', lost, { retry: {} }],
    ['a stalled one is not', new TimeoutError('no byte moved'), {}],
    ['a cancelled run is not', new CancelledError(), {}]
  ])('%s', (_, cause, retry) => {
    expect(broken(cause, false)).toEqual({ kind: 'notPublished', cause, ...retry })
  })
})
