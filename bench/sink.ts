// A server that reads, counts and forgets, in a process of its own: the clients are compared, not the server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { listenOn } from '../sandbox/listener.ts'

/** Starts the sink. A path begins with how many bytes an upload has at least. */
export async function startSink() {
  const child = fork(import.meta.filename)
  const [http]: readonly unknown[] = await once(child, 'message')
  return { http: String(http), close: () => child.disconnect() }
}

const answer = (status: number, json: string) =>
  `HTTP/1.1 ${status} -\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\nConnection: close\r\n\r\n${json}`
const STORED = answer(201, '{"data":{"id":1}}')
const ASKED = answer(422, '{"message":"No.","errors":{"title":["Is required."]}}')

/** Answers once the whole body has come: what is shorter than the path says only asks. */
function serve(socket: Socket): (bytes: Buffer) => void {
  let [head, left, reply] = ['', Number.NaN, ASKED]
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
