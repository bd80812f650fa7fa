// Tests of src/shop/check.ts: a check asks the real route without a field, and its answer says whether to upload.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Service } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import {
  type CheckRequest,
  type CheckResult,
  checkRoute,
  judgePreflight
} from '../../src/shop/check.ts'
import { openService, PATIENCE, TOKEN } from './trying.ts'

let service: Service
beforeEach(async () => {
  service = await openService({ pathPrefix: '/shop/v2' })
})
afterEach(() => service.close())

function check({ upload, route }: Pick<CheckRequest, 'route' | 'upload'>): Promise<CheckResult> {
  return checkRoute(connect, {
    service: { baseUrl: service.url, token: TOKEN },
    route,
    upload,
    patience: PATIENCE,
    signal: new AbortController().signal,
    conceal: String
  })
}

interface Asked extends Pick<CheckRequest, 'route' | 'upload'> {
  readonly path: string
  readonly type: string
  readonly body: string
}

test.each<Asked>([
  {
    upload: 'multipart',
    route: { product: 12, benefit: 34 },
    path: '/shop/v2/api/products/12/benefits/34/versions',
    type: 'multipart/form-data; boundary=publish-version-check',
    body: '--publish-version-check--\r\n'
  },
  {
    upload: 'base64',
    route: { product: 12 },
    path: '/shop/v2/api/products/12/versions',
    type: 'application/json',
    body: '{}'
  }
])('a check as $upload asks the real route without a field', async asked => {
  expect(await check(asked)).toMatchObject({ kind: 'checked', status: 422 })

  const [request] = service.requests
  expect(request?.path).toBe(asked.path)
  expect(request?.headers['content-type']).toBe(asked.type)
  expect(request?.body?.toString()).toBe(asked.body)
  expect(service.versions).toEqual([])
  expect(service.notifications).toEqual([])
})

function answer(status: number, body: unknown): Fault {
  return {
    kind: 'answer',
    status,
    body,
    stored: false
  }
}
const MISSED = { message: 'No.', errors: { title: ['is required'] } }
const DOCUMENTED = { message: 'No.' }
const HALF: Fault = { kind: 'truncated-answer', close: 'fin', stored: false }

// What a whole run makes of them is in `__tests__/faults/service-preflight.test.ts`.
test.each<[string, Fault, CheckResult['kind'], 'upload' | 'stop']>([
  ...[401, 403, 404].flatMap((status): [string, Fault, CheckResult['kind'], 'stop'][] => [
    [`missed fields and ${status}`, answer(status, MISSED), 'rejected', 'stop'],
    [`a message and ${status}`, answer(status, DOCUMENTED), 'rejected', 'stop'],
    [`a web page and ${status}`, answer(status, '<html>'), 'strange', 'stop'],
    [`a bare ${status}`, answer(status, ''), 'strange', 'stop']
  ]),
  ['a web page and 405', answer(405, '<html>'), 'strange', 'stop'],
  ['a web page and 301', answer(301, '<html>'), 'strange', 'stop'],
  ['missed fields and 200', answer(200, MISSED), 'strange', 'stop'],
  ['missed fields and 308', answer(308, MISSED), 'strange', 'stop'],
  ['a record and 201', answer(201, { data: { id: 7 } }), 'strange', 'stop'],
  ['a bare 204', answer(204, ''), 'strange', 'stop'],
  ['missed fields and 400', answer(400, MISSED), 'checked', 'upload'],
  ['a message and 402', answer(402, DOCUMENTED), 'rejected', 'upload'],
  ['a message and 405', answer(405, DOCUMENTED), 'rejected', 'upload'],
  ['a message and 500', answer(500, DOCUMENTED), 'rejected', 'upload'],
  ['a web page and 501', answer(501, '<html>'), 'strange', 'upload'],
  ['a bare 405', answer(405, ''), 'strange', 'upload'],
  ['missed fields and 500', answer(500, MISSED), 'rejected', 'upload'],
  ...[400, 411, 413, 415, 422].map((status): [string, Fault, CheckResult['kind'], 'upload'] => {
    return [`a web page and ${status}`, answer(status, '<html>'), 'strange', 'upload']
  }),
  ['half', HALF, 'strange', 'upload']
])(
  'a check that is answered with %s says this about an upload',
  async (_, fault, kind, verdict) => {
    service.misbehave(fault)

    const result = await check({ route: { product: 12 }, upload: 'multipart' })

    expect(result.kind).toBe(kind)
    expect(judgePreflight(result)).toBe(verdict)
  }
)
