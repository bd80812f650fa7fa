// Tests of src/publish/messages.ts and report.ts: what a result means, what to do about it, and how the log tells it.
import { describe, expect, test } from '@jest/globals'
import { FileFault } from '../../src/file/fault.ts'
import { GitHubError } from '../../src/github/github.ts'
import { CancelledError, ProxyError, TimeoutError } from '../../src/http/exchange.ts'
import { Withheld } from '../../src/ledger/steps.ts'
import { explain } from '../../src/publish/answers.ts'
import { explainStop, problemReport } from '../../src/publish/messages.ts'
import { ended, logReport, type Report } from '../../src/publish/report.ts'
import { type Given, inputsOf } from './given.ts'
import { published } from './reported.ts'
import { listen, openTestRun } from './running.ts'

const HOST = 'shop.example.com'

/** The only target of these inputs. */
async function targetOf(given: Given = {}) {
  const [target] = (await inputsOf(given)).targets
  if (!target) throw new Error('there is no target')
  return target
}

describe('a rejection', () => {
  const reject = async (status: number, more: object = {}, given: Given = {}) => {
    const error = { message: 'No.', fields: {} }
    const result = { kind: 'rejected', status, error, tailSent: true, ...more } as const
    return explain(result, HOST, await targetOf(given))
  }

  test.each<[number, object, string]>([
    [401, {}, 'The token is wrong, expired or revoked.'],
    [402, {}, 'may have an unpaid bill'],
    [403, {}, 'Check `product`, and whose token it is.'],
    [403, { webPage: true }, 'a login page or a firewall. Check `base-url`'],
    [404, {}, 'Check `base-url`, `product` and `benefit`; '],
    [405, {}, 'This is not the address of the shop’s API. Check `base-url`'],
    [409, {}, 'conflicts with what it has. Look for this version in its admin dashboard'],
    [413, {}, 'larger than the shop accepts'],
    [415, {}, 'the other value of `upload`'],
    [429, {}, 'Run this job again later.'],
    [429, { after: 1000 }, 'Run this job again in 1 second or later.'],
    [429, { after: 90_000 }, 'Run this job again in 90 seconds or later.'],
    [429, { after: 3_600_000 }, 'Run this job again in 60 minutes or later.'],
    [503, {}, 'not available right now'],
    [301, {}, 'Redirects are not followed'],
    [308, { moved: 'https://www.shop' }, 'set `base-url` to https://www.shop.'],
    [422, { error: { message: 'No.', fields: { a: ['b'] } } }, 'start it by hand with this tag']
  ])('%d %j comes with its likely cause', async (status, more, advice) => {
    const report = await reject(status, more)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(report.message).toMatch(/^shop\.example\.com did not publish it: it answered \d+/)
    expect(report.advice).toContain(advice)
  })

  test('quotes where it points, and that it is a web page', async () => {
    const more = { webPage: true, location: '/login', error: undefined }
    expect((await reject(302, more)).message).toBe(
      `${HOST} did not publish it: it answered 302 with a web page (it points to /login)`
    )
  })

  test('names the input that feeds each field', async () => {
    const fields = { title: ['Too long.', 'Too loud.'], file: [], constructor: ['x'] }
    const { complaints } = await reject(422, { error: { message: 'No.', fields } })
    expect(complaints).toEqual([
      { place: 'Input title (field title)', message: 'Too long. Too loud.' },
      { place: 'Input file (field file)', message: 'was refused without a reason' },
      { place: 'Field constructor', message: 'x' }
    ])
    const both = { error: { message: 'No.', fields: { changelog: ['x'], file: ['y'] } } }
    const given = { 'changelog-file': 'C.md', file: '', asset: '*.zip' }
    for (const [inputs, changelog, file] of [
      [{}, 'Release notes', 'Input file'],
      [{ changelog: '- New' }, 'Input changelog', 'Input file'],
      [given, 'Input changelog-file', 'Input asset']
    ] as const) {
      expect((await reject(422, both, inputs)).complaints.map(({ place }) => place)).toEqual([
        ...[`${changelog} (field changelog)`, `${file} (field file)`]
      ])
    }
  })
})

