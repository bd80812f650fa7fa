// Why an exchange failed, in words; whether a retry may help, and after which pause.
import { growing } from '../runner/retry.ts'
import { type Answer, type Exchange, headerOf, ProxyError, TimeoutError } from './exchange.ts'

/** The peer sent no HTTP, or not as the client speaks it. */
class MalformedError extends Error {
  readonly code = 'MALFORMED'
}

/** Why an exchange failed, as far as codes tell. */
export type FailureKind =
  | 'host not found'
  | 'refused'
  | 'lost'
  | 'malformed'
  | 'not encrypted'
  | 'timed out'
  | 'proxy'
  | 'proxy without server'
  | 'other'

const LOST = /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_SOCKET)$/
const NOT_FOUND = /^(ENOTFOUND|EAI_AGAIN)$/
const UNREACHED = /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_PRX_CONN)$/

/** A kind of failure by its codes, and in words: `HOST` and the error's `MESSAGE` are filled in. */
interface Meaning {
  readonly kind: FailureKind
  readonly codes: RegExp
  readonly words: string
}

/** The first match counts. */
const MEANINGS: readonly Meaning[] = [
  {
    kind: 'host not found',
    codes: NOT_FOUND,
    words: 'the host HOST was not found'
  },
  {
    kind: 'refused',
    codes: /^ECONNREFUSED$/,
    words: 'HOST refused the connection'
  },
  {
    kind: 'lost',
    codes: LOST,
    words: 'the connection to HOST was lost'
  },
  {
    kind: 'malformed',
    codes: /^MALFORMED$|OVERFLOW$/,
    words: 'HOST did not answer in proper HTTP/1.1: MESSAGE'
  },
  {
    kind: 'not encrypted',
    codes: /^ERR_(SSL|TLS)_|^EPROTO$|CERT|SELF_SIGNED|SIGNATURE/,
    words: 'no encrypted connection to HOST: MESSAGE'
  },
  {
    kind: 'other',
    codes: /^/,
    words: 'MESSAGE'
  }
]

/** An error's code, or the code of the first of several errors; empty if there is none. */
export function codeOf(cause: Error): string {
  const [first] = cause instanceof AggregateError ? cause.errors : []
  if (first instanceof Error) return codeOf(first)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

/** Whether the connection ended before the answer did. */
export const isLost = (cause: Error): boolean => LOST.test(codeOf(cause))

/** The statuses by which a proxy says that it could not reach the server. */
const UNREACHED_BY_PROXY = [502, 503, 504]

function proxyFailed(cause: Error): boolean {
  return cause instanceof ProxyError && UNREACHED_BY_PROXY.includes(cause.status ?? 0)
}

/** Whether a retry may help: the cause is a failure to connect, or a lost connection. */
export function isTransient(cause: Error): boolean {
  if (proxyFailed(cause)) return true
  if (cause instanceof AggregateError) return cause.errors.every(isTransient)
  return [LOST, NOT_FOUND, UNREACHED].some(codes => codes.test(codeOf(cause)))
}

/** A cause in words, with its code for those who search for it. */
export function describeCause(cause: Error, host: string): string {
  const code = cause instanceof MalformedError ? '' : codeOf(cause)
  return `${phrase(cause, host)}${code && ` (${code})`}`
}

function phrase(cause: Error, host: string): string {
  // OpenSSL's own messages are lines such as "…:error:0A00010B:SSL routines:function:the reason:file:line:".
  const [, reason] = /:error:[^:]*:[^:]*:[^:]*:([^:]+):/.exec(cause.message) ?? []
  const message = reason ?? (cause.message || cause.name)
  if (cause instanceof ProxyError) return message

  const { words = '' } = MEANINGS.find(({ codes }) => codes.test(codeOf(cause))) ?? {}
  return words.replace('HOST', () => host).replace('MESSAGE', () => message)
}

/** The kind of failure that a cause is. */
export function failureKindOf(cause: Error): FailureKind {
  if (proxyFailed(cause)) return 'proxy without server'
  if (cause instanceof ProxyError) return 'proxy'
  if (cause instanceof TimeoutError) return 'timed out'
  return MEANINGS.find(({ codes }) => codes.test(codeOf(cause)))?.kind ?? 'other'
}

/** undici's error, or a clearer one for a malformed answer or a proxy. `hasHead`: the answer's head came. */
export function explainCause(error: Error, hasHead: boolean): Error {
  // When undici has seen a length before what it cannot parse in a head, it reports a cut body.
  const isHead = !hasHead && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  if (!isHead && error.name !== 'HTTPParserError') return explainProxy(error, undefined)

  const reason = isHead ? 'headers that contradict each other' : error.message
  return new MalformedError(/\(([^()]*)\)$/.exec(reason)?.[1] ?? reason, { cause: error })
}

/** The error with the proxy named, where it is the proxy that cannot be reached, or that refuses. */
export function explainProxy(error: Error, proxy: string | undefined): Error {
  if (error instanceof ProxyError) return error

  const refused = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)
  if (refused) {
    const status = Number(refused[1])
    const hint = status === 407 ? ', so check the user name and password in its address' : ''
    return new ProxyError(`the proxy answered ${status}${hint}`, '', error, status)
  }

  const code = codeOf(error)
  if (code.startsWith('UND_ERR_PRX')) {
    const { message } = error.cause instanceof Error ? error.cause : error
    return new ProxyError(`the connection to the proxy failed: ${message}`, code, error)
  }

  if (proxy === undefined) return error
  return new ProxyError(`the proxy cannot be used: ${phrase(error, proxy)}`, code, error)
}

