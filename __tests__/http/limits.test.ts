// Owns what ends an exchange in each phase, a time limit or a fired signal, and the slow lines that nothing ends.
import { getEventListeners } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import type { Exchange, ExchangeRequest } from '../../src/http/exchange.ts'
import { openProxy } from '../support/proxy.ts'
import {
  ask,
  bodyOf,
  type Decide,
  deaf,
  heeding,
  inWords,
  mute,
  openPeer,
  sayAfter,
  trustOne,
  upload
} from './peers.ts'

const MIB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
/** Longer than any test. */
const LONG = 600_000

const { env } = process
const certificate = trustOne()
afterEach(() => {
  delete env.HTTPS_PROXY
})

const early = sayAfter(0, socket =>
  socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 10\r\n\r\nbig')
)
const small = () => ({ body: bodyOf(1000) })
const large = () => ({ body: bodyOf(64 * MIB) })

/** Sends a request; the tail of a body goes at once, but where an answer comes early. */
function send(
  origin: string,
  serve: (socket: Socket) => void,
  over: Partial<ExchangeRequest>
): Promise<Exchange> {
  const { body } = over
  if (!body) return ask(origin, over)
  return upload(origin, body, serve === early ? heeding : async () => undefined, over)
}

const READ = 'waiting for the answer to a GET'
const LATE = 'no complete answer within'
const STILL = 'no byte moved for'

/** `handshake`: https, to a peer that never answers it; `tunnel`: https, through a proxy, which may be mute. */
type Phase = readonly [
  name: string,
  scheme: 'http' | 'https' | 'handshake' | 'tunnel' | 'mute tunnel',
  serve: (socket: Socket) => void,
  over: () => Partial<ExchangeRequest>,
  phase: string,
  stalled: string
]

/** Where an exchange may stall, and the words for it. */
const PHASES: readonly Phase[] = [
  ['the TLS handshake', 'handshake', mute, small, '- connect', 'no connection within'],
  ['the answer of a proxy', 'mute tunnel', mute, small, '- connect', 'no connection within'],
  ['sending, to a peer that does not read', 'http', deaf, large, '- send', STILL],
  ['the same through a tunnel', 'tunnel', deaf, large, '- send', STILL],
  ['waiting for the answer', 'http', mute, small, '+ answer', LATE],
  [READ, 'https', mute, () => ({}), '- answer', LATE],
  ['hearing an answer that came early', 'http', early, small, '- 413 big, cut off', LATE]
]

test.each(PHASES)('%s ends within its limit, and when the run is canceled', async (...row) => {
  const [, scheme, serve, over, phase, stalled] = row
  await using proxy = await openProxy({ mute: scheme === 'mute tunnel' })
  if (scheme.endsWith('tunnel')) env.HTTPS_PROXY = proxy.url

  const tls = scheme === 'https' || scheme.endsWith('tunnel') ? certificate : undefined
  await using peer = await openPeer(serve, tls)
  const own = scheme.endsWith('tunnel') ? peer.named : peer.origin
  const origin = scheme === 'handshake' ? own.replace('http:', 'https:') : own

  const short = { stall: 200, answer: 200 }
  const exchange = await send(origin, serve, { patience: short, ...over() })
  expect(inWords(exchange)).toBe(`${phase}: ${stalled} 0.2 seconds`)
  if (serve !== deaf) await peer.alone()

  const accepted = () => peer.accepted + proxy.accepted
  const before = accepted()
  const cancel = new AbortController()
  const patience = { stall: LONG, answer: LONG, grace: 20 }
  const asked = send(origin, serve, { patience, ...over(), signal: cancel.signal })

  // It is canceled once it has come to that phase.
  while (accepted() === before) await sleep(5)
  await sleep(150)
  cancel.abort()

  expect(inWords(await asked)).toBe(`${phase}: cancelled`)
  expect(getEventListeners(cancel.signal, 'abort')).toEqual([])
})

