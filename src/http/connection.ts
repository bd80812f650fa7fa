// The door to undici: fresh or kept connections, by proxy where the environment says so.
import type { Socket } from 'node:net'
import type { Client as ClientOptions, buildConnector as Connector, Dispatcher } from 'undici'
import openTunnel from 'undici/lib/api/api-connect.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import {
  type Broken,
  CancelledError,
  type Connection,
  type ConnectionOptions,
  type Exchange,
  type ExchangeRequest,
  ProxyError
} from './exchange.ts'
import { skipInterim } from './interim.ts'
import { hearOut } from './last-words.ts'
import { nameProxy } from './proxy.ts'
import { Watch } from './watch.ts'

// What undici's index does for every dispatcher: through proxies, it is by this that tunnels are opened.
Object.assign(Client.prototype, { connect: openTunnel })

/** The sockets of a dispatcher, from before they are connected. */
type Sockets = Set<Socket>

/** undici's own timers are off: the watch has them all, since undici's leave out DNS, TLS and proxies. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 }
/** Node gives each of a host's addresses but the last 250 ms, which is little for another continent. */
const TLS = { allowH2: false, timeout: 0, autoSelectFamilyAttemptTimeout: 3000 }

/**
 * Opens a connection to an origin. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are obeyed; HTTP/1.1 only;
 * redirects are never followed.
 */
export function connect(origin: string, options: ConnectionOptions): Connection {
  const sockets: Sockets = new Set()
  let dispatcher: Dispatcher | undefined

  const close = () => {
    for (const socket of sockets) socket.destroy()
    void dispatcher?.destroy().catch(() => undefined)
    dispatcher = undefined
  }

  const exchange = async (request: ExchangeRequest): Promise<Exchange> => {
    if (request.signal.aborted) return notBegun(new CancelledError())
    try {
      dispatcher ??= createDispatcher(origin, sockets)
    } catch (cause) {
      // undici's message is not told: it may quote the proxy's address, and so its password.
      const message =
        'HTTPS_PROXY or HTTP_PROXY is no address such as http://proxy.example.com:3128'
      return notBegun(new ProxyError(message, '', cause))
    }
    const outcome = await send(dispatcher, origin, request, sockets, !options.keepAlive)
    if (!options.keepAlive || outcome.kind === 'broken' || outcome.truncated) close()
    return outcome
  }
  return { exchange, close }
}

function notBegun(cause: Error): Broken {
  return { kind: 'broken', phase: 'connect', cause, tailSent: false }
}

function createDispatcher(target: string, sockets: Sockets): Dispatcher {
  const clientOf = (origin: string | URL, options: ClientOptions.Options) => {
    const { host, origin: there } = new URL(origin)
    const connect = track(options.connect, sockets, there === target ? undefined : host)
    return new Client(origin, { ...options, ...NO_LIMITS, useMilo: false, connect })
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

/**
 * The same connector, with its sockets noted, so that they can be watched and destroyed. `proxy` is the
 * host that it leads to, when that is a proxy.
 */
function track(
  connector: ClientOptions.Options['connect'],
  sockets: Sockets,
  proxy?: string
): Connector.connector {
  if (typeof connector !== 'function') throw new Error('undici passed no connector to wrap')
  return (options, callback) => {
    const note = (socket: Socket | undefined) => {
      if (!socket || sockets.has(socket)) return
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
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
  origin: string,
  request: ExchangeRequest,
  sockets: Sockets,
  reset: boolean
): Promise<Exchange> {
  const watch = new Watch(request, sockets)
  const { body } = request
  const headers = body
    ? { ...request.headers, 'content-length': String(body.length) }
    : { ...request.headers }
  const options: Dispatcher.DispatchOptions = {
    origin,
    path: request.path,
    method: request.method,
    headers,
    reset
  }
  // undici takes any async iterable as a body; its types name streams alone.
  if (body) Reflect.set(options, 'body', watch.sending(body))
  dispatcher.dispatch(options, watch)
  return watch.outcome
}
