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
const MISSED = {
  message: 'No.',
  errors: { title: ['is required'] }
}

interface Answered {
  readonly name: string
  readonly fault: Fault
  readonly kind: CheckResult['kind']
  readonly verdict: 'upload' | 'stop'
}

// All others are in `__tests__/faults/service-preflight.test.ts`.
test.each<Answered>([
  {
    name: 'a web page and 301',
    fault: answer(301, '<html>'),
    kind: 'strange',
    verdict: 'stop'
  },
  {
    name: 'a web page and 501',
    fault: answer(501, '<html>'),
    kind: 'strange',
    verdict: 'upload'
  },
  {
    name: 'a bare 405',
    fault: answer(405, ''),
    kind: 'strange',
    verdict: 'upload'
  },
  {
    name: 'missed fields and 500',
    fault: answer(500, MISSED),
    kind: 'rejected',
    verdict: 'upload'
  },
  {
    name: 'half',
    fault: {
      kind: 'truncated-answer',
      close: 'fin',
      stored: false
    },
    kind: 'strange',
    verdict: 'upload'
  }
])(
  'a check that is answered with $name says this about an upload',
  async ({ fault, kind, verdict }) => {
    service.misbehave(fault)

    const result = await check({ route: { product: 12 }, upload: 'multipart' })

    expect(result.kind).toBe(kind)
    expect(judgePreflight(result)).toBe(verdict)
  }
)
