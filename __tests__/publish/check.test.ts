// Tests of src/publish/check.ts: what an answer to a request without fields is taken for.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { checkTarget } from '../../src/publish/check.ts'
import { openService, TOKEN } from '../shop/trying.ts'
import type { Given } from './given.ts'
import { openTestRun, type RunOptions } from './running.ts'

/** Checks the only target at the stand-in, after this fault of its own. */
async function check(inputs: Given = {}, fault?: Fault, options: RunOptions = {}) {
  const service = await openService()
  try {
    if (fault) service.misbehave(fault)
    const given = { 'base-url': service.url, token: TOKEN, mode: 'check', file: '', ...inputs }
    const { run } = await openTestRun({ ...options, inputs: given })
    const [target] = run.inputs.targets
    if (!target) throw new Error('there is no target')
    const report = await checkTarget(run, target)
    expect([service.versions, service.notifications]).toEqual([[], []])
    return { ...report, message: report.message.replace(new URL(service.url).host, 'SHOP') }
  } finally {
    await service.close()
  }
}

const answer = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}

test.each<[string, Given, string]>([
  ['a product', {}, 'product 12'],
  ['a benefit', { benefit: '34' }, 'product 12, benefit 34'],
  ['a product, with base64', { upload: 'base64' }, 'product 12']
])('field errors mean that token and ids are good: %s', async (_, inputs, what) => {
  const report = await check(inputs)
  expect(report).toMatchObject({ outcome: 'checked', reason: '', advice: '' })
  expect(report.message).toMatch(
    new RegExp(
      `^SHOP knows the token and ${what}: it missed the fields of a version \\(.*title.*\\)`
    )
  )
  expect(report.subject).toMatchObject({ route: { product: 12 }, versionName: '' })
})

test.each<[string, Given, string, string]>([
  ['a bad token', { token: 'another' }, 'SHOP answered 401: ', 'The token is wrong'],
  ['an unknown product', { product: '99' }, 'SHOP answered 404: ', 'Check `base-url`, `product`'],
  ['an unknown benefit', { benefit: '99' }, 'SHOP answered 404: ', '`benefit`']
])('a message alone is quoted, with its likely cause: %s', async (_, inputs, message, advice) => {
  const report = await check(inputs)
  const heading = 'Check failed'
  expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected', heading })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

describe('inconclusive is', () => {
  test.each<[string, Fault, string, string]>([
    ['a web page', answer(200, '<html>'), 'answered 200 with a web page. The shop’s', ''],
    ['a success', answer(201, { data: { id: 7 } }), 'answered 201', 'must not succeed'],
    [
      'a redirect',
      answer(302, '', { location: 'https://www.example.com/' }),
      'answered 302 and points to https://www.example.com/. The shop’s',
      ''
    ],
    ['another API', answer(404, { error: 'x' }), 'answered 404. The shop’s', '']
  ])('%s', async (_, fault, text, more) => {
    const report = await check({}, fault)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
    expect(report.message).toContain(text)
    expect(report.message).toContain(more)
    expect(report.message.includes('must not succeed')).toBe(more !== '')
    expect(report.advice).toContain('`base-url`')
  })

  test('a redirect to the shop’s other address, which is told', async () => {
    const location = 'https://www.example.com/api/products/12/versions'
    const report = await check({}, answer(301, '', { location }))
    expect(report.reason).toBe('inconclusive')
    expect(report.advice).toContain('set `base-url` to https://www.example.com.')
  })

  test('no answer in time', async () => {
    const inputs = { 'response-timeout': '0.3' }
    const report = await check(inputs, { kind: 'silence-after-body', stored: false })
    expect(report).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
    expect(report.message).toMatch(/^There was no answer: /)
  })

  test('a host that is not there', async () => {
    const report = await check({ 'base-url': 'http://127.0.0.1:1' })
    expect(report.message).toBe(
      'There was no answer: 127.0.0.1:1 refused the connection (ECONNREFUSED).'
    )
    expect(report.reason).toBe('inconclusive')
  })
})

test('a cancelled run is told as that', async () => {
  const report = await check({}, undefined, { cancelled: AbortSignal.abort() })
  expect(report).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
})
