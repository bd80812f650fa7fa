// Owns a forwarding proxy: tunnels by CONNECT and requests in absolute form, and how it refuses either.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as forward } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listenOn } from '../../sandbox/listener.ts'

export interface ProxyOptions {
  /** Where names lead, whatever the port: `shop.example.test` to a stand-in. Others below `.test` lead to this machine. */
  readonly names?: Readonly<Record<string, string>>
  /** The credentials that a client has to give, such as `user:password`. */
  readonly credentials?: string
  /** Accepts connections, and never answers. */
  readonly mute?: boolean
  /** Answers whatever it is asked so. */
  readonly refuses?: number
  /** Ends the first tunnel through which more than so many bytes have gone to the server. */
  readonly cuts?: number
  /** Breaks every connection that asks for something. */
  readonly resets?: boolean
}

const REFUSAL = { 'proxy-authenticate': 'Basic', 'content-type': 'text/html' }

/** A proxy that listens. It ends with the block that says `await using`. */
export interface Proxy extends AsyncDisposable {
  /** Such as `127.0.0.1:3128`. */
  readonly host: string
  readonly url: string
  /** Its requests, such as `CONNECT shop.example.test:443`. */
  readonly asked: readonly string[]
  /** The headers of each. */
  readonly headers: readonly IncomingMessage['headers'][]
  /** How many connections there were. */
  readonly accepted: number
}

/** Starts a proxy on a free loopback port. */
export async function openProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const { names = {}, credentials, mute, refuses, resets } = options
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const open: Socket[] = []
  let { cuts } = options

  /** Notes a request, and returns the status to answer with, if it is to be answered. */
  const admit = (request: IncomingMessage): number | undefined => {
    asked.push(`${request.method} ${request.url}`)
    headers.push(request.headers)
    if (resets) request.socket.resetAndDestroy()
    if (resets || mute) return undefined

    const expected = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`
    const isAllowed = !credentials || request.headers['proxy-authorization'] === expected
    return isAllowed ? (refuses ?? 200) : 407
  }

  const keep = (socket: Socket): void => {
    open.push(socket)
    socket.on('error', () => undefined)
  }

  const locate = (address: string): URL => {
    const url = new URL(address)
    const named = names[url.hostname]
    if (named !== undefined) url.host = new URL(named).host
    else if (url.hostname.endsWith('.test')) url.hostname = '127.0.0.1'
    return url
  }

  const server = createServer((request, response) => {
    const status = admit(request)
    if (status === 200) relay(locate(request.url ?? ''), request, response)
    else if (status) response.writeHead(status, REFUSAL).end('<h1>Refused</h1>')
  })

  let accepted = 0
  server.on('connection', socket => {
    accepted += 1
    keep(socket)
  })

  // Without a listener Node answers what is no HTTP, such as the start of a TLS handshake.
  server.on('clientError', (_, socket) => {
    if (!mute) socket.destroy()
  })

  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const status = admit(request)
    const fields = 'proxy-authenticate: Basic\r\ncontent-length: 0'
    if (status && status !== 200) socket.end(`HTTP/1.1 ${status} Refused\r\n${fields}\r\n\r\n`)
    if (status !== 200) return

    const { port, hostname } = locate(`http://${request.url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
      socket.on('data', () => {
        if (cuts === undefined || onward.bytesWritten <= cuts) return
        cuts = undefined
        socket.destroy()
      })
    })
    keep(onward)
    onward.on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })

  const host = await listenOn(server)
  return {
    host,
    url: `http://${host}`,
    asked,
    headers,
    get accepted() {
      return accepted
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

function relay(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { 'proxy-authorization': _, ...headers } = request.headers
  const { method = 'GET' } = request
  const onward = forward(url, { method, headers, maxHeaderSize: 512 * 1024 }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
