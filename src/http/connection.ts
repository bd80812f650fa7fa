// The adapter to undici: fresh or kept connections, through a proxy where the environment says so.
import type { Socket } from 'node:net'
import type { Client, buildConnector as Connector, Dispatcher } from 'undici'
import { isAlert, isLost, lostBehind, nameProxy } from './errors.ts'
import {
  type Broken,
  CancelledError,
  type Connection,
  type ConnectionOptions,
  type Exchange,
  type ExchangeRequest,
  ProxyError
} from './exchange.ts'
import { hearOut, skipInterim } from './sockets.ts'
import { Watch } from './watch.ts'

/** Loaded with the first request. A bundled package that is no ES module has its exports in the default one. */
const load = async () => (await import('undici')).default
type Undici = Awaited<ReturnType<typeof load>>

/** What a connection knows of its way to the origin. */
interface Path {
  readonly origin: string
  /** From before they are connected, so that they can be watched and destroyed. */
  readonly sockets: Set<Socket>
  /** The proxy's host, once it has been called. */
  proxy?: string
  /** The alert by which a server ended the encryption; undici reports the end of the connection instead. */
  alert?: Error
}

/** undici's own timers are off: the watch has them all, since undici's leave out DNS, TLS and proxies. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 }
/** Node gives each of a host's addresses but the last 250 ms, which is little for another continent. */
const TLS = { allowH2: false, timeout: 0, autoSelectFamilyAttemptTimeout: 3000 }
const HEADER_LIMIT = 256 * 1024

/**
 * Opens a connection to an origin. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are obeyed; HTTP/1.1 only;
 * redirects are never followed. A GET is repeated once, unnoticed, when it is the kept connection that had
 * died: servers may close one at any time.
 */
export function connect(origin: string, { keepAlive }: ConnectionOptions): Connection {
  const path: Path = { origin, sockets: new Set() }
  let dispatcher: Dispatcher | undefined
  let closed = false

  const drop = () => {
    for (const socket of path.sockets) socket.destroy()
    void dispatcher?.destroy().catch(() => undefined)
    dispatcher = undefined
  }

  const attempt = async (request: ExchangeRequest, undici: Undici): Promise<Exchange> => {
    try {
      dispatcher ??= createDispatcher(undici, path)
    } catch (cause) {
      return notBegun(cause instanceof ProxyError ? cause : badProxy(cause))
    }
    delete path.alert
    const exchange = blame(await send(dispatcher, path, request, !keepAlive), path)
    if (!keepAlive || exchange.kind === 'broken' || exchange.truncated) drop()
    return exchange
  }

  const exchange = async (request: ExchangeRequest): Promise<Exchange> => {
    const undici = await load()
    if (closed || request.signal.aborted) return notBegun(new CancelledError())
    const kept = dispatcher !== undefined
    const first = await attempt(request, undici)
    const isStale = kept && first.kind === 'broken' && first.phase === 'answer'
    return isStale && request.method === 'GET' && isLost(first.cause)
      ? attempt(request, undici)
      : first
  }

  const close = () => {
    closed = true
    drop()
  }
  return { exchange, close }
}

function notBegun(cause: Error): Broken {
  return { kind: 'broken', phase: 'connect', cause, tailSent: false }
}

/** undici's message is not passed on: it may quote the proxy's address, and so its password. */
function badProxy(cause: unknown): ProxyError {
  const message =
    'HTTPS_PROXY or HTTP_PROXY is not an address such as http://proxy.example.com:3128'
  return new ProxyError(message, '', cause)
}

/** A lost connection with its true cause: an alert, or perhaps the proxy, which is named as the first suspect. */
function blame(exchange: Exchange, { alert, proxy }: Path): Exchange {
  const cause = exchange.kind === 'broken' ? exchange.cause : exchange.truncated
  if (!cause || cause instanceof ProxyError || !isLost(cause)) return exchange
  const named = alert ?? (proxy === undefined ? cause : lostBehind(proxy, cause))
  return exchange.kind === 'broken'
    ? { ...exchange, cause: named }
    : { ...exchange, truncated: named }
}

function createDispatcher({ Client, EnvHttpProxyAgent, buildConnector }: Undici, path: Path) {
  refuseSocks(path.origin)
  const clientOf = (origin: string | URL, options: Client.Options) => {
    const { host, origin: there } = new URL(origin)
    const connect = track(options.connect, path, there === path.origin ? undefined : host)
    const limits = { ...NO_LIMITS, maxHeaderSize: HEADER_LIMIT }
    return new Client(origin, { ...options, ...limits, connect })
  }
  return new EnvHttpProxyAgent({
    ...NO_LIMITS,
    allowH2: false,
    proxyTls: TLS,
    connect: buildConnector(TLS),
    clientFactory: clientOf,
    factory: clientOf
  })
}

/** undici's SOCKS is experimental, and leads around our connectors and their limits. */
function refuseSocks(origin: string): void {
  const { env } = process
  const names = ['http_proxy', 'HTTP_PROXY']
  if (origin.startsWith('https:')) names.unshift('https_proxy', 'HTTPS_PROXY')
  const name = names.find(each => env[each])
  const scheme = /^socks\w*:/i.exec(name === undefined ? '' : (env[name] ?? ''))?.[0]
  if (scheme === undefined) return
  const message = `${name} names a SOCKS proxy (${scheme}//…), but only HTTP proxies can be used`
  throw new ProxyError(message, '', undefined)
}

/** The same connector, with its sockets noted and prepared. `proxy` is where it leads to, if to a proxy. */
function track(
  connector: Client.Options['connect'],
  path: Path,
  proxy: string | undefined
): Connector.connector {
  if (typeof connector !== 'function') throw new Error('undici passed no connector to wrap')
  return (options, callback) => {
    if (proxy !== undefined) path.proxy = proxy
    const note = (socket: Socket | undefined) => {
      if (!socket || path.sockets.has(socket)) return
      path.sockets.add(socket)
      socket.once('close', () => path.sockets.delete(socket))
      socket.once('error', error => {
        if (isAlert(error)) path.alert = error
      })
    }
    const begun: unknown = connector(options, (...result: Parameters<typeof callback>) => {
      const [error, socket] = result
      if (error) {
        callback(nameProxy(error, proxy), null)
        return
      }
      note(socket)
      skipInterim(socket)
      hearOut(socket)
      callback(...result)
    })
    if (isSocket(begun)) note(begun)
  }
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value && 'setTimeout' in value
}

function send(
  dispatcher: Dispatcher,
  { origin, sockets }: Path,
  request: ExchangeRequest,
  reset: boolean
): Promise<Exchange> {
  for (const kept of sockets) skipInterim(kept)
  const watch = new Watch(request, sockets)
  const { body, path, method } = request
  const headers = body
    ? { ...request.headers, 'content-length': String(body.length) }
    : { ...request.headers }
  const options: Dispatcher.DispatchOptions = { origin, path, method, headers, reset }
  // undici takes any async iterable as a body; its types name streams alone.
  if (body) Reflect.set(options, 'body', watch.sending(body))
  dispatcher.dispatch(options, watch)
  return watch.outcome
}
