// The door to undici: fresh or kept connections, by proxy where the environment says so.
import type { Socket } from 'node:net'
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import type { Connection, ConnectionOptions, Exchange, ExchangeRequest } from './exchange.ts'
import { skipContinue } from './interim.ts'
import { Watch } from './watch.ts'

/** The sockets of a dispatcher, from before they are connected. */
type Sockets = Set<Socket>

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
    dispatcher ??= createDispatcher(sockets)
    const outcome = await send(dispatcher, origin, request, sockets, !options.keepAlive)
    if (!options.keepAlive || outcome.kind === 'broken' || outcome.truncated) close()
    return outcome
  }
  return { exchange, close }
}

/** undici's own timers are off: the watch has them all, since undici's leave out DNS, TLS and proxies. */
function createDispatcher(sockets: Sockets): Dispatcher {
  const connector = track(buildConnector({ allowH2: false, timeout: 0 }), sockets)
  const clientOf = (origin: string | URL, options: Client.Options) =>
    new Client(origin, { ...options, connect: track(options.connect, sockets) })
  return new EnvHttpProxyAgent({
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    connect: connector,
    clientFactory: clientOf,
    factory: clientOf
  })
}

/** The same connector, with its sockets noted, so that they can be watched and destroyed. */
function track(connector: Client.Options['connect'], sockets: Sockets): buildConnector.connector {
  if (typeof connector !== 'function') throw new Error('undici passed no connector to wrap')
  return (options, callback) => {
    const note = (socket: Socket | undefined) => {
      if (!socket || sockets.has(socket)) return
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    const begun: unknown = connector(options, (...result: Parameters<typeof callback>) => {
      const [error, socket] = result
      if (!error) {
        note(socket)
        skipContinue(socket)
      }
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
