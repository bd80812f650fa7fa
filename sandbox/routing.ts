/** Owns which request may do what: the routes, the token and the products of the stand-in. */
import type { IncomingHttpHeaders } from 'node:http'
import { answerLicenses, type Licenses } from './licenses.ts'

export interface Benefit {
  readonly id: number
  readonly optionId: number
  readonly name: string
}

export interface Product {
  readonly id: number
  /** Whether the token's owner may publish it. */
  readonly yours: boolean
  readonly benefits: readonly Benefit[]
}

/** What a version is published for. */
export interface Target {
  readonly product: Product
  /** Null on the product route. */
  readonly benefit: Benefit | null
}

/** An answer of the service. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export interface House {
  readonly token: string
  readonly products: readonly Product[]
  readonly pathPrefix: string
  /** Without them there is no such route. */
  readonly licenses: Licenses | undefined
}

export type Routed =
  /** There is nothing to publish. */
  | { readonly to: 'answered'; readonly reply: Reply }
  | { readonly to: 'multipart' | 'json'; readonly target: Target; readonly contentType: string }

const publishRoute = /^\/api\/products\/([^/]+)(?:\/benefits\/([^/]+))?\/versions$/

const licensesRoute = '/api/v1/licenses'

/** Decides over a request by everything that stands before its body. */
export function route(asked: Asked, house: House): Routed {
  const inside = asked.path.startsWith(house.pathPrefix)
  if (inside && asked.path.slice(house.pathPrefix.length) === licensesRoute && house.licenses) {
    return { to: 'answered', reply: answerLicenses(asked, house.licenses) }
  }
  const match = inside ? publishRoute.exec(asked.path.slice(house.pathPrefix.length)) : null
  if (match === null) return refuse(404, `The route ${asked.path} could not be found.`)
  if (asked.method !== 'POST') {
    const text = `The ${asked.method} method is not supported. Supported methods: POST.`
    return refuse(405, text, { allow: 'POST' })
  }
  if (!holdsToken(asked.headers, house.token)) return refuse(401, 'Unauthenticated.')
  const target = findTarget(house.products, match[1], match[2])
  if (target === undefined) return refuse(404, 'Not found.')
  if (!target.product.yours) return refuse(403, 'This product is not yours.')
  return routeContent(asked.headers, target)
}

function routeContent(headers: IncomingHttpHeaders, target: Target): Routed {
  const contentType = headers['content-type'] ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase()
  if (mediaType === 'multipart/form-data') {
    if (headers['content-length'] === undefined) return refuse(411, 'A length is required.')
    return { to: 'multipart', target, contentType }
  }
  if (mediaType === 'application/json' && target.benefit === null) {
    return { to: 'json', target, contentType }
  }
  return refuse(415, 'Unsupported media type.')
}

function holdsToken(headers: IncomingHttpHeaders, token: string): boolean {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] === token
}

function findTarget(
  products: readonly Product[],
  productId: string | undefined,
  benefitId: string | undefined
): Target | undefined {
  const product = products.find(({ id }) => String(id) === productId)
  if (product === undefined) return undefined
  if (benefitId === undefined) return { product, benefit: null }
  const benefit = product.benefits.find(({ id }) => String(id) === benefitId)
  return benefit === undefined ? undefined : { product, benefit }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Routed {
  return { to: 'answered', reply: { status, headers, body: { message } } }
}
