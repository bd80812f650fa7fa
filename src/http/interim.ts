// Interim answers that undici does not bear.
import type { Socket } from 'node:net'

const START = Buffer.from('HTTP/1.1 100')
const END = Buffer.from('\r\n\r\n')

/**
 * Takes every `100 Continue` out of what is read from a socket. A client must accept them unasked
 * (RFC 9110, 15.2), but undici 8 takes the first for a broken answer and drops the connection.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket)
  let held: Buffer = Buffer.alloc(0)
  let done = false
  socket.read = (size?: number): Buffer | null => {
    const chunk: unknown = read(size)
    if (done || !(chunk instanceof Buffer)) return chunk instanceof Buffer ? chunk : null
    held = Buffer.concat([held, chunk])
    while (held.subarray(0, START.length).equals(START) && held.includes(END)) {
      held = held.subarray(held.indexOf(END) + END.length)
    }
    const begun = held.subarray(0, START.length)
    if (begun.equals(START.subarray(0, begun.length)) && held.length < 1024) return null
    done = true
    return held
  }
}
