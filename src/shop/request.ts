// The parts that all requests to the shop's publishing routes have in common.
import type {
  Connect,
  Connection,
  ExchangeRequest,
  RequestBody,
  UploadRequest
} from '../http/exchange.ts'
import type { Conceal } from './answer.ts'

/** Where a version belongs: a product's own file, or the file of one of its benefits. */
export interface Route {
  readonly product: number
  readonly benefit?: number
}

/** A shop, and who asks. */
export interface ShopAccess {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly token: string
}

/** A request to a route, but for its body. */
export interface RouteRequest {
  readonly service: ShopAccess
  readonly route: Route
  readonly patience: ExchangeRequest['patience']
  readonly signal: AbortSignal
  /** Masks the credentials in what the shop says. */
  readonly conceal: Conceal
}

/** A body with its media type. */
export interface TypedBody extends RequestBody {
  readonly contentType: string
}

/** In bytes: the longest answer that is kept, in addition to the texts that the service repeats. */
export const ANSWER_BYTES = 1024 * 1024

/** Where versions of a product, or of one of its options, are published. */
export function addressOf(baseUrl: string, { product, benefit }: Route): string {
  const benefitPath = benefit === undefined ? '' : `/benefits/${benefit}`
  return `${baseUrl}/api/products/${product}${benefitPath}/versions`
}

/** Opens a fresh connection to the shop. */
export function connectTo({ baseUrl }: ShopAccess, connect: Connect): Connection {
  return connect(new URL(baseUrl).origin, { keepAlive: false })
}

/**
 * Makes a request to the route that publishes.
 * @param answerLimit How long its answer may be, in bytes.
 */
export function requestTo(
  { service, route, patience, signal }: RouteRequest,
  body: TypedBody,
  answerLimit: number
): UploadRequest {
  return {
    method: 'POST',
    path: new URL(addressOf(service.baseUrl, route)).pathname,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${service.token}`,
      'content-type': body.contentType
    },
    body,
    patience,
    answerLimit,
    signal
  }
}
