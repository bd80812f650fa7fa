// Tests of src/http/failures.ts: the words for what goes wrong on the way to an answer are of its true cause, and not of
// OpenSSL; and the pause before another try.
import { createSecureServer } from 'node:http2'
import type { Server } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { createServer, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import { listenOn } from '../../sandbox/listener.ts'
import type { Answer } from '../../src/http/exchange.ts'
import { describeCause, isTransient, pauseBefore, retryAfter } from '../../src/http/failures.ts'
import { adviceFor } from '../../src/shop/advice.ts'
import { selfSign } from '../support/tls.ts'
import {
  ask,
  bodyOf,
  failureOf,
  heeding,
  inWords,
  mute,
  openPeer,
  sayAfter,
  trustOne,
  upload
} from './peers.ts'

const certificate = trustOne()

/** The words for a request that cannot work, and that no retry would help. */
async function failureAt(origin: string): Promise<string> {
  const cause = failureOf(await upload(origin, bodyOf(1000), heeding))
  const words = describeCause(cause, 'SHOP')

  expect(words).not.toMatch(/error:|routines|ssl3_/)
  expect(adviceFor(cause)).not.toBe('')
  expect([words, isTransient(cause)]).toEqual([words, false])
  return words
}

const overTls = (options: TlsOptions) => () =>
  createServer({ ...certificate, ...options }, socket => socket.on('error', () => undefined))

const asking = { requestCert: true, rejectUnauthorized: true }
const asking12 = { ...asking, maxVersion: 'TLSv1.2' } as const
const OLD = {
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1.1',
  ciphers: 'ALL@SECLEVEL=0'
} as const

test.each<[string, () => Server, string]>([
  ['asks for a client certificate', overTls(asking), 'alert certificate required ('],
  ['asks for one by TLS 1.2', overTls(asking12), 'alert handshake failure ('],
  ['speaks TLS 1.1 alone', overTls(OLD), 'alert protocol version ('],
  ['speaks HTTP/2 alone', () => createSecureServer(certificate), 'alert no application protocol (']
])('of a server that %s, the true cause is named', async (_, create, said) => {
  await using server = create()
  server.on('error', () => undefined).on('tlsClientError', () => undefined)

  expect(await failureAt(`https://${await listenOn(server)}`)).toContain(said)
})

const IMPROPER = /^SHOP did not answer in proper HTTP\/1.1: \w/
const NO_TLS = /^no encrypted connection to SHOP: wrong version number/
const OK = 'HTTP/1.1 200 OK\r\n'
const EMPTY = `${OK}content-length: 0\r\n\r\n`

interface Improper {
  readonly name: string
  readonly answer: string
  readonly said: RegExp
}

test.each<Improper>([
  {
    name: 'two lengths',
    answer: `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`,
    said: IMPROPER
  },
  {
    name: 'lines that end in LF',
    answer: 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok',
    said: IMPROPER
  },
  {
    name: 'no HTTP',
    answer: 'SSH-2.0-OpenSSH_9.6\r\n',
    said: IMPROPER
  },
  {
    name: 'a broken header after its length',
    answer: `${OK}content-length: 2\r\n: x\r\n\r\nok`,
    said: IMPROPER
  },
  {
    name: 'too many headers',
    answer: `${OK}x: ${'y'.repeat(300_000)}\r\n\r\n`,
    said: /1\.1: Headers Overflow/
  }
])('an answer with $name is named, and is no passing fault', async ({ answer, said }) => {
  await using peer = await openPeer(sayAfter(0, socket => socket.end(answer)))
  expect(await failureAt(peer.origin)).toMatch(said)
})

test('an answer without TLS, where TLS is expected, is named, and is no passing fault', async () => {
  await using peer = await openPeer(socket => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))
  expect(await failureAt(peer.origin.replace('http:', 'https:'))).toMatch(NO_TLS)
})

describe('a certificate', () => {
  afterEach(() => setDefaultCACertificates([certificate.cert]))

  test.each([
    ['signed by itself', {}, false, /^- connect: DEPTH_ZERO_SELF_SIGNED_CERT$/],
    ['expired', { days: -1 }, true, /^- connect: CERT_HAS_EXPIRED$/],
    ['of another host', { host: 'other.test' }, true, /^- connect: ERR_TLS_CERT_ALTNAME_INVALID$/],
    ['trusted', {}, true, /^\+ 200 /]
  ])('that is %s', async (_, options, trusted, said) => {
    const tls = selfSign(options)
    setDefaultCACertificates(trusted ? [tls.cert] : [])
    let heard = 0
    const say = sayAfter(0, socket => {
      heard += 1
      socket.end(EMPTY)
    })

    await using peer = await openPeer(say, tls)
    const exchange = await ask(peer.origin, { body: bodyOf(0) })

    expect(inWords(exchange)).toMatch(said)
    if (exchange.kind === 'broken') {
      expect(adviceFor(exchange.cause)).toContain('set NODE_EXTRA_CA_CERTS on the runner')
    }
    expect(heard).toBe(said.source.includes('200') ? 1 : 0)
  })
})

