// Tests of src/report/answers.ts: what the shop's answers are taken for, and what to do about them.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { FileFault } from '../../src/file/fault.ts'
import { CancelledError, ProxyError, TimeoutError } from '../../src/http/exchange.ts'
import { Withheld } from '../../src/ledger/steps.ts'
import { checkTarget } from '../../src/publish/modes.ts'
import { reportResult, type VersionQuestion } from '../../src/report/answers.ts'
import { tellTarget } from '../../src/report/tell.ts'
import type { Answered } from '../../src/shop/answer.ts'
import type { PublishResult } from '../../src/shop/publish.ts'
import { firstOf, type Given, openTestRun, type RunOptions } from '../publish/running.ts'
import { openService, TOKEN } from '../shop/trying.ts'

const HOST = 'shop.example.com'

/** The report of a result, for a target with these inputs. */
async function tell(
  result: PublishResult,
  given: Given = {},
  question: Partial<VersionQuestion> = {}
) {
  const { run } = await openTestRun({ inputs: given })
  const { target } = firstOf(run.inputs)
  const asked = { facts: run.facts, target, contacted: false, versionName: '1.4.2', recorded: true }
  return reportResult(result, { ...asked, ...question })
}

const ADDRESS = `https://${HOST}/api/products/12/versions`
const NO = { message: 'No.', fields: {} }
const ANSWERED: Answered = {
  status: 200,
  url: ADDRESS,
  error: NO,
  webPage: false,
  title: '',
  isCloudflare: false,
  server: '',
  location: undefined,
  moved: undefined
}
const PAGE = { error: undefined, webPage: true, title: '404 Not Found', server: 'nginx' }
const CLOUDFLARE = { ...PAGE, isCloudflare: true }

const reject = (
  status: number,
  more: Partial<Answered> & { readonly after?: number } = {},
  given: Given = {},
  question: Partial<VersionQuestion> = {}
) => tell({ kind: 'rejected', retry: false, ...ANSWERED, status, ...more }, given, question)

const doubt = (status: number, more: object = {}, question: Partial<VersionQuestion> = {}) => {
  const answered = { ...ANSWERED, status, early: false, truncated: undefined, ...more }
  return tell({ kind: 'unknown', answered }, {}, question)
}

const FIREWALL = 'keep GitHub’s runners out: ask the shop to let `/api` through.'
test.each<[number, Parameters<typeof reject>[1], string, RegExp?]>([
  [401, {}, 'The token is wrong, expired or revoked.'],
  [402, {}, 'may have an unpaid bill'],
  [403, {}, 'Check `product`, and whose token it is.'],
  [403, PAGE, 'a login page or a firewall. Check `base-url`'],
  [403, PAGE, FIREWALL],
  [403, CLOUDFLARE, FIREWALL, /base-url/],
  [403, { ...CLOUDFLARE, webPage: false }, FIREWALL, /base-url/],
  [404, {}, 'Check `base-url` and `product`; ', /benefit/],
  [405, {}, 'This is not the address of the shop’s API. Check `base-url`'],
  [413, PAGE, 'larger than the shop accepts'],
  [415, {}, 'the other value of `upload`'],
  [429, {}, 'Run this job again later.'],
  [429, { after: 1000 }, 'Run this job again in 1 second or later.'],
  [429, { after: 90_000 }, 'Run this job again in 90 seconds or later.'],
  [429, { after: 3_600_000 }, 'Run this job again in 60 minutes or later.'],
  [429, { after: 0 }, 'Run this job again later.'],
  [401, { after: 1000 }, 'The token is wrong', /pause/],
  [503, {}, 'not available right now'],
  [301, {}, 'Redirects are not followed'],
  [308, { moved: 'https://www.shop' }, 'set `base-url` to https://www.shop.'],
  [422, { error: { message: 'No.', fields: { a: ['b'] } } }, 'Fix the workflow']
])('a rejection %d %j comes with its likely cause', async (status, more, advice, never = /^$/) => {
  const report = await reject(status, more)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(report.message).toMatch(/^shop\.example\.com did not publish it: it answered \d+/)
  expect(report.advice).toContain(advice)
  expect(report.advice).not.toMatch(never)
})

