// The licenses of the stand-in: their pages, how the last one says that it is the last, and the key.
import type { IncomingMessage } from 'node:http'
import type { Reply } from './wire.ts'

/** A license as the service lists it. */
export interface License {
  readonly id: string
  readonly userId: string
  readonly creatorId: string
  readonly productId: string
  /** ISO 8601. */
  readonly expires: string
  readonly maxIps: number
}

/** The licenses of a service, and the key to them. */
export interface Licenses {
  /** The header `x-api-key` must have it. */
  readonly apiKey: string
  /** The body of a page, text as it is and anything else as JSON; undefined for a page that does not exist. */
  readonly pageOf: (page: number) => unknown
}

/** How the last page says that it is the last; JSON leaves out what is undefined. */
const ENDINGS = {
  absent: () => undefined,
  null: () => null,
  zero: () => 0,
  same: (page: number) => page,
  first: () => 1,
  'empty-page': (page: number) => page + 1
} as const

export type LastPage = keyof typeof ENDINGS

export interface PageOptions {
  /** Licenses on a page; 100 when left out. */
  readonly size?: number
  /** `null` when left out. */
  readonly last?: LastPage
  /** Whether `nextPage` is a string of digits. */
  readonly text?: boolean
  /** The distance between two page numbers that are in use; 1 when left out. */
  readonly step?: number
}

/** Cuts licenses into pages. */
export function pagesOf(
  licenses: readonly unknown[],
  { size = 100, last = 'null', text = false, step = 1 }: PageOptions = {}
): (page: number) => unknown {
  const filled = Math.max(Math.ceil(licenses.length / size), 1)
  const pages = last === 'empty-page' ? filled + 1 : filled
  return page => {
    const index = (page - 1) / step
    if (!Number.isInteger(index) || index < 0 || index >= pages) return undefined

    const next = index === pages - 1 ? ENDINGS[last](page) : page + step
    return {
      licenses: licenses.slice(index * size, (index + 1) * size),
      nextPage: text && typeof next === 'number' ? String(next) : next
    }
  }
}

/** So many licenses of a few products, the same ones every time. */
export function madeUpLicenses(
  count: number,
  products: readonly number[] = [12, 13]
): readonly License[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `lic_${String(index + 1).padStart(8, '0')}`,
    userId: `usr_${String((index * 7919) % 99_991).padStart(6, '0')}`,
    creatorId: 'crt_1',
    productId: String(products[index % products.length]),
    expires: `20${27 + (index % 5)}-03-01T00:00:00Z`,
    maxIps: index % 6
  }))
}

/** Answers a request for a page of licenses. */
export function answerLicenses(
  { headers }: IncomingMessage,
  query: URLSearchParams | undefined,
  { apiKey, pageOf }: Licenses
): Reply {
  if (headers['x-api-key'] !== apiKey) return { status: 401, body: { message: 'Unauthenticated.' } }

  const page = query?.get('page') ?? '1'
  if (!/^[1-9]\d*$/.test(page)) {
    const message = 'The page field must be an integer of at least 1.'
    return { status: 422, body: { message, errors: { page: [message] } } }
  }

  const body = pageOf(Number(page))
  if (body === undefined) return { status: 404, body: { message: 'Not found.' } }
  return { status: 200, body }
}
