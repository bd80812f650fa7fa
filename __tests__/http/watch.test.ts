// Tests of src/http/watch.ts: a time limit or a fired signal ends an exchange in each phase, and nothing ends slow lines.
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
  type Peer,
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

const small = () => ({ body: bodyOf(1000) })
const large = () => ({ body: bodyOf(64 * MIB) })

/** Answers before it has read the body, and not to the end. */
const answersEarly = sayAfter(0, socket =>
  socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 10\r\n\r\nbig')
)

/** The way to a peer. */
type Way =
  | 'http'
  | 'https'
  /** https, to a peer that never answers the handshake. */
  | 'handshake'
  /** https, through a proxy. */
  | 'tunnel'
  /** https, through a proxy that never answers. */
  | 'mute tunnel'

/** A place where an exchange may stall, and the words for it. */
interface Stall {
  readonly name: string
  readonly way: Way
  readonly serve: (socket: Socket) => void
  readonly over: () => Partial<ExchangeRequest>
  /** Sends the tail at once, if it is left out. */
  readonly decide?: Decide
  /** How the exchange ended, in words. */
  readonly phase: string
  /** Which limit ended it. */
  readonly limit: string
}

const NO_CONNECTION = 'no connection within'
const NO_ANSWER = 'no complete answer within'
const NO_BYTE = 'no byte moved for'

const STALLS: readonly Stall[] = [
  {
    name: 'the TLS handshake',
    way: 'handshake',
    serve: mute,
    over: small,
    phase: '- connect',
    limit: NO_CONNECTION
  },
  {
    name: 'the answer of a proxy',
    way: 'mute tunnel',
    serve: mute,
    over: small,
    phase: '- connect',
    limit: NO_CONNECTION
  },
  {
    name: 'sending, to a peer that does not read',
    way: 'http',
    serve: deaf,
    over: large,
    phase: '- send',
    limit: NO_BYTE
  },
  {
    name: 'the same through a tunnel',
    way: 'tunnel',
    serve: deaf,
    over: large,
    phase: '- send',
    limit: NO_BYTE
  },
  {
    name: 'waiting for the answer',
    way: 'http',
    serve: mute,
    over: small,
    phase: '+ answer',
    limit: NO_ANSWER
  },
  {
    name: 'waiting for the answer to a GET',
    way: 'https',
    serve: mute,
    over: () => ({}),
    phase: '- answer',
    limit: NO_ANSWER
  },
  {
    name: 'hearing an answer that came early',
    way: 'http',
    serve: answersEarly,
    over: small,
    // Otherwise the tail would go before the answer is there.
    decide: heeding,
    phase: '- 413 big, cut off',
    limit: NO_ANSWER
  }
]

/** Sends a request; the tail of a body goes at once, unless `decide` says otherwise. */
function send(
  origin: string,
  over: Partial<ExchangeRequest>,
  decide: Decide = async () => undefined
): Promise<Exchange> {
  const { body } = over
  return body ? upload(origin, body, decide, over) : ask(origin, over)
}

/** The address at which a peer is asked. */
function originOf(peer: Peer, way: Way): string {
  if (way.endsWith('tunnel')) return peer.named
  return way === 'handshake' ? peer.origin.replace('http:', 'https:') : peer.origin
}

test.each(STALLS)(
  '$name ends within its limit, and when the run is canceled',
  async ({ way, serve, over, decide, phase, limit }) => {
    const isTunnel = way.endsWith('tunnel')
    await using proxy = await openProxy({ mute: way === 'mute tunnel' })
    if (isTunnel) env.HTTPS_PROXY = proxy.url
    await using peer = await openPeer(serve, way === 'https' || isTunnel ? certificate : undefined)
    const origin = originOf(peer, way)

    const short = { stall: 200, answer: 200 }
    const exchange = await send(origin, { patience: short, ...over() }, decide)
    expect(inWords(exchange)).toBe(`${phase}: ${limit} 0.2 seconds`)
    if (serve !== deaf) await peer.alone()

    const accepted = () => peer.accepted + proxy.accepted
    const before = accepted()
    const cancel = new AbortController()
    const long = { stall: LONG, answer: LONG, grace: 20 }
    const asked = send(origin, { patience: long, ...over(), signal: cancel.signal }, decide)

    // It is canceled once it has come to that phase.
    while (accepted() === before) await sleep(5)
    await sleep(150)
    cancel.abort()

    expect(inWords(await asked)).toBe(`${phase}: cancelled`)
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([])
  }
)

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
  {
    name: 'slowness does not end',
    bytes: 12,
    stall: 1000,
    ended: '- 200 xxxxxxxxxxxx'
  },
  {
    name: 'silence ends',
    bytes: 5,
    stall: 300,
    ended: '- 200 xxxxx, cut off: no byte moved for 0.3 seconds'
  }
])('without a limit for the whole answer, $name it', async ({ bytes, stall, ended }) => {
  const say = sayAfter(0, async socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n')
    for (let said = 0; said < bytes; said++) {
      await sleep(stall / 8)
      socket.write('x')
    }
  })

  await using peer = await openPeer(say, certificate)
  const exchange = await ask(peer.origin, { patience: { stall } })
  expect(inWords(exchange)).toBe(ended)
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

  expect(inWords(exchange)).toBe('- send: cancelled')
  expect(hasEnded).toBe(true)
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