test.each<[number, Partial<Answered>, string]>([
  [403, PAGE, FIREWALL],
  [403, CLOUDFLARE, FIREWALL],
  [401, PAGE, 'comes from a server in front of it'],
  [404, PAGE, 'comes from a server in front of it'],
  [404, {}, 'comes from a server in front of it'],
  [405, {}, 'comes from a server in front of it']
])(
  'once the API has answered, a rejection %d %j is not told to check `base-url`',
  async (...row) => {
    const [status, more, advice] = row
    const report = await reject(status, more, {}, { contacted: true })
    expect(report.advice).toContain(advice)
    expect(report.advice).not.toContain('base-url')
  }
)

test('a 404 shows what was asked for, and what a benefit’s id is not', async () => {
  const asked = `${HOST} did not publish it: it answered 404 for ${ADDRESS}: No.`
  const report = await reject(404, {}, { benefit: '34' })
  expect(report.message).toBe(asked)
  expect(report.advice).toContain('an option’s id is not a benefit’s id')
})

test('a rejection quotes where it points, and that it is a web page', async () => {
  const more = { ...PAGE, title: 'Log in', location: '/login' }
  const page = `${HOST} did not publish it: it answered 302 with a web page (“Log in”) (it points to /login)`
  expect((await reject(302, more)).message).toBe(page)
})

