// Tests of src/shop/upload.ts: what an exchange proves about a publication, by the side of the tail on which it ended,
// and by the answer.
import { expect, test } from '@jest/globals'
import { type Answer, ProxyError, TimeoutError } from '../../src/http/exchange.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { judgeExchange, type PublishResult } from '../../src/shop/upload.ts'
import { inWords } from './trying.ts'

const HOST = 'shop.example.com'
const RECORD = '{"data":{"id":7,"title":null}}'
const PAGE = '<!DOCTYPE html><title>My shop</title>'
const MESSAGE = '{"message":"No."}'
const ERROR = '{"message":"No.","errors":{"version_name":["is taken"],"file":"too old"}}'

function answered(status: number, body = '', more: Partial<Answer> = {}): PublishResult {
  const answer: Answer = {
    kind: 'answer',
    status,
    headers: {},
    body: Buffer.from(body),
    tailSent: true,
    ...more
  }
  return judgeExchange(answer, HOST, String)
}

const early = { tailSent: false }
const broken = (cause: Error, tailSent: boolean) =>
  judgeExchange(
    {
      kind: 'broken',
      phase: 'answer',
      cause,
      tailSent
    },
    HOST,
    String
  )
const lost = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
const cut = new TimeoutError('no complete answer')

test.each([200, 201, 299])('after the tail, a %i with a record is a publication', status => {
  expect(answered(status, RECORD)).toMatchObject({ kind: 'published', record: { id: '7' } })
})

test.each<[string, string, Partial<Answer>, object]>([
  ['nothing', '', {}, { webPage: false }],
  ['another JSON', '{"data":{"id":"7"}}', {}, { webPage: false }],
  ['half a record', RECORD.slice(0, -2), {}, { webPage: false }],
  ['a web page', PAGE, {}, { webPage: true, title: 'My shop' }],
  ['a documented error', MESSAGE, {}, { error: { message: 'No.' } }],
  ['a record and no end', RECORD, { truncated: cut }, { truncated: cut }]
])('after the tail, a 201 with %s is unknown', (_, body, more, shown) => {
  const result = answered(201, body, more)
  expect(result).toMatchObject({ kind: 'doubtful', status: 201, early: false })
  expect(result).toMatchObject(shown)
})

/** Every 4xx that HTTP knows, and some that servers made up. */
const CLIENT_ERRORS = Array.from({ length: 100 }, (_, index) => 400 + index)
const INDECISIVE = [408, 409, 425]

test('after the tail, a 4xx is a refusal with a documented body alone, and is not tried again', () => {
  const error = {
    message: 'No.',
    fields: { version_name: ['is taken'], file: ['too old'] }
  }

  for (const status of CLIENT_ERRORS) {
    const kind = INDECISIVE.includes(status) ? 'unknown' : 'rejected'
    expect(inWords(answered(status, MESSAGE))).toBe(`${kind} ${status}`)
    if (kind === 'unknown') continue
    expect(answered(status, ERROR)).toMatchObject({
      kind,
      certainty: 'not published',
      why: `shop.example.com answered ${status}`,
      status,
      error,
      retry: false
    })
  }
})

const HTML = { headers: { 'content-type': 'text/html' } }

test.each<[string, string, Partial<Answer>]>([
  ['nothing', '', {}],
  ['a web page', PAGE, {}],
  ['a web page by its type', 'Oh.', HTML],
  ['half a documented body', ERROR.slice(0, -1), {}],
  ['a documented body that may not be whole', ERROR, { truncated: cut }],
  ['JSON of somebody else’s', '{"error":"no","status":403}', {}],
  ['a record', RECORD, {}]
])('after the tail, no status but 2xx says anything with %s', (_, body, more) => {
  for (const status of [...CLIENT_ERRORS, 300, 301, 302, 303, 307, 308, 500, 502, 503, 504, 599]) {
    expect(inWords(answered(status, body, more))).toBe(`unknown ${status}`)
  }
})

test('after the tail, a 3xx or 5xx says nothing even with a documented body, which is kept', () => {
  for (const status of [301, 302, 303, 307, 308, 500, 501, 502, 503, 504, 599]) {
    const error = { message: 'No.' }
    expect(answered(status, ERROR)).toMatchObject({
      kind: 'doubtful',
      certainty: 'unknown',
      why: `shop.example.com answered ${status}`,
      error
    })
  }
})

test.each<[string, Error]>([
  ['a lost connection', lost],
  ['a canceled run', new CancelledError()],
  ['a proxy that broke off', new ProxyError('lost', 'ECONNRESET')],
  ['a proxy’s own answer', new ProxyError('the proxy answered 407', '', undefined, 407)]
])('after the tail, %s is unknown', (_, cause) => {
  expect(broken(cause, true)).toEqual({
    kind: 'noAnswer',
    certainty: 'unknown',
    why: 'no answer',
    cause
  })
})

test('before the tail, every answer but a success is a refusal, and not tried again', () => {
  for (const status of [301, 302, 303, 307, 308, 400, 401, 404, 409, 413, 422, 500, 504]) {
    for (const body of ['', PAGE, ERROR]) {
      expect(inWords(answered(status, body, early))).toBe(`rejected ${status}`)
      expect(answered(status, body, early)).toMatchObject({ retry: false })
    }
  }
})

test.each([408, 429, 503])('before the tail, a %i may be tried again after its pause', status => {
  expect(answered(status, '', early)).toMatchObject({ kind: 'rejected', retry: true })

  const headers = { 'retry-after': '7' }
  const paused = { kind: 'rejected', after: 7000, retry: true }
  expect(answered(status, '', { ...early, headers })).toMatchObject(paused)
  if (status === 429) expect(answered(429, MESSAGE, { headers })).toMatchObject({ after: 7000 })
})

test('before the tail, a 201 proves nothing', () => {
  const doubtful = { kind: 'doubtful', status: 201, early: true }
  expect(answered(201, RECORD, early)).toMatchObject(doubtful)
})

test('before the tail, a lost connection is tried again; a stalled one and a canceled run are not', () => {
  const ended = { kind: 'notSent', certainty: 'not published' }
  const why = 'the connection to shop.example.com was lost (UND_ERR_SOCKET)'
  expect(broken(lost, false)).toEqual({ ...ended, why, cause: lost, retry: true })

  for (const cause of [new TimeoutError('no byte moved'), new CancelledError()]) {
    expect(broken(cause, false)).toEqual({ ...ended, why: cause.message, cause, retry: false })
  }
})

test.each<[string, string, Answer['headers'], object]>([
  ['nginx', PAGE, { server: 'nginx/1.22.1 (Ubuntu)' }, { server: 'nginx', title: 'My shop' }],
  ['nobody', '', { server: '<b>x' }, { server: '', title: '' }],
  ['a title', `<html><title>\n${'a '.repeat(90)}</title>`, {}, { title: `${'a '.repeat(40)}…` }],
  ['a title without end', `<html><title>${'a'.repeat(9000)}`, {}, { webPage: true }],
  ['JSON that is called HTML', MESSAGE, { 'content-type': 'text/html' }, { webPage: false }]
])('an answer shows its sender: %s', (_, body, headers, shown) => {
  expect(answered(403, body, { ...early, headers })).toMatchObject(shown)
})
