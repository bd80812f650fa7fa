// One try to publish, in two phases, and what its end proves.
import { type Answer, type Connect, type Exchange, type Held, mapHeld } from '../http/exchange.ts'
import { describeCause, isTransient, retryAfter } from '../http/failures.ts'
import { isClientError, isSuccess } from '../http/statuses.ts'
import {
  type AnswerOrigin,
  type Conceal,
  parseVersion,
  readAnswered,
  type VersionRecord
} from './answer.ts'
import { base64Json, type FileObjectTemplate, type FileReading, multipart } from './body.ts'
import { TEXT_FIELDS, type VersionFields } from './form.ts'
import { ANSWER_BYTES, connectTo, type RouteRequest, requestTo } from './request.ts'

/** A version to be published. */
export interface VersionUpload extends RouteRequest {
  readonly fields: VersionFields
  readonly file: FileReading
  /** Given for an upload as base64 in JSON. */
  readonly template?: FileObjectTemplate | undefined
}

/** The version is certainly not published. */
interface PublishFailure {
  readonly certainty: 'not published'
  /** For the record, such as `shop.example.com answered 503`. */
  readonly why: string
  /** Nothing complete was sent, so it may be tried again. */
  readonly retry: boolean
  /** In milliseconds: how long to wait at least before that. */
  readonly after?: number
}

/** Only a look into the shop says what became of the version. */
interface UnknownFate {
  readonly certainty: 'unknown'
  /** For the record, such as `shop.example.com answered 503`. */
  readonly why: string
}

/** An answer that does not say what became of the version. */
interface DoubtfulAnswer extends UnknownFate, AnswerOrigin {
  /** A success was answered before all was sent. */
  readonly early: boolean
  /** Why the answer is not whole, if it is not. */
  readonly truncated: Error | undefined
}

/** How a try ended, and how certain that is. */
export type PublishResult =
  | Readonly<{ kind: 'published'; certainty: 'published'; record: VersionRecord }>
  /** The shop answered that it did not publish. */
  | (Readonly<{ kind: 'rejected' }> & PublishFailure & AnswerOrigin)
  /** No complete request was ever sent. */
  | (Readonly<{ kind: 'notSent'; cause: Error }> & PublishFailure)
  /** The whole request was sent, and not answered. */
  | (Readonly<{ kind: 'noAnswer'; cause: Error }> & UnknownFate)
  /** It was answered, but that proves nothing. */
  | (Readonly<{ kind: 'doubtful' }> & DoubtfulAnswer)

/**
 * Sends a version but for its tail; resolves with how that ended, if it did before that. Never rejects for what the
 * network or the service does.
 */
export async function startUpload(
  connect: Connect,
  version: VersionUpload
): Promise<Held<PublishResult> | PublishResult> {
  const { service, fields, file, template, conceal } = version
  const content = template ? base64Json(fields, file, template) : multipart(fields, file)
  // The service repeats the texts in its answer, and JSON may need several bytes for one (`\/`, `\u00e4`).
  const texts = TEXT_FIELDS.reduce((sum, it) => sum + Buffer.byteLength(it.value(fields)), 0)
  const request = requestTo(version, content, ANSWER_BYTES + 4 * texts)

  const started = await connectTo(service, connect).startUpload(request)
  const { host } = new URL(service.baseUrl)
  const judge = (exchange: Exchange) => judgeExchange(exchange, host, conceal)
  return started.kind === 'held' ? mapHeld(started, judge) : judge(started)
}

/**
 * Judges what an exchange with the shop proves about the publication.
 * @param host The shop's, for messages.
 * @param conceal Takes credentials out of a text.
 */
export function judgeExchange(exchange: Exchange, host: string, conceal: Conceal): PublishResult {
  if (exchange.kind === 'answer') return judgeAnswer(exchange, host, conceal)

  const { cause, tailSent } = exchange
  // Also when a proxy is the likely cause: it may have passed the request on.
  if (tailSent) return { kind: 'noAnswer', certainty: 'unknown', why: 'no answer', cause }

  const why = conceal(describeCause(cause, host))
  return { kind: 'notSent', certainty: 'not published', why, cause, retry: isTransient(cause) }
}

function judgeAnswer(answer: Answer, host: string, conceal: Conceal): PublishResult {
  const { status, truncated, tailSent } = answer
  const answered = readAnswered(answer, conceal)
  const success = isSuccess(status)
  const record = success && tailSent && !truncated ? parseVersion(answer) : undefined
  if (record) return { kind: 'published', certainty: 'published', record }

  const why = `${host} answered ${status}`
  const provesNothing = success || (tailSent && !saysNotPublished(answered))
  if (provesNothing) {
    const early = !tailSent
    return { kind: 'doubtful', certainty: 'unknown', why, ...answered, early, truncated }
  }

  const mayPass = PASSING_STATUSES.has(status)
  const pause = mayPass ? retryAfter(answer) : {}
  const retry = mayPass && !tailSent
  return { kind: 'rejected', certainty: 'not published', why, ...answered, retry, ...pause }
}

/** After these, another try may help. */
const PASSING_STATUSES = new Set([
  408, // Request Timeout: Apache gives a small body some 20 seconds, and the tail may be held for longer
  429, // Too Many Requests
  503 // Service Unavailable
])

/** A 4xx that does not say what became of the version. */
const INDECISIVE = new Set([
  408, // Request Timeout, perhaps of a front server that has given up
  409, // Conflict, perhaps with the version itself
  425 // Too Early, of a front server
])

/**
 * Whether the answer to a whole request is the shop's own word that it did not publish. Front servers put pages,
 * redirects, and bare statuses in place of an answer after the shop has stored the version. Those that speak JSON with a
 * `message` (gateways) do it for 5xx, or before they pass anything on.
 */
function saysNotPublished({ status, error }: AnswerOrigin): boolean {
  return isClientError(status) && !INDECISIVE.has(status) && error !== undefined
}
