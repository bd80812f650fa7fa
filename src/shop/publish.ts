// One try to publish, and what its outcome proves; and a check request, which cannot publish.
import { isPassing, retryAfter } from '../http/errors.ts'
import type { Answer, Connect, Exchange, ExchangeRequest, RequestBody } from '../http/exchange.ts'
import { wholeBody } from '../http/exchange.ts'
import {
  type Answered,
  parseVersion,
  readAnswered,
  type ServiceError,
  type VersionRecord
} from './answer.ts'
import type { FileObjectTemplate, FileReading, VersionFields } from './body.ts'
import { base64Json, multipart } from './body.ts'

/** Where a version belongs: a product's own file, or the file of one of its benefits. */
export type Route = Readonly<{ product: number; benefit?: number }>

export interface PublishRequest {
  /** The base address has no slash at the end. */
  readonly service: { readonly baseUrl: string; readonly token: string }
  readonly route: Route
  readonly fields: VersionFields
  readonly file: FileReading
  readonly template?: FileObjectTemplate | undefined
  readonly patience: ExchangeRequest['patience']
  readonly signal: AbortSignal
  /** The commit point, as `RequestBody.tail`: resolves to let the tail go, rejects to withhold it. */
  readonly permit: (signal: AbortSignal) => Promise<void>
}

/** `retry`: nothing complete was sent, so it may be tried again, after at least `after` milliseconds. */
type Repeatable = Readonly<{ retry: boolean; after?: number }>

/** An answer to a whole request that does not say what became of it. */
interface Doubtful extends Answered {
  /** A success was answered before all was sent. */
  readonly early: boolean
  /** Why the answer is not whole, if it is not. */
  readonly truncated: Error | undefined
}

/** What a try came to, and how sure that is. */
export type PublishResult =
  | Readonly<{ kind: 'published'; record: VersionRecord }>
  /** The shop answered that it did not publish. */
  | (Readonly<{ kind: 'rejected' }> & Answered & Repeatable)
  /** Certainly not published: no complete request was ever sent. */
  | (Readonly<{ kind: 'notPublished'; cause: Error }> & Repeatable)
  /** Only a look into the shop can answer that. Either there was no answer, or it proves nothing. */
  | Readonly<{ kind: 'unknown'; cause: Error; answered?: undefined }>
  | Readonly<{ kind: 'unknown'; answered: Doubtful }>

type AnyRequest = Pick<PublishRequest, 'service' | 'route' | 'signal' | 'patience'>
export type CheckResult =
  /** The service knew token and route, and missed the fields. */
  | (Readonly<{ kind: 'checked'; error: ServiceError }> & Answered)
  /** The service said in `error` why it would not publish. */
  | (Readonly<{ kind: 'rejected'; error: ServiceError; after?: number }> & Answered)
  /** An answer that is not documented. */
  | (Readonly<{ kind: 'strange'; after?: number }> & Answered)
  | Readonly<{ kind: 'noAnswer'; cause: Error }>

/** In bytes, in addition to the texts that the service repeats. */
const ANSWER_BYTES = 1024 * 1024

