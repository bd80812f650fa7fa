// Owns the words for what goes wrong on the way to an answer: the true cause, and nothing of OpenSSL's.
import { createSecureServer } from 'node:http2'
import type { Server } from 'node:net'
import {
  createServer,
  getCACertificates,
  setDefaultCACertificates,
  type TlsOptions
} from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Certificate } from '../../sandbox/listener.ts'
import { adviceFor, describeCause, isPassing } from '../../src/http/errors.ts'
import { type Exchange, ProxyError } from '../../src/http/exchange.ts'
import { openProxy, type ProxyOptions } from '../support/proxy.ts'
import { selfSign } from '../support/tls.ts'
import { ask, bodyOf, mute, openPeer, sayAfter } from './peers.ts'

const { env } = process
const usual = getCACertificates('default')
let certificate: Certificate
beforeAll(() => {
  certificate = selfSign()
  setDefaultCACertificates([certificate.cert])
})
afterAll(() => setDefaultCACertificates(usual))

function causeOf(exchange: Exchange): Error {
  const cause = exchange.kind === 'broken' ? exchange.cause : exchange.truncated
  if (!cause) throw new Error('It went well')
  return cause
}

const held = () =>
  bodyOf(
    1000,
    signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal)))
  )

/** What is told of a request to a port, checked for what holds for all of them. */
async function told(origin: string): Promise<string> {
  const cause = causeOf(await ask(origin, { body: held() }))
  const words = describeCause(cause, 'SHOP')
  expect(words).not.toMatch(/error:|routines|ssl3_/)
  expect(adviceFor(cause, '')).not.toBe('')
  expect([words, isPassing(cause)]).toEqual([words, false])
  return words
}

const overTls = (options: TlsOptions) =>
  createServer({ ...certificate, ...options }, socket => socket.on('error', () => undefined))
const asking = { requestCert: true, rejectUnauthorized: true }
test.each<[string, () => Server, string]>([
  ['asks for a client certificate', () => overTls(asking), 'SHOP asks for a client certificate ('],
  [
    'asks for one by TLS 1.2',
    () => overTls({ ...asking, maxVersion: 'TLSv1.2' }),
    'SHOP refused the TLS handshake, which usually means that it asks for a client certificate'
  ],
  [
    'speaks TLS 1.1 alone',
    () => overTls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
    'SHOP does not support TLS 1.2 or later'
  ],
  ['speaks HTTP/2 alone', () => createSecureServer(certificate), '(perhaps only HTTP/2)']
])('a server that %s is told so', async (_, create, said) => {
  const server = create()
  server.on('error', () => undefined).on('tlsClientError', () => undefined)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    const port = typeof address === 'object' ? address?.port : 0
    expect(await told(`https://127.0.0.1:${port}`)).toContain(said)
  } finally {
    server.close()
  }
})

test('HTTPS on a port without it', async () => {
  await using peer = await openPeer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  expect(await told(peer.origin.replace('http:', 'https:'))).toContain(
    'SHOP does not speak TLS on this port'
  )
})

test.each([
  [
    'two lengths that differ',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'
  ],
  ['the same length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok'],
  ['lines that end in LF', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a broken header after its length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n: x\r\n\r\nok']
])('an answer with %s is told for what it is, and no passing fault', async (_, answer) => {
  await using peer = await openPeer(sayAfter(0, socket => socket.end(answer)))
  expect(await told(peer.origin)).toMatch(/^SHOP did not answer in proper HTTP\/1.1: \w/)
})

test('more than 256 KiB of headers', async () => {
  const answer = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(300_000)}\r\n\r\n`
  await using peer = await openPeer(sayAfter(0, socket => socket.end(answer)))
  expect(await told(peer.origin)).toContain('more than 256 KiB of headers')
})

describe('a proxy', () => {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']
  afterEach(() => {
    for (const name of names) delete env[name]
  })
  const through = async (scheme: string, options: ProxyOptions, url = (host: string) => host) => {
    await using proxy = await openProxy(options)
    env.HTTPS_PROXY = url(proxy.url)
    env.HTTP_PROXY = url(proxy.url)
    await using peer = await openPeer(mute, scheme === 'https' ? certificate : undefined)
    const cause = causeOf(await ask(peer.origin, { body: bodyOf(100_000) }))
    return { cause, words: describeCause(cause, 'SHOP'), asked: proxy.asked.length }
  }

  test.each(['http', 'https'])('that wants a password is told, over %s', async scheme => {
    const { cause, words } = await through(scheme, { credentials: 'user:password' })
    expect(words).toBe('the proxy answered 407, so its address needs a user name and a password')
    expect(cause).toMatchObject({ name: 'ProxyError', status: 407 })
  })

  test('that is not there is told with its address', async () => {
    env.HTTPS_PROXY = 'http://127.0.0.1:1'
    const cause = causeOf(await ask('https://shop.example.test', { body: bodyOf(10) }))
    const words = 'the proxy cannot be used: 127.0.0.1:1 refused the connection (ECONNREFUSED)'
    expect([describeCause(cause, 'SHOP'), isPassing(cause)]).toEqual([words, true])
  })

  test('that refuses is told with its status', async () => {
    const { cause, words } = await through('https', { refuses: 503 })
    expect(words).toBe('the proxy answered 503')
    expect([cause instanceof ProxyError, isPassing(cause)]).toEqual([true, false])
  })

  test.each<[string, ProxyOptions]>([
    ['closes when it is asked', { resets: true }],
    ['closes after CONNECT', { cuts: 0 }],
    ['cuts what it passes on', { cuts: 3000 }]
  ])('that %s is named, and may be tried again', async (_, options) => {
    const { cause, words } = await through('https', options)
    expect(words).toMatch(/^the connection through the proxy 127.0.0.1:\d+ was lost \(/)
    expect([cause instanceof ProxyError, isPassing(cause)]).toEqual([true, true])
  })

  test.each(['socks5', 'socks', 'socks4', 'socks5h'])('for %s is refused by name', async scheme => {
    const { words, asked } = await through('https', {}, url => url.replace('http:', `${scheme}:`))
    expect(words).toBe(
      `HTTPS_PROXY names a SOCKS proxy (${scheme}://…), but only HTTP proxies can be used`
    )
    expect(asked).toBe(0)
  })

  test('for SOCKS does not matter to a host that NO_PROXY exempts', async () => {
    env.HTTP_PROXY = 'socks5://127.0.0.1:1'
    env.NO_PROXY = '127.0.0.1'
    await using peer = await openPeer(
      sayAfter(0, socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    )
    expect(await ask(peer.origin)).toMatchObject({ kind: 'answer', status: 200 })
  })
})

const coded = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_CONN'],
  ...['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_SOCKET']
])('%s may pass', code => {
  expect(isPassing(coded(code))).toBe(true)
  expect(isPassing(new AggregateError([coded(code), coded('ECONNREFUSED')]))).toBe(true)
})

test.each(['CERT_HAS_EXPIRED', 'EPROTO', 'UND_ERR_PRX_TLS', 'HPE_INVALID_CONSTANT', ''])(
  'the code "%s" does not',
  code => {
    expect(isPassing(coded(code))).toBe(false)
    expect(isPassing(new AggregateError([coded('ECONNREFUSED'), coded(code)]))).toBe(false)
  }
)
