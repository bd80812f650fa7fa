// GitHub's REST API, for one repository: each call with a time limit, reads with retries, and the bytes of assets.
import { describeCause, retryAfter } from '../http/errors.ts'
import {
  type Answer,
  type Connect,
  type Exchange,
  TimeoutError,
  wholeBody
} from '../http/exchange.ts'
import { textAt } from '../runner/values.ts'

/** Which repository, where, and as whom. */
export interface Repository {
  /** Such as `https://api.github.com`. */
  readonly apiUrl: string
  readonly owner: string
  readonly name: string
  readonly token: string
}

/** A call that failed: with GitHub's status, or without an answer. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  /** Undefined when no answer came. */
  readonly status: number | undefined
  /** The permission or the resource is missing, as opposed to a passing fault. */
  readonly denied: boolean
  /** GitHub said that the token lacks a permission; any other 403 or 404 may be a passing one. */
  readonly missingPermission: boolean
  /** The pause that a rate limit asks for, in milliseconds. */
  readonly limit: number | undefined
  constructor(message: string, status?: number, denied = false, cause?: unknown, limit?: number) {
    super(message, { cause })
    this.status = status
    this.denied = denied
    this.limit = limit
    this.missingPermission = status === 403 && /\bnot accessible by\b/i.test(message)
  }
}

/** What a call does, by the end of its route. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^POST .*\/statuses$/, 'recording the state of a deployment'],
  [/\/statuses$/, 'reading the history of a deployment'],
  [/^POST .*\/deployments$/, 'creating a deployment'],
  [/\/deployments$/, 'listing the deployments'],
  [/\/releases$/, 'listing the releases'],
  [/\/assets\/[^/]+$/, 'downloading the attached file'],
  [/\/assets$/, 'listing the attached files'],
  [/\/releases\/.+$/, 'reading the release'],
  [/\/commits\/[^/]+$/, 'reading the commit'],
  [/\/repos\/[^/]+\/[^/]+$/, 'reading the repository']
]

function inWords(route: string): string {
  return WORDS.find(([pattern]) => pattern.test(route))?.[1] ?? route
}

/** An answer's data, and the time by GitHub's clock, in milliseconds since 1970. */
export interface Reply {
  readonly data: unknown
  readonly now: number
}

/** What fills a route's places; what is left over goes into the query, or into the body; but for `headers`. */
type Parameters = Readonly<Record<string, unknown>> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** One call; reads are repeated when they fail for a passing reason, writes never by themselves. */
export interface GitHub {
  read(route: string, parameters?: Parameters): Promise<Reply>
  write(route: string, parameters: Parameters): Promise<Reply>
  /** All pages of a list, and the same time. */
  readAll(
    route: string,
    parameters?: Parameters
  ): Promise<{ readonly items: readonly unknown[]; readonly now: number }>
  close(): void
}

const PAGE = 100
/** A list that is longer is none of ours: a server that always names a next page would be asked for ever. */
const PAGES = 200
const TRIES = 4
const LONGEST_GITHUB_PAUSE = 60_000
const ANSWER_LIMIT = 32 * 1024 * 1024
const REDIRECTS = 5

/** Opens the way to a repository's API. A call, a page of a list being one, may take `patience` milliseconds. */
export function openGitHub(
  repository: Repository,
  connect: Connect,
  sleep: (ms: number) => Promise<void>,
  signal: AbortSignal,
  patience = 10_000
): GitHub {
  const { origin } = new URL(repository.apiUrl)
  const kept = connect(origin, { keepAlive: true })

  const call = async (route: string, parameters: Parameters = {}) => {
    if (repository.token === '') {
      throw new GitHubError('the input `github-token` is empty', undefined, true)
    }
    const { url, ...request } = requestOf(route, parameters, repository)
    const limit = AbortSignal.timeout(patience)
    const send = async (at: URL): Promise<Exchange> => {
      // A write gets a connection of its own: of one that dies under it nobody knows what arrived.
      const connection = request.method === 'POST' ? connect(origin, { keepAlive: false }) : kept
      const exchange = await connection.exchange({
        ...request,
        path: at.pathname + at.search,
        patience: { stall: patience, answer: patience },
        answerLimit: ANSWER_LIMIT,
        signal: AbortSignal.any([signal, limit])
      })
      const isWhole = exchange.kind === 'answer' && !exchange.truncated
      if (isWhole || !limit.aborted || signal.aborted) return exchange
      const cause = new TimeoutError(`no complete answer within ${patience / 1000} seconds`)
      return { kind: 'broken', phase: 'answer', cause, tailSent: exchange.tailSent }
    }
    // The credential goes along, so only within the origin.
    const answer = await follow(inWords(route), url, send, to => to.origin === origin)
    const { date, link } = answer.headers
    return { data: parseJson(answer), now: Date.parse(String(date)), link: String(link) }
  }
  const read = async (route: string, parameters?: Parameters) => {
    for (let tried = 1; ; tried++) {
      try {
        return await call(route, parameters)
      } catch (error) {
        const pause = pauseAfter(error, tried)
        if (pause === undefined || tried >= TRIES || signal.aborted) throw error
        await sleep(pause)
      }
    }
  }
  const readAll = async (route: string, parameters: Parameters = {}) => {
    const items: unknown[] = []
    const fail = (problem: string) => new GitHubError(`${inWords(route)}: ${problem}`, 200)
    for (let page = 1; page <= PAGES; page++) {
      const { data, link, now } = await read(route, { ...parameters, per_page: PAGE, page })
      if (!Array.isArray(data)) throw fail('GitHub’s answer is not a list')
      items.push(...data)
      // A proxy may lose the link; a page that is full may have another behind it.
      const ends = data.length === 0 || (data.length < PAGE && !link.includes('rel="next"'))
      if (ends) return { items, now }
    }
    throw fail(`there are more than ${PAGES} pages`)
  }
  return { read, write: call, readAll, close: () => kept.close() }
}

