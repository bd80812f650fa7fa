// Interim answers, of which undici bears some only.
import type { Socket } from 'node:net'

/** A status line of `100 Continue`, `102 Processing`, `103 Early Hints`, but not of `101 Switching Protocols`. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/
const EXAMPLE = Buffer.from('HTTP/1.1 1')
const STATUS_LENGTH = 'HTTP/1.1 100'.length
const END = Buffer.from('\r\n\r\n')
/** No more is held back while an interim answer is incomplete. */
const LIMIT = 64 * 1024

/**
 * Takes every interim answer out of what is read from a socket before its first final one. A client must
 * accept them unasked (RFC 9110, 15.2), but undici 8 takes `100 Continue` for a broken answer and drops the
 * connection.
 */
export function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket)
  let held: Buffer = Buffer.alloc(0)
  let done = false
  socket.read = (size?: number): Buffer | null => {
    const chunk: unknown = read(size)
    if (!(chunk instanceof Buffer)) return null
    if (done) return chunk
    held = Buffer.concat([held, chunk])
    while (isInterim(held) && held.includes(END)) {
      held = held.subarray(held.indexOf(END) + END.length)
    }
    if (mayBeInterim(held) && held.length < LIMIT) return null
    done = true
    return held
  }
}

function isInterim(bytes: Buffer): boolean {
  return INTERIM.test(bytes.toString('latin1', 0, STATUS_LENGTH))
}

function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length >= STATUS_LENGTH) return isInterim(bytes)
  const begun = bytes.subarray(0, EXAMPLE.length)
  return begun.equals(EXAMPLE.subarray(0, begun.length))
}
