// One try to publish, and what its outcome proves; and a check request, which cannot publish.
import { isPassing, retryAfter, throughProxy } from '../http/errors.ts'
import type { Answer, Connect, Exchange, ExchangeRequest, RequestBody } from '../http/exchange.ts'
import { ProxyError, wholeBody } from '../http/exchange.ts'
import type { FileObjectTemplate, FileReading, VersionFields } from './body.ts'
import { base64Json, multipart } from './body.ts'
import type { Elsewhere, ServiceError, VersionRecord } from './version.ts'
import { findElsewhere, parseError, parseVersion } from './version.ts'

/** Where a version belongs: a product's own file, or the file of one of its benefits. */
export type Route = Readonly<{ product: number; benefit?: number }>

export interface PublishRequest {
  /** The base address has no slash at the end. */
  readonly service: { readonly baseUrl: string; readonly token: string }
  readonly route: Route
  readonly fields: VersionFields
  readonly file: FileReading
  /** Sends JSON that holds the file as base64, in place of a form. */
  readonly template?: FileObjectTemplate | undefined
  readonly patience: ExchangeRequest['patience']
  readonly signal: AbortSignal
  /** The commit point, as `RequestBody.tail`: resolves to let the tail go, rejects to withhold it. */
  readonly commit: (signal: AbortSignal) => Promise<void>
}

/** `retry`: nothing complete was sent, so it may be tried again, after at least `after` milliseconds. */
type Repeatable = Readonly<{ retry?: boolean; after?: number }>
type Rejection = Readonly<{ kind: 'rejected'; status: number; error: ServiceError | undefined }>

/** What a try came to, and how sure that is. */
export type PublishResult =
  | Readonly<{ kind: 'published'; record: VersionRecord }>
  /** The shop answered that it did not publish. */
  | (Rejection & Elsewhere & Repeatable)
  /** Certainly not published: no complete request was ever sent. */
  | (Readonly<{ kind: 'notPublished'; cause: Error }> & Repeatable)
  /** Only a look into the shop can tell; `early`: a success was answered before all was sent. */
  | Readonly<{ kind: 'unknown'; cause: Error; status?: number; early?: boolean }>

type AnyRequest = Pick<PublishRequest, 'service' | 'route' | 'signal' | 'patience'>
/** A request that cannot publish. */
export type CheckRequest = AnyRequest & { readonly upload: 'multipart' | 'base64' }

export type CheckResult =
  /** `checked`: the service knew token and route, and missed the fields; `rejected`: `error` says why. */
  | Readonly<{ kind: 'checked' | 'rejected'; status: number; error: ServiceError }>
  /** An answer that is not documented. */
  | (Readonly<{ kind: 'strange'; status: number }> & Elsewhere)
  | Readonly<{ kind: 'noAnswer'; cause: Error }>

const ANSWER_LIMIT = 1024 * 1024
/** After the tail, these say "not published" even without a documented error; no redirect is followed. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422, 429, 307, 308])

type TypedBody = RequestBody & { readonly contentType: string }
/** Sends one request over a connection of its own; gives the address with what came of it. */
async function post(connect: Connect, asked: AnyRequest, body: TypedBody, answerLimit: number) {
  const { service, route, patience, signal } = asked
  const option = route.benefit === undefined ? '' : `/benefits/${route.benefit}`
  const url = `${service.baseUrl}/api/products/${route.product}${option}/versions`
  const { origin, pathname: path } = new URL(url)
  const authorization = `Bearer ${service.token}`
  const headers = { accept: 'application/json', authorization, 'content-type': body.contentType }
  const request = { method: 'POST', path, headers, body, patience, answerLimit, signal } as const
  return [await connect(origin, { keepAlive: false }).exchange(request), url] as const
}

/** Publishes once; gives a `PublishResult`, and never throws for what the network or the service does. */
export async function publishVersion(connect: Connect, request: PublishRequest) {
  const { fields, file, template } = request
  const content = template ? base64Json(fields, file, template) : multipart(fields, file)
  const tail = async (signal: AbortSignal) => {
    await request.commit(signal)
    return content.tail()
  }
  // The service repeats the texts in its answer, and JSON may need several bytes for one (`\/`, `\u00e4`).
  const texts = Buffer.byteLength(fields.versionName + fields.title + fields.changelog)
  const limit = ANSWER_LIMIT + 4 * texts
  return judge(...(await post(connect, request, { ...content, tail }, limit)))
}

/** Asks the real route once, with the real token. Without the required fields, nothing can be published. */
export async function checkRoute(connect: Connect, request: CheckRequest): Promise<CheckResult> {
  const [contentType, text] =
    request.upload === 'base64'
      ? ['application/json', '{}']
      : ['multipart/form-data; boundary=publish-version-check', '--publish-version-check--\r\n']
  const body = { ...wholeBody(text), contentType }
  const [exchange, url] = await post(connect, request, body, ANSWER_LIMIT)
  if (exchange.kind === 'broken') return { kind: 'noAnswer', cause: exchange.cause }
  const { status } = exchange
  const error = status >= 400 ? parseError(exchange.body) : undefined
  if (!error) return { kind: 'strange', status, ...findElsewhere(exchange, url) }
  const missed = Object.keys(error.fields).length > 0
  return { kind: missed ? 'checked' : 'rejected', status, error }
}

/** What an exchange proves about the publication; `url` is what was asked. */
export function judge(exchange: Exchange, url: string): PublishResult {
  if (exchange.kind === 'answer') return judgeAnswer(exchange, url)
  const { cause, tailSent } = exchange
  // A proxy that answers by itself has passed nothing on.
  const stopped = cause instanceof ProxyError && cause.status !== undefined
  if (tailSent && !stopped) return { kind: 'unknown', cause }
  return { kind: 'notPublished', cause, retry: isPassing(cause) }
}

function judgeAnswer(answer: Answer, url: string): PublishResult {
  const { status, tailSent } = answer
  if (status >= 200 && status < 300) return judgeSuccess(answer, url)
  const error = parseError(answer.body)
  const elsewhere = findElsewhere(answer, url)
  const documented = status >= 400 && status < 500 && error !== undefined
  if (tailSent && !REFUSALS.has(status) && !documented && elsewhere.moved === undefined) {
    const { location } = elsewhere
    const said = error ? `: ${error.message}` : ''
    const pointing = location === undefined ? '' : ` and pointed to ${location}`
    const cause = new Error(`the shop answered ${status}${throughProxy(answer)}${pointing}${said}`)
    return { kind: 'unknown', cause, status }
  }
  const isBusy = status === 429 || status === 503
  const pause = isBusy ? retryAfter(answer) : {}
  return { kind: 'rejected', status, error, retry: isBusy && !tailSent, ...elsewhere, ...pause }
}

function judgeSuccess(answer: Answer, url: string): PublishResult {
  const { status, body, truncated, tailSent } = answer
  if (!tailSent) {
    const cause = new Error(`the shop answered ${status} before the request was completely sent`)
    return { kind: 'unknown', cause, status, early: true }
  }
  const record = truncated ? undefined : parseVersion(body)
  if (record) return { kind: 'published', record }
  const odd = findElsewhere(answer, url).webPage ? 'it is a web page,' : 'its body is'
  const cause = truncated ?? new Error(`${odd} not the record of a version`)
  const text = `the shop answered ${status}${throughProxy(answer)}, but ${cause.message}`
  return { kind: 'unknown', cause: new Error(text, { cause }), status }
}
