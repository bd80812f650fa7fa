// Tests of src/publish/answers.ts: what the shop's answers are taken for, and what to do about them.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { FileFault } from '../../src/file/fault.ts'
import { CancelledError, ProxyError, TimeoutError } from '../../src/http/exchange.ts'
import { Withheld } from '../../src/ledger/steps.ts'
import { checkTarget, explain } from '../../src/publish/answers.ts'
import type { PublishResult } from '../../src/shop/publish.ts'
import { openService, TOKEN } from '../shop/trying.ts'
import { firstOf, type Given, inputsOf, openTestRun, type RunOptions } from './running.ts'

const HOST = 'shop.example.com'

/** The report of a result, for a target with these inputs. */
async function tell(result: PublishResult, given: Given = {}) {
  return explain(result, HOST, firstOf(await inputsOf(given)).target)
}

const reject = (status: number, more: object = {}, given: Given = {}) => {
  const error = { message: 'No.', fields: {} }
  return tell({ kind: 'rejected', status, error, ...more }, given)
}

test.each<[number, object, string]>([
  [401, {}, 'The token is wrong, expired or revoked.'],
  [402, {}, 'may have an unpaid bill'],
  [403, {}, 'Check `product`, and whose token it is.'],
  [403, { webPage: true }, 'a login page or a firewall. Check `base-url`'],
  [404, {}, 'Check `base-url`, `product` and `benefit`; '],
  [405, {}, 'This is not the address of the shop’s API. Check `base-url`'],
  [409, {}, 'conflicts with what it has. Look for this version in its admin dashboard'],
  [413, { webPage: true }, 'larger than the shop accepts'],
  [415, {}, 'the other value of `upload`'],
  [429, {}, 'Run this job again later.'],
  [429, { after: 1000 }, 'Run this job again in 1 second or later.'],
  [429, { after: 90_000 }, 'Run this job again in 90 seconds or later.'],
  [429, { after: 3_600_000 }, 'Run this job again in 60 minutes or later.'],
  [503, {}, 'not available right now'],
  [301, {}, 'Redirects are not followed'],
  [308, { moved: 'https://www.shop' }, 'set `base-url` to https://www.shop.'],
  [422, { error: { message: 'No.', fields: { a: ['b'] } } }, 'start it by hand']
])('a rejection %d %j comes with its likely cause', async (status, more, advice) => {
  const report = await reject(status, more)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(report.message).toMatch(/^shop\.example\.com did not publish it: it answered \d+/)
  expect(report.advice).toContain(advice)
})

test('a rejection quotes where it points, and that it is a web page', async () => {
  const more = { webPage: true, location: '/login', error: undefined }
  const page = `${HOST} did not publish it: it answered 302 with a web page (it points to /login)`
  expect((await reject(302, more)).message).toBe(page)
})

const ASSET = { 'changelog-file': 'C.md', file: '', asset: '*.zip' }
test.each<[Given, string, string]>([
  [{ changelog: '- New' }, 'Input changelog', 'Input file'],
  [ASSET, 'Input changelog-file', 'Input asset']
])('a rejection names the input that feeds a field, given %j', async (given, changelog, file) => {
  const fields = { title: ['Too long.', 'Loud.'], changelog: ['a'], file: [], constructor: ['x'] }
  const { complaints } = await reject(422, { error: { message: 'No.', fields } }, given)
  expect(complaints).toEqual([
    { place: 'Input title (field title)', message: 'Too long. Loud.' },
    { place: `${changelog} (field changelog)`, message: 'a' },
    { place: `${file} (field file)`, message: 'was refused without a reason' },
    { place: 'Field constructor', message: 'x' }
  ])
})

const tls = Object.assign(new Error('0A00010B:SSL'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
const held = new Withheld('it could not be recorded', { cause: new Error('GitHub answered 500') })
const noTls = `${HOST} does not speak HTTPS on this port (${tls.code})`
test.each<[Error, string, string, string]>([
  [tls, 'not-sent', noTls, 'port in `base-url`'],
  [new TimeoutError('no byte moved'), 'not-sent', 'no byte moved', '`stall-timeout`'],
  [new ProxyError('the proxy answered 407'), 'not-sent', 'answered 407', 'HTTPS_PROXY'],
  [new FileFault('file-changed', '"a" changed.'), 'file-changed', '"a" changed.', ''],
  [new CancelledError(), 'cancelled', 'The run was stopped', ''],
  [held, 'withheld', 'it could not be recorded (GitHub answered 500)', 'Run this job again.']
])('nothing was published: %s', async (cause, reason, message, advice) => {
  const report = await tell({ kind: 'notPublished', cause })
  expect(report).toMatchObject({ outcome: 'failed', reason })
  expect(report.message).toMatch(`Nothing was published`)
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test.each([
  ['no answer', { kind: 'unknown', cause: new Error('silence') }, 'no-answer'],
  ['a strange one', { kind: 'unknown', cause: new Error('500'), status: 500 }, 'strange-answer']
] as const)('nobody knows after %s', async (_, result, reason) => {
  const { message, advice, ...rest } = await tell(result)
  expect(rest).toMatchObject({ outcome: 'unknown', reason })
  expect(message).toContain(`the whole request was sent, and ${result.cause.message}.`)
  expect(advice).toContain('admin dashboard')
})

/** Checks the only target at the stand-in, after this fault of its own. */
async function check(inputs: Given = {}, fault?: Fault, options: RunOptions = {}) {
  const service = await openService()
  try {
    if (fault) service.misbehave(fault)
    const given = { 'base-url': service.url, token: TOKEN, mode: 'check', file: '', ...inputs }
    const { run } = await openTestRun({ ...options, inputs: given })
    const report = await checkTarget(run, firstOf(run.inputs).target)
    expect([service.versions, service.notifications]).toEqual([[], []])
    return { ...report, message: report.message.replace(new URL(service.url).host, 'SHOP') }
  } finally {
    await service.close()
  }
}

test.each<[string, Given, number, string]>([
  ['a bad token', { token: 'another' }, 401, 'The token is wrong'],
  ['an unknown product', { product: '99' }, 404, 'Check `base-url`, `product`'],
  ['an unknown benefit', { benefit: '99' }, 404, '`benefit`']
])('a check quotes a message, with its likely cause: %s', async (_, inputs, status, advice) => {
  const report = await check(inputs)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(report.message).toContain(`SHOP answered ${status}: `)
  expect(report.advice).toContain(advice)
})

const answer = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}
const MOVED = answer(301, '', { location: '/login' })
const SILENT: Fault = { kind: 'silence-after-body', stored: false }
test.each<[string, Fault, string, string]>([
  ['a web page', answer(200, '<html>'), 'answered 200 with a web page.', 'Check `base-url`'],
  ['a success', answer(201, { data: { id: 7 } }), 'must not succeed', 'Check that `base-url`'],
  ['a redirect', MOVED, '301 (it points to /login).', 'Set `base-url` to the shop’s real'],
  ['another API', answer(404, { error: 'x' }), 'answered 404.', 'Check `base-url`'],
  ['no answer in time', SILENT, 'There was no answer: ', 'raise `stall-timeout`']
])('a check is inconclusive after %s', async (_, fault, message, advice) => {
  const report = await check({ 'response-timeout': '0.3' }, fault)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test('a check that is cancelled throws that', async () => {
  const checking = check({}, undefined, { cancelled: AbortSignal.abort() })
  await expect(checking).rejects.toThrow(CancelledError)
})
