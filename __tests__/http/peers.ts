// The other ends of the tests' connections: bare servers that do one odd thing, and requests to them.
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates
} from 'node:tls'
import { afterAll, beforeAll } from '@jest/globals'
import { type Certificate, listenOn } from '../../sandbox/listener.ts'
import { connect } from '../../src/http/connection.ts'
import type { Exchange, ExchangeRequest, RequestBody } from '../../src/http/exchange.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { PROXIED, selfSign } from '../support/tls.ts'

/** A server on this machine. It closes itself at the end of a block with `await using`. */
export interface Peer extends AsyncDisposable {
  readonly origin: string
  /** The same by a name that only a proxy finds. */
  readonly named: string
  readonly port: number
  /** All connections that there have been. */
  readonly accepted: number
  /** Resolves when no connection is open. */
  alone(): Promise<void>
}

/** Opens a server that hands each connection to its owner, and knows which are open. */
export async function openPeer(serve: (socket: Socket) => void, tls?: Certificate): Promise<Peer> {
  const open = new Set<Socket>()
  let accepted = 0
  const take = (socket: Socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  }

  const server: Server = tls ? createTlsServer(tls, take) : createServer(take)
  server.on('connection', (socket: Socket) => {
    accepted += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })

  const port = Number((await listenOn(server)).split(':')[1])
  const scheme = tls ? 'https' : 'http'
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    named: `${scheme}://${PROXIED}:${port}`,
    port,
    get accepted() {
      return accepted
    },
    async alone() {
      while (open.size > 0) await sleep(5)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

/** The one certificate that is trusted while the tests of a file run. */
export function trustOne(): Certificate {
  const usual = getCACertificates('default')
  const certificate = selfSign()
  beforeAll(() => setDefaultCACertificates([certificate.cert]))
  afterAll(() => setDefaultCACertificates(usual))
  return certificate
}

/** Reads and says nothing. */
export const mute = (socket: Socket): void => void socket.resume()

/** Does not even read; so it never learns that the other side is gone. */
export const deaf = (socket: Socket): void => void socket.pause()

/** Reads everything, and says something once a request's head and so many bytes of its body are in. */
export function sayAfter(bytes: number, say: (socket: Socket) => void): (socket: Socket) => void {
  return socket => {
    let head: string | undefined = ''
    let read = 0
    socket.on('data', chunk => {
      read += chunk.length
      if (head === undefined) return
      // Long bodies follow short heads: little is kept.
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 || read < end + 4 + bytes) return
      head = undefined
      say(socket)
    })
  }
}

/** A body of so many bytes, in chunks of that length, and a tail of 10. */
export function bodyOf(bytes: number, chunk = 256 * 1024): RequestBody {
  const memory = Buffer.alloc(Math.min(chunk, bytes))
  return {
    length: bytes + 10,
    tail: () => Buffer.alloc(10),
    async *head() {
      for (let left = bytes; left > 0; left -= chunk) {
        yield memory.subarray(0, Math.min(left, chunk))
      }
    }
  }
}

/** Decides on a request of which only the tail is left: resolves to send that, rejects to withhold it. */
export type Decide = (ended: AbortSignal) => Promise<void>

/** Withholds the tail as soon as it could not be sent any more. */
export const heeding: Decide = ended =>
  new Promise((_, reject) =>
    ended.addEventListener('abort', () => reject(new Error('withheld')), { once: true })
  )

/** Sends a body, and decides on its tail. */
export async function upload(
  origin: string,
  body: RequestBody,
  decide: Decide,
  over: Partial<ExchangeRequest> = {}
): Promise<Exchange> {
  const started = await connect(origin, { keepAlive: false }).startUpload({
    ...request({ ...over, body }),
    body
  })

  if (started.kind !== 'held') return started

  try {
    await decide(started.ended)
  } catch (error) {
    return started.withhold(error instanceof Error ? error : new Error(String(error)))
  }
  return started.finish()
}

/** One request on a connection of its own. */
export async function ask(origin: string, over: Partial<ExchangeRequest> = {}): Promise<Exchange> {
  return connect(origin, { keepAlive: false }).exchange(request(over))
}

export function request(over: Partial<ExchangeRequest> = {}): ExchangeRequest {
  return {
    method: over.body ? 'POST' : 'GET',
    path: '/',
    headers: {},
    patience: { stall: 10_000, answer: 10_000, grace: 200 },
    answerLimit: 1024 * 1024,
    signal: new AbortController().signal,
    ...over
  }
}

/** An exchange in a few words: status and body, or phase and cause; `+` when the tail was sent. */
export function inWords(exchange: Exchange): string {
  const tail = exchange.tailSent ? '+' : '-'

  if (exchange.kind === 'broken') return `${tail} ${exchange.phase}: ${causeOf(exchange.cause)}`
  const cut = exchange.truncated ? `, cut off: ${causeOf(exchange.truncated)}` : ''
  return `${tail} ${exchange.status} ${exchange.body.toString()}${cut}`
}

/** Why an exchange failed, or its answer is not whole. Throws if it went well. */
export function failureOf(exchange: Exchange): Error {
  const cause = exchange.kind === 'broken' ? exchange.cause : exchange.truncated
  if (!cause) throw new Error('It went well')
  return cause
}

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** A cause by its code: the system has several for a lost connection, and which comes is chance. */
export function causeOf(cause: Error): string {
  if (cause instanceof CancelledError) return 'cancelled'
  if (!('code' in cause) || typeof cause.code !== 'string') return cause.message
  return LOST.includes(cause.code) ? 'lost' : cause.code
}
