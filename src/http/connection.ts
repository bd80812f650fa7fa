// The adapter to undici: fresh or kept connections, through a proxy where the environment says so.
import { Socket } from 'node:net'
import type { Client, buildConnector as Connector, Dispatcher } from 'undici'
import { CancelledError } from '../runner/cancellation.ts'
import { isLoopback } from '../runner/loopback.ts'
import type {
  Connect,
  Connection,
  Exchange,
  ExchangeRequest,
  Held,
  UploadRequest
} from './exchange.ts'
import { ProxyError, USER_AGENT } from './exchange.ts'
import { attributeCause, codeOf, explainProxy, isLost, type Suspects } from './failures.ts'
import { deferWriteError, skipInterim } from './sockets.ts'
import { Watch } from './watch.ts'

type Undici = typeof import('undici')

/** `address` is empty for a direct connection; `refusal`: why the proxy that is set cannot be used. */
interface Proxy {
  readonly address: string
  readonly refusal?: ProxyError
}

interface Path extends Proxy, Suspects {
  readonly origin: string
  /** Noted before they are connected, so that they can be watched and destroyed. */
  readonly sockets: Set<Socket>
}

/** undici's own timers are off: the watch has them all, since undici's leave out DNS, TLS and proxies. */
const UNDICI_LIMITS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connectTimeout: 0,
  maxHeaderSize: 256 * 1024
}
/** In ms. Node waits 250 for each of a host's addresses but the last, too little for another continent. */
const CONNECTING = { allowH2: false, timeout: 0, autoSelectFamilyAttemptTimeout: 3000 }

/**
 * Opens an HTTP/1.1 connection as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say; follows no redirects. A GET
 * is repeated once, silently, if the kept connection had died: servers may close one at any time.
 */
export const connect: Connect = (origin, { keepAlive }) => {
  const connection = new OriginConnection(origin, keepAlive)
  // Functions of their own: callers pass them on without their object.
  return {
    exchange: request => connection.exchange(request),
    startUpload: request => connection.startUpload(request),
    close: () => connection.close()
  }
}

/** The connection to one origin, opened with its first request. */
class OriginConnection implements Connection {
  readonly #path: Path
  readonly #keepAlive: boolean
  #dispatcher: Dispatcher | undefined

  constructor(origin: string, keepAlive: boolean) {
    this.#path = { origin, ...proxyFor(origin), sockets: new Set() }
    this.#keepAlive = keepAlive
  }

  async exchange(request: ExchangeRequest): Promise<Exchange> {
    const undici = await loadUndici()
    if (request.signal.aborted) return cancelledBefore()

    const mayRepeat = this.#dispatcher !== undefined && request.method === 'GET'
    const first = await this.#send(request, undici)
    const isStale = first.kind === 'broken' && first.phase === 'answer' && isLost(first.cause)
    return mayRepeat && isStale ? this.#send(request, undici) : first
  }

  async startUpload(request: UploadRequest): Promise<Held<Exchange> | Exchange> {
    const undici = await loadUndici()
    return request.signal.aborted ? cancelledBefore() : this.#start(request, undici)
  }

  close(): void {
    for (const socket of this.#path.sockets) socket.destroy()
    void this.#dispatcher?.destroy().catch(() => undefined)
    this.#dispatcher = undefined
  }

  async #send(request: ExchangeRequest, undici: Undici): Promise<Exchange> {
    const started = await this.#start(request, undici)
    return started.kind === 'held' ? started.finish() : started
  }

  /** Sends all but the tail. */
  async #start(request: ExchangeRequest, undici: Undici): Promise<Held<Exchange> | Exchange> {
    const watch = this.#dispatch(request, undici)
    const end = this.#endOf(watch)
    const held = watch.held.then(() => heldRequestOf(watch, end))
    return Promise.race([held, end])
  }

  #dispatch(request: ExchangeRequest, undici: Undici): Watch {
    const path = this.#path
    delete path.alert
    this.#dispatcher ??= createDispatcher(undici, path)
    for (const kept of path.sockets) skipInterim(kept)

    const watch = new Watch(request, path.sockets)
    const { body, method } = request
    const length = body ? { 'content-length': String(body.length) } : {}
    const options = {
      origin: path.origin,
      path: request.path,
      method,
      headers: { 'user-agent': USER_AGENT, ...request.headers, ...length },
      reset: !this.#keepAlive
    }

    // undici takes any async iterable as a body; its types name streams alone.
    if (body) Object.assign(options, { body: watch.sending(body) })
    this.#dispatcher.dispatch(options, watch)
    return watch
  }

  /** How an exchange ended, once its connection is gone or kept for the next one. */
  async #endOf(watch: Watch): Promise<Exchange> {
    const exchange = attributeCause(await watch.outcome, this.#path)
    const isUsable = exchange.kind !== 'broken' && !exchange.truncated
    if (!this.#keepAlive || !isUsable) this.close()
    return exchange
  }
}