/** A route with its places filled in, as a request. */
function requestOf(
  route: string,
  parameters: Parameters,
  { apiUrl, owner, name, token }: Repository
) {
  const { headers, ...values }: Parameters = { owner, repo: name, ...parameters }
  const [method, path = ''] = route
    .replaceAll(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(String(values[place])))
    .split(' ')
  const url = new URL(apiUrl.replace(/\/$/, '') + path)
  const rest = Object.entries(values).filter(([place]) => !route.includes(`{${place}}`))
  const own = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` }
  if (method !== 'POST') {
    for (const [key, value] of rest) url.searchParams.set(key, String(value))
    return { method: 'GET', url, headers: { ...own, ...headers } } as const
  }
  const body = wholeBody(JSON.stringify(Object.fromEntries(rest)))
  return { method, url, headers: { ...own, 'content-type': 'application/json' }, body } as const
}

/** The whole answer, with redirects followed. Throws a `GitHubError` unless it is a success. */
async function follow(
  what: string,
  start: URL,
  send: (at: URL) => Promise<Exchange>,
  mayFollow: (to: URL) => boolean
): Promise<Answer> {
  let at = start
  for (let left = REDIRECTS; ; left--) {
    const answer = await send(at)
    const fail = (cause: Error) =>
      new GitHubError(`${what}: ${describeCause(cause, at.host)}`, undefined, false, cause)
    if (answer.kind === 'broken') throw fail(answer.cause)
    if (answer.truncated) throw fail(answer.truncated)
    if (answer.status < 300) return answer
    const { location } = answer.headers
    const to = typeof location === 'string' ? URL.parse(location, at.href) : null
    const isRedirect = [301, 302, 307, 308].includes(answer.status) && left > 0
    if (!isRedirect || !to || !mayFollow(to)) {
      throw refusal(`${what}: ${at.origin === start.origin ? 'GitHub' : at.host}`, answer, to)
    }
    at = to
  }
}

/** An answer that is no success, in the words of the user's problem. */
function refusal(who: string, answer: Answer, to: URL | null): GitHubError {
  const { status, headers } = answer
  const message = textAt(parseJson(answer), 'message')
  const pointing = to ? ` and points to ${to.origin}, which is not followed` : ''
  const text = `${who} answered ${status}${pointing}${message && `: ${message}`}`
  const isOver = headers['x-ratelimit-remaining'] === '0'
  const reset = Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(String(headers.date))
  // A secondary limit without a header: GitHub asks for a minute at least.
  const unsaid = /\brate limit\b/i.test(message) ? 60_000 : undefined
  const limit = retryAfter(answer).after ?? (isOver ? Math.max(reset, 0) : unsaid)
  const denied = (status === 403 || status === 404) && limit === undefined
  return new GitHubError(text, status, denied, undefined, limit)
}

/** What an answer holds; undefined when it is no JSON. */
function parseJson({ body }: Answer): unknown {
  try {
    return JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** How long to wait before a read is repeated; undefined for what does not pass. */
function pauseAfter(error: unknown, tried: number): number | undefined {
  if (!(error instanceof GitHubError) || error.denied) return undefined
  const { status, limit } = error
  if (limit !== undefined) return limit <= LONGEST_GITHUB_PAUSE ? limit : undefined
  const passing = status === undefined || status >= 500 || status === 429
  return passing ? 500 * 2 ** tried : undefined
}

/** Streams an asset, once; `receive` gets every chunk. Throws a `GitHubError` when that breaks. */
export async function streamAsset(
  repository: Repository,
  id: number,
  connect: Connect,
  receive: (chunk: Buffer) => void,
  signal: AbortSignal
): Promise<void> {
  const route = 'GET /repos/{owner}/{repo}/releases/assets/{id}'
  const accept = 'application/octet-stream'
  const { url: start, headers } = requestOf(route, { id, headers: { accept } }, repository)
  const send = (at: URL) =>
    connect(at.origin, { keepAlive: false }).exchange({
      method: 'GET',
      path: at.pathname + at.search,
      // The credential stays with GitHub's API.
      headers: at.origin === start.origin ? headers : { accept },
      // A download may take long, as long as it moves.
      patience: { stall: 30_000 },
      answerLimit: 64 * 1024,
      receive,
      signal
    })
  const mayFollow = ({ protocol }: URL) => protocol === 'https:' || protocol === start.protocol
  await follow(inWords(route), start, send, mayFollow)
}
