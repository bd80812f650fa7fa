// A request that cannot publish: the real route and token, and no field at all.
import { type Connect, wholeBody } from '../http/exchange.ts'
import { addressOf, type Route, type Service } from './publish.ts'
import { type Elsewhere, findElsewhere, parseError, type ServiceError } from './version.ts'

export interface CheckRequest {
  readonly service: Service
  readonly route: Route
  readonly upload: 'multipart' | 'base64'
  /** Milliseconds. */
  readonly patience: { readonly stall: number; readonly answer: number }
  readonly signal: AbortSignal
}

export type CheckResult =
  /** Field errors: the service knew the token and the route, and missed the fields. */
  | { readonly kind: 'checked'; readonly status: number; readonly error: ServiceError }
  /** A message alone: it says what is wrong. */
  | { readonly kind: 'rejected'; readonly status: number; readonly error: ServiceError }
  /** An answer that is no documented one. */
  | ({ readonly kind: 'strange'; readonly status: number } & Elsewhere)
  | { readonly kind: 'noAnswer'; readonly cause: Error }

const ANSWER_LIMIT = 1024 * 1024

/** Asks once. Every required field is missing, so there is nothing that the service could publish. */
export async function checkRoute(
  connect: Connect,
  userAgent: string,
  { service, route, upload, patience, signal }: CheckRequest
): Promise<CheckResult> {
  const { origin, path, headers } = addressOf(service, route, userAgent)
  const boundary = 'publish-version-check'
  const [type, text] =
    upload === 'base64'
      ? ['application/json', '{}']
      : [`multipart/form-data; boundary=${boundary}`, `--${boundary}--\r\n`]
  const exchange = await connect(origin, { keepAlive: false }).exchange({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': type },
    body: wholeBody(text),
    patience,
    answerLimit: ANSWER_LIMIT,
    signal
  })
  if (exchange.kind === 'broken') return { kind: 'noAnswer', cause: exchange.cause }
  const { status } = exchange
  const error = status >= 400 ? parseError(exchange.body) : undefined
  if (error) {
    const missed = Object.keys(error.fields).length > 0
    return { kind: missed ? 'checked' : 'rejected', status, error }
  }
  return { kind: 'strange', status, ...findElsewhere(exchange, `${origin}${path}`) }
}
