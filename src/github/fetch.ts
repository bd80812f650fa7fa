// A `fetch` for Octokit over our own connections: proxies, time limits, and cancelling work as elsewhere.
import type { Answer, Connect, Connection, Exchange } from '../http/exchange.ts'
import { TimeoutError, wholeBody } from '../http/exchange.ts'

const ANSWER_MAX_BYTES = 32 * 1024 * 1024
const MAX_REDIRECTS = 5

interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A `fetch` over connections that are kept. */
export interface FetchOver {
  fetch(url: string, init?: Init): Promise<FetchedResponse>
  close(): void
}

/** The part of a `Response` that Octokit uses. */
interface FetchedResponse {
  readonly status: number
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/**
 * Makes a `fetch` for GET and POST to one origin. Each of the reads that are made at once has a connection of its own, and
 * leaves it to the next one.
 * @param patience How many milliseconds a call may take, redirects included.
 */
export function fetchOver(
  connect: Connect,
  origin: string,
  signal: AbortSignal,
  patience: number
): FetchOver {
  const all: Connection[] = []
  const idle: Connection[] = []
  const open = (): Connection => {
    const connection = connect(origin, { keepAlive: true })
    all.push(connection)
    return connection
  }

  const fetch = async (url: string, { method, headers, body }: Init = {}) => {
    const limit = AbortSignal.timeout(patience)
    // A write gets a new connection: if a kept one is lost during it, nobody knows what arrived.
    const kept = method === 'POST' ? undefined : (idle.pop() ?? open())

    const send = (at: URL) => {
      const connection = kept ?? connect(origin, { keepAlive: false })
      return connection.exchange({
        method: kept ? 'GET' : 'POST',
        path: at.pathname + at.search,
        headers: { ...headers },
        ...(body === undefined ? {} : { body: wholeBody(body) }),
        patience: { stall: patience, answer: patience },
        answerLimit: ANSWER_MAX_BYTES,
        signal: AbortSignal.any([signal, limit])
      })
    }

    try {
      // The headers have the token, so no redirect to another origin is followed.
      const { answer, at } = await follow(new URL(url), send, to => to.origin === origin)
      return responseOf(answer, at)
    } catch (cause) {
      if (!limit.aborted || signal.aborted) throw cause
      throw new TimeoutError(`no complete answer within ${patience / 1000} seconds`, { cause })
    } finally {
      if (kept) idle.push(kept)
    }
  }
  const close = () => {
    for (const connection of all) connection.close()
  }
  return { fetch, close }
}

/** Follows up to 5 redirects that `mayFollow` allows; returns the last answer. Throws what broke one. */
export async function follow(
  start: URL,
  send: (at: URL) => Promise<Exchange>,
  mayFollow: (to: URL) => boolean
): Promise<{ readonly answer: Answer; readonly at: URL }> {
  let at = start
  for (let followed = 0; ; followed++) {
    const answer = await send(at)
    if (answer.kind === 'broken') throw answer.cause
    if (answer.truncated) throw answer.truncated

    const { location } = answer.headers
    const to = typeof location === 'string' ? URL.parse(location, at.href) : null
    const isRedirect = [301, 302, 307, 308].includes(answer.status) && followed < MAX_REDIRECTS
    if (!isRedirect || !to || !mayFollow(to)) return { answer, at }
    at = to
  }
}

// The global `Response` loads Node's `fetch`, which takes as long as all calls to GitHub.
function responseOf({ status, headers, body }: Answer, at: URL): FetchedResponse {
  const lines = Object.entries(headers)
  return {
    status,
    url: at.href,
    headers: new Map(lines.map(([name, value = '']) => [name, [value].flat().join(', ')])),
    text: async () => body.toString().replace(/^\ufeff/, ''),
    arrayBuffer: async () => Uint8Array.from(body).buffer
  }
}