test.each<[string, Error, string, string, string]>([
  [
    'a plain port',
    Object.assign(new Error('0A00010B:SSL'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
    'not-sent',
    `${HOST} does not speak HTTPS on this port (ERR_SSL_WRONG_VERSION_NUMBER)`,
    'the port in `base-url`'
  ],
  ['a time-out', new TimeoutError('no byte moved'), 'not-sent', 'no byte moved', '`stall-timeout`'],
  ['a proxy', new ProxyError('the proxy answered 407'), 'not-sent', 'answered 407', 'HTTPS_PROXY'],
  ['a file', new FileFault('file-changed', '"a" changed.'), 'file-changed', '"a" changed.', ''],
  ['a cancelled run', new CancelledError(), 'cancelled', 'The run was stopped', ''],
  [
    'the memory',
    new Withheld('the commit could not be recorded', { cause: new Error('GitHub answered 500') }),
    'withheld',
    'the commit could not be recorded (GitHub answered 500)',
    'Run this job again.'
  ]
])('nothing was published because of %s', async (_, cause, reason, message, advice) => {
  const report = explain({ kind: 'notPublished', cause }, HOST, await targetOf())
  expect(report).toMatchObject({ outcome: 'failed', reason })
  expect(report.message).toContain('Nothing was published')
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test.each([
  ['no answer', { kind: 'unknown', cause: new Error('silence') }, 'no-answer'],
  ['a strange one', { kind: 'unknown', cause: new Error('500'), status: 500 }, 'strange-answer']
] as const)('nobody knows after %s', async (_, result, reason) => {
  const { message, advice, ...rest } = explain(result, HOST, await targetOf())
  expect(rest).toMatchObject({ outcome: 'unknown', reason })
  expect(message).toContain(`the whole request was sent, and ${result.cause.message}.`)
  expect(advice).toContain('admin dashboard')
})

test.each<[string, Error, string, string, string]>([
  ['GitHub', new GitHubError('It broke.', 502), 'github', 'It broke.', 'Run this job again.'],
  ['a wrong token', new GitHubError('No.', 401), 'github', 'No.', 'Check `github-token`'],
  ['no access', new GitHubError('No.', 404, true), 'github', 'No.', '`contents: read`'],
  [
    'a mistake of ours',
    new Error('oops'),
    'internal',
    'should not have happened: oops',
    'debug logging'
  ]
])('a run that ends by %s', async (_, error, reason, message, advice) => {
  const { run } = await openTestRun()
  const report = explainStop(error, run.runner, 'failed')
  expect(report).toMatchObject({ outcome: 'failed', reason })
  expect(report.message).toContain(message)
  expect(report.advice).toContain(advice)
})

test('several problems have the reason that they share', () => {
  const problem = { place: 'file', message: 'm' }
  const none = { ...problem, reason: 'no-file' } as const
  expect(problemReport([none, none])).toMatchObject({ reason: 'no-file', complaints: [none, none] })
  expect(problemReport([none, problem]).reason).toBe('bad-input')
  expect(problemReport([none])).toMatchObject({ reason: 'no-file', message: 'file: m' })
})

describe('the end, in the log', () => {
  const said = 'info: Published as version 7.'
  const sha256 = `info:   sha256     ${'ab'.repeat(32)}`
  const download = 'info:   download   https://shop.example.com/d/7?a=1&b=2'
  const failed = ended('failed', 'rejected', 'No.', 'Wait.')
  const complaints = [{ place: 'file', message: 'm' }]
  test.each<[string, Report, string, string[]]>([
    ['published', published, '', [said, sha256, download]],
    ['published, no link shown', { ...published, showLink: false }, 'a', [said, sha256]],
    ['planned', ended('planned', '', 'Not yet.'), '', ['info: Not yet.']],
    ['skipped', ended('skipped', 'prerelease', 'x'), 'a', ['notice: Skipped: a: x']],
    ['failed', failed, '', ['error: Not published: No.\nWait.']],
    ['checked', { ...failed, heading: 'Check failed' }, '', ['error: Check failed: No.\nWait.']],
    ['in doubt', ended('unknown', 'in-doubt', 'x'), '', ['error: Outcome unknown: x']],
    [
      'several',
      { ...failed, complaints },
      '',
      ['error: Not published: No.\nWait.', 'error: file: file: m']
    ]
  ])('%s', (_, report, name, expected) => {
    const { log, lines } = listen()
    logReport(log, report, name)
    expect(lines).toEqual(expected)
  })
})
