// Tests of src/shop/check.ts: a request without any field, and what its answer is.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
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

test.each<[string, Partial<CheckRequest>, string, object]>([
  ['of a good route', {}, TOKEN, { kind: 'checked', status: 422 }],
  ['as base64, too', { upload: 'base64' }, TOKEN, { kind: 'checked', status: 422 }],
  ['to a bad token', {}, 'another', { kind: 'rejected', status: 401 }],
  ['to an unknown product', { route: { product: 99 } }, TOKEN, { kind: 'rejected', status: 404 }]
])('an answer %s is told by its fields', async (_, over, token, expected) => {
  expect(await check(over, token)).toMatchObject(expected)
})

const MOVED = 'https://www.shop.example/shop/v2/api/products/12/versions'
test.each<[string, Fault, object]>([
  ['a success', answer(201, { data: { id: 7 } }), { status: 201 }],
  ['a success with errors', answer(200, { message: 'm', errors: { title: ['x'] } }), {}],
  ['a redirect', answer(307, '', '/elsewhere'), { status: 307, location: '/elsewhere' }],
  ['a web page', answer(404, '<html></html>'), { status: 404, webPage: true }],
  ['a moved shop', answer(301, '', MOVED), { moved: 'https://www.shop.example/shop/v2' }],
  ['an error in another form', answer(500, { error: 'x' }), { status: 500 }],
  ['half an answer', { kind: 'truncated-answer', close: 'fin', stored: false }, {}]
])('%s is a strange answer, and not followed', async (_, fault, expected) => {
  service.misbehave(fault)
  expect(await check()).toMatchObject({ kind: 'strange', ...expected })
  expect(service.requests).toHaveLength(1)
})

test('a reset is no answer, and not tried again', async () => {
  service.misbehave({ kind: 'reset-before-body' })
  expect(await check()).toMatchObject({ kind: 'noAnswer' })
  expect(service.requests.length).toBeLessThanOrEqual(1)
})

function answer(status: number, body: unknown, location?: string): Fault {
  const headers = location === undefined ? {} : { location }
  return { kind: 'answer', status, body, headers, stored: false }
}
