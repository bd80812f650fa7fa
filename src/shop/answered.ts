// Who answered a request: the shop's API, or a server in front of it that speaks in its place.
import { type Answer, headerOf } from '../http/exchange.ts'
import { parseError, type ServiceError } from './version.ts'

/** What an answer shows of its sender. */
export interface Answered {
  readonly status: number
  /** What was asked for. */
  readonly url: string
  /** The failure, if the body is one of the two documented shapes. */
  readonly error: ServiceError | undefined
  /** An HTML page in place of JSON, as from a storefront, a login page, a gateway, or a firewall. */
  readonly webPage: boolean
  /** The page's own title; empty without one. */
  readonly title: string
  /** A page or a bare `error code: 1020` of Cloudflare's own; not one that only passed through it. */
  readonly isCloudflare: boolean
  /** What the server calls itself, such as `nginx`, without a version; empty if it does not say. */
  readonly server: string
  /** Where a redirect points. */
  readonly location: string | undefined
  /** The `base-url` to set: the redirect differs from what was asked in host or scheme alone. */
  readonly moved: string | undefined
}

/** In bytes: how much of a page is searched for what it says of itself. */
const PAGE_START = 8192
const TITLE_LENGTH = 80

/** Reads what the answer to a request for `url` shows of its sender. */
export function readAnswered(answer: Answer, url: string): Answered {
  const { status, body, truncated } = answer
  const start = body.toString('utf8', 0, PAGE_START)
  const error = truncated ? undefined : parseError(body)
  const isHtml =
    /^text\/html\b/i.test(headerOf(answer, 'content-type')) ||
    /^\s*<(!doctype\s+html|html)\b/i.test(start)
  // Some servers call their JSON HTML.
  const webPage = isHtml && error === undefined
  const location = headerOf(answer, 'location') || undefined
  return {
    status,
    url,
    error,
    webPage,
    title: webPage ? titleOf(start) : '',
    isCloudflare: isFromCloudflare(answer, start),
    server: /^[a-z][\w-]{0,30}/i.exec(headerOf(answer, 'server'))?.[0] ?? '',
    location,
    moved: location !== undefined && status < 400 ? movedTo(location, url) : undefined
  }
}

function titleOf(page: string): string {
  const [, title = ''] = /<title[^>]{0,100}>([^<]{1,500})/i.exec(page) ?? []
  const text = title.replace(/\s+/g, ' ').trim()
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH).toWellFormed()}…` : text
}

// A page of the shop's own comes through Cloudflare with the same `Server` header.
function isFromCloudflare(answer: Answer, start: string): boolean {
  if (headerOf(answer, 'cf-mitigated') !== '') return true
  const isPassedOn = /^cloudflare$/i.test(headerOf(answer, 'server'))
  return isPassedOn && /\/cdn-cgi\/|cloudflare ray id|^\s*error code: 1\d{3}\b/i.test(start)
}

function movedTo(location: string, url: string): string | undefined {
  const asked = new URL(url)
  const to = URL.parse(location, url)
  if (!to || to.pathname !== asked.pathname || to.origin === asked.origin) return undefined
  return `${to.origin}${asked.pathname.replace(/\/api\/products\/.*$/, '')}`
}
