// Where the stand-in for the shop sends a request, by everything that stands before its body.
import type { IncomingMessage } from 'node:http'
import { URLPattern } from 'node:url'
import { answerLicenses, type Licenses } from './licenses.ts'
import type { Reply } from './wire.ts'

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

/** The product, or the benefit of one, that a version is published for. */
export interface Target {
  readonly product: Product
  /** Null on the product route. */
  readonly benefit: Benefit | null
}

export interface ShopOptions {
  readonly token: string
  readonly products: readonly Product[]
  /** Such as `/shop`: stands before every route. */
  readonly pathPrefix?: string
  /** The answers of `GET /api/v1/licenses`; without them there is no such route. */
  readonly licenses?: Licenses
}

export type Routed =
  /** There is nothing to publish. */
  | { readonly to: 'answer'; readonly reply: Reply }
  | { readonly to: 'publish'; readonly target: Target; readonly contentType: string }

/** Makes the decision for a shop. */
export function routesOf(shop: ShopOptions): (req: IncomingMessage) => Routed {
  const prefix = shop.pathPrefix ?? ''
  const versions = new URLPattern({
    pathname: `${prefix}/api/products/:product{/benefits/:benefit}?/versions`
  })
  const licenses = new URLPattern({ pathname: `${prefix}/api/v1/licenses` })

  return req => {
    const url = URL.parse(req.url ?? '', 'http://127.0.0.1')
    const path = { pathname: url?.pathname ?? '' }
    if (shop.licenses && licenses.test(path)) {
      if (req.method !== 'GET') return refuseMethod(req, 'GET')
      return { to: 'answer', reply: answerLicenses(req, url?.searchParams, shop.licenses) }
    }

    const ids = versions.exec(path)?.pathname.groups
    if (ids === undefined) return refuse(404, `The route ${req.url} could not be found.`)
    return req.method === 'POST' ? publication(req, shop, ids) : refuseMethod(req, 'POST')
  }
}

function publication(
  { headers }: IncomingMessage,
  shop: ShopOptions,
  ids: Readonly<Record<string, string | undefined>>
): Routed {
  if (/^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] !== shop.token) {
    return refuse(401, 'Unauthenticated.')
  }

  const product = shop.products.find(({ id }) => String(id) === ids.product)
  const benefit = product?.benefits.find(({ id }) => String(id) === ids.benefit) ?? null
  if (product === undefined || (ids.benefit !== undefined && benefit === null)) {
    return refuse(404, 'Not found.')
  }
  if (!product.yours) return refuse(403, 'This product is not yours.')

  const contentType = headers['content-type'] ?? ''
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase()

  // Only the route of a product takes JSON.
  const isJson = mediaType === 'application/json' && benefit === null
  if (mediaType !== 'multipart/form-data' && !isJson) return refuse(415, 'Unsupported media type.')
  if (!isJson && headers['content-length'] === undefined) {
    return refuse(411, 'A length is required.')
  }
  return { to: 'publish', target: { product, benefit }, contentType }
}

function refuseMethod({ method }: IncomingMessage, allow: string): Routed {
  const message = `The ${method} method is not supported. Supported methods: ${allow}.`
  return refuse(405, message, { allow })
}

function refuse(status: number, message: string, headers: Reply['headers'] = {}): Routed {
  return { to: 'answer', reply: { status, headers, body: { message } } }
}
