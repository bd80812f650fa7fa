// A server that reads, counts and forgets, in a process of its own: the clients are compared, not the server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { listenOn } from '../sandbox/listener.ts'

export interface Sink {
  /** Its address. A path below it begins with the number of bytes that an upload has at least. */
  readonly http: string
  close(): void
}

/** Starts the sink. */
export async function startSink(): Promise<Sink> {
  const child = fork(import.meta.filename)
  const [http]: readonly unknown[] = await once(child, 'message')
  return { http: String(http), close: () => child.disconnect() }
}

function answer(status: number, json: string): string {
  const lines = [
    `HTTP/1.1 ${status} -`,
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
    'Connection: close',
    '',
    json
  ]
  return lines.join('\r\n')
}

const STORED = answer(201, '{"data":{"id":1}}')
const ASKED = answer(422, '{"message":"No.","errors":{"title":["Is required."]}}')

/** Answers once the whole body has come: a body that is shorter than the path says only asks. */
function serve(socket: Socket): (bytes: Buffer) => void {
  let head = ''
  /** How many bytes of the body are still to come; NaN until the head is there. */
  let left = Number.NaN
  let reply = ASKED
  socket.on('error', () => undefined)

  return bytes => {
    left -= bytes.length
    if (Number.isNaN(left)) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return

      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1])
      if (length >= Number(/^POST \/(\d+)\//.exec(head)?.[1])) reply = STORED
      if (/^expect:/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      left = length - (head.length - end - 4)
    }

    if (left === 0) socket.end(reply)
    if (left < 0) socket.destroy()
  }
}

if (import.meta.main) {
  const server = createServer({ noDelay: true }, socket => socket.on('data', serve(socket)))
  process.on('disconnect', () => process.exit())
  process.send?.(`http://${await listenOn(server)}`)
}
