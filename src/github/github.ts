// The adapter of @actions/github: one repository's API with time limits and retries, and downloads of assets.
import { describeCause, retryAfter, TRIES } from '../http/errors.ts'
import { type Connect, USER_AGENT } from '../http/exchange.ts'
import { concealReceived, counted, quoteText } from '../runner/text.ts'
import { at, isLoopback, textAt } from '../runner/values.ts'
import { fetchOver, follow } from './fetch.ts'

/** A repository and the token for it; `apiUrl` is an address such as `https://api.github.com`. */
export type RepositoryAccess = Readonly<Record<'apiUrl' | 'owner' | 'name' | 'token', string>>

type Details = Partial<Pick<GitHubError, 'status' | 'denied' | 'limited' | 'pause' | 'cause'>>
/** A call that failed; `status` is undefined when no answer came. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  readonly status: number | undefined
  /** A 401, 403 or 404 that is no rate limit, or no token: the token, a permission or the resource is missing. */
  readonly denied: boolean
  /** GitHub said that the token lacks a permission. Any other 403 or 404 may have another cause. */
  readonly missingPermission: boolean
  readonly limited: boolean
  /** The least pause before a retry, in milliseconds; undefined when a retry will not help. */
  readonly pause: number | undefined
  constructor(message: string, details: Details = {}) {
    const { status, denied = false, limited = false, pause, cause } = details
    super(message, { cause })
    this.status = status
    this.denied = denied
    this.limited = limited
    this.pause = pause
    this.missingPermission = status === 403 && /\bnot accessible by\b/i.test(message)
  }
  /** No answer came, or none that says what became of a call: a write may have taken effect. */
  get isAnswerLost(): boolean {
    return !this.denied && (this.status ?? 500) >= 500
  }
}

/** Such as `GET /deployments`, as messages name a call. */
function nameCall(route: string): string {
  return route.replace('/repos/{owner}/{repo}/', '/').replace(/\{\w+\}/g, '…')
}

/** They fill the route's placeholders; what is left goes into the query or the body. */
type Parameters = Readonly<Record<string, unknown>>
/** `now` is GitHub's time, in milliseconds since 1970, or NaN; `lag`: how late lists may be, if GitHub is simulated. */
type Dated = Readonly<{ now: number; lag?: number | undefined }>
type Reply = Dated & Readonly<{ data: unknown; link?: string }>
type List = Dated & Readonly<{ items: readonly unknown[] }>
/** A repository's API. Its errors are `GitHubError`s. */
export type GitHub = Readonly<ReturnType<typeof openGitHub>>

const PAGE = 100
/** More than any list has; a server that always names a next page must not be asked forever. */
const PAGES = 200
/** In milliseconds; a longer rate limit is not waited for. */
const LONGEST_PAUSE = 60_000

/** What the API is called with. */
export interface Surroundings {
  readonly connect: Connect
  sleep(ms: number): Promise<void>
  readonly signal: AbortSignal
  /** Milliseconds for each call or page; 10 seconds when left out. */
  readonly patience?: number | undefined
  /** Called before a wait for a rate limit. */
  log(text: string): void
  /** Takes the credentials of the step out of a text. */
  conceal(text: string): string
}

/** Opens a repository's API; the first call loads Octokit. */
export function openGitHub(repository: RepositoryAccess, surroundings: Surroundings) {
  const { connect, sleep, signal, patience = 10_000, log, conceal } = surroundings
  const { apiUrl, owner, name, token } = repository
  const { origin, host, pathname } = new URL(apiUrl)
  // By the address; of an Enterprise Server, the path says so; Gitea and Forgejo have `/api/v1`.
  const isGitHub = /(^api\.github|\.ghe)\.com$/.test(host) || /^\/api\/v3\/?$/.test(pathname)
  const { fetch, close } = fetchOver(connect, origin, signal, patience)
  const load = async () => {
    const { getOctokit } = await import('@actions/github')
    const silent = () => undefined
    const quiet = { debug: silent, info: silent, warn: silent, error: silent }
    const options = { baseUrl: apiUrl, userAgent: USER_AGENT, log: quiet, request: { fetch } }
    return getOctokit(token, options)
  }
  let loading: ReturnType<typeof load> | undefined
  const call = async (route: string, parameters: Parameters = {}): Promise<Reply> => {
    if (token === '') throw new GitHubError('the input `github-token` is empty', { denied: true })
    loading ??= load()
    const octokit = await loading
    const about = { owner, repo: name, ...parameters }
    const reply = await octokit.request(route, about).catch((error: unknown) => {
      throw explainGitHubError(nameCall(route), error, host, conceal)
    })
    const { date = '', link = '', location = '' } = reply.headers
    // Octokit does not throw for a redirect that was not followed.
    if (reply.status >= 300) {
      const to = URL.parse(location)?.origin ?? 'nowhere'
      const text = `GitHub answered ${reply.status} and points to ${to}, where the token is not sent`
      throw new GitHubError(`${nameCall(route)}: ${text}`, { status: reply.status })
    }
    const data: unknown = reply.data
    return { data, now: Date.parse(date), lag: lagOf(reply.headers, apiUrl), link }
  }
  const again = async <T>(route: string, attempt: () => Promise<T>): Promise<T> => {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error
        const { pause, limited } = error
        if (pause === undefined || tried >= TRIES || signal.aborted) throw error
        const wait = Math.max(pause, 500 * 2 ** tried)
        const why = limited ? 'GitHub’s rate limit' : 'GitHub asks for a pause'
        const seconds = counted(Math.ceil(wait / 1000), 'second')
        if (limited || pause > 0) log(`${why}: waiting ${seconds} (${nameCall(route)}).`)
        await sleep(wait)
      }
    }
  }
  const read = (route: string, parameters?: Parameters) =>
    again(route, () => call(route, parameters))
  const readAll = async (route: string, parameters: Parameters = {}): Promise<List> => {
    const items: unknown[] = []
    const fail = (why: string) => new GitHubError(`${nameCall(route)}: ${why}`, { status: 200 })
    for (let page = 1; page <= PAGES; page++) {
      const asked = { ...parameters, per_page: PAGE, page }
      const { data, now, lag, link = '' } = await read(route, asked)
      if (!Array.isArray(data)) throw fail('GitHub’s answer is not a list')
      items.push(...data)
      // A proxy may drop the `link` header, so after a full page another is asked for, too.
      const ends = data.length === 0 || (data.length < PAGE && !link.includes('rel="next"'))
      if (ends) return { items, now, lag }
    }
    throw fail(`there are more than ${PAGES} pages`)
  }
  return {
    /** Whether it is GitHub's own: then it has deployments, whatever it answers. */
    isGitHub,
    /** Reads, again where that may help. */
    read,
    /** Writes, once. */
    write: call,
    /** Reads page after page to the end of a list. */
    readAll,
    /** Downloads an asset by its id, again where that may help; `start` gives what receives the chunks of each try. */
    streamAsset: (id: number, start: () => (chunk: Buffer) => void) =>
      again(ASSET, () => streamAsset(repository, id, surroundings, start())),
    close
  }
}

