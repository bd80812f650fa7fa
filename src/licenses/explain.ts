// What went wrong, in words that name no license and no user, and what to do about it. Pure.
import { adviceFor } from '../http/errors.ts'
import { CancelledError, TimeoutError } from '../http/exchange.ts'
import { OutputFault } from './file.ts'
import { PageError } from './page-error.ts'
import type { Reason } from './report.ts'

/** Why there is no file. */
export interface Failure {
  readonly reason: Reason
  readonly message: string
  readonly advice: string
}

/** What ended the listing; an error that nobody foresaw is thrown on. */
export function failureOf(error: unknown, host: string): Failure {
  if (error instanceof OutputFault) {
    return { reason: 'output', message: sentence(error.message), advice: 'Look at `output`.' }
  }
  if (error instanceof CancelledError) return cancelled()
  if (!(error instanceof PageError)) throw error
  const { page, result, message } = error
  switch (result.kind) {
    case 'fault':
      return strange(`Page ${page}, as ${host} answered it, ${message}`)
    case 'rejected':
      return {
        reason: 'rejected',
        message: sentence(`Page ${page} was not given: ${message}`),
        advice: likelyCause(result.status, page)
      }
    case 'lost':
      return explainLoss(result.cause, page, message)
    case 'cut':
      return isCut(result.cause)
        ? explainLoss(result.cause, page, message)
        : strange(`Page ${page} could not be read: ${message}`)
  }
}

/** Whether the connection ended, as opposed to an answer that is too long or packed in an unknown way. */
function isCut(cause: Error): boolean {
  return cause instanceof CancelledError || cause instanceof TimeoutError || 'code' in cause
}

function explainLoss(cause: Error, page: number, message: string): Failure {
  if (cause instanceof CancelledError) return cancelled()
  return {
    reason: 'no-answer',
    message: sentence(`Page ${page} was not answered: ${message}`),
    advice: adviceFor(cause, '`stall-timeout`')
  }
}

function strange(what: string): Failure {
  return {
    reason: 'strange-answer',
    message: sentence(what),
    advice: 'Check that `base-url` is the service’s address; if it is, tell the service.'
  }
}

/** With a full stop, unless somebody else's text has brought one along. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function cancelled(): Failure {
  return { reason: 'cancelled', message: 'The run was cancelled.', advice: '' }
}

function likelyCause(status: number, page: number): string {
  if (status >= 300 && status < 400) {
    return 'Set `base-url` to the address that the service really has; redirects are not followed.'
  }
  if (status >= 500 || status === 429) return 'Run this job again later.'
  switch (status) {
    case 401:
      return 'The API key is wrong, expired or revoked. Check the secret that `api-key` uses.'
    case 403:
      return 'The API key may not list licenses. Check whose it is.'
    case 404:
      return page === 1
        ? '`base-url` is not the service’s address. Check it.'
        : 'There is no such page, or `base-url` is not the service’s address. Check `first-page` and `base-url`.'
    default:
      return ''
  }
}
