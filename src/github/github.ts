// The door to @actions/github: releases and deployments of one repository, each call with a time limit.

import { describeCause } from '../http/errors.ts'
import type { Connect } from '../http/exchange.ts'
import { fetchOver, PATIENCE } from './fetch.ts'

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
  constructor(message: string, status: number | undefined, denied: boolean, cause: unknown) {
    super(message, { cause })
    this.status = status
    this.denied = denied
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
export function inWords(route: string): string {
  return WORDS.find(([pattern]) => pattern.test(route))?.[1] ?? route.replaceAll(/[{}]/g, '')
}

/** An answer's data, and the time by GitHub's clock, in milliseconds since 1970. */
export interface Reply {
  readonly data: unknown
  readonly now: number
}

/** One call; reads are repeated when they fail for a passing reason, writes never by themselves. */
export interface GitHub {
  read(route: string, parameters?: Readonly<Record<string, unknown>>): Promise<Reply>
  write(route: string, parameters: Readonly<Record<string, unknown>>): Promise<Reply>
  /** All pages of a list. */
  readAll(
    route: string,
    parameters?: Readonly<Record<string, unknown>>
  ): Promise<{
    readonly items: readonly unknown[]
    readonly now: number
  }>
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
  userAgent: string,
  sleep: (ms: number) => Promise<void>,
  signal: AbortSignal,
  patience = PATIENCE
): GitHub {
  const { apiUrl, owner, name, token } = repository
  const { fetch, close } = fetchOver(connect, signal, patience)
  const loading = lazy(async () => {
    const { getOctokit } = await import('@actions/github')
    const silent = () => undefined
    const log = { debug: silent, info: silent, warn: silent, error: silent }
    return getOctokit(token, { baseUrl: apiUrl, userAgent, log, request: { fetch } })
  })

  const call = async (route: string, parameters: Readonly<Record<string, unknown>> = {}) => {
    if (token === '') {
      throw new GitHubError('the input `github-token` is empty', undefined, true, undefined)
    }
    const octokit = await loading()
    const about = { owner, repo: name, ...parameters }
    const reply = await octokit.request(route, about).catch((error: unknown) => {
      throw explain(route, error, new URL(apiUrl).host)
    })
    refuseRedirect(route, reply)
    const data: unknown = reply.data
    return { data, now: Date.parse(reply.headers.date ?? ''), link: reply.headers.link ?? '' }
  }
  const read = async (route: string, parameters?: Readonly<Record<string, unknown>>) => {
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
  const readAll = async (route: string, parameters: Readonly<Record<string, unknown>> = {}) => {
    const items: unknown[] = []
    for (let page = 1; page <= PAGES; page++) {
      const reply = await read(route, { ...parameters, per_page: PAGE, page })
      if (!Array.isArray(reply.data)) {
        throw new GitHubError(
          `${inWords(route)}: GitHub’s answer is not a list`,
          200,
          false,
          undefined
        )
      }
      items.push(...reply.data)
      // A proxy may lose the link; a page that is full may have another behind it.
      const { length } = reply.data
      const ends = length === 0 || (length < PAGE && !reply.link.includes('rel="next"'))
      if (ends) return { items, now: reply.now }
    }
    throw new GitHubError(
      `${inWords(route)}: there are more than ${PAGES} pages`,
      200,
      false,
      undefined
    )
  }
  return { read, write: call, readAll, close }
}

function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

/** Octokit takes an unfollowed redirect for an answer. The token does not follow to another origin. */
function refuseRedirect(
  route: string,
  { status, headers }: { status: number; headers: { location?: string | undefined } }
): void {
  if (status < 300) return
  const to = URL.parse(headers.location ?? '')?.origin ?? 'nowhere'
  const message = `${inWords(route)}: GitHub answered ${status} and points to ${to}, where the token is not sent`
  throw new GitHubError(message, status, false, undefined)
}

/** What Octokit throws, in the words of the user's problem. */
function explain(route: string, error: unknown, host: string): GitHubError {
  const what = inWords(route)
  const message = error instanceof Error ? error.message : String(error)
  // Octokit gives a call without an answer the status 500, and wraps what our `fetch` threw.
  const answered = error instanceof Error && 'response' in error && error.response !== undefined
  if (!answered) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const why = cause instanceof Error ? describeCause(cause, host) : message
    return new GitHubError(`${what}: ${why}`, undefined, false, cause)
  }
  const status = 'status' in error ? Number(error.status) : undefined
  const denied = (status === 403 || status === 404) && limitOf(error) === undefined
  return new GitHubError(`${what}: GitHub answered ${status}: ${message}`, status, denied, error)
}

/** The pause that a rate limit asks for, in milliseconds; undefined when the error is no rate limit. */
function limitOf(error: unknown): number | undefined {
  const headers = headersOf(error)
  const after = headers['retry-after']
  if (after !== undefined) return Number(after) * 1000
  if (headers['x-ratelimit-remaining'] !== '0') {
    // A secondary limit without a header: GitHub asks for a minute at least.
    return error instanceof Error && /\brate limit\b/i.test(error.message) ? 60_000 : undefined
  }
  const reset = Number(headers['x-ratelimit-reset']) * 1000
  return Math.max(reset - Date.parse(headers.date ?? ''), 0)
}

function headersOf(error: unknown): Partial<Record<string, string>> {
  const cause = error instanceof GitHubError ? error.cause : error
  if (!(cause instanceof Error) || !('response' in cause)) return {}
  const { response } = cause
  if (typeof response !== 'object' || response === null || !('headers' in response)) return {}
  return Object.fromEntries(
    Object.entries(response.headers ?? {}).map(([key, value]) => [key, String(value)])
  )
}

/** How long to wait before a read is repeated; undefined for what does not pass. */
function pauseAfter(error: unknown, tried: number): number | undefined {
  if (!(error instanceof GitHubError) || error.denied) return undefined
  const limit = limitOf(error)
  if (limit !== undefined) return limit <= LONGEST_GITHUB_PAUSE ? limit : undefined
  const passing = error.status === undefined || error.status >= 500 || error.status === 429
  return passing ? 500 * 2 ** tried : undefined
}
