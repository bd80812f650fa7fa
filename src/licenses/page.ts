// One page after another: asks, asks again where that may help, and says where the list ends.
import { adviceFor, describeCause } from '../http/errors.ts'
import { CancelledError, TimeoutError } from '../http/exchange.ts'
import { canWait, pauseBefore } from '../http/pause.ts'
import type { Log } from '../runner/runner.ts'
import { type LicensePage, PageShapeError, parsePage } from '../shop/license-page.ts'
import { askForPage, type LicenseService, type PageResult } from '../shop/pages.ts'

/** How often a page is asked for at most. */
const TRIES = 4

/** Whom to ask, where to log it, and how to wait before asking again. */
export interface Asking {
  readonly service: LicenseService
  readonly log: Pick<Log, 'info'>
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Which pages are wanted. */
export interface PageRange {
  readonly firstPage: number
  readonly maxPages: number
}

/** A page could not be had. */
export class PageError extends Error {
  override readonly name = 'PageError'
  readonly reason: 'rejected' | 'no-answer' | 'strange-answer'
  readonly advice: string
  constructor(reason: PageError['reason'], message: string, advice: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
    this.advice = advice
  }
}

/** Reads the pages up to the end of the list or of the range; throws a `PageError` or a `CancelledError`. */
export async function* readPages(
  asking: Asking,
  { firstPage, maxPages }: PageRange
): AsyncGenerator<LicensePage> {
  let answer = askPatiently(asking, firstPage)
  let number = firstPage
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
    const { host } = new URL(service.baseUrl)
    throw strange(`Page ${number} from ${host} ${error.message}`, error)
  }
}

type Refusal = Exclude<PageResult, { kind: 'page' }>

async function askPatiently(asking: Asking, page: number): Promise<Buffer> {
  const { service, log, sleep } = asking
  for (let tried = 1; ; tried++) {
    const result = await askForPage(service, page)
    if (result.kind === 'page') return result.json
    const what = describe(result, new URL(service.baseUrl).host)
    const { retry } = result
    if (!retry || tried === TRIES || !canWait(retry.after)) {
      throw errorOf(result, page, tried > 1 ? `${what} (try ${tried} of ${TRIES})` : what)
    }
    const ms = pauseBefore(tried, retry.after, Math.random())
    const seconds = (ms / 1000).toFixed(1)
    log.info(`Page ${page}: ${what}. Trying again (${tried + 1} of ${TRIES}) in ${seconds} s.`)
    await sleep(ms, service.signal)
  }
}

function describe(result: Refusal, host: string): string {
  if (result.kind !== 'rejected') return describeCause(result.cause, host)
  const { status, error, location } = result
  const complaints = Object.entries(error?.fields ?? {}).map(
    ([field, texts]) => `${field}: ${texts.join(' ')}`
  )
  const said = [...(error ? [error.message] : []), ...complaints].map(text => `: ${text}`).join('')
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  return `${host} answered ${status}${said}${pointing}`
}

function errorOf(result: Refusal, page: number, what: string): Error {
  if (result.kind === 'rejected') {
    return new PageError('rejected', `Page ${page} failed: ${what}`, likelyCause(result, page))
  }
  const { cause } = result
  if (cause instanceof CancelledError) return cause
  // An answer that is too long, or packed in an unknown way, was no loss of the connection.
  const isLost = result.kind === 'lost' || cause instanceof TimeoutError || 'code' in cause
  if (!isLost) return strange(`Page ${page} could not be read: ${what}`, cause)
  const advice = adviceFor(cause, '`stall-timeout`')
  return new PageError('no-answer', `Page ${page} was not answered: ${what}`, advice, cause)
}

function strange(message: string, cause: Error): PageError {
  const advice = 'Check that `base-url` is the shop’s address. If it is, tell the shop.'
  return new PageError('strange-answer', message, advice, cause)
}

function likelyCause({ status }: Extract<Refusal, { kind: 'rejected' }>, page: number): string {
  if (status >= 300 && status < 400) {
    return 'Redirects are not followed. Set `base-url` to the shop’s real address.'
  }
  if (status >= 500 || status === 429) return 'Run this job again later.'
  switch (status) {
    case 401:
      return 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses.'
    case 403:
      return 'The API key may not list licenses. Check whose it is.'
    case 404:
      return page === 1
        ? 'Check `base-url`: the shop does not list licenses at this address.'
        : 'There is no such page, or `base-url` is wrong. Check `first-page` and `base-url`.'
    default:
      return ''
  }
}
