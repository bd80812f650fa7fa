// A request that tests token, address and ids, and cannot publish; and what its answer means for an upload.
import { type Connect, wholeBody } from '../http/exchange.ts'
import { isTransient, retryAfter } from '../http/failures.ts'
import { isDenied, isError, isServerError } from '../http/statuses.ts'
import { type AnswerOrigin, readAnswered, type ServiceError } from './answer.ts'
import { ANSWER_BYTES, connectTo, type RouteRequest, requestTo, type TypedBody } from './request.ts'

/** How a check ended. `after`: the pause that the server asks for, in milliseconds. */
export type CheckResult =
  /** The service knew token and route, and missed the fields. */
  | (Readonly<{ kind: 'checked'; error: ServiceError }> & AnswerOrigin)
  /** The service said in `error` why it would not publish. */
  | (Readonly<{ kind: 'rejected'; error: ServiceError; after?: number }> & AnswerOrigin)
  /** An answer that is not documented. */
  | (Readonly<{ kind: 'strange'; after?: number }> & AnswerOrigin)
  | Readonly<{ kind: 'noAnswer'; cause: Error }>

export interface CheckRequest extends RouteRequest {
  /** The form of the upload that would follow. */
  readonly upload: 'multipart' | 'base64'
}

/** Asks the real route once, with the real token. Without the required fields, nothing can be published. */
export async function checkRoute(connect: Connect, request: CheckRequest): Promise<CheckResult> {
  const body = request.upload === 'base64' ? EMPTY_OBJECT : EMPTY_FORM
  const connection = connectTo(request.service, connect)
  const exchange = await connection.exchange(requestTo(request, body, ANSWER_BYTES))
  if (exchange.kind === 'broken') return { kind: 'noAnswer', cause: exchange.cause }

  const answered = readAnswered(exchange, request.conceal)
  const { status, error } = answered
  if (!isError(status) || !error) return { kind: 'strange', ...answered, ...retryAfter(exchange) }

  const missesFields = Object.keys(error.fields).length > 0 && !isServerError(status)
  if (missesFields && !REFUSALS.has(status)) return { kind: 'checked', ...answered, error }
  return { kind: 'rejected', ...answered, error, ...retryAfter(exchange) }
}

const EMPTY_OBJECT: TypedBody = {
  ...wholeBody('{}'),
  contentType: 'application/json'
}
const EMPTY_FORM: TypedBody = {
  ...wholeBody('--publish-version-check--\r\n'),
  contentType: 'multipart/form-data; boundary=publish-version-check'
}

/**
 * Whatever the body is, these say "not you", "not here", or "not now": it is no complaint about the fields. After 408 and
 * 425, which speak of this one request, an upload may still be tried.
 */
const REFUSALS = new Set([
  401, // Unauthorized
  403, // Forbidden
  404, // Not Found
  408, // Request Timeout
  425, // Too Early
  429 // Too Many Requests
])
const PASSING = new Set([
  429, // Too Many Requests
  502, // Bad Gateway
  503, // Service Unavailable
  504 // Gateway Timeout
])

/** Whether a version may be uploaded after this answer to a check, or the check is to be repeated first. */
export function judgePreflight(result: CheckResult): 'upload' | 'repeat' | 'stop' {
  if (result.kind === 'noAnswer') return isTransient(result.cause) ? 'repeat' : 'stop'

  const { status, webPage } = result
  if (PASSING.has(status)) return 'repeat'
  // A denial says that no upload would be accepted either; a request without any field must not succeed.
  if (!isError(status) || isDenied(status)) return 'stop'
  // Other pages may be the shop's own way to complain about an empty form.
  return webPage && status === 405 ? 'stop' : 'upload'
}
