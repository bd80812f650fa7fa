// How GitHub's REST API talks: error bodies, pages, and its clock.
import type { Reply } from './wire.ts'

export type Clock = ReturnType<typeof startClock>

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

/** Starts GitHub's own clock at that time: it runs as ours does, and can be set ahead. */
export function startClock(start: Date) {
  let offset = start.getTime() - Date.now()
  const now = (): Date => new Date(Date.now() + offset)
  return {
    now,
    /** To the second, as `created_at` is written. */
    iso: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    advance(ms: number): void {
      offset += ms
    }
  }
}

/** An answer that all is well. */
export function ok(body: unknown, headers: Reply['headers'] = {}): Reply {
  return { status: 200, body, headers }
}

/** An error as GitHub words it. */
export function problem(status: number, message: string, others: object = {}): Reply {
  const documentation = { documentation_url: 'https://docs.github.com/rest' }
  return { status, body: { message, ...others, ...documentation, status: String(status) } }
}

export const NOT_FOUND = problem(404, 'Not Found')

/** A 422 that names one field. */
export function invalid(resource: string, field: string, message: string): Reply {
  const errors = [{ resource, code: 'custom', field, message }]
  return problem(422, 'Validation Failed', { errors })
}

/** One page of a list, with the links to the others. */
export function page({ query, api, path }: Call, items: readonly unknown[]): Reply {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  const current = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(items.length / size))
  const link = (to: number, rel: string): string => {
    const asked = new URLSearchParams(query)
    asked.set('page', String(to))
    return `<${api}${path}?${asked}>; rel="${rel}"`
  }
  const back = current > 1 ? [link(current - 1, 'prev'), link(1, 'first')] : []
  const on = current < last ? [link(current + 1, 'next'), link(last, 'last')] : []
  const links = [...back, ...on]
  const headers = links.length > 0 ? { link: links.join(', ') } : {}
  return ok(items.slice((current - 1) * size, current * size), headers)
}