/** Who may be to blame for a lost connection. */
export interface Suspects {
  /** The server's TLS alert; undici reports only that the connection ended. */
  alert?: Error
  /** The proxy's host, once a connection to it has begun. */
  proxy?: string
}

/** The exchange with its likely cause named: a TLS alert, or else the proxy, the first suspect. */
export function attributeCause(exchange: Exchange, { alert, proxy }: Suspects): Exchange {
  const cause = exchange.kind === 'broken' ? exchange.cause : exchange.truncated
  if (!cause || cause instanceof ProxyError || !isLost(cause)) return exchange

  const named = alert ?? explainLost(cause, proxy)
  return exchange.kind === 'broken'
    ? { ...exchange, cause: named }
    : { ...exchange, truncated: named }
}

function explainLost(cause: Error, proxy: string | undefined): Error {
  if (proxy === undefined) return cause
  return new ProxyError(`the connection through the proxy ${proxy} was lost`, codeOf(cause), cause)
}

/** `Retry-After`, in milliseconds; a date is measured against the answer's own. Empty if there is none. */
export function retryAfter(answer: Pick<Answer, 'headers'>): { after?: number } {
  const value = headerOf(answer, 'retry-after').trim()
  if (/^\d+$/.test(value)) return { after: Number(value) * 1000 }

  // A date starts with the day of the week; `Date.parse` would take "-5" for a day in 2001.
  const until = /^[A-Z][a-z]{2,8},/.test(value) ? Date.parse(value) : Number.NaN
  const now = Date.parse(headerOf(answer, 'date')) || Date.now()
  return Number.isNaN(until) ? {} : { after: Math.max(until - now, 0) }
}

export const TRIES = 4
/** A service that asks for a longer pause is not asked again. */
const LONGEST_WAIT_MS = 120_000

/**
 * Milliseconds until the next try; undefined if there is none. They double from 1000, and are spread by up to a half.
 * @param tried How many tries there were.
 * @param after The least pause, in milliseconds, that the server asked for.
 * @param random From 0 to 1.
 */
export function pauseBefore(tried: number, after = 0, random = Math.random()): number | undefined {
  if (tried >= TRIES || after > LONGEST_WAIT_MS) return undefined
  return Math.max(after, growing(1000, 2, LONGEST_WAIT_MS, tried)) * (1 + random / 2)
}
