// Tests of src/shop/check.ts: a request without any field, and what its answer is.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError } from '../../src/http/exchange.ts'
import { type CheckRequest, checkRoute } from '../../src/shop/check.ts'
import { openService, PATIENCE, TOKEN } from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService({ pathPrefix: '/shop/v2' })
})
afterEach(async () => {
  expect([service.versions, service.notifications]).toEqual([[], []])
  await service.close()
})

/** Asks once; `baseUrl` and `token` are the service's when left out. */
function check(over: Partial<CheckRequest> = {}, token = TOKEN, baseUrl = service.url) {
  return checkRoute(connect, 'tests', {
    service: { baseUrl, token },
    route: { product: 12 },
    upload: 'multipart',
    patience: PATIENCE,
    signal: new AbortController().signal,
    ...over
  })
}

describe('the request', () => {
  test.each([
    ['a product', { product: 12 }, '/shop/v2/api/products/12/versions'],
    ['a benefit', { product: 12, benefit: 34 }, '/shop/v2/api/products/12/benefits/34/versions']
  ])('goes to the real route of %s', async (_, route, path) => {
    await check({ route })
    expect(service.requests.map(request => `${request.method} ${request.path}`)).toEqual([
      `POST ${path}`
    ])
  })

  test.each([
    [
      'multipart',
      'multipart/form-data; boundary=publish-version-check',
      '--publish-version-check--\r\n'
    ],
    ['base64', 'application/json', '{}']
  ] as const)('as %s is whole, and has no field', async (upload, type, body) => {
    await check({ upload })
    const [request] = service.requests
    expect(request?.headers).toEqual({
      host: new URL(service.url).host,
      connection: 'close',
      accept: 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'content-type': type,
      'content-length': String(body.length),
      'user-agent': 'tests'
    })
    expect(request?.body?.toString()).toBe(body)
  })
})

describe('the answer', () => {
  test.each(['multipart', 'base64'] as const)(
    'of a good route misses the fields: %s',
    async upload => {
      const result = await check({ upload })
      expect(result).toMatchObject({ kind: 'checked', status: 422 })
      const missed = 'error' in result ? Object.keys(result.error.fields) : []
      expect(missed).toEqual(expect.arrayContaining(['version_name', 'title', 'changelog', 'file']))
    }
  )

  test.each<[string, Partial<CheckRequest>, string, number]>([
    ['a bad token', {}, 'another', 401],
    ['an unknown product', { route: { product: 99 } }, TOKEN, 404],
    ['an unknown benefit', { route: { product: 12, benefit: 99 } }, TOKEN, 404]
  ])('to %s is a message alone', async (_, over, token, status) => {
    expect(await check(over, token)).toMatchObject({
      ...{ kind: 'rejected', status },
      error: { message: expect.stringMatching(/./), fields: {} }
    })
  })

  test.each<[string, Fault, object]>([
    [
      'a success, whatever it holds',
      { kind: 'answer', status: 201, body: { data: { id: 7 } }, stored: false },
      { kind: 'strange', status: 201 }
    ],
    [
      'a success that speaks of errors',
      {
        kind: 'answer',
        status: 200,
        body: { message: 'm', errors: { title: ['x'] } },
        stored: false
      },
      { kind: 'strange', status: 200 }
    ],
    [
      'a redirect, which is not followed',
      { kind: 'answer', status: 307, headers: { location: '/elsewhere' }, stored: false },
      { kind: 'strange', status: 307, location: '/elsewhere' }
    ],
    [
      'a web page',
      { kind: 'answer', status: 404, body: '<html></html>', stored: false },
      { kind: 'strange', status: 404, webPage: true }
    ],
    [
      'a redirect to the shop’s other address',
      {
        kind: 'answer',
        status: 301,
        headers: { location: 'https://www.shop.example/shop/v2/api/products/12/versions' },
        stored: false
      },
      { kind: 'strange', status: 301, moved: 'https://www.shop.example/shop/v2' }
    ],
    [
      'an error in another form',
      { kind: 'answer', status: 500, body: { error: 'x' }, stored: false },
      { kind: 'strange', status: 500 }
    ],
    [
      'an error that is cut off',
      { kind: 'truncated-answer', close: 'fin', stored: false },
      { kind: 'strange' }
    ]
  ])('is a strange one: %s', async (_, fault, expected) => {
    service.misbehave(fault)
    expect(await check()).toMatchObject(expected)
    expect(service.requests).toHaveLength(1)
  })
})

describe('there is no answer', () => {
  test('from a service that is silent', async () => {
    service.misbehave({ kind: 'silence-after-body', stored: false })
    const result = await check({ patience: { stall: 300, answer: 300 } })
    expect(result).toMatchObject({ kind: 'noAnswer', cause: expect.any(Error) })
  })

  test('from a service that resets the connection, which is not tried again', async () => {
    service.misbehave({ kind: 'reset-before-body' })
    expect(await check()).toMatchObject({ kind: 'noAnswer' })
    expect(service.requests.length).toBeLessThanOrEqual(1)
  })

  test('where nobody listens', async () => {
    const result = await check({}, TOKEN, 'http://127.0.0.1:1')
    expect(result).toMatchObject({ kind: 'noAnswer', cause: { code: 'ECONNREFUSED' } })
  })

  test('for a run that is cancelled', async () => {
    const result = await check({ signal: AbortSignal.abort() })
    expect(result).toEqual({ kind: 'noAnswer', cause: expect.any(CancelledError) })
    expect(service.requests).toEqual([])
  })
})
