// How GitHub's REST API talks: error bodies, pages, and its clock.
import type { Reply } from './wire.ts'

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

/** GitHub's own clock. It runs as ours does, and can be set ahead. */
export class Clock {
  /** How far it is ahead of ours, in milliseconds. */
  #ahead: number

  constructor(start: Date) {
    this.#ahead = start.getTime() - Date.now()
  }

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  /** To the second, as `created_at` is written. */
  iso(): string {
    return this.now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
  }

  advance(ms: number): void {
    this.#ahead += ms
  }
}

/** An answer that all is well. */
export function ok(body: unknown, headers: Reply['headers'] = {}): Reply {
  return { status: 200, body, headers }
}

/** An error as GitHub words it. */
export function problem(status: number, message: string, others: object = {}): Reply {
  const body = {
    message,
    ...others,
    documentation_url: 'https://docs.github.com/rest',
    status: String(status)
  }
  return { status, body }
}

export const NOT_FOUND = problem(404, 'Not Found')

/** A 422 that names one field. */
export function invalid(resource: string, field: string, message: string): Reply {
  const error = {
    resource,
    code: 'custom',
    field,
    message
  }
  return problem(422, 'Validation Failed', { errors: [error] })
}

/** One page of a list, with the links to the others. */
export function page({ query, api, path }: Call, items: readonly unknown[]): Reply {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  const current = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(items.length / size))

  const linkTo = (to: number, rel: string): string => {
    const asked = new URLSearchParams(query)
    asked.set('page', String(to))
    return `<${api}${path}?${asked}>; rel="${rel}"`
  }
  const links: string[] = []
  if (current > 1) links.push(linkTo(current - 1, 'prev'), linkTo(1, 'first'))
  if (current < last) links.push(linkTo(current + 1, 'next'), linkTo(last, 'last'))

  const headers = links.length > 0 ? { link: links.join(', ') } : {}
  return ok(items.slice((current - 1) * size, current * size), headers)
}
