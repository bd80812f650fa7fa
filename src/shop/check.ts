// A request that cannot publish: the real route and token, and no field at all.
import type { Connect } from '../http/exchange.ts'
import { type Route, routePath, type Service } from './publish.ts'
import { parseError, type ServiceError } from './version.ts'

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
  | { readonly kind: 'strange'; readonly status: number; readonly location?: string }
  | { readonly kind: 'noAnswer'; readonly cause: Error }

const ANSWER_LIMIT = 1024 * 1024

/** Asks once. Every required field is missing, so there is nothing that the service could publish. */
export async function checkRoute(
  connect: Connect,
  userAgent: string,
  { service, route, upload, patience, signal }: CheckRequest
): Promise<CheckResult> {
  const base = new URL(service.baseUrl)
  const connection = connect(base.origin, { keepAlive: false })
  const boundary = 'publish-version-check'
  const [type, text] =
    upload === 'base64'
      ? ['application/json', '{}']
      : [`multipart/form-data; boundary=${boundary}`, `--${boundary}--\r\n`]
  const bytes = Buffer.from(text)
  const exchange = await connection.exchange({
    method: 'POST',
    path: `${base.pathname.replace(/\/$/, '')}${routePath(route)}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${service.token}`,
      'content-type': type,
      'user-agent': userAgent
    },
    body: { length: bytes.length, head: nothing, tail: () => Promise.resolve(bytes) },
    patience,
    answerLimit: ANSWER_LIMIT,
    signal
  })
  if (exchange.kind === 'broken') return { kind: 'noAnswer', cause: exchange.cause }
  const { status, headers, body } = exchange
  const error = status >= 400 ? parseError(body) : undefined
  if (error) {
    const missed = Object.keys(error.fields).length > 0
    return { kind: missed ? 'checked' : 'rejected', status, error }
  }
  const { location } = headers
  return { kind: 'strange', status, ...(typeof location === 'string' ? { location } : {}) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
