// Why a call to GitHub failed, and whether another one may help.
import { describeCause, retryAfter } from '../http/failures.ts'
import { isBusy, isDenied, isNotFound, isServerError } from '../http/statuses.ts'
import { at, textAt } from '../runner/json.ts'
import { quoteText } from '../runner/words.ts'

/** The details of a failed call, in addition to its message. */
interface Details {
  /** Undefined when no answer came. */
  readonly status?: number
  readonly resource?: GitHubResource
  readonly denied?: boolean
  readonly limited?: boolean
  readonly pause?: number | undefined
  readonly asked?: number | undefined
  readonly cause?: unknown
}

/** The part of a repository that a call reads or writes, as permissions name it. */
export type GitHubResource = 'deployments' | 'contents'

/** A call to GitHub that failed. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  /** Undefined when no answer came. */
  readonly status: number | undefined
  readonly resource: GitHubResource
  /** A 401, 403 or 404 that is no rate limit, or no token: the token, a permission or the resource is missing. */
  readonly denied: boolean
  /** GitHub said that the token lacks a permission. Any other 403 or 404 may have another cause. */
  readonly missingPermission: boolean
  /** It is a rate limit. */
  readonly limited: boolean
  /** The least pause before a retry, in milliseconds; undefined when a retry will not help. */
  readonly pause: number | undefined
  /** The pause that GitHub asks for, in milliseconds, however long; undefined when it asks for none. */
  readonly asked: number | undefined

  constructor(message: string, details: Details = {}) {
    const { status, resource = 'contents', denied = false, limited = false, pause, cause } = details
    super(message, { cause })
    this.status = status
    this.resource = resource
    this.denied = denied
    this.limited = limited
    this.pause = pause
    this.asked = details.asked ?? pause
    this.missingPermission = status === 403 && /\bnot accessible by\b/i.test(message)
  }

  /** No answer came, or none that says what became of a call: a write may have taken effect. */
  get isAnswerLost(): boolean {
    return !this.denied && isServerError(this.status ?? 500)
  }

  /** GitHub does not know what was asked for, or hides it from this token. */
  get isNotFound(): boolean {
    return isNotFound(this.status ?? 500)
  }
}

/** A longer rate limit is not waited for. */
const LONGEST_PAUSE_MS = 60_000

/** Which call it was, to which host, and how credentials are masked in what GitHub says. */
export interface CallDescription {
  /** Such as `GET /deployments`. */
  readonly name: string
  readonly host: string
  conceal(text: string): string
}

/** The error for what Octokit threw. */
export function explainGitHubError(error: unknown, call: CallDescription): GitHubError {
  const response = at(error, 'response')
  if (response === undefined) return explainNoAnswer(error, call)

  const message = call.conceal(textAt(error, 'message'))
  const status = Number(at(error, 'status'))
  const headers = at(response, 'headers')
  const limit = status === 403 || status === 429 ? limitOf(headers, message) : undefined
  const busy = isBusy(status) ? (askedPause(headers) ?? 0) : undefined
  const after = limit ?? busy ?? Infinity

  // A gateway may answer with a whole web page, which is not quoted.
  const said = /^\s*<|^$/.test(message) ? '' : ` and says ${quoteText(message)}`
  const minutes = Math.ceil(after / 60_000)
  const wait = after > LONGEST_PAUSE_MS && after < Infinity ? ` (wait ${minutes} minutes)` : ''
  return new GitHubError(`${call.name}: GitHub answered ${status}${said}${wait}`, {
    status,
    resource: call.name.includes('/deployments') ? 'deployments' : 'contents',
    denied: isDenied(status) && limit === undefined,
    limited: limit !== undefined,
    pause: after <= LONGEST_PAUSE_MS ? after : undefined,
    asked: after < Infinity ? after : undefined,
    cause: error
  })
}

/** Octokit wraps what our `fetch` threw. A retry may help. */
function explainNoAnswer(error: unknown, { name, host }: CallDescription): GitHubError {
  const cause = at(error, 'cause') ?? error
  const why = cause instanceof Error ? describeCause(cause, host) : String(cause)
  return new GitHubError(`${name}: ${why}`, { cause, pause: 0 })
}

/** The pause that `Retry-After` asks for, in milliseconds; undefined without one. */
function askedPause(headers: unknown): number | undefined {
  const asked = textAt(headers, 'retry-after')
  const date = textAt(headers, 'date')
  return retryAfter({ headers: { 'retry-after': asked, date } }).after
}

/** The pause that a rate limit asks for, in milliseconds; undefined for an answer that is no rate limit. */
function limitOf(headers: unknown, message: string): number | undefined {
  if (textAt(headers, 'retry-after') !== '') return askedPause(headers) ?? LONGEST_PAUSE_MS

  if (at(headers, 'x-ratelimit-remaining') === '0') {
    const reset = Number(at(headers, 'x-ratelimit-reset')) * 1000
    return Math.max(reset - Date.parse(textAt(headers, 'date')), 0)
  }

  // A secondary rate limit without headers: GitHub's documentation asks for at least a minute.
  return /\brate limit\b|\babuse detection\b/i.test(message) ? LONGEST_PAUSE_MS : undefined
}
