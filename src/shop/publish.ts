// Publishing at the service: one try of one request, and what its end means.
import { randomBytes } from 'node:crypto'
import { isPassing } from '../http/errors.ts'
import type { Answer, Connect, Exchange } from '../http/exchange.ts'
import { retryAfter } from '../http/pause.ts'
import type { FileObjectTemplate } from './base64.ts'
import {
  base64Json,
  type Content,
  type FileReading,
  holdTail,
  multipart,
  type VersionFields
} from './body.ts'
import { parseError, parseVersion, type ServiceError, type VersionRecord } from './version.ts'

/** The service, and who asks. */
export interface Service {
  /** Normalised: scheme, host, path prefix; no slash at the end. */
  readonly baseUrl: string
  readonly token: string
}

/** How the file is sent. */
export type Form =
  | { readonly kind: 'multipart' }
  | { readonly kind: 'base64'; readonly template: FileObjectTemplate }

/** Where a version belongs: a product's own file, or the file of one of its benefits. */
export interface Route {
  readonly product: number
  readonly benefit?: number
}

export interface PublishRequest {
  readonly service: Service
  readonly route: Route
  readonly fields: VersionFields
  readonly file: FileReading
  readonly form: Form
  /** Milliseconds, as for an exchange. */
  readonly patience: { readonly stall: number; readonly answer: number; readonly grace: number }
  readonly signal: AbortSignal
  /**
   * The commit point: called when the connection has accepted everything but the tail. Resolves to let the
   * tail go, rejects to withhold it. The signal fires when the tail can no longer be sent anyway.
   */
  readonly commit: (signal: AbortSignal) => Promise<void>
}

/** What a try came to, and how sure that is. */
export type PublishResult =
  | { readonly kind: 'published'; readonly record: VersionRecord }
  /** The service answered that it did not publish. */
  | {
      readonly kind: 'rejected'
      readonly status: number
      readonly error: ServiceError | undefined
      /** Where a redirect points. */
      readonly location?: string
      readonly tailSent: boolean
      /** Given when it may be tried again: after so many milliseconds, where the service says so. */
      readonly retry?: { readonly after?: number }
    }
  /** Certainly not published: no complete request was ever sent. */
  | {
      readonly kind: 'notPublished'
      readonly cause: Error
      readonly retry?: { readonly after?: number }
    }
  /** Only a look into the shop can tell. */
  | { readonly kind: 'unknown'; readonly cause: Error; readonly status?: number }

const ANSWER_LIMIT = 1024 * 1024

/** Statuses after the tail that say "not published" even without a documented error body. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422, 429, 307, 308])

/** The route's path under the base address. */
export function routePath({ product, benefit }: Route): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `/api/products/${product}${option}/versions`
}

/** Sends one request over a connection of its own. Never throws for what the network or the service does. */
export async function publishVersion(
  connect: Connect,
  userAgent: string,
  request: PublishRequest
): Promise<PublishResult> {
  const { service, patience, signal } = request
  const base = new URL(service.baseUrl)
  const content = contentOf(request)
  const connection = connect(base.origin, { keepAlive: false })
  const exchange = await connection.exchange({
    method: 'POST',
    path: `${base.pathname.replace(/\/$/, '')}${routePath(request.route)}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${service.token}`,
      'content-type': content.contentType,
      'user-agent': userAgent
    },
    body: holdTail(content, request.commit),
    patience,
    answerLimit: ANSWER_LIMIT,
    signal
  })
  return judge(exchange)
}

function contentOf({ fields, file, form }: PublishRequest): Content {
  if (form.kind === 'base64') return base64Json(fields, file, form.template)
  return multipart(fields, file, `----publish-version-${randomBytes(24).toString('hex')}`)
}

/** What an exchange proves about the publication. */
export function judge(exchange: Exchange): PublishResult {
  if (exchange.kind === 'answer') return judgeAnswer(exchange)
  const { cause, tailSent } = exchange
  if (tailSent) return { kind: 'unknown', cause }
  return { kind: 'notPublished', cause, ...(isPassing(cause) ? { retry: {} } : {}) }
}

function judgeAnswer(answer: Answer): PublishResult {
  const { status, tailSent } = answer
  const error = parseError(answer.body)
  if (status >= 200 && status < 300) return judgeSuccess(answer)
  const refused = REFUSALS.has(status) || (status >= 400 && status < 500 && error !== undefined)
  const { location } = answer.headers
  if (tailSent && !refused) {
    const said = error ? `: ${error.message}` : ''
    const pointing = typeof location === 'string' ? ` and pointed to ${location}` : ''
    const cause = new Error(`the service answered ${status}${pointing}${said}`)
    return { kind: 'unknown', cause, status }
  }
  const passing = status === 429 || (status === 503 && !tailSent)
  return {
    kind: 'rejected',
    status,
    error,
    tailSent,
    ...(typeof location === 'string' ? { location } : {}),
    ...(passing ? { retry: retryAfter(answer) } : {})
  }
}

function judgeSuccess({ status, body, truncated }: Answer): PublishResult {
  const record = truncated ? undefined : parseVersion(body)
  if (record) return { kind: 'published', record }
  const cause = truncated ?? new Error('its body is not the record of a version')
  const text = `the service answered ${status}, but ${cause.message}`
  return { kind: 'unknown', cause: new Error(text, { cause }), status }
}
