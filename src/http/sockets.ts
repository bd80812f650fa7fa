// Makes undici's sockets skip interim answers, and read what a server said before it closed. The only place where methods of
// a socket are replaced.
import { Socket } from 'node:net'

/** The start of an interim answer, such as `103 Early Hints`; `101 Switching Protocols` is none. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/
const STATUS_LENGTH = 'HTTP/1.1 100'.length
const HEAD_END = '\r\n\r\n'
/** No more is held back while an interim answer is incomplete. */
const HELD_MAX_BYTES = 64 * 1024

/**
 * Takes every interim answer before the next final one out of what is read from a socket. A client must accept them
 * unasked (RFC 9110, 15.2), but undici 8 takes `100 Continue` for an error and drops the connection (`onHeadersComplete`
 * in its `client-h1.js`, since https://github.com/nodejs/undici/pull/201): behind a server that sends one, a version that
 * was published, and answered so, would end as unknown.
 */
export function skipInterim(socket: Socket): void {
  let held: Buffer = Buffer.alloc(0)
  const isInterim = () => INTERIM.test(held.toString('latin1', 0, STATUS_LENGTH))

  socket.read = (size?: number): Buffer | null => {
    const chunk: unknown = Socket.prototype.read.call(socket, size)
    if (!(chunk instanceof Buffer)) return null

    held = Buffer.concat([held, chunk])
    while (isInterim() && held.includes(HEAD_END)) {
      held = held.subarray(held.indexOf(HEAD_END) + HEAD_END.length)
    }
    if (held.length < STATUS_LENGTH || (isInterim() && held.length < HELD_MAX_BYTES)) return null

    // The final answer has begun: from here on, nothing is taken out.
    socket.read = Socket.prototype.read
    return held
  }
}

/** How long reading goes on after a failed write. It ends by itself far earlier. */
const READ_ON_MS = 1000

type WriteCallback = (error?: Error | null) => void

/**
 * Reports a failed write only after everything that the peer sent has been read. A server that refuses an upload answers
 * and resets: the next write fails, Node destroys the socket, and the answer in the system's buffer would be lost (more
 * than half of the time, when it comes in mid-body). If that write is the tail, a refusal would end as unknown.
 */
export function deferWriteError(socket: Socket): void {
  const report = (done: WriteCallback, error?: Error | null) => {
    if (!error || socket.readableEnded || socket.destroyed) return done(error)

    const finish = () => {
      clearTimeout(timer)
      socket.off('close', finish)
      done(error)
    }
    const timer = setTimeout(finish, READ_ON_MS)
    socket.once('close', finish)
  }

  const write = socket._write.bind(socket)
  socket._write = (chunk, encoding, done) => write(chunk, encoding, error => report(done, error))

  const writeMany = socket._writev?.bind(socket)
  if (writeMany) socket._writev = (chunks, done) => writeMany(chunks, error => report(done, error))
}
