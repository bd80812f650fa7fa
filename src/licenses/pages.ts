// Asks the shop for one page of licenses, and again where that may help.
import {
  adviceFor,
  describeCause,
  isPassing,
  OTHER_SERVER,
  pauseBefore,
  retryAfter,
  TRIES
} from '../http/errors.ts'
import {
  type Answer,
  CancelledError,
  type Connection,
  type Exchange,
  type ExchangeRequest,
  headerOf,
  TimeoutError
} from '../http/exchange.ts'
import { textAt } from '../runner/values.ts'
import { type LicensePage, parsePage, withoutIds } from '../shop/licenses.ts'
import { parseError, type ServiceError } from '../shop/version.ts'

/** What pages are asked for with; times are in milliseconds. */
export interface Asking {
  readonly connection: Connection
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  /** `deadline`: for a whole page. */
  readonly patience: ExchangeRequest['patience']
  readonly signal: AbortSignal
  info(text: string): void
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Why a listing failed, in words that stay the same, for later steps. */
export const LISTING_REASONS = [
  'bad-input',
  'rejected',
  'no-answer',
  'strange-answer',
  'compare-with',
  'output',
  'cancelled',
  'internal'
] as const
export type ListingReason = (typeof LISTING_REASONS)[number]

/** A listing that failed for a known reason. Its texts hold no id of a license or a user. */
export class ListingError extends Error {
  override readonly name = 'ListingError'
  readonly reason: ListingReason
  readonly advice: string
  constructor(reason: ListingReason, message: string, advice: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.advice = advice
  }
}

/** In bytes: the largest page, both compressed and decompressed. */
const PAGE_LIMIT = 64 * 1024 * 1024

/** The statuses by which a shop may say that it has no page of that number. */
const NO_SUCH_PAGE = [400, 404, 410, 422]

/**
 * Returns a page, after retries. With `mayLack`, it is a page without licenses if the shop's own words are that
 * there is none. Throws a `ListingError` or a `CancelledError`.
 */
export async function askForPage(
  asking: Asking,
  page: number,
  { mayLack = false } = {}
): Promise<LicensePage> {
  const { connection, apiKey, patience, signal } = asking
  const url = new URL(`${asking.baseUrl}/api/v1/licenses?page=${page}`)
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'x-api-key': apiKey }
  const limits = { patience, answerLimit: PAGE_LIMIT, signal }
  const path = url.pathname + url.search
  for (let tried = 1; ; tried++) {
    const exchange = await connection.exchange({ method: 'GET', path, headers, ...limits })
    const isWhole = exchange.kind === 'answer' && !exchange.truncated
    if (isWhole && exchange.status < 300) return parsePageOf(url, page, exchange.body)
    if (isWhole && mayLack && NO_SUCH_PAGE.includes(exchange.status)) {
      if (parseError(exchange.body)) return { licenses: [], next: undefined }
    }
    const { reason, what, advice, retry, cause } = explainFailure(exchange, url)
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

function parsePageOf({ host }: URL, page: number, body: Buffer): LicensePage {
  try {
    return parsePage(body)
  } catch (error) {
    const message = `Page ${page} from ${host} ${textAt(error, 'message')}`
    throw new ListingError('strange-answer', message, OTHER_SERVER, error)
  }
}

/** Why there is no page. `retry`: the least pause in milliseconds; undefined if a retry will not help. */
interface NoPage {
  readonly reason: ListingReason
  readonly what: string
  readonly advice: string
  readonly retry: number | undefined
  readonly cause?: Error
}

const TIME_LIMITS = '`stall-timeout` or `response-timeout`'

function explainFailure(exchange: Exchange, { host, href }: URL): NoPage {
  const isAnswer = exchange.kind === 'answer'
  if (isAnswer && exchange.status >= 300) return explainStatus(exchange, host, href)
  const cause = (isAnswer ? exchange.truncated : exchange.cause) ?? new Error('no answer')
  const what = describeCause(cause, host)
  // Timeouts, bad certificates, and pages that are too long would only happen again.
  const retry = isPassing(cause) ? 0 : undefined
  // An answer that is too long, or compressed in an unknown way, is not a lost connection.
  const isStrange = isAnswer && !(cause instanceof TimeoutError || 'code' in cause)
  if (isStrange) return { reason: 'strange-answer', what, advice: OTHER_SERVER, retry, cause }
  return { reason: 'no-answer', what, advice: adviceFor(cause, TIME_LIMITS, host), retry, cause }
}

/** In characters: the shop's words may be long. */
const LONGEST_QUOTE = 1000
const REFUSAL_ADVICE: Readonly<Record<number, string>> = {
  301: 'Redirects are not followed. Set `base-url` to the shop’s real address.',
  401: 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses. The personal access token, which the publish action takes as `token`, is not the API key.',
  403: 'This API key is not allowed to list licenses. Check whose it is.',
  404: 'The shop does not list licenses at this address, or has no such page. Check `base-url`, which goes without `/api`, and `first-page`.'
}

function explainStatus(answer: Answer, host: string, address: string): NoPage {
  const { status, body } = answer
  const asked = status === 404 ? ` to GET ${address}` : ''
  const [target = ''] = headerOf(answer, 'location').split('?')
  const pointing = target === '' ? '' : ` (it points to ${target})`
  const isBusy = status === 429 || status >= 500
  const advice = REFUSAL_ADVICE[status < 400 ? 301 : status] ?? ''
  return {
    reason: 'rejected',
    what: `${host} answered ${status}${asked}${quoteError(parseError(body))}${pointing}`,
    advice: isBusy ? 'Run this job again later.' : advice,
    retry: isBusy ? (retryAfter(answer).after ?? 0) : undefined
  }
}

/** The shop's words. They may be about a license or a user, whose id is left out. */
function quoteError(error: ServiceError | undefined): string {
  if (!error) return ''
  const fields = Object.entries(error.fields)
  const complaints = fields.map(([field, texts]) => `${field}: ${texts.join(' ')}`)
  const words = [error.message, ...complaints].join(': ')
  return `: ${withoutIds(words.slice(0, LONGEST_QUOTE))}`
}
