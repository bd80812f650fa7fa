// Reads the shop's license pages one after another, and retries a page where that may help.
import {
  adviceFor,
  describeCause,
  isPassing,
  OTHER_SERVER,
  pauseBefore,
  retryAfter,
  TRIES
} from '../http/errors.ts'
import { CancelledError, type Connection, type Exchange, TimeoutError } from '../http/exchange.ts'
import { textAt } from '../runner/values.ts'
import { type LicensePage, parsePage } from '../shop/licenses.ts'
import { parseError } from '../shop/version.ts'

/** What pages are read with. `baseUrl` ends without a slash; `stall`: milliseconds without a byte moving. */
export interface Asking {
  readonly connection: Connection
  readonly baseUrl: string
  readonly apiKey: string
  readonly stall: number
  readonly signal: AbortSignal
  info(text: string): void
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Why a listing failed, in words that stay the same, for later steps. */
export const REASONS = [
  'bad-input',
  'rejected',
  'no-answer',
  'strange-answer',
  'output',
  'cancelled',
  'internal'
] as const
export type Reason = (typeof REASONS)[number]

/** A listing that failed for a known reason. */
export class ListingError extends Error {
  override readonly name = 'ListingError'
  readonly reason: Reason
  readonly advice: string
  constructor(reason: Reason, message: string, advice: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.advice = advice
  }
}

/** Yields up to `maxPages` pages, from `firstPage` on. Throws a `ListingError` or a `CancelledError`. */
export async function* readPages(asking: Asking, firstPage: number, maxPages: number) {
  let number: number | undefined = firstPage
  for (let read = 0; read < maxPages && number !== undefined; read++) {
    const page: LicensePage = await askPatiently(asking, number)
    number = page.next
    yield page
  }
}

/** In bytes: the largest page, both compressed and decompressed. */
const PAGE_LIMIT = 64 * 1024 * 1024

async function askPatiently(asking: Asking, page: number): Promise<LicensePage> {
  const { connection, apiKey, stall, signal } = asking
  const { host, pathname } = new URL(`${asking.baseUrl}/api/v1/licenses`)
  const path = `${pathname}?page=${page}`
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'x-api-key': apiKey }
  const limits = { patience: { stall }, answerLimit: PAGE_LIMIT, signal }
  for (let tried = 1; ; tried++) {
    const exchange = await connection.exchange({ method: 'GET', path, headers, ...limits })
    const isSuccess = exchange.kind === 'answer' && exchange.status < 300
    if (isSuccess && !exchange.truncated) return parse(exchange.body, page, host)
    const { reason, what, advice, retry, cause } = explain(exchange, host)
    if (cause instanceof CancelledError) throw cause
    const ms = retry === undefined ? undefined : pauseBefore(tried, retry)
    if (ms === undefined) {
      const tries = tried > 1 ? ` (try ${tried} of ${TRIES})` : ''
      throw new ListingError(reason, `Page ${page} failed: ${what}${tries}`, advice, cause)
    }
    const seconds = (ms / 1000).toFixed(1)
    asking.info(`Page ${page}: ${what}. Trying again (${tried + 1} of ${TRIES}) in ${seconds} s.`)
    await asking.sleep(ms, signal)
  }
}

function parse(body: Buffer, page: number, host: string): LicensePage {
  try {
    return parsePage(body, page)
  } catch (error) {
    const message = `Page ${page} from ${host} ${textAt(error, 'message')}`
    throw new ListingError('strange-answer', message, OTHER_SERVER, error)
  }
}

/** Why there is no page. `retry`: the least pause in milliseconds; undefined if a retry will not help. */
function explain(exchange: Exchange, host: string) {
  const isAnswer = exchange.kind === 'answer'
  if (isAnswer && exchange.status >= 300) {
    const { status, body, headers } = exchange
    const error = parseError(body)
    const fields = Object.entries(error?.fields ?? {})
    const complaints = fields.map(([field, texts]) => `${field}: ${texts.join(' ')}`)
    const said = [error?.message ?? [], complaints].flat().map(text => `: ${text}`)
    const pointing = headers.location === undefined ? '' : ` (it points to ${headers.location})`
    const what = `${host} answered ${status}${said.join('')}${pointing}`
    const retry = status === 429 || status >= 500 ? (retryAfter(exchange).after ?? 0) : undefined
    const usual = status < 400 ? 301 : status >= 500 ? 503 : status
    const advice = CAUSES[usual] ?? ''
    return { reason: 'rejected', what, advice, retry, cause: undefined } as const
  }
  const cause = (isAnswer ? exchange.truncated : exchange.cause) ?? new Error('no answer')
  // An answer that is too long, or compressed in an unknown way, is not a lost connection.
  const isStrange = isAnswer && !(cause instanceof TimeoutError || 'code' in cause)
  return {
    reason: isStrange ? 'strange-answer' : 'no-answer',
    what: describeCause(cause, host),
    advice: isStrange ? OTHER_SERVER : adviceFor(cause, '`stall-timeout`', host),
    // Timeouts, bad certificates, and pages that are too long would only happen again.
    retry: isPassing(cause) ? 0 : undefined,
    cause
  } as const
}

const CAUSES: Readonly<Record<number, string>> = {
  301: 'Redirects are not followed. Set `base-url` to the shop’s real address.',
  401: 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses.',
  403: 'This API key is not allowed to list licenses. Check whose it is.',
  404: 'The shop does not list licenses at this address, or has no such page. Check `base-url`, which goes without `/api`, and `first-page`.',
  429: 'Run this job again later.',
  503: 'Run this job again later.'
}
