// What a peer says before it breaks the connection, kept from being lost to a failed write.
import type { Socket } from 'node:net'

/** How long the reading may take once a write has failed, in milliseconds; it ends by itself far earlier. */
const PATIENCE = 1000

type Done = (error?: Error | null) => void

/**
 * Tells of a failed write only when everything that the peer sent is read. A server that refuses an upload
 * answers and resets: the next write fails, Node destroys the socket for it, and the answer that lies in
 * the system's buffer would be lost (more than half of the time, for an answer in the middle of a body).
 */
export function hearOut(socket: Socket): void {
  const late = (done: Done): Done => {
    return error => {
      if (!error || socket.readableEnded || socket.destroyed) {
        done(error)
        return
      }
      const tell = () => {
        clearTimeout(timer)
        socket.off('close', tell)
        done(error)
      }
      const timer = setTimeout(tell, PATIENCE)
      socket.once('close', tell)
    }
  }
  const write = socket._write.bind(socket)
  socket._write = (chunk, encoding, done) => write(chunk, encoding, late(done))
  const writeMany = socket._writev?.bind(socket)
  if (writeMany) socket._writev = (chunks, done) => writeMany(chunks, late(done))
}
