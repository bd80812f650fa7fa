// How an answer is put on the wire, byte by byte where Node would be too polite for it.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from './listener.ts'

type Headers = Readonly<Record<string, string>>

/** An answer; text and bytes go as they are, anything else as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Headers
  readonly body: unknown
}

/** How a connection ends after an answer; `keep` leaves it open. */
export type Ending = 'fin' | 'reset' | 'keep'

/** Bytes and text as they are, anything else as JSON. */
export function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Answers as a well-behaved server does. */
export function answer({ res }: Exchange, reply: Reply): void {
  const body = bytesOf(reply.body)
  res.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...reply.headers
  })
  res.end(body)
}

/** How an answer that Node would not send differs from a proper one. */
interface RawOptions {
  /** Over those of the reply. */
  readonly headers?: Headers
  readonly version?: string
  /** Goes in place of the reply's, whose length is announced nevertheless. */
  readonly body?: Buffer
  /** Milliseconds between two bytes. */
  readonly headEveryMs?: number
  readonly bodyEveryMs?: number
  readonly ending?: Ending
}

/** Answers past Node: before the body is read if need be, and in whatever shape. */
export async function sendRaw(
  exchange: Exchange,
  reply: Reply,
  { headers, version, headEveryMs, bodyEveryMs, ending = 'fin', body }: RawOptions = {}
): Promise<void> {
  const { socket } = exchange
  if (ending === 'keep' && body === undefined) {
    // A body that nobody has begun to read when the answer ends is thrown away by Node.
    exchange.req.read(0)
    return answer(exchange, reply)
  }

  const whole = bytesOf(reply.body)
  // An answer of HTTP/1.0 ends with its connection.
  const framing =
    version === undefined ? { connection: 'close', 'content-length': `${whole.length}` } : {}

  await trickle(socket, headOf(reply, { ...framing, ...headers }, version), headEveryMs)
  await trickle(socket, body ?? whole, bodyEveryMs)

  if (ending === 'reset') exchange.reset()
  // Only the sending side: closing both with unread bytes around would be a reset.
  if (ending === 'fin') socket.end()
}

/** A status line with headers, up to the empty line. */
export function headOf(reply: Reply, headers: Headers, version = 'HTTP/1.1'): string {
  const all = {
    'content-type': 'application/json',
    ...reply.headers,
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const reason = STATUS_CODES[reply.status] ?? 'Status'
  return `${version} ${reply.status} ${reason}\r\n${lines.join('')}\r\n`
}

/** Writes and waits until the bytes are with the system, or the connection is gone. */
export async function write(socket: Socket, data: string | Buffer): Promise<void> {
  if (socket.destroyed || data.length === 0) return
  await new Promise<void>(resolve => {
    const done = (): void => {
      socket.off('close', done)
      resolve()
    }
    socket.once('close', done)
    socket.write(data, done)
  })
}

/** Writes one byte at a time, or all at once without a pause. */
async function trickle(socket: Socket, data: string | Buffer, everyMs?: number): Promise<void> {
  if (everyMs === undefined) return write(socket, data)
  for (const byte of Buffer.from(data)) {
    if (socket.destroyed) return
    await write(socket, Buffer.of(byte))
    await sleep(everyMs, undefined, { ref: false })
  }
}