test.each(['http', 'https'])('over %s, a held tail or a late answer is no stall', async scheme => {
  const say = sayAfter(1010, socket => setTimeout(() => socket.end(OK), 300))
  await using peer = await openPeer(say, scheme === 'https' ? certificate : undefined)
  const patience = { stall: 150, answer: LONG }
  const exchange = await upload(peer.origin, bodyOf(1000), () => sleep(300), { patience })
  expect(inWords(exchange)).toBe('+ 200 ok')
})

test('a slow line that moves is never given up', async () => {
  const size = 12 * MIB
  const burst = MIB / 2
  // In milliseconds.
  const pause = 60
  let pauses = 0

  await using peer = await openPeer(socket => {
    let read = 0
    socket.on('data', chunk => {
      read += chunk.length
      if (read > size) socket.end(OK)
      if (read < (pauses + 1) * burst) return
      socket.pause()
      pauses++
      setTimeout(() => socket.resume(), pause)
    })
  })

  const patience = { stall: 500, answer: LONG }
  const body = bodyOf(size, 512 * 1024)
  const exchange = await ask(peer.origin, { body, patience })

  expect(inWords(exchange)).toBe('+ 200 ok')
  // Otherwise the test would have proved nothing.
  expect(pauses * pause).toBeGreaterThan(2 * patience.stall)
})

test.each([
  ['slowness does not end', 12, 1000, `- 200 ${'x'.repeat(12)}`],
  ['silence ends', 5, 300, '- 200 xxxxx, cut off: no byte moved for 0.3 seconds']
])('without a limit for the whole answer, %s it', async (_, count, stall, expected) => {
  const say = sayAfter(0, async socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n')
    for (let said = 0; said < count; said++) {
      await sleep(stall / 8)
      socket.write('x')
    }
  })

  await using peer = await openPeer(say, certificate)
  const exchange = await ask(peer.origin, { patience: { stall } })
  expect(inWords(exchange)).toBe(expected)
})

test('when a run is canceled while the tail is held back, the holder learns that it can no longer be sent', async () => {
  await using peer = await openPeer(mute)
  const cancel = new AbortController()
  let hasEnded = false
  const decide: Decide = async ended => {
    ended.addEventListener('abort', () => {
      hasEnded = true
    })
    await sleep(20)
    cancel.abort()
    await sleep(50)
  }

  const { signal } = cancel
  const exchange = await upload(peer.origin, bodyOf(1000), decide, { signal })

  expect([inWords(exchange), hasEnded]).toEqual(['- send: cancelled', true])
  await peer.alone()
})

test('a run that is canceled takes an answer that comes within the grace', async () => {
  const cancel = new AbortController()
  const say = sayAfter(1010, socket => {
    cancel.abort()
    setTimeout(() => socket.end(OK), 50)
  })

  await using peer = await openPeer(say)
  const patience = { stall: LONG, answer: LONG, grace: LONG }
  const exchange = await ask(peer.origin, { ...small(), patience, signal: cancel.signal })
  expect(inWords(exchange)).toBe('+ 200 ok')
})

test('a run that is canceled while the tail is being written ends after the grace', async () => {
  const cancel = new AbortController()
  const size = 12 * MIB
  await using peer = await openPeer(socket => {
    // The tail is more than any buffer holds: while the peer has read a part, it is still being written.
    let read = 0
    socket.on('data', chunk => {
      read += chunk.length
      if (read > MIB) cancel.abort()
    })
  })

  const body = {
    ...bodyOf(1000),
    tail: () => Buffer.alloc(size),
    length: 1000 + size
  }
  const patience = { stall: LONG, answer: LONG, grace: 200 }
  const exchange = await ask(peer.origin, { body, patience, signal: cancel.signal })

  // On a busy machine the grace may end before the peer has read it all.
  expect(inWords(exchange)).toMatch(/^\+ (send|answer): cancelled$/)
})
