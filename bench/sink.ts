// A server that throws away what it gets, in a process of its own. `sink-process.ts` starts it.
import { createServer, type Server, Socket, type SocketConstructorOpts } from 'node:net'
import process from 'node:process'
import { createServer as createTlsServer } from 'node:tls'
import { selfSign } from '../__tests__/support/tls.ts'
import { startRequest } from './request.ts'

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const BODY = '{"data":{"id":1}}'
const ANSWER = `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`

let fileSize = 0

/** Hands the socket's bytes to a request, and answers when it is whole. */
function serve(socket: Socket): (bytes: Buffer) => void {
  const request = startRequest(fileSize, {
    wanted: () => socket.write(CONTINUE),
    done: received => {
      // A request without fields only asks whether all is well.
      if (received.bytes > 64) process.send?.({ kind: 'received', received })
      socket.end(ANSWER)
    }
  })
  socket.on('error', () => undefined)
  return request.take
}

const memory = Buffer.allocUnsafeSlow(1024 * 1024)

/**
 * Reads into the same memory again and again: an upload costs a third of the time that Node's own HTTP
 * server takes, and the clients are to be compared, not the server. Only a socket that is made from
 * another's handle can be told to.
 */
function acceptPlain(accepted: Socket): void {
  const options: SocketConstructorOpts = {
    onread: {
      buffer: memory,
      callback: length => {
        take(memory.subarray(0, length))
        return true
      }
    }
  }
  Reflect.set(options, 'handle', Reflect.get(accepted, '_handle'))
  const socket = new Socket(options)
  const take = serve(socket)
  socket.resume()
}

function acceptTls(socket: Socket): void {
  socket.on('data', serve(socket))
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address.port
}

const { argv } = process
const host = argv[2] ?? '127.0.0.1'
const certificate = selfSign()
const http = await listen(createServer({ noDelay: true, pauseOnConnect: true }, acceptPlain), host)
const https = await listen(createTlsServer({ ...certificate, noDelay: true }, acceptTls), host)
process.on('message', (size: unknown) => {
  fileSize = Number(size)
  process.send?.({ kind: 'expecting' })
})
process.on('disconnect', () => process.exit())
process.send?.({ kind: 'ready', http, https, cert: certificate.cert })
