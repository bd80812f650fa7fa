// The adapter of @actions/github: one repository's API with time limits and retries.
import { type Connect, USER_AGENT } from '../http/exchange.ts'
import { TRIES } from '../http/failures.ts'
import { isRedirect } from '../http/statuses.ts'
import { at } from '../runner/json.ts'
import { isLoopback } from '../runner/loopback.ts'
import { growing, retry } from '../runner/retry.ts'
import { counted } from '../runner/words.ts'
import { ASSET, streamAsset } from './assets.ts'
import { type FetchOver, fetchOver } from './fetch.ts'
import { explainGitHubError, GitHubError } from './github-error.ts'
import type { RepositoryAccess } from './repository.ts'

/** They fill the route's placeholders; what is left goes into the query or the body. */
type Parameters = Readonly<Record<string, unknown>>

/** When GitHub answered. */
interface AnswerTime {
  /** GitHub's time, in milliseconds since 1970; NaN if the answer has no date. */
  readonly now: number
  /** How late lists may be, in milliseconds, if GitHub is simulated. */
  readonly lag?: number | undefined
}

/** An answer of GitHub's. */
export interface Reply extends AnswerTime {
  readonly data: unknown
  /** The `Link` header; empty without one. */
  readonly link?: string
}

/** A list of GitHub's, with all its pages. */
export interface List extends AnswerTime {
  readonly items: readonly unknown[]
}

/** A repository's API. Its errors are `GitHubError`s. */
export interface GitHub {
  /** How late its answers may be, in milliseconds, as the last one said; undefined unless it is simulated. */
  readonly lag: number | undefined
  /** Reads, again where that may help. */
  read(route: string, parameters?: Parameters): Promise<Reply>
  /** Reads page after page to the end of a list. */
  readAll(route: string, parameters?: Parameters): Promise<List>
  /** Writes, once. */
  write(route: string, parameters?: Parameters): Promise<Reply>
  /** Downloads an asset by its id, again where that may help; `start` gives what receives the chunks of each try. */
  streamAsset(id: number, start: () => (chunk: Buffer) => void): Promise<void>
  /** Ends the connection that is kept. */
  close(): void
}

/** The network, the clock and the log of the run that calls. */
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

/** Opens a repository's API. Sends nothing yet. */
export function openGitHub(repository: RepositoryAccess, surroundings: Surroundings): GitHub {
  return new RepositoryApi(repository, surroundings)
}

/** How many items a page has. */
const PAGE_ITEMS = 100
/** More than any list has; a server that always names a next page must not be asked forever. */
const MAX_PAGES = 200

class RepositoryApi implements GitHub {
  readonly #repository: RepositoryAccess
  readonly #surroundings: Surroundings
  readonly #host: string
  readonly #connection: FetchOver
  /** Loaded with the first call. */
  #octokit: Promise<Octokit> | undefined
  #lag: number | undefined

  constructor(repository: RepositoryAccess, surroundings: Surroundings) {
    const { connect, signal, patience = 10_000 } = surroundings
    const { origin, host } = new URL(repository.apiUrl)
    this.#repository = repository
    this.#surroundings = surroundings
    this.#host = host
    this.#connection = fetchOver(connect, origin, signal, patience)
  }

  get lag(): number | undefined {
    return this.#lag
  }

  read(route: string, parameters?: Parameters): Promise<Reply> {
    return this.#again(route, () => this.#call(route, parameters))
  }

  async readAll(route: string, parameters: Parameters = {}): Promise<List> {
    const items: unknown[] = []
    const fail = (why: string) => new GitHubError(`${describeCall(route)}: ${why}`, { status: 200 })
    for (let page = 1; page <= MAX_PAGES; page++) {
      const asked = { ...parameters, per_page: PAGE_ITEMS, page }
      const { data, now, lag, link = '' } = await this.read(route, asked)
      if (!Array.isArray(data)) throw fail('GitHub’s answer is not a list')
      // Not spread: a list may be longer than the arguments of a call.
      for (const item of data) items.push(item)

      // A proxy may drop the `link` header, so after a full page another is asked for, too.
      const ends = data.length === 0 || (data.length < PAGE_ITEMS && !link.includes('rel="next"'))
      if (ends) return { items, now, lag }
    }
    throw fail(`there are more than ${MAX_PAGES} pages`)
  }