const taken = { message: 'Taken.', fields: { version_name: ['has already been taken'] } }
test.each<[number, Partial<Answered>]>([
  [422, { error: taken }],
  [422, { error: { ...taken, fields: { ...taken.fields, title: ['x'] } } }],
  [409, {}],
  [409, PAGE]
])('a refused name, %d %j, may be in the shop: look, settle, rename last', async (status, more) => {
  const { advice } = await reject(status, more)
  const steps =
    /may be in the shop already.*look in .* product 12: is there a version "1\.4\.2"\?.*mode `settle`, and settle-as `published` if the version is there.*Only if it is not there, .*`version-name`.*a second time/s
  expect(advice).toMatch(steps)
  expect(advice).not.toContain('publish again')
  const forgetful = await reject(status, more, {}, { recorded: false })
  expect(forgetful.advice).toMatch(/is there a version.*nothing is left to do.*Only if it is not/s)
  expect(forgetful.advice).not.toContain('settle')
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
const notFound = Object.assign(new Error('x'), { code: 'ENOTFOUND' })
const noTls = `${HOST} does not speak HTTPS on this port (${tls.code})`
test.each<[Error, string, string, string]>([
  [tls, 'not-sent', noTls, 'port in `base-url`'],
  [new TimeoutError('no byte moved'), 'not-sent', 'no byte moved', '`stall-timeout`'],
  [new ProxyError('the proxy answered 407'), 'not-sent', 'answered 407', 'Check HTTPS_PROXY'],
  [new ProxyError('Oh', '', undefined, 503), 'not-sent', 'Oh', 'The shop may be down: run'],
  [notFound, 'not-sent', `${HOST} was not found`, 'is only the example in the documentation'],
  [new FileFault('file-changed', '"a" changed.'), 'file-changed', '"a" changed.', ''],
  [new CancelledError(), 'cancelled', 'The run was stopped', ''],
  [held, 'withheld', 'it could not be recorded (GitHub answered 500)', 'Run this job again.']
])('nothing was published: %s', async (cause, reason, message, advice) => {
  const report = await tell({ kind: 'notPublished', cause, retry: false })
  expect(report).toMatchObject({ outcome: 'failed', reason })
  expect(report.message).toMatch(`Nothing was published`)
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

const BEFORE = ', though the shop’s API answered on this address a moment ago'
const JSON_404 = { ...PAGE, webPage: false, title: '' }
const cut = new TimeoutError('no complete answer')
test.each<[number, object, string]>([
  [404, PAGE, `nginx answered 404 with a web page (“404 Not Found”)${BEFORE}`],
  [404, { ...PAGE, title: '' }, `nginx answered 404 with a web page${BEFORE}`],
  [403, JSON_404, `nginx answered 403, not in the form of the shop’s API${BEFORE}`],
  [200, JSON_404, `nginx answered 200 without the record of a version${BEFORE}`],
  [502, { ...PAGE, server: '' }, `${HOST} answered 502 with a web page (“404 Not Found”)${BEFORE}`],
  [307, { ...PAGE, location: '/x' }, `nginx answered 307 with a redirect to /x${BEFORE}`],
  // A gateway speaks JSON, too.
  [500, { server: 'kong' }, `${HOST} answered 500: No.`],
  [409, {}, `${HOST} answered 409: No.`],
  [201, { ...JSON_404, truncated: cut }, 'nginx answered 201, but not to the end: no complete']
])('nobody knows after %d %j, and the message names who answered', async (status, more, said) => {
  const { message, ...rest } = await doubt(status, more, { contacted: true })
  expect(rest).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
  expect(message).toContain(`is published: the whole request was sent, and ${said}`)
})

test('nobody knows after other ends, and no more is said than is known', async () => {
  const silence = await tell({ kind: 'unknown', cause: new Error('silence') })
  expect(silence).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })
  expect(silence.message).toContain('the whole request was sent, and silence.')
  const early = await doubt(201, { early: true })
  expect(early.message).toContain('is published: shop.example.com answered 201 before the request')
  const alone = await doubt(404, PAGE)
  expect(alone.message).toContain('(“404 Not Found”), which proves nothing.')
})

test('without a record, what nobody knows leads to a look, and to one that can be settled', async () => {
  const { advice } = await doubt(500)
  expect(advice).toMatch(
    /look in .*: is there a version "1\.4\.2"\?.*If it is there, do not run this job again.*mode `settle`.*If it is not there, run/s
  )
  expect(advice).not.toContain('version-name')
  expect((await doubt(409)).advice).toMatch(/If it is not there, run.*Only if .*`version-name`/s)
  const tooLarge = (await doubt(413, { ...PAGE, title: '413' })).advice
  expect(tooLarge).toMatch(
    /run this job again\.\nIf it is not there, .*larger than the shop accepts/
  )
})

/** Checks the only target at the stand-in, after this fault of its own. */
async function check(inputs: Given = {}, fault?: Fault, options: RunOptions = {}) {
  const service = await openService()
  try {
    if (fault) service.misbehave(fault)
    const given = { 'base-url': service.url, token: TOKEN, mode: 'check', file: '', ...inputs }
    const { run } = await openTestRun({ ...options, inputs: given })
    const told = { ...firstOf(run.inputs), changelog: '' }
    const end = await checkTarget(run, told.target, { kind: 'unused' })
    const report = tellTarget(end, told, run.facts)
    expect([service.versions, service.notifications]).toEqual([[], []])
    return { ...report, message: report.message.replace(new URL(service.url).host, 'SHOP') }
  } finally {
    await service.close()
  }
}

test.each<[string, Given, number, string, string]>([
  ['a bad token', { token: 'another' }, 401, ': Unauthenticated.', 'The token is wrong'],
  ['an unknown product', { product: '99' }, 404, '/products/99/versions: Not', 'and `product`;'],
  ['an unknown benefit', { benefit: '99' }, 404, '/12/benefits/99/versions: Not', 'option’s id is']
])(
  'a check quotes a message, with its likely cause: %s',
  async (_, inputs, status, said, advice) => {
    const report = await check(inputs)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(report.message).toContain(`SHOP answered ${status}`)
    expect(report.message).toContain(said)
    expect(report.advice).toContain(advice)
  }
)

const answer = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}
const MOVED = answer(301, '', { location: '/login' })
const SILENT: Fault = { kind: 'silence-after-body', stored: false }
test.each<[string, Fault, string, string]>([
  ['a web page', answer(200, '<html>'), 'answered 200 with a web page.', 'Check `base-url`'],
  ['a firewall', answer(403, '<html>', { 'cf-mitigated': 'challenge' }), '403 with', FIREWALL],
  ['a success', answer(201, { data: { id: 7 } }), 'must not succeed', 'Check that `base-url`'],
  ['a redirect', MOVED, '301 (it points to /login).', 'Set `base-url` to the shop’s real'],
  ['another API', answer(404, { error: 'x' }), 'answered 404 for http', 'Check `base-url`'],
  ['no answer in time', SILENT, 'There was no answer: ', 'raise `stall-timeout`']
])('a check is inconclusive after %s', async (_, fault, message, advice) => {
  const report = await check({ 'response-timeout': '0.3' }, fault)
  expect(report).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test.each([401, 403, 404, 429, 500])(
  'a check is refused with %i, whatever is missed',
  async status => {
    const body = { message: 'No.', errors: { token: ['is wrong'] } }
    const report = await check({}, answer(status, body))
    expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  }
)

test('a check that is cancelled throws that', async () => {
  const checking = check({}, undefined, { cancelled: AbortSignal.abort() })
  await expect(checking).rejects.toThrow(CancelledError)
})
