// One page after another: asks, asks again where that may help, and says where the list ends.
import {
  adviceFor,
  adviceForProxied,
  canWait,
  describeCause,
  isPassing,
  OTHER_SERVER,
  pauseBefore,
  retryAfter
} from '../http/errors.ts'
import { CancelledError, type Exchange, TimeoutError } from '../http/exchange.ts'
import type { Log } from '../runner/runner.ts'
import {
  askForPage,
  type LicensePage,
  type LicenseService,
  PageShapeError,
  parsePage
} from '../shop/licenses.ts'
import { parseError } from '../shop/version.ts'

/** How often a page is asked for at most. */
const TRIES = 4

/** Whom to ask, where to log it, and how to wait before asking again. */
export interface Asking {
  readonly service: LicenseService
  readonly log: Pick<Log, 'info'>
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Why a listing fails: stable words for machines. */
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

/** The listing failed, for a reason that is known. */
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

/** Reads the pages up to the end of the list or of the range; throws a `ListingError` or a `CancelledError`. */
export async function* readPages(
  asking: Asking,
  { firstPage, maxPages }: { readonly firstPage: number; readonly maxPages: number }
): AsyncGenerator<LicensePage> {
  let number = firstPage
  let answer = askPatiently(asking, number)
  for (let read = 1; ; read++) {
    const page = parse(await answer, number, asking)
    if (page.next === undefined || read >= maxPages) {
      yield page
      return
    }
    number = page.next
    // The service makes the next page while this one is written.
    answer = askPatiently(asking, number)
    // A rejection is handled where the answer is awaited.
    answer.catch(() => undefined)
    yield page
  }
}

function parse(body: Buffer, number: number, { service }: Asking): LicensePage {
  try {
    return parsePage(body, number)
  } catch (error) {
    if (!(error instanceof PageShapeError)) throw error
    const message = `Page ${number} from ${new URL(service.baseUrl).host} ${error.message}`
    throw new ListingError('strange-answer', message, OTHER_SERVER, error)
  }
}

async function askPatiently({ service, log, sleep }: Asking, page: number): Promise<Buffer> {
  const { host } = new URL(service.baseUrl)
  for (let tried = 1; ; tried++) {
    const exchange = await askForPage(service, page)
    if (exchange.kind === 'answer' && isSuccess(exchange.status) && !exchange.truncated) {
      return exchange.body
    }
    const { reason, verb, what, advice, retry, cause } = explain(exchange, page, host)
    if (cause instanceof CancelledError) throw cause
    if (retry === undefined || tried === TRIES || !canWait(retry)) {
      const tries = tried > 1 ? ` (try ${tried} of ${TRIES})` : ''
      throw new ListingError(reason, `Page ${page} ${verb}: ${what}${tries}`, advice, cause)
    }
    const ms = pauseBefore(tried, retry, Math.random())
    const seconds = (ms / 1000).toFixed(1)
    log.info(`Page ${page}: ${what}. Trying again (${tried + 1} of ${TRIES}) in ${seconds} s.`)
    await sleep(ms, service.signal)
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Why there is no page. `retry` is given when it may be asked for again: after so many milliseconds at least. */
function explain(exchange: Exchange, page: number, host: string) {
  const isAnswer = exchange.kind === 'answer'
  if (isAnswer && !isSuccess(exchange.status)) {
    const { status, body, headers, proxy } = exchange
    const error = parseError(body)
    const { message, fields = {} } = error ?? {}
    const complaints = Object.entries(fields).map(
      ([field, texts]) => `${field}: ${texts.join(' ')}`
    )
    const said = [message ?? [], complaints].flat().map(text => `: ${text}`)
    const pointing = headers.location === undefined ? '' : ` (it points to ${headers.location})`
    const what = `${host} answered ${status}${said.join('')}${pointing}`
    const retry = status === 429 || status >= 500 ? (retryAfter(exchange).after ?? 0) : undefined
    const isProxied = proxy !== undefined && !error
    const advice = isProxied ? adviceForProxied(proxy) : likelyCause(status, page)
    return { reason: 'rejected', verb: 'failed', what, advice, retry, cause: undefined } as const
  }
  const cause = (isAnswer ? exchange.truncated : exchange.cause) ?? new Error('no answer')
  // Certificates, silences and pages that are too long do not pass by themselves.
  const rest = { what: describeCause(cause, host), retry: isPassing(cause) ? 0 : undefined, cause }
  // An answer that is too long, or packed in an unknown way, was no loss of the connection.
  if (isAnswer && !(cause instanceof TimeoutError || 'code' in cause)) {
    const verb = 'could not be read'
    return { reason: 'strange-answer', verb, advice: OTHER_SERVER, ...rest } as const
  }
  const advice = adviceFor(cause, '`stall-timeout`')
  return { reason: 'no-answer', verb: 'was not answered', advice, ...rest } as const
}

function likelyCause(status: number, page: number): string {
  if (status >= 300 && status < 400) {
    return 'Redirects are not followed. Set `base-url` to the shop’s real address.'
  }
  if (status >= 500 || status === 429) return 'Run this job again later.'
  if (status === 401) {
    return 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses.'
  }
  if (status === 403) return 'This API key is not allowed to list licenses. Check whose it is.'
  if (status !== 404) return ''
  return page === 1
    ? 'Check `base-url`: the shop does not list licenses at this address.'
    : 'There is no such page, or `base-url` is wrong. Check `first-page` and `base-url`.'
}
