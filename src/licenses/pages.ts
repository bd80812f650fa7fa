// Follows the list from page to page: asks for each, again where that may help, and finds the end of the list.
import {
  type Answer,
  type Connection,
  type Exchange,
  headerOf,
  TimeoutError
} from '../http/exchange.ts'
import { describeCause, isTransient, pauseBefore, retryAfter, TRIES } from '../http/failures.ts'
import { isBusy, isRedirect, isSuccess } from '../http/statuses.ts'
import { ActionError, type Reason } from '../runner/action-error.ts'
import { CancelledError } from '../runner/cancellation.ts'
import { retry } from '../runner/retry.ts'
import type { Runner } from '../runner/runner.ts'
import { messageOf } from '../runner/words.ts'
import { adviceFor, OTHER_SERVER } from '../shop/advice.ts'
import { type License, type LicensePage, parsePage } from '../shop/licenses.ts'
import type { ListConfig } from './list-config.ts'

/** All that is needed to ask for pages. */
export interface PageRequest {
  readonly runner: Pick<Runner, 'info' | 'cancelled'>
  readonly connection: Connection
  readonly config: ListConfig
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** How many pages in a row without a new license mean that a list has no end. */
const CIRCLING_PAGES = 10

/**
 * Passes the licenses of each page to `take`, which says whether any of them is new. The interface does not say how the
 * last page shows: it names no next one, itself or page 1, or is empty. Throws an `ActionError` or a `CancelledError`.
 */
export async function readPages(
  request: PageRequest,
  take: (licenses: readonly License[]) => Promise<boolean>
): Promise<void> {
  let circling = 0
  for (let number = 1; ; ) {
    const { licenses, next } = await askForPage(request, number)
    circling = (await take(licenses)) ? 0 : circling + 1

    if (next === undefined || licenses.length === 0) return
    if (next === number || next === 1) {
      request.runner.info(`The list ends here: page ${number} names page ${next} as the next one.`)
      return
    }

    if (circling === CIRCLING_PAGES) {
      const pages = `the last ${CIRCLING_PAGES} pages, up to page ${number}`
      throw strange(`The list goes in circles: ${pages}, brought no new license.`)
    }
    if (next < number) {
      throw strange(
        `The list contradicts itself: page ${number} names page ${next} as the next one.`
      )
    }
    number = next
  }
}

function strange(message: string): ActionError {
  return new ActionError('strange-answer', message, {
    advice: 'Press *Re-run failed jobs*. If it happens again, tell the shop.'
  })
}

/** The largest page, both compressed and decompressed. */
const PAGE_MAX_BYTES = 8 * 1024 * 1024

/** Why there is no page. */
class PageFailure extends ActionError {
  /** In milliseconds: the shortest pause before another try; undefined if another will not help. */
  readonly leastPause: number | undefined

  constructor(
    reason: Reason,
    message: string,
    details: PageFailureDetails,
    leastPause: number | undefined
  ) {
    super(reason, message, details)
    this.leastPause = leastPause
  }
}

interface PageFailureDetails extends ErrorOptions {
  readonly advice: string
}

/** Returns a page, after retries. Throws an `ActionError` or a `CancelledError`. */
function askForPage(request: PageRequest, page: number): Promise<LicensePage> {
  const { runner, sleep } = request
  return retry(() => tryPage(request, page), {
    pauseAfter: (error, tried) => {
      if (!(error instanceof PageFailure) || error.leastPause === undefined) return undefined
      const pause = pauseBefore(tried, error.leastPause)
      if (pause === undefined) return undefined

      const seconds = (pause / 1000).toFixed(1)
      runner.info(`${error.message} Trying again (${tried + 1} of ${TRIES}) in ${seconds} s.`)
      return pause
    },
    sleep: ms => sleep(ms, runner.cancelled)
  })
}

/** Asks for a page once. Throws a `PageFailure`, another `ActionError`, or a `CancelledError`. */
async function tryPage(
  { connection, config, runner }: PageRequest,
  page: number
): Promise<LicensePage> {
  const url = new URL(`${config.baseUrl}/api/v1/licenses?page=${page}`)
  const exchange = await connection.exchange({
    method: 'GET',
    path: url.pathname + url.search,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-api-key': config.apiKey
    },
    patience: { stall: config.stallTimeout, deadline: config.responseTimeout },
    answerLimit: PAGE_MAX_BYTES,
    signal: runner.cancelled
  })

  const isWhole = exchange.kind === 'answer' && !exchange.truncated
  if (isWhole && isSuccess(exchange.status)) return parsePageOf(url, page, exchange.body)
  throw explainFailure(exchange, page, url)
}

function parsePageOf({ host }: URL, page: number, body: Buffer): LicensePage {
  try {
    return parsePage(body)
  } catch (cause) {
    const message = `Page ${page} from ${host} ${messageOf(cause)}.`
    throw new ActionError('strange-answer', message, { advice: OTHER_SERVER, cause })
  }
}

/** Throws a `CancelledError` if that is why. */
function explainFailure(exchange: Exchange, page: number, url: URL): PageFailure {
  const isAnswer = exchange.kind === 'answer'
  if (isAnswer && !isSuccess(exchange.status)) return explainStatus(exchange, page, url)

  const cause = (isAnswer ? exchange.truncated : exchange.cause) ?? new Error('no answer')
  if (cause instanceof CancelledError) throw cause

  const message = `Page ${page} failed: ${describeCause(cause, url.host)}.`
  // Timeouts, bad certificates, and pages that are too long would only happen again.
  const leastPause = isTransient(cause) ? 0 : undefined
  // An answer that is too long, or compressed in an unknown way, is not a lost connection.
  const isStrange = isAnswer && !(cause instanceof TimeoutError || 'code' in cause)
  return isStrange
    ? new PageFailure('strange-answer', message, { advice: OTHER_SERVER, cause }, leastPause)
    : new PageFailure('no-answer', message, { advice: adviceFor(cause), cause }, leastPause)
}

/** By the status; 301 stands for all redirects. */
const ADVICE: Readonly<Record<number, string>> = {
  301: 'Redirects are not followed. Set `base-url` to the shop’s real address.',
  401: 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses: it is not the token that the publish action takes.',
  403: 'This API key is not allowed to list licenses. Check whose it is.',
  404: 'The shop does not list licenses at this address, or has no such page. Check `base-url`, which must not include `/api`.'
}

/** The shop's words, and the path of a redirect, may name a license or a user: neither is quoted. */
function explainStatus(answer: Answer, page: number, url: URL): PageFailure {
  const { status } = answer
  const location = headerOf(answer, 'location')
  const target = location === '' ? undefined : URL.parse(location, url.href)?.origin
  const pointing = target === undefined ? '' : ` (it points to ${target})`
  const message = `Page ${page} failed: ${url.host} answered ${status}${pointing}.`

  const busy = isBusy(status)
  const known = ADVICE[isRedirect(status) ? 301 : status] ?? ''
  const advice = busy ? 'Press *Re-run failed jobs* later.' : known
  const leastPause = busy ? (retryAfter(answer).after ?? 0) : undefined
  return new PageFailure('rejected', message, { advice }, leastPause)
}
