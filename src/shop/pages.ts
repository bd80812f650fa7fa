// Asking the service for pages of licenses: one try of one request, and what its end means.
import { isPassing } from '../http/errors.ts'
import type { Answer, Connection, Exchange } from '../http/exchange.ts'
import { retryAfter } from '../http/pause.ts'
import { parseError, type ServiceError } from './version.ts'

/** Where licenses are listed, and who asks. */
export interface LicenseService {
  readonly connection: Connection
  /** Normalized: scheme, host, path prefix; no slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly userAgent: string
  /** Milliseconds without a byte moving. */
  readonly stall: number
  readonly signal: AbortSignal
}

/** When a request may be repeated: after so many milliseconds, where the service says so. */
export interface Retry {
  readonly after?: number
}

/** What a try came to. */
export type PageResult =
  | { readonly kind: 'page'; readonly json: Buffer }
  /** The service answered, but with no page. */
  | {
      readonly kind: 'rejected'
      readonly status: number
      readonly error: ServiceError | undefined
      /** Where a redirect points. */
      readonly location?: string
      readonly retry?: Retry
    }
  /** No answer. */
  | { readonly kind: 'lost'; readonly cause: Error; readonly retry?: Retry }
  /** An answer that began well, and could not be read to its end. */
  | { readonly kind: 'cut'; readonly cause: Error; readonly retry?: Retry }

/** The largest page, in bytes, also after it is unpacked. */
export const PAGE_LIMIT = 64 * 1024 * 1024

/** Asks for one page, once. Never throws for what the network or the service does. */
export async function askForPage(service: LicenseService, page: number): Promise<PageResult> {
  const prefix = new URL(service.baseUrl).pathname.replace(/\/$/, '')
  const exchange = await service.connection.exchange({
    method: 'GET',
    path: `${prefix}/api/v1/licenses?page=${page}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': service.userAgent,
      'x-api-key': service.apiKey
    },
    patience: { stall: service.stall },
    answerLimit: PAGE_LIMIT,
    signal: service.signal
  })
  return judge(exchange)
}

function judge(exchange: Exchange): PageResult {
  if (exchange.kind === 'broken') {
    const { cause } = exchange
    return { kind: 'lost', cause, ...retryOf(cause) }
  }
  const { status, body, truncated } = exchange
  if (status < 200 || status > 299) return rejected(exchange)
  if (truncated) return { kind: 'cut', cause: truncated, ...retryOf(truncated) }
  return { kind: 'page', json: body }
}

/** Certificates, silences and pages that are too long do not pass by themselves. */
function retryOf(cause: Error): { readonly retry?: Retry } {
  return isPassing(cause) ? { retry: {} } : {}
}

function rejected(answer: Answer): PageResult {
  const { status, body, headers } = answer
  const { location } = headers
  return {
    kind: 'rejected',
    status,
    error: parseError(body),
    ...(typeof location === 'string' ? { location } : {}),
    ...(status === 429 || status >= 500 ? { retry: retryAfter(answer) } : {})
  }
}
