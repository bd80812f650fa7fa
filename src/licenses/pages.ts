// Follows the list from page to page: asks for each, again where that may help, and finds the end of the list.

import { describeCause, isPassing, pauseBefore, retryAfter, TRIES } from '../http/errors.ts'
import {
  type Answer,
  type Connection,
  type Exchange,
  headerOf,
  TimeoutError
} from '../http/exchange.ts'
import { ActionError } from '../runner/action-error.ts'
import { CancelledError } from '../runner/cancellation.ts'
import { textAt } from '../runner/json.ts'
import type { Runner } from '../runner/runner.ts'
import { adviceFor, OTHER_SERVER } from '../shop/advice.ts'
import { parseError } from '../shop/answer.ts'
import { type License, type LicensePage, parsePage } from '../shop/licenses.ts'
import type { ListConfig } from './list-config.ts'

/** What pages are asked for with. */
export interface Asking {
  readonly runner: Pick<Runner, 'info' | 'cancelled'>
  readonly connection: Connection
  readonly config: ListConfig
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** After so many pages in a row without a new license, a list has no end. */
const CIRCLING = 10

/**
 * Passes the licenses of each page to `take`, which says whether any of them is new. A page that names itself or an
 * earlier one as the next, or that is empty and names one, may be the last: one more page is asked for, and `isKnown`
 * decides. Returns the next page where `max-pages` stopped it. Throws an `ActionError` or a `CancelledError`.
 */
export async function readPages(
  asking: Asking,
  take: (licenses: readonly License[]) => Promise<boolean>,
  isKnown: (license: License) => boolean
): Promise<number | undefined> {
  const { firstPage, maxPages } = asking.config
  let circling = 0
  for (let number = firstPage, read = 1; ; read++) {
    const { licenses, next } = await askForPage(asking, number)
    circling = (await take(licenses)) ? 0 : circling + 1
    if (circling === CIRCLING) {
      const pages = `the last ${CIRCLING} pages, up to page ${number}`
      throw strange(`The list goes in circles: ${pages}, brought no new license.`)
    }
    if (next === undefined) return undefined
    if (next <= number || licenses.length === 0) {
      const after = Math.max(next, number + 1)
      const others = await askForPage(asking, after, { mayLack: true })
      const empty = licenses.length === 0 ? 'is empty, and ' : ''
      const doubt = `page ${number} ${empty}names page ${next} as the next one`
      if (!others.licenses.every(isKnown)) {
        const more = `but page ${after} has licenses that no earlier page had`
        throw strange(`The list contradicts itself: ${doubt}, ${more}.`)
      }
      asking.runner.info(`The list ends here: ${doubt}, and page ${after} has no other licenses.`)
      return undefined
    }
    if (read === maxPages) return next
    number = next
  }
}

function strange(message: string): ActionError {
  return new ActionError('strange-answer', message, {
    advice: 'Run this job again. If it happens again, tell the shop.'
  })
}

/** In bytes: the largest page, both compressed and decompressed. */
const PAGE_LIMIT = 8 * 1024 * 1024

/** The statuses by which a shop may say that it has no page of that number. */
const NO_SUCH_PAGE = [400, 404, 410, 422]

/**
 * Returns a page, after retries. With `mayLack`, it is a page without licenses if the shop's own words are that
 * there is none. Throws an `ActionError` or a `CancelledError`.
 */
async function askForPage(
  { connection, config, runner, sleep }: Asking,
  page: number,
  { mayLack = false } = {}
): Promise<LicensePage> {
  const { baseUrl, apiKey, stallTimeout: stall, responseTimeout: deadline } = config
  const url = new URL(`${baseUrl}/api/v1/licenses?page=${page}`)
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'x-api-key': apiKey }
  const limits = { answerLimit: PAGE_LIMIT, signal: runner.cancelled }
  const request = { path: url.pathname + url.search, headers, patience: { stall, deadline } }
  for (let tried = 1; ; tried++) {
    const exchange = await connection.exchange({ method: 'GET', ...request, ...limits })
    const isWhole = exchange.kind === 'answer' && !exchange.truncated
    if (isWhole && exchange.status < 300) return parsePageOf(url, page, exchange.body)
    const lacks = isWhole && mayLack && NO_SUCH_PAGE.includes(exchange.status)
    if (lacks && parseError(exchange.body)) return { licenses: [], next: undefined }
    const { error, retry } = explainFailure(exchange, page, url)
    const ms = retry === undefined ? undefined : pauseBefore(tried, retry)
    if (ms === undefined) throw error
    const seconds = (ms / 1000).toFixed(1)
    runner.info(`${error.message} Trying again (${tried + 1} of ${TRIES}) in ${seconds} s.`)
    await sleep(ms, runner.cancelled)
  }
}

function parsePageOf({ host }: URL, page: number, body: Buffer): LicensePage {
  try {
    return parsePage(body)
  } catch (cause) {
    const message = `Page ${page} from ${host} ${textAt(cause, 'message')}.`
    throw new ActionError('strange-answer', message, { advice: OTHER_SERVER, cause })
  }
}

/** Why there is no page. `retry`: the least pause in milliseconds; undefined if a retry will not help. */
type NoPage = Readonly<{ error: ActionError; retry: number | undefined }>

/** Throws a `CancelledError` if that is why. */
function explainFailure(exchange: Exchange, page: number, url: URL): NoPage {
  const isAnswer = exchange.kind === 'answer'
  if (isAnswer && exchange.status >= 300) return explainStatus(exchange, page, url)
  const cause = (isAnswer ? exchange.truncated : exchange.cause) ?? new Error('no answer')
  if (cause instanceof CancelledError) throw cause
  const message = `Page ${page} failed: ${describeCause(cause, url.host)}.`
  // An answer that is too long, or compressed in an unknown way, is not a lost connection.
  const isStrange = isAnswer && !(cause instanceof TimeoutError || 'code' in cause)
  const error = isStrange
    ? new ActionError('strange-answer', message, { advice: OTHER_SERVER, cause })
    : new ActionError('no-answer', message, { advice: adviceFor(cause), cause })
  // Timeouts, bad certificates, and pages that are too long would only happen again.
  return { error, retry: isPassing(cause) ? 0 : undefined }
}

const ADVICE: Readonly<Record<number, string>> = {
  301: 'Redirects are not followed. Set `base-url` to the shop’s real address.',
  401: 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses: it is not the token that the publish action takes.',
  403: 'This API key is not allowed to list licenses. Check whose it is.',
  404: 'The shop does not list licenses at this address, or has no such page. Check `base-url`, which must not include `/api`, and `first-page`.'
}

/** The shop's words, and the path of a redirect, may name a license or a user: neither is quoted. */
function explainStatus(answer: Answer, page: number, url: URL): NoPage {
  const { status } = answer
  const target = URL.parse(headerOf(answer, 'location'), url.href)?.origin
  const isRedirect = headerOf(answer, 'location') !== '' && target !== undefined
  const pointing = isRedirect ? ` (it points to ${target})` : ''
  const isBusy = status === 429 || status >= 500
  const advice = isBusy ? 'Run this job again later.' : (ADVICE[status < 400 ? 301 : status] ?? '')
  const message = `Page ${page} failed: ${url.host} answered ${status}${pointing}.`
  const retry = isBusy ? (retryAfter(answer).after ?? 0) : undefined
  return { error: new ActionError('rejected', message, { advice }), retry }
}
