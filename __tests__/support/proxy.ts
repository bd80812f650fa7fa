// A forwarding proxy: tunnels by CONNECT and requests in absolute form, and how it refuses either.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
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
  /** Answers every request with this status. */
  readonly refuses?: number
  /** Ends the first tunnel through which more than so many bytes have gone to the server. */
  readonly cuts?: number
  /** Breaks every connection that asks for something. */
  readonly resets?: boolean
}

const REFUSAL = { 'proxy-authenticate': 'Basic', 'content-type': 'text/html' }

/** Starts a proxy on a free loopback port. */
export async function openProxy(options: ProxyOptions = {}): Promise<ForwardProxy> {
  const proxy = new ForwardProxy(options)
  await proxy.listen()
  return proxy
}

/** A proxy that listens. It ends with the block that says `await using`. */
export class ForwardProxy implements AsyncDisposable {
  /** Its requests, such as `CONNECT shop.example.test:443`. */
  readonly asked: string[] = []
  /** The headers of each. */
  readonly headers: IncomingMessage['headers'][] = []
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #open: Socket[] = []
  #host = ''
  #accepted = 0
  #hasCut = false

  /** `openProxy` makes it. */
  constructor(options: ProxyOptions) {
    this.#options = options
    this.#server = createServer((request, response) => this.#answer(request, response))
    this.#server.on('connect', (request, socket: Socket) => this.#tunnel(request, socket))
    this.#server.on('connection', socket => {
      this.#accepted += 1
      this.#keep(socket)
    })

    // Without a listener, Node would answer all that is no HTTP, such as the start of a TLS handshake.
    this.#server.on('clientError', (_, socket) => {
      if (!options.mute) socket.destroy()
    })
  }

  async listen(): Promise<void> {
    this.#host = await listenOn(this.#server)
  }

  /** Such as `127.0.0.1:3128`. */
  get host(): string {
    return this.#host
  }

  get url(): string {
    return `http://${this.#host}`
  }

  /** How many connections there were. */
  get accepted(): number {
    return this.#accepted
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** Answers a request in absolute form. */
  #answer(request: IncomingMessage, response: ServerResponse): void {
    const status = this.#admit(request)
    if (status === 200) relay(this.#locate(request.url ?? ''), request, response)
    else if (status) response.writeHead(status, REFUSAL).end('<h1>Refused</h1>')
  }

  /** Answers a CONNECT. */
  #tunnel(request: IncomingMessage, socket: Socket): void {
    const status = this.#admit(request)
    const fields = 'proxy-authenticate: Basic\r\ncontent-length: 0'
    if (status && status !== 200) socket.end(`HTTP/1.1 ${status} Refused\r\n${fields}\r\n\r\n`)
    if (status !== 200) return

    const { port, hostname } = this.#locate(`http://${request.url}`)
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
      socket.on('data', () => this.#cut(socket, onward))
    })
    this.#keep(onward)
    onward.on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  }

  /** Ends the first tunnel through which too much has gone. */
  #cut(socket: Socket, onward: Socket): void {
    const { cuts } = this.#options
    if (cuts === undefined || this.#hasCut || onward.bytesWritten <= cuts) return
    this.#hasCut = true
    socket.destroy()
  }

  /** Notes a request, and returns the status to answer with, if it is to be answered. */
  #admit(request: IncomingMessage): number | undefined {
    const { credentials, mute, refuses, resets } = this.#options
    this.asked.push(`${request.method} ${request.url}`)
    this.headers.push(request.headers)
    if (resets) request.socket.resetAndDestroy()
    if (resets || mute) return undefined

    const expected = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`
    const isAllowed = !credentials || request.headers['proxy-authorization'] === expected
    return isAllowed ? (refuses ?? 200) : 407
  }

  /** The address where a name leads. */
  #locate(address: string): URL {
    const url = new URL(address)
    const named = this.#options.names?.[url.hostname]
    if (named !== undefined) url.host = new URL(named).host
    else if (url.hostname.endsWith('.test')) url.hostname = '127.0.0.1'
    return url
  }

  #keep(socket: Socket): void {
    this.#open.push(socket)
    socket.on('error', () => undefined)
  }
}

function relay(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const { 'proxy-authorization': _, ...headers } = request.headers
  const { method = 'GET' } = request
  const options = {
    method,
    headers,
    maxHeaderSize: 512 * 1024
  }
  const onward = forward(url, options, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