test('a connection that does not come about is named by its cause, and nothing is sent', async () => {
  const body = bodyOf(1000)
  expect(inWords(await ask('https://shop.invalid', { body }))).toBe('- connect: ENOTFOUND')

  const gone = await openPeer(mute)
  await gone[Symbol.asyncDispose]()
  expect(inWords(await ask(gone.origin, { body }))).toBe('- connect: ECONNREFUSED')

  await using peer = await openPeer(socket => socket.once('data', () => socket.resetAndDestroy()))
  const secure = peer.origin.replace('http:', 'https:')
  expect(inWords(await ask(secure, { body }))).toBe('- connect: lost')

  const before = peer.accepted
  for (const authorization of ['x: y\r\nz', 'ü→']) {
    const exchange = await ask(peer.origin, { body, headers: { authorization } })
    expect(inWords(exchange)).toBe('- connect: UND_ERR_INVALID_ARG')
  }

  const cancelled = await ask(peer.origin, { body, signal: AbortSignal.abort() })
  expect(inWords(cancelled)).toBe('- connect: cancelled')
  expect(peer.accepted).toBe(before)
})

test('an error with several causes may pass if each of them may', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE']) {
    expect(isTransient(new AggregateError([coded(code), coded('ECONNRESET')]))).toBe(true)
    expect(isTransient(new AggregateError([coded(code), coded('EPROTO')]))).toBe(false)
  }
})

interface Paused {
  readonly name: string
  /** How often it was tried before each pause. */
  readonly tried: readonly number[]
  /** What the service asks for, in milliseconds. */
  readonly after?: number
  /** From 0 to 1: the part of the pause that is left to chance. */
  readonly random: number
  /** In milliseconds; undefined where it is not tried again. */
  readonly pauses: readonly (number | undefined)[]
}

test.each<Paused>([
  {
    name: 'doubles with each try',
    tried: [0, 1, 2],
    random: 0,
    pauses: [500, 1000, 2000]
  },
  {
    name: 'is what the service asks for',
    tried: [0, 3],
    after: 7000,
    random: 0,
    pauses: [7000, 7000]
  },
  {
    name: 'is no shorter than it would be without',
    tried: [0, 3],
    after: 0,
    random: 0,
    pauses: [500, 4000]
  },
  {
    name: 'is up to half as long again',
    tried: [0, 1],
    after: 2000,
    random: 1,
    pauses: [3000, 3000]
  },
  {
    name: 'comes before four tries at most',
    tried: [3, 4],
    random: 0,
    pauses: [4000, undefined]
  },
  {
    name: 'of two minutes is waited for',
    tried: [0],
    after: 120_000,
    random: 0,
    pauses: [120_000]
  },
  {
    name: 'of more is not',
    tried: [0],
    after: 120_001,
    random: 0,
    pauses: [undefined]
  }
])('a pause $name', ({ tried, after, random, pauses }) => {
  expect(tried.map(times => pauseBefore(times, after, random))).toEqual(pauses)
})

const DATE = 'Wed, 04 Mar 2026 05:06:07 GMT'
const LATER = DATE.replace('07', '17')

test.each<[string, Answer['headers'], number | undefined]>([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['the first of two', { 'retry-after': ['7', '9'] }, 7000],
  ['the older form', { date: DATE, 'retry-after': 'Wednesday, 04-Mar-26 05:06:17 GMT' }, 10_000],
  ['a date, by the answer’s own clock', { date: DATE, 'retry-after': LATER }, 10_000],
  ['a date that is past', { date: LATER, 'retry-after': DATE }, 0],
  ['a date long past, by our clock', { 'retry-after': DATE.replace('26', '15') }, 0],
  ['nothing', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a number below zero, which is no date', { 'retry-after': '-5' }, undefined],
  ['more than a number holds', { 'retry-after': '9'.repeat(400) }, Infinity]
])('Retry-After: %s', (_, headers, expected) => {
  expect(retryAfter({ headers }).after).toBe(expected)
})
