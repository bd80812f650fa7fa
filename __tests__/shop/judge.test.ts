// Owns what an exchange proves about a publication: on which side of the tail it ended, and what was answered.
import { expect, test } from '@jest/globals'
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

test.each([200, 201, 299])('after the tail, a %i with a record is a publication', status => {
  expect(answered(status, RECORD)).toMatchObject({ kind: 'published', record: { id: '7' } })
})

const cut = new TimeoutError('no complete answer')
test.each([
  ['nothing', '', {}, 'its body is not the record of a version'],
  ['another JSON', '{"data":{"id":"7"}}', {}, 'its body is not the record of a version'],
  ['half a record', RECORD.slice(0, -2), {}, 'its body is not the record of a version'],
  ['a web page', PAGE, {}, 'it is a web page, not the record of a version'],
  ['a record and no end', RECORD, { truncated: cut }, 'no complete answer']
])('after the tail, a 201 with %s is unknown', (_, body, more, said) => {
  const cause = { message: `the shop answered 201, but ${said}` }
  expect(answered(201, body, more)).toMatchObject({ kind: 'unknown', status: 201, cause })
})

test('after the tail, some statuses are refusals whatever the body, and not tried again', () => {
  for (const status of [400, 401, 403, 404, 405, 411, 413, 415, 422, 429, 307, 308]) {
    for (const body of ['', PAGE, ERROR]) {
      expect(answered(status, body)).toMatchObject({ kind: 'rejected', status })
      expect(answered(status, body)).toMatchObject({ retry: false })
    }
  }
})

test('after the tail, another 4xx is a refusal with a documented body alone', () => {
  const error = { message: 'No.', fields: { version_name: ['is taken'], file: ['too old'] } }
  for (const status of [402, 408, 409, 410]) {
    expect(answered(status, ERROR)).toMatchObject({ kind: 'rejected', error })
    expect(inWords(answered(status, PAGE))).toBe(`unknown ${status}`)
  }
})

test('after the tail, other statuses say nothing, not even with a documented body, which is quoted', () => {
  for (const status of [301, 302, 303, 500, 501, 502, 503, 504, 599]) {
    expect(answered(status, PAGE)).toMatchObject({ kind: 'unknown', status })
    const cause = { message: `the shop answered ${status}: No.` }
    expect(answered(status, ERROR)).toMatchObject({ kind: 'unknown', status, cause })
  }
})

test.each([301, 302, 303, 307, 308])('a %i to the same path elsewhere is a refusal', status => {
  const moved = 'https://www.shop.example'
  const result = answered(status, '', { headers: { location: MOVED } })
  expect(result).toMatchObject({ kind: 'rejected', location: MOVED, moved })
})

const elsewhere = ['https://www.shop.example/login', '/api/products/12/versions', 'https://']
test.each(elsewhere)('after the tail, a 302 to %s says nothing', location => {
  const cause = { message: expect.stringContaining(location) }
  const result = answered(302, '', { headers: { location } })
  expect(result).toMatchObject({ kind: 'unknown', status: 302, cause })
})

test.each<[string, Error]>([
  ['a lost connection', lost],
  ['silence', new TimeoutError('no complete answer')],
  ['a cancelled run', new CancelledError()],
  ['a proxy that broke off', new ProxyError('lost', 'ECONNRESET')]
])('after the tail, %s is unknown', (_, cause) => {
  expect(broken(cause, true)).toEqual({ kind: 'unknown', cause })
})

test('a proxy that answered by itself has passed nothing on', () => {
  const cause = new ProxyError('the proxy answered 407', '', undefined, 407)
  expect(broken(cause, true)).toEqual({ kind: 'notPublished', cause, retry: false })
})

test('before the tail, every answer but a success is a refusal, and not tried again', () => {
  for (const status of [301, 302, 303, 307, 308, 400, 401, 404, 408, 409, 413, 422, 500, 504]) {
    expect(inWords(answered(status, '', early))).toBe(`rejected ${status}`)
    expect(answered(status, '', early)).toMatchObject({ retry: false })
  }
})

test.each([429, 503])('before the tail, a %i may be tried again after its pause', status => {
  const headers = { 'retry-after': '7' }
  expect(answered(status, '', early)).toMatchObject({ kind: 'rejected', retry: true })
  const paused = { kind: 'rejected', after: 7000, retry: true }
  expect(answered(status, '', { ...early, headers })).toMatchObject(paused)
  if (status === 429) expect(answered(429, '', { headers })).toMatchObject({ after: 7000 })
})

test('before the tail, a 201 proves nothing, and a web page is told as one', () => {
  const message = 'the shop answered 201 before the request was completely sent'
  const unknown = { kind: 'unknown', status: 201, early: true, cause: { message } }
  expect(answered(201, RECORD, early)).toMatchObject(unknown)
  expect(answered(404, PAGE, early)).toMatchObject({ kind: 'rejected', webPage: true })
  const headers = { 'content-type': 'text/html' }
  expect(answered(404, 'Oh.', { ...early, headers })).toMatchObject({ webPage: true })
})

test('before the tail, a lost connection is tried again; a stalled one and a cancelled run are not', () => {
  expect(broken(lost, false)).toEqual({ kind: 'notPublished', cause: lost, retry: true })
  for (const cause of [new TimeoutError('no byte moved'), new CancelledError()]) {
    expect(broken(cause, false)).toEqual({ kind: 'notPublished', cause, retry: false })
  }
})
