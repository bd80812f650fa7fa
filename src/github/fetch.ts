// A `fetch` for Octokit over our own connections: proxies, time limits and cancelling as everywhere here.
import type {
  Connect,
  Connection,
  Exchange,
  ExchangeRequest,
  RequestBody
} from '../http/exchange.ts'

/** Every call ends within this time, whatever GitHub does. */
const PATIENCE = { stall: 10_000, answer: 10_000 }
const ANSWER_LIMIT = 32 * 1024 * 1024
const REDIRECTS = 3

/** What Octokit passes. */
interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The `fetch`, and what closes its connections. */
export function fetchOver(connect: Connect, signal: AbortSignal) {
  const connections = new Map<string, Connection>()
  const open = (origin: string) => {
    const connection = connections.get(origin) ?? connect(origin, { keepAlive: true })
    connections.set(origin, connection)
    return connection
  }
  const fetch = async (url: string, init: Init = {}): Promise<Response> => {
    const request = requestOf(init, signal)
    let at = new URL(url)
    for (let followed = 0; ; followed++) {
      const exchange = await open(at.origin).exchange({ ...request, path: at.pathname + at.search })
      if (exchange.kind === 'broken') throw exchange.cause
      if (exchange.truncated) throw exchange.truncated
      const next = redirectOf(exchange, at)
      // The credential goes along, so only within the origin.
      if (!next || next.origin !== at.origin || followed >= REDIRECTS) return responseOf(exchange)
      at = next
    }
  }
  const close = () => {
    for (const connection of connections.values()) connection.close()
  }
  return { fetch, close }
}

function requestOf(init: Init, signal: AbortSignal): Omit<ExchangeRequest, 'path'> {
  const method = init.method === 'POST' ? 'POST' : 'GET'
  const body = init.body === undefined ? {} : { body: bodyOf(init.body) }
  return {
    method,
    headers: { ...init.headers },
    ...body,
    patience: PATIENCE,
    answerLimit: ANSWER_LIMIT,
    signal
  }
}

function bodyOf(text: string): RequestBody {
  const bytes = Buffer.from(text)
  async function* head() {
    // All of it is the tail: nothing is held back.
  }
  return { length: bytes.length, head, tail: () => Promise.resolve(bytes) }
}

function redirectOf(exchange: Exchange, at: URL): URL | undefined {
  if (exchange.kind !== 'answer' || ![301, 302, 307, 308].includes(exchange.status))
    return undefined
  const { location } = exchange.headers
  return typeof location === 'string' && URL.canParse(location, at.href)
    ? new URL(location, at)
    : undefined
}

function responseOf(answer: Extract<Exchange, { kind: 'answer' }>): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const text of [value ?? []].flat()) headers.append(name, text)
  }
  const empty = answer.status === 204 || answer.status === 304
  return new Response(empty ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers
  })
}
