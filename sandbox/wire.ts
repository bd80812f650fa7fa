/** Owns how an answer is put on the wire, byte by byte where Node would be too polite for it. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ending } from './faults.ts'
import type { Exchange } from './listener.ts'
import type { Reply } from './routing.ts'

/** Text as it is, anything else as JSON. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Answers as a well-behaved server does. */
export function answer({ res }: Exchange, reply: Reply): void {
  const body = Buffer.from(textOf(reply.body))
  res.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...reply.headers
  })
  res.end(body)
}

/** Answers before the body is read, if need be, and ends the connection in that way. */
export async function sendReply(exchange: Exchange, reply: Reply, ending: Ending): Promise<void> {
  if (ending === 'keep') {
    // A body that nobody has begun to read when the answer ends is thrown away by Node.
    exchange.req.read(0)
    return answer(exchange, reply)
  }
  const body = textOf(reply.body)
  const length = String(Buffer.byteLength(body))
  await write(exchange.socket, headOf(reply, { ...closing, 'content-length': length }))
  await write(exchange.socket, body)
  end(exchange, ending)
}

export const closing = { connection: 'close' }

/** A status line with headers, up to the empty line. */
export function headOf(
  reply: Reply,
  headers: Readonly<Record<string, string>>,
  version = 'HTTP/1.1'
): string {
  const all = { 'content-type': 'application/json', ...reply.headers, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${version} ${reply.status} ${STATUS_CODES[reply.status] ?? 'Status'}\r\n${lines.join('')}\r\n`
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

/** Writes one byte at a time. */
export async function trickle(socket: Socket, data: string, everyMs: number): Promise<void> {
  for (const byte of Buffer.from(data)) {
    if (socket.destroyed) return
    await write(socket, Buffer.of(byte))
    await sleep(everyMs, undefined, { ref: false })
  }
}

/** Ends the connection in that way. */
export function end({ socket, reset }: Exchange, ending: Ending): void {
  if (ending === 'reset') reset()
  // Only the sending side: closing both with unread bytes around would be a reset.
  if (ending === 'fin') socket.end()
}
