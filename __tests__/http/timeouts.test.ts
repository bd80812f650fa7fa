// Owns the clocks of an exchange: what they end, and the slow but moving lines that they must not end.
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Certificate } from '../../sandbox/listener.ts'
import { selfSign } from '../support/tls.ts'
import { ask, bodyOf, deaf, inWords, mute, openPeer, sayAfter } from './peers.ts'

const MIB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const usual = getCACertificates('default')
afterEach(() => setDefaultCACertificates(usual))

function trusted(): Certificate {
  const certificate = selfSign()
  setDefaultCACertificates([certificate.cert])
  return certificate
}

describe.each(['http', 'https'])('over %s', scheme => {
  const tls = () => (scheme === 'https' ? trusted() : undefined)

  test('a peer that stops reading is given up', async () => {
    await using peer = await openPeer(deaf, tls())
    const patience = { stall: 800, answer: 60_000 }
    const exchange = await ask(peer.origin, { body: bodyOf(64 * MIB), patience })
    expect(inWords(exchange)).toBe('- send: no byte moved for 0.8 seconds')
  })

  test('a slow line that moves is not given up, however long it takes', async () => {
    const size = 16 * MIB
    const pause = scheme === 'https' ? 2 : 8
    let pauses = 0
    const slow = (socket: Socket) => {
      let read = 0
      socket.on('data', chunk => {
        read += chunk.length
        if (read > size) socket.end(OK)
        socket.pause()
        pauses++
        setTimeout(() => socket.resume(), pause)
      })
    }
    await using peer = await openPeer(slow, tls())
    const patience = { stall: 500, answer: 60_000 }
    const exchange = await ask(peer.origin, { body: bodyOf(size, undefined, 512 * 1024), patience })
    expect(inWords(exchange)).toBe('+ 200 ok')
    // Else it would have proved nothing.
    expect(pauses * pause).toBeGreaterThan(2 * patience.stall)
  }, 30_000)

  test('the stall clock rests while the tail is held back, and goes on afterwards', async () => {
    await using peer = await openPeer(
      sayAfter(1010, socket => socket.end(OK)),
      tls()
    )
    const patience = { stall: 600, answer: 10_000 }
    const tail = async () => {
      await later(1500)
      return Buffer.alloc(10)
    }
    const exchange = await ask(peer.origin, { body: bodyOf(1000, tail), patience })
    expect(inWords(exchange)).toBe('+ 200 ok')
  })

  test('silence after the last byte ends after the time for answers', async () => {
    await using peer = await openPeer(mute, tls())
    const patience = { stall: 10_000, answer: 200 }
    for (const over of [{ body: bodyOf(1000) }, {}]) {
      const exchange = await ask(peer.origin, { ...over, patience })
      expect(inWords(exchange)).toMatch(/^. answer: no complete answer within 0.2 seconds$/)
    }
    await peer.alone()
  })

  test('the time for answers, not the stall time, counts while an answer is awaited', async () => {
    const say = sayAfter(1000, socket => setTimeout(() => socket.end(OK), 1500))
    await using peer = await openPeer(say, tls())
    const patience = { stall: 600, answer: 10_000 }
    expect(inWords(await ask(peer.origin, { body: bodyOf(1000), patience }))).toBe('+ 200 ok')
  })

  test('an answer that trickles ends after the time for answers', async () => {
    const trickle = (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(timer))
    }
    await using peer = await openPeer(sayAfter(0, trickle), tls())
    for (const body of [bodyOf(1000), undefined]) {
      const over = body ? { body } : {}
      const exchange = await ask(peer.origin, { ...over, patience: { stall: 10_000, answer: 200 } })
      expect(inWords(exchange)).toMatch(/ 200 x+, cut off: no complete answer within 0.2 seconds$/)
    }
  })

  test('without a time for answers, silence ends one and slowness does not', async () => {
    const slowly = (until: number) => (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n')
      let said = 0
      const timer = setInterval(() => {
        if (said++ < until) socket.write('x')
        else clearInterval(timer)
      }, 60)
    }
    const patience = { stall: 600 }
    {
      await using peer = await openPeer(sayAfter(0, slowly(20)), tls())
      expect(inWords(await ask(peer.origin, { patience }))).toBe(`- 200 ${'x'.repeat(20)}`)
    }
    await using peer = await openPeer(sayAfter(0, slowly(5)), tls())
    const cut = 'cut off: no byte moved for 0.6 seconds'
    expect(inWords(await ask(peer.origin, { patience }))).toBe(`- 200 xxxxx, ${cut}`)
  })
})
