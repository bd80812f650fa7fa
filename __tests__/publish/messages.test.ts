// Tests of src/publish/messages.ts: what a result means, whose fault it is, and what to do.
import { describe, expect, test } from '@jest/globals'
import { FileFault } from '../../src/file/artifact.ts'
import { CancelledError, TimeoutError } from '../../src/http/exchange.ts'
import { Withheld } from '../../src/ledger/steps.ts'
import { explain, feedingOf } from '../../src/publish/messages.ts'
import { type Given, inputsOf } from './given.ts'

const HOST = 'shop.example.com'

test('a published version', () => {
  expect(explain({ kind: 'published', record: { id: '7', fields: {} } }, HOST)).toEqual({
    outcome: 'published',
    reason: '',
    message: 'Published as version 7.',
    advice: '',
    annotations: []
  })
})

/** What feeds the fields of a target with these inputs. */
async function feedingBy(given: Given) {
  const [target] = (await inputsOf(given)).targets
  if (!target) throw new Error('there is no target')
  return feedingOf(target)
}

const feeding = await feedingBy({})

describe('a rejection', () => {
  const reject = (status: number, fields: Record<string, string[]> = {}, more = {}) => {
    const error = { message: 'The data was invalid.', fields }
    return explain({ kind: 'rejected', status, error, tailSent: true, ...more }, HOST, feeding)
  }

  test('without a message has the status alone', () => {
    const result = { kind: 'rejected', status: 400, error: undefined, tailSent: false } as const
    expect(explain(result, HOST).message).toBe(`${HOST} did not publish it: it answered 400`)
  })

  test.each([
    [401, 'The token is wrong, expired or revoked.'],
    [403, 'may not publish this product'],
    [404, 'Check `base-url`, `product` and `benefit`.'],
    [413, 'larger than the shop accepts'],
    [429, 'Run this job again later.'],
    [503, 'not available right now'],
    [301, 'Redirects are not followed'],
    [308, 'Redirects are not followed']
  ])('%d comes with its likely cause', (status, advice) => {
    expect(reject(status).advice).toContain(advice)
  })

  test.each<[string, Given, string, string]>([
    ['an attached file', { file: '', asset: '*.zip' }, 'file', 'Input asset'],
    ['a text', { changelog: '- New' }, 'changelog', 'Input changelog'],
    ['a file of changes', { 'changelog-file': 'CHANGES.md' }, 'changelog', 'Input changelog-file']
  ])('names the input of %s', async (_, given, field, input) => {
    expect((await feedingBy(given))[field]).toBe(input)
  })

  test.each(['constructor', 'toString', '__proto__'])('%s is a field like any other', field => {
    const { annotations } = reject(422, Object.fromEntries([[field, ['x']]]))
    expect(annotations[0]?.title).toBe(`Field ${field}`)
  })
})

describe('nothing was published', () => {
  const fail = (cause: Error) => explain({ kind: 'notPublished', cause }, HOST)
  const coded = (code: string, message = 'raw text') => Object.assign(new Error(message), { code })

  test.each([
    ['a name that is not found', coded('ENOTFOUND'), `the host ${HOST} was not found (ENOTFOUND)`],
    [
      'a refused connection',
      coded('ECONNREFUSED'),
      `${HOST} refused the connection (ECONNREFUSED)`
    ],
    ['a reset', coded('ECONNRESET'), `the connection to ${HOST} was lost (ECONNRESET)`],
    [
      'a certificate',
      coded('CERT_HAS_EXPIRED', 'expired'),
      'is not trusted: expired (CERT_HAS_EXPIRED)'
    ],
    ['something else', coded('EWEIRD'), 'raw text (EWEIRD)'],
    ['something without words', new RangeError(), 'RangeError'],
    [
      'several addresses that all refuse',
      new AggregateError([coded('ECONNREFUSED')], ''),
      `${HOST} refused the connection (ECONNREFUSED)`
    ]
  ])('for %s', (_, cause, text) => {
    const { outcome, reason, message, advice } = fail(cause)
    expect({ outcome, reason }).toEqual({ outcome: 'failed', reason: 'not-sent' })
    expect(message).toBe(
      `Nothing was published: ${message.slice('Nothing was published: '.length)}`
    )
    expect(message).toContain(text)
    expect(message).not.toMatch(/undefined|\[object|Unknown/)
    expect(advice).not.toBe('')
  })

  test('for a certificate of one’s own, says how to trust it', () => {
    expect(fail(coded('SELF_SIGNED_CERT_IN_CHAIN')).advice).toContain('NODE_EXTRA_CA_CERTS')
  })

  test('for a time-out, names the inputs', () => {
    const { advice } = fail(new TimeoutError('no byte moved for 60 s'))
    expect(advice).toContain('`stall-timeout`')
    expect(advice).toContain('`response-timeout`')
  })

  test.each(['no-file', 'several-files', 'bad-file', 'file-changed'] as const)(
    'for the file: %s',
    reason => {
      expect(fail(new FileFault(reason, '"a.zip" changed.'))).toMatchObject({
        outcome: 'failed',
        reason,
        message: 'Nothing was published. "a.zip" changed.'
      })
    }
  )

  test('for a cancelled run', () => {
    expect(fail(new CancelledError())).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
  })

  test('for the memory, with its own reason', () => {
    const cause = new Error('GitHub answered 500')
    const withheld = fail(new Withheld('the commit could not be recorded', undefined, cause))
    expect(withheld).toMatchObject({ outcome: 'failed', reason: 'withheld' })
    expect(withheld.message).toContain('the commit could not be recorded')
    expect(withheld.message).toContain('GitHub answered 500')
  })
})

describe('nobody knows', () => {
  test.each([
    ['without an answer', undefined, 'no-answer'],
    ['with a strange one', 500, 'strange-answer']
  ] as const)('%s', (_, status, reason) => {
    const cause = new Error('the shop answered strangely')
    const result = { kind: 'unknown', cause, ...(status === undefined ? {} : { status }) } as const
    const { outcome, message, advice, ...rest } = explain(result, HOST)
    expect({ outcome, reason: rest.reason }).toEqual({ outcome: 'unknown', reason })
    expect(message).toMatch(/^Nobody knows whether it is published: the whole request was sent/)
    expect(message).toContain('the shop answered strangely')
    expect(advice).toContain('admin dashboard')
  })
})