/** Where versions of a product, or of one of its options, are published. */
export function addressOf(baseUrl: string, { product, benefit }: Route): string {
  const option = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${baseUrl}/api/products/${product}${option}/versions`
}

type TypedBody = RequestBody & { readonly contentType: string }
/** Sends one request over a connection of its own. */
async function post(connect: Connect, asked: AnyRequest, body: TypedBody, answerLimit: number) {
  const { service, route, patience, signal } = asked
  const { origin, pathname: path } = new URL(addressOf(service.baseUrl, route))
  const authorization = `Bearer ${service.token}`
  const headers = { accept: 'application/json', authorization, 'content-type': body.contentType }
  const request = { method: 'POST', path, headers, body, patience, answerLimit, signal } as const
  return connect(origin, { keepAlive: false }).exchange(request)
}

/** Publishes once. Never throws for what the network or the service does. */
export async function publishVersion(
  connect: Connect,
  request: PublishRequest
): Promise<PublishResult> {
  const { fields, file, template } = request
  const content = template ? base64Json(fields, file, template) : multipart(fields, file)
  const tail = async (signal: AbortSignal) => {
    await request.permit(signal)
    return content.tail()
  }
  // The service repeats the texts in its answer, and JSON may need several bytes for one (`\/`, `\u00e4`).
  const texts = Buffer.byteLength(fields.versionName + fields.title + fields.changelog)
  const limit = ANSWER_BYTES + 4 * texts
  return judgeExchange(await post(connect, request, { ...content, tail }, limit))
}

/** Asks the real route once, with the real token. Without the required fields, nothing can be published. */
export async function checkRoute(
  connect: Connect,
  request: AnyRequest & { readonly upload: 'multipart' | 'base64' }
): Promise<CheckResult> {
  const [contentType, text] =
    request.upload === 'base64'
      ? ['application/json', '{}']
      : ['multipart/form-data; boundary=publish-version-check', '--publish-version-check--\r\n']
  const body = { ...wholeBody(text), contentType }
  const exchange = await post(connect, request, body, ANSWER_BYTES)
  if (exchange.kind === 'broken') return { kind: 'noAnswer', cause: exchange.cause }
  const answered = readAnswered(exchange)
  const { status, error } = answered
  if (status < 400 || !error) return { kind: 'strange', ...answered, ...retryAfter(exchange) }
  const missesFields = Object.keys(error.fields).length > 0 && status < 500
  if (missesFields && !REFUSALS.has(status)) return { kind: 'checked', ...answered, error }
  return { kind: 'rejected', ...answered, error, ...retryAfter(exchange) }
}

/** Whatever the body is, these say "not you", "not here", or "not now": the fields do not matter. */
const REFUSALS = new Set([401, 403, 404, 408, 425, 429])
const PASSING = new Set([429, 502, 503, 504])

/** Whether a version may be uploaded after this answer to a check, or the check is to be repeated first. */
export function judgeContact(result: CheckResult): 'upload' | 'repeat' | 'stop' {
  if (result.kind === 'noAnswer') return isPassing(result.cause) ? 'repeat' : 'stop'
  const { status, webPage } = result
  if (PASSING.has(status)) return 'repeat'
  // A success, too: a request without any field must not have one.
  if (status < 400 || status === 401 || status === 403 || status === 404) return 'stop'
  // Other pages may be the shop's own way to complain about an empty form.
  return webPage && status === 405 ? 'stop' : 'upload'
}

/** What an exchange proves about the publication. */
export function judgeExchange(exchange: Exchange): PublishResult {
  if (exchange.kind === 'answer') return judgeAnswer(exchange)
  const { cause, tailSent } = exchange
  // A proxy that refuses a tunnel does so before anything is sent. One that passes on what it can read may
  // repeat the words of another, so its answer proves no more than anybody else's.
  if (tailSent) return { kind: 'unknown', cause }
  return { kind: 'notPublished', cause, retry: isPassing(cause) }
}

function judgeAnswer(answer: Answer): PublishResult {
  const { status, body, truncated, tailSent } = answer
  const answered = readAnswered(answer)
  const isSuccess = status >= 200 && status < 300
  const record = isSuccess && tailSent && !truncated ? parseVersion(body) : undefined
  if (record) return { kind: 'published', record }
  if (isSuccess || (tailSent && !saysNotPublished(answered))) {
    return { kind: 'unknown', answered: { ...answered, early: !tailSent, truncated } }
  }
  const isBusy = status === 429 || status === 503
  const pause = isBusy ? retryAfter(answer) : {}
  return { kind: 'rejected', ...answered, retry: isBusy && !tailSent, ...pause }
}

/** A conflict may be with the version itself; the other two may be a front server's that has given up. */
const INDECISIVE = new Set([408, 409, 425])

// Front servers put pages, redirects, and bare statuses in place of an answer after the shop has stored the
// version. Those that speak JSON with a `message` (gateways) do it for 5xx, or before they pass anything on.
/** Whether the answer to a whole request is the shop's own word that it did not publish. */
function saysNotPublished({ status, error }: Answered): boolean {
  return status >= 400 && status < 500 && !INDECISIVE.has(status) && error !== undefined
}
