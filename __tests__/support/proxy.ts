// Owns a forwarding proxy: tunnels by CONNECT and requests in absolute form, and ways to refuse either.
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Certificate } from '../../sandbox/listener.ts'

export interface ProxyOptions {
  /** Where names lead, whatever the port: `shop.example.test` to a stand-in. */
  readonly names?: Readonly<Record<string, string>>
  /** What a client has to say, such as `user:password`. */
  readonly credentials?: string
  /** Accepts connections, and never answers. */
  readonly mute?: boolean
  /** Answers whatever it is asked so. */
  readonly refuses?: number
  /** Ends the encryption of every tunnel with this certificate, and passes on what was inside. */
  readonly inspects?: Certificate
  /** Ends the first tunnel through which more than so many bytes have gone to the server. */
  readonly cuts?: number
  /** Breaks every connection that asks for something. */
  readonly resets?: boolean
}

export interface Proxy extends AsyncDisposable {
  /** Such as `127.0.0.1:3128`. */
  readonly host: string
  readonly url: string
  /** What it was asked for: `CONNECT shop.example.test:443`, `POST http://127.0.0.1:8080/`. */
  readonly asked: readonly string[]
  /** The headers that came with it. */
  readonly headers: readonly IncomingMessage['headers'][]
  /** How many connections there were. */
  readonly accepted: number
}

/** Starts a proxy on a free loopback port. */
export async function openProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
  }
  const budget = { cuts: options.cuts === undefined ? 0 : 1 }
  let accepted = 0
  /** Notes what is asked for; true when it is to be answered. */
  const admit = (request: IncomingMessage): boolean => {
    asked.push(`${request.method} ${request.url}`)
    headers.push(request.headers)
    if (options.resets) request.socket.resetAndDestroy()
    return !options.resets && !options.mute
  }
  const server = createServer((request, response) => {
    if (admit(request)) relay(options, request, response)
  })
  server.on('connection', socket => {
    accepted += 1
    keep(socket)
  })
  // Without a listener Node answers what is no HTTP, such as the start of a TLS handshake.
  server.on('clientError', (_, socket) => {
    if (!options.mute) socket.destroy()
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    if (admit(request)) tunnel(options, request, socket, keep, budget)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${Object(server.address()).port}`
  return {
    ...{ host, url: `http://${host}`, asked, headers },
    get accepted() {
      return accepted
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

function isAllowed({ credentials }: ProxyOptions, request: IncomingMessage): boolean {
  const expected = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`
  return credentials === undefined || request.headers['proxy-authorization'] === expected
}

function tunnel(
  options: ProxyOptions,
  request: IncomingMessage,
  socket: Socket,
  keep: (socket: Socket) => void,
  budget: { cuts: number }
): void {
  const status = options.refuses ?? (isAllowed(options, request) ? 200 : 407)
  if (status !== 200) {
    const headers = 'proxy-authenticate: Basic\r\ncontent-length: 0'
    socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n`)
    return
  }
  const target = new URL(`http://${request.url}`)
  const there = new URL(options.names?.[target.hostname] ?? target)
  const onward = connect(Number(there.port), there.hostname, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const { inspects } = options
    const inside = inspects ? new TLSSocket(socket, { ...inspects, isServer: true }) : socket
    // A client that does not trust the certificate says so, and goes.
    if (inside !== socket) keep(inside)
    onward.pipe(inside)
    inside.pipe(onward)
    let passed = 0
    socket.on('data', (chunk: Buffer) => {
      passed += chunk.length
      if (budget.cuts === 0 || passed <= (options.cuts ?? 0)) return
      budget.cuts -= 1
      socket.destroy()
    })
  })
  keep(onward)
  onward.on('close', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

function relay(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): void {
  if (!isAllowed(options, request)) {
    response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
    return
  }
  if (options.refuses !== undefined) {
    response.writeHead(options.refuses, { 'content-type': 'text/html' }).end('<h1>Refused</h1>')
    return
  }
  const { 'proxy-authorization': _, ...headers } = request.headers
  const { url = '', method = 'GET' } = request
  const onward = forward(url, { method, headers, maxHeaderSize: 512 * 1024 }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