/** Only a simulated GitHub knows how late its lists are, and only one on this machine is believed. */
function lagOf(headers: unknown, apiUrl: string): number | undefined {
  const given = at(headers, 'x-list-lag')
  const isGiven = typeof given === 'string' && /^\d{1,6}$/.test(given)
  return isGiven && isLoopback(new URL(apiUrl)) ? Number(given) : undefined
}

function explainGitHubError(
  what: string,
  error: unknown,
  host: string,
  conceal: Surroundings['conceal']
): GitHubError {
  const response = at(error, 'response')
  if (response === undefined) {
    // Octokit wraps what our `fetch` threw. A retry may help, so `pause` is set.
    const cause = at(error, 'cause') ?? error
    const why = cause instanceof Error ? describeCause(cause, host) : String(cause)
    return new GitHubError(`${what}: ${why}`, { cause, pause: 0 })
  }
  const message = concealReceived(textAt(error, 'message'), conceal)
  const status = Number(at(error, 'status'))
  const headers = at(response, 'headers')
  const limit = status === 403 || status === 429 ? limitOf(headers, message) : undefined
  const denied = [401, 403, 404].includes(status) && limit === undefined
  const busy = status >= 500 || status === 429 ? (askedPause(headers) ?? 0) : undefined
  const after = limit ?? busy ?? Infinity
  const pause = after <= LONGEST_PAUSE ? after : undefined
  // A gateway may answer with a whole web page, which is not quoted.
  const said = /^\s*<|^$/.test(message) ? '' : ` and says ${quoteText(message)}`
  const minutes = Math.ceil(after / 60_000)
  const wait = after > LONGEST_PAUSE && after < Infinity ? ` (wait ${minutes} minutes)` : ''
  const text = `${what}: GitHub answered ${status}${said}${wait}`
  const limited = limit !== undefined
  return new GitHubError(text, { status, denied, limited, pause, cause: error })
}

/** The pause that `Retry-After` asks for, in milliseconds; undefined without one. */
function askedPause(headers: unknown): number | undefined {
  const [asked, date] = [textAt(headers, 'retry-after'), textAt(headers, 'date')]
  return retryAfter({ headers: { 'retry-after': asked, date } }).after
}

/** The pause that a rate limit asks for, in milliseconds; undefined for an answer that is no rate limit. */
function limitOf(headers: unknown, message: string): number | undefined {
  if (textAt(headers, 'retry-after') !== '') return askedPause(headers) ?? LONGEST_PAUSE
  if (at(headers, 'x-ratelimit-remaining') === '0') {
    const reset = Number(at(headers, 'x-ratelimit-reset')) * 1000
    return Math.max(reset - Date.parse(textAt(headers, 'date')), 0)
  }
  // A secondary rate limit without headers: GitHub's documentation asks for at least a minute.
  return /\brate limit\b/i.test(message) ? LONGEST_PAUSE : undefined
}

const ASSET = 'GET /repos/{owner}/{repo}/releases/assets/{asset_id}'

async function streamAsset(
  { apiUrl, owner, name, token }: RepositoryAccess,
  id: number,
  { connect, signal }: Surroundings,
  receive: (chunk: Buffer) => void
): Promise<void> {
  const route = `/repos/${owner}/${name}/releases/assets/${id}`
  const start = new URL(apiUrl.replace(/\/$/, '') + route)
  const send = (to: URL) => {
    // GitHub redirects to a storage host, which must not get the token.
    const own = to.origin === start.origin ? { authorization: `Bearer ${token}` } : {}
    return connect(to.origin, { keepAlive: false }).exchange({
      method: 'GET',
      path: to.pathname + to.search,
      headers: { accept: 'application/octet-stream', ...own },
      // In milliseconds. There is no limit for the whole: a download may take long while bytes move.
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
  const { answer, at: end } = await follow(start, send, mayFollow).catch((cause: Error) => {
    throw new GitHubError(`${nameCall(ASSET)}: ${cause.message}`, { cause, pause: 0 })
  })
  const { status } = answer
  if (status < 300) return
  const denied = status === 403 || status === 404
  const mayPass = status === 429 || status >= 500 ? { pause: 0 } : {}
  const text = `${nameCall(ASSET)}: ${end.host} answered ${status}`
  throw new GitHubError(text, { status, denied, ...mayPass })
}
