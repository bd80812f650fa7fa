// A `fetch` for Octokit over our own connections: proxies, time limits and cancelling as everywhere here.
import {
  type Answer,
  type Connect,
  type Connection,
  type Exchange,
  type ExchangeRequest,
  wholeBody
} from '../http/exchange.ts'

/** Every call ends within so many milliseconds, whatever GitHub does. */
export const PATIENCE = 10_000
const ANSWER_LIMIT = 32 * 1024 * 1024
const REDIRECTS = 3

/** What Octokit passes. */
interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The `fetch`, and what closes its connections. A call may take `patience` milliseconds in all. */
export function fetchOver(connect: Connect, cancelled: AbortSignal, patience: number) {
  const kept = new Map<string, Connection>()
  // A write gets a connection of its own: of one that dies under it nobody knows what arrived.
  const open = (origin: string, method: string | undefined) => {
    if (method === 'POST') return connect(origin, { keepAlive: false })
    const connection = kept.get(origin) ?? connect(origin, { keepAlive: true })
    kept.set(origin, connection)
    return connection
  }
  const fetch = async (url: string, init: Init = {}): Promise<Answered> => {
    const limit = AbortSignal.timeout(patience)
    const request = requestOf(init, AbortSignal.any([cancelled, limit]), patience)
    let at = new URL(url)
    for (let followed = 0; ; followed++) {
      const exchange = await open(at.origin, init.method).exchange({
        ...request,
        path: at.pathname + at.search
      })
      const broken = exchange.kind === 'broken' ? exchange.cause : exchange.truncated
      if (broken && limit.aborted && !cancelled.aborted) {
        throw new Error(`no complete answer within ${patience / 1000} seconds`, { cause: broken })
      }
      if (exchange.kind === 'broken') throw exchange.cause
      if (exchange.truncated) throw exchange.truncated
      const next = redirectOf(exchange, at)
      // The credential goes along, so only within the origin.
      if (!next || next.origin !== at.origin || followed >= REDIRECTS)
        return responseOf(exchange, at)
      at = next
    }
  }
  const close = () => {
    for (const connection of kept.values()) connection.close()
  }
  return { fetch, close }
}

function requestOf(
  { method, headers, body }: Init,
  signal: AbortSignal,
  patience: number
): Omit<ExchangeRequest, 'path'> {
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    headers: { ...headers },
    ...(body === undefined ? {} : { body: wholeBody(body) }),
    patience: { stall: patience, answer: patience },
    answerLimit: ANSWER_LIMIT,
    signal
  }
}

function redirectOf(exchange: Exchange, at: URL): URL | undefined {
  if (exchange.kind !== 'answer' || ![301, 302, 307, 308].includes(exchange.status))
    return undefined
  const { location } = exchange.headers
  return typeof location === 'string' && URL.canParse(location, at.href)
    ? new URL(location, at)
    : undefined
}

/** Of a `Response`, what Octokit reads. */
interface Answered {
  readonly status: number
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The global `Response` would load Node's own `fetch`, which takes as long as all the rest of GitHub's calls. */
function responseOf({ status, headers, body }: Answer, at: URL): Answered {
  const given = Object.entries(headers).map(
    ([name, value]) => [name, [value ?? []].flat().join(', ')] as const
  )
  return {
    status,
    url: at.href,
    headers: new Map(given),
    text: async () => body.toString().replace(/^\ufeff/, ''),
    arrayBuffer: async () => Uint8Array.from(body).buffer
  }
}