/** The request that a watch holds, and how it ends. */
function heldRequestOf(watch: Watch, end: Promise<Exchange>): Held<Exchange> {
  return {
    kind: 'held',
    ended: watch.ended,
    finish: () => {
      watch.finish()
      return end
    },
    withhold: cause => {
      watch.withhold(cause)
      return end
    }
  }
}

/** The run was canceled before anything was sent. */
function cancelledBefore(): Exchange {
  return {
    kind: 'broken',
    phase: 'connect',
    cause: new CancelledError(),
    tailSent: false
  }
}

/** Loaded with the first request. */
function loadUndici(): Promise<Undici> {
  return import('undici')
}

function createDispatcher({ Client, EnvHttpProxyAgent, buildConnector }: Undici, path: Path) {
  const clientOf = (origin: string | URL, options: Client.Options) => {
    const { host, origin: there } = new URL(origin)
    // An origin other than ours is the proxy's.
    const proxy = there === path.origin ? undefined : host
    const connect = track(options.connect, path, proxy)
    return new Client(origin, { ...options, ...UNDICI_LIMITS, connect })
  }

  return new EnvHttpProxyAgent({
    ...UNDICI_LIMITS,
    allowH2: false,
    httpProxy: path.address,
    httpsProxy: path.address,
    proxyTls: CONNECTING,
    connect: buildConnector(CONNECTING),
    clientFactory: clientOf,
    factory: clientOf
  })
}

const NO_PROXY_ADDRESS = 'is not an address such as http://proxy.example.com:3128'

/**
 * The proxy for an origin, by the environment; `address` is empty if there is none. An unusable proxy is refused only
 * when it is called, since `NO_PROXY`, which undici reads, may exempt the host. undici's SOCKS is experimental, and
 * bypasses our limits. An address may hold a password: it is never quoted.
 */
function proxyFor(origin: string): Proxy {
  // A proxy would see the token in the clear, and would look for the shop on its own machine.
  if (isLoopback(new URL(origin))) return { address: '' }

  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']
  const { env } = process
  const name = names.slice(origin.startsWith('https:') ? 0 : 2).find(each => env[each]) ?? ''
  const given = env[name] ?? ''
  if (given === '') return { address: '' }

  // As curl has it: `localhost:3128` is a proxy that is asked by HTTP.
  const address = /^[^/]+:\d+\/?$/.test(given) ? `http://${given}` : given
  const explain = (problem: string) => {
    const refusal = new ProxyError(`${name} ${problem}`)
    return { address: 'http://proxy.invalid', refusal }
  }

  try {
    const { protocol, username, password } = new URL(address)
    // undici decodes these too, where nobody can catch what it throws.
    decodeURIComponent(username + password)
    if (protocol === 'http:' || protocol === 'https:') return { address }
    return explain(NO_PROXY_ADDRESS)
  } catch {
    return explain(NO_PROXY_ADDRESS)
  }
}

/** The connector with its sockets noted and prepared; `proxy` is the proxy's host if it leads to one. */
function track(inner: Client.Options['connect'], path: Path, proxy?: string): Connector.connector {
  if (typeof inner !== 'function') throw new Error('undici passed no connector to wrap')

  const note = (socket: Socket) => {
    if (path.sockets.has(socket)) return
    path.sockets.add(socket)
    socket.once('close', () => path.sockets.delete(socket))
    socket.once('error', error => {
      if (/^ERR_SSL_.*ALERT/.test(codeOf(error))) path.alert = error
    })
  }

  return (options, callback) => {
    if (proxy !== undefined && path.refusal) return void callback(path.refusal, null)
    if (proxy !== undefined) path.proxy = proxy

    const begun: unknown = inner(options, (...result: Parameters<typeof callback>) => {
      const [error, socket] = result
      if (error) return void callback(explainProxy(error, proxy), null)

      note(socket)
      skipInterim(socket)
      deferWriteError(socket)
      callback(...result)
    })
    if (begun instanceof Socket) note(begun)
  }
}
