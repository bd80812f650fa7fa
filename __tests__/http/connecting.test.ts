// Owns what becomes of a connection that does not come about.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type Service, startService } from '../../sandbox/service.ts'
import { type CertificateOptions, selfSign } from '../support/tls.ts'
import { ask, bodyOf, inWords, mute, openPeer, request } from './peers.ts'

const body = () => bodyOf(1000)

test('a name that does not exist', async () => {
  expect(inWords(await ask('https://shop.invalid', { body: body() }))).toBe('- connect: ENOTFOUND')
})

test('a port that nobody listens on', async () => {
  const peer = await openPeer(mute)
  await peer[Symbol.asyncDispose]()
  expect(inWords(await ask(peer.origin, { body: body() }))).toBe('- connect: ECONNREFUSED')
})

describe('a certificate', () => {
  let service: Service | undefined
  const usual = getCACertificates('default')
  afterEach(async () => {
    setDefaultCACertificates(usual)
    await service?.close()
  })
  const askOver = async (options: CertificateOptions, trusted: boolean) => {
    const certificate = selfSign(options)
    if (trusted) setDefaultCACertificates([certificate.cert])
    service = await startService({ token: 't', products: [], tls: certificate })
    return inWords(await ask(service.origin, { body: body() }))
  }

  test.each<[string, CertificateOptions, boolean, string]>([
    ['signed by itself', {}, false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', { days: -1 }, true, 'CERT_HAS_EXPIRED'],
    ['of another host', { host: 'other.test' }, true, 'ERR_TLS_CERT_ALTNAME_INVALID']
  ])('that is %s: nothing is sent', async (_, options, trusted, code) => {
    expect(await askOver(options, trusted)).toBe(`- connect: ${code}`)
    expect(service?.requests).toEqual([])
  })

  test('that is trusted', async () => {
    expect(await askOver({}, true)).toMatch(/^\+ 404 /)
  })
})

test('a reset in the middle of the TLS handshake', async () => {
  await using peer = await openPeer(socket => socket.once('data', () => socket.resetAndDestroy()))
  const exchange = await ask(peer.origin.replace('http:', 'https:'), { body: body() })
  expect(inWords(exchange)).toBe('- connect: lost')
})

test.each(['x: y\r\nz', 'ü→'])(
  'a header that no request can hold (%j) is told, nothing is sent',
  async value => {
    await using peer = await openPeer(mute)
    const headers = { authorization: value }
    const exchange = await ask(peer.origin, { body: body(), headers })
    expect(inWords(exchange)).toBe('- connect: UND_ERR_INVALID_ARG')
    expect(peer.accepted).toBe(0)
  }
)

test('a run that is cancelled already opens no connection', async () => {
  await using peer = await openPeer(mute)
  const exchange = await ask(peer.origin, request({ body: body(), signal: AbortSignal.abort() }))
  expect(inWords(exchange)).toBe('- connect: cancelled')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(peer.accepted).toBe(0)
})
