// A `fetch` for Octokit over our own connections: proxies, time limits and cancelling as everywhere here.
import {
  type Answer,
  type Connect,
  type Connection,
  type Exchange,
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
  const fetch = async (url: string, { method, headers, body }: Init = {}): Promise<Answered> => {
    const limit = AbortSignal.timeout(patience)
    const start = new URL(url)
    const send = (at: URL) =>
      open(at.origin, method).exchange({
        method: method === 'POST' ? 'POST' : 'GET',
        path: at.pathname + at.search,
        headers: { ...headers },
        ...(body === undefined ? {} : { body: wholeBody(body) }),
        patience: { stall: patience, answer: patience },
        answerLimit: ANSWER_LIMIT,
        signal: AbortSignal.any([cancelled, limit])
      })
    try {
      // The credential goes along, so only within the origin.
      const followed = await follow(start, REDIRECTS, send, to => to.origin === start.origin)
      return responseOf(followed.answer, followed.at)
    } catch (cause) {
      if (!limit.aborted || cancelled.aborted) throw cause
      throw new Error(`no complete answer within ${patience / 1000} seconds`, { cause })
    }
  }
  const close = () => {
    for (const connection of kept.values()) connection.close()
  }
  return { fetch, close }
}

/** The first answer that is no redirect, or none that may be followed, and its address. Throws what broke. */
export async function follow(
  start: URL,
  limit: number,
  send: (at: URL) => Promise<Exchange>,
  mayFollow: (to: URL) => boolean
): Promise<{ readonly answer: Answer; readonly at: URL }> {
  let at = start
  for (let followed = 0; ; followed++) {
    const answer = await send(at)
    if (answer.kind === 'broken') throw answer.cause
    if (answer.truncated) throw answer.truncated
    const { location } = answer.headers
    const isRedirect = [301, 302, 307, 308].includes(answer.status) && followed < limit
    if (!isRedirect || typeof location !== 'string' || !URL.canParse(location, at.href)) {
      return { answer, at }
    }
    const to = new URL(location, at)
    if (!mayFollow(to)) return { answer, at }
    at = to
  }
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
