// How GitHub's REST API talks: answers, error bodies, pages, and its clock.

/** GitHub's own time: it runs as ours does, from another start. */
export interface Clock {
  now(): Date
  /** To the second, as `created_at` is written. */
  iso(): string
  advance(ms: number): void
}

export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A call with everything that a route may want to know. */
export interface Call {
  readonly method: string
  /** Below the base path, decoded no further than the request was. */
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  /** The parsed body; undefined when there was none. */
  readonly body: unknown
  /** The address of the API as the caller wrote it. */
  readonly api: string
}

/** Starts a clock at that time. */
export function startClock(start: Date): Clock {
  let offset = start.getTime() - Date.now()
  const now = (): Date => new Date(Date.now() + offset)
  return {
    now,
    iso: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    advance(ms) {
      offset += ms
    }
  }
}

export function ok(body: unknown): ApiAnswer {
  return { status: 200, body }
}

/** An error as GitHub words it. */
export function problem(status: number, message: string, others: object = {}): ApiAnswer {
  const documentation = { documentation_url: 'https://docs.github.com/rest' }
  return { status, body: { message, ...others, ...documentation, status: String(status) } }
}

export const NOT_FOUND = problem(404, 'Not Found')

/** A 422 that names one field. */
export function invalid(resource: string, field: string, message: string): ApiAnswer {
  const errors = [{ resource, code: 'custom', field, message }]
  return problem(422, 'Validation Failed', { errors })
}

/** One page of a list, with the links to the others. */
export function page(call: Call, items: readonly unknown[]): ApiAnswer {
  const size = Math.min(positive(call.query.get('per_page'), 30), 100)
  const current = positive(call.query.get('page'), 1)
  const last = Math.max(1, Math.ceil(items.length / size))
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(to))
    return `<${call.api}${call.path}?${query}>; rel="${rel}"`
  }
  const links = [
    ...(current > 1 ? [link(current - 1, 'prev')] : []),
    ...(current < last ? [link(current + 1, 'next'), link(last, 'last')] : []),
    ...(current > 1 ? [link(1, 'first')] : [])
  ]
  const headers = links.length > 0 ? { link: links.join(', ') } : {}
  return { ...ok(items.slice((current - 1) * size, current * size)), headers }
}

/** The properties of a parsed body. */
export interface Properties {
  readonly [name: string]: unknown
}

/** None when the body is no object. */
export function propertiesOf(body: unknown): Properties {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
}

function positive(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : otherwise
}