  write(route: string, parameters?: Parameters): Promise<Reply> {
    return this.#call(route, parameters)
  }

  streamAsset(id: number, start: () => (chunk: Buffer) => void): Promise<void> {
    const { connect, signal } = this.#surroundings
    return this.#again(ASSET, () =>
      streamAsset(this.#repository, id, { connect, signal, receive: start() })
    )
  }

  close(): void {
    this.#connection.close()
  }

  /** Calls once. */
  async #call(route: string, parameters: Parameters = {}): Promise<Reply> {
    const { apiUrl, owner, name, token } = this.#repository
    if (token === '') throw new GitHubError('the input `github-token` is empty', { denied: true })

    this.#octokit ??= loadOctokit(this.#repository, this.#connection.fetch)
    const octokit = await this.#octokit
    const about = { owner, repo: name, ...parameters }
    const reply = await octokit.request(route, about).catch((error: unknown) => {
      const { conceal } = this.#surroundings
      this.#lag = lagOf(at(at(error, 'response'), 'headers'), apiUrl)
      throw explainGitHubError(error, { name: describeCall(route), host: this.#host, conceal })
    })

    const { date = '', link = '', location = '' } = reply.headers
    if (isRedirect(reply.status)) {
      // Octokit does not throw for a redirect that was not followed.
      const to = URL.parse(location)?.origin ?? 'nowhere'
      const text = `GitHub answered ${reply.status} and points to ${to}, where the token is not sent`
      throw new GitHubError(`${describeCall(route)}: ${text}`, { status: reply.status })
    }

    const data: unknown = reply.data
    this.#lag = lagOf(reply.headers, apiUrl)
    return { data, now: Date.parse(date), lag: this.#lag, link }
  }

  /** Calls, again where that may help. */
  #again<T>(route: string, call: () => Promise<T>): Promise<T> {
    const { signal, log, sleep } = this.#surroundings
    return retry(call, {
      pauseAfter: (error, tried) => {
        if (!(error instanceof GitHubError) || tried >= TRIES || signal.aborted) return undefined
        const { pause: asked, limited } = error
        if (asked === undefined) return undefined

        const pause = Math.max(asked, growing(1000, 2, Infinity, tried))
        const why = limited ? 'GitHub’s rate limit' : 'GitHub asks for a pause'
        const seconds = counted(Math.ceil(pause / 1000), 'second')
        if (limited || asked > 0) log(`${why}: waiting ${seconds} (${describeCall(route)}).`)
        return pause
      },
      sleep: ms => sleep(ms)
    })
  }
}

/** The part of Octokit that is used. */
interface Octokit {
  request(route: string, parameters: Parameters): Promise<OctokitReply>
}

interface OctokitReply {
  readonly status: number
  readonly headers: { readonly date?: string; readonly link?: string; readonly location?: string }
  readonly data: unknown
}

async function loadOctokit(
  { apiUrl, token }: RepositoryAccess,
  fetch: FetchOver['fetch']
): Promise<Octokit> {
  const { getOctokit } = await import('@actions/github')
  const silent = () => undefined
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  return getOctokit(token, {
    baseUrl: apiUrl,
    userAgent: USER_AGENT,
    log,
    // A request of its own has a log of its own: else words of GitHub's go to standard error as they are.
    request: { fetch, log }
  })
}

/** Such as `GET /deployments`, as messages name a call. */
function describeCall(route: string): string {
  return route.replace('/repos/{owner}/{repo}/', '/').replace(/\{\w+\}/g, '…')
}

/** Only a simulated GitHub knows how late its lists are, and only one on this machine is believed. */
function lagOf(headers: unknown, apiUrl: string): number | undefined {
  const given = at(headers, 'x-list-lag')
  const isGiven = typeof given === 'string' && /^\d{1,6}$/.test(given)
  return isGiven && isLoopback(new URL(apiUrl)) ? Number(given) : undefined
}
