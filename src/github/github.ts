// The adapter to @actions/github: the API of one repository, each call with a time limit, and the bytes of assets.
import { describeCause } from '../http/errors.ts'
import { type Connect, USER_AGENT } from '../http/exchange.ts'
import { fetchOver, follow } from './fetch.ts'

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

/** What is asked for, by the end of the route. */
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

/** A route in words, as in "reading the release". */
function inWords(route: string): string {
  return WORDS.find(([pattern]) => pattern.test(route))?.[1] ?? route.replaceAll(/[{}]/g, '')
}

/** An answer's data, and the time by GitHub's clock, in milliseconds since 1970. */
export interface Reply {
  readonly data: unknown
  readonly now: number
}

/** What fills a route's places; what is left over goes into the query, or into the body. */
type Parameters = Readonly<Record<string, unknown>>

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

/**
 * Opens the way to a repository's API; Octokit itself is loaded with the first call. A call, a page of a
 * list being one, may take `patience` milliseconds.
 */
export function openGitHub(
  repository: Repository,
  connect: Connect,
  sleep: (ms: number) => Promise<void>,
  signal: AbortSignal,
  patience = 10_000
): GitHub {
  const { apiUrl, owner, name, token } = repository
  const { origin, host } = new URL(apiUrl)
  const { fetch, close } = fetchOver(connect, origin, signal, patience)
  const load = async () => {
    const { getOctokit } = await import('@actions/github')
    const silent = () => undefined
    const log = { debug: silent, info: silent, warn: silent, error: silent }
    return getOctokit(token, { baseUrl: apiUrl, userAgent: USER_AGENT, log, request: { fetch } })
  }
  let loading: ReturnType<typeof load> | undefined

  const call = async (route: string, parameters: Parameters = {}) => {
    if (token === '') throw new GitHubError('the input `github-token` is empty', undefined, true)
    loading ??= load()
    const octokit = await loading
    const about = { owner, repo: name, ...parameters }
    const reply = await octokit.request(route, about).catch((error: unknown) => {
      throw explain(route, error, host)
    })
    const { date = '', link = '', location = '' } = reply.headers
    // Octokit takes an unfollowed redirect for an answer.
    if (reply.status >= 300) {
      const to = URL.canParse(location) ? new URL(location).origin : 'nowhere'
      const text = `GitHub answered ${reply.status} and points to ${to}, where the token is not sent`
      throw new GitHubError(`${inWords(route)}: ${text}`, reply.status)
    }
    const data: unknown = reply.data
    return { data, now: Date.parse(date), link }
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
  return { read, write: call, readAll, close }
}

/** Octokit's error for an answer; its type is not narrowed by `instanceof`, as Octokit is loaded late. */
interface Refused extends Error {
  readonly status: number
  readonly response: { readonly headers: Readonly<Record<string, string | undefined>> }
}

function isRefused(error: unknown): error is Refused {
  return error instanceof Error && 'response' in error && error.response !== undefined
}

/** What Octokit throws, in the words of the user's problem. */
function explain(route: string, error: unknown, host: string): GitHubError {
  const what = inWords(route)
  if (isRefused(error)) {
    const { status, message } = error
    const limit = limitOf(error)
    const denied = (status === 403 || status === 404) && limit === undefined
    const text = `${what}: GitHub answered ${status}: ${message}`
    return new GitHubError(text, status, denied, error, limit)
  }
  // Octokit wraps what our `fetch` threw.
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const why = cause instanceof Error ? describeCause(cause, host) : String(cause)
  return new GitHubError(`${what}: ${why}`, undefined, false, cause)
}

/** The pause that a rate limit asks for, in milliseconds; undefined when the error is no rate limit. */
function limitOf({ message, response: { headers } }: Refused): number | undefined {
  const after = headers['retry-after']
  if (after !== undefined) return Number(after) * 1000
  if (headers['x-ratelimit-remaining'] !== '0') {
    // A secondary limit without a header: GitHub asks for a minute at least.
    return /\brate limit\b/i.test(message) ? 60_000 : undefined
  }
  return Math.max(Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? ''), 0)
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
  { apiUrl, owner, name, token }: Repository,
  id: number,
  connect: Connect,
  receive: (chunk: Buffer) => void,
  signal: AbortSignal
): Promise<void> {
  const route = `/repos/${owner}/${name}/releases/assets/${id}`
  const start = new URL(apiUrl.replace(/\/$/, '') + route)
  const send = (at: URL) => {
    // The credential stays with GitHub's API.
    const own = at.origin === start.origin ? { authorization: `Bearer ${token}` } : {}
    return connect(at.origin, { keepAlive: false }).exchange({
      method: 'GET',
      path: at.pathname + at.search,
      headers: { accept: 'application/octet-stream', ...own },
      // A download may take long, as long as it moves.
      patience: { stall: 30_000 },
      answerLimit: 64 * 1024,
      receive,
      signal
    })
  }
  const mayFollow = ({ protocol }: URL) => {
    if (protocol === 'https:' || protocol === start.protocol) return true
    throw new Error('GitHub points to an address without encryption')
  }
  const fail = (problem: string, status?: number, cause?: unknown) => {
    const denied = status === 403 || status === 404
    return new GitHubError(`${inWords(route)}: ${problem}`, status, denied, cause)
  }
  const { answer, at } = await follow(start, send, mayFollow).catch((cause: Error) => {
    throw fail(cause.message, undefined, cause)
  })
  if (answer.status >= 300) throw fail(`${at.host} answered ${answer.status}`, answer.status)
}
