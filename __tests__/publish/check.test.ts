// Tests of src/publish/answers.ts: what an answer to a request without fields is taken for.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { CancelledError } from '../../src/http/exchange.ts'
import { checkTarget } from '../../src/publish/answers.ts'
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
  ['a benefit', { benefit: '34' }, 'product 12, benefit 34'],
  ['a product, with base64', { upload: 'base64' }, 'product 12']
])('field errors mean that token and ids are good: %s', async (_, inputs, what) => {
  const report = await check(inputs)
  expect(report).toMatchObject({ outcome: 'checked', reason: '', advice: '' })
  const found = `SHOP knows the token and ${what}: it asked for the fields of a version (`
  expect(report.message.startsWith(found)).toBe(true)
})

test.each<[string, Given, number, string]>([
  ['a bad token', { token: 'another' }, 401, 'The token is wrong'],
  ['an unknown product', { product: '99' }, 404, 'Check `base-url`, `product`'],
  ['an unknown benefit', { benefit: '99' }, 404, '`benefit`']
])('a message alone is quoted, with its likely cause: %s', async (_, inputs, status, advice) => {
  const report = await check(inputs)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(report.message).toContain(`SHOP answered ${status}: `)
  expect(report.advice).toContain(advice)
})

const there = (location: string) => answer(301, '', { location })
test.each<[string, Fault, string, string]>([
  ['a web page', answer(200, '<html>'), 'answered 200 with a web page.', 'Check `base-url`'],
  ['a success', answer(201, { data: { id: 7 } }), 'must not succeed', 'Check that `base-url`'],
  [
    'a redirect',
    there('https://www.example.com/'),
    'answered 301 (it points to https://www.example.com/).',
    'Set `base-url` to the shop’s real address'
  ],
  [
    'a redirect to the shop’s other address, which is told',
    there('https://www.example.com/api/products/12/versions'),
    'answered 301',
    'set `base-url` to https://www.example.com.'
  ],
  ['another API', answer(404, { error: 'x' }), 'answered 404.', 'Check `base-url`'],
  [
    'no answer in time',
    { kind: 'silence-after-body', stored: false },
    'There was no answer: ',
    'raise `stall-timeout`'
  ]
])('inconclusive is %s', async (_, fault, message, advice) => {
  const report = await check({ 'response-timeout': '0.3' }, fault)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test('a cancelled run is told as that', async () => {
  const checking = check({}, undefined, { cancelled: AbortSignal.abort() })
  await expect(checking).rejects.toThrow(CancelledError)
})
