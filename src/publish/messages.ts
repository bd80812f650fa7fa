// What a result means for the user, and what to do about it.

import { FileFault } from '../file/artifact.ts'
import { GitHubError } from '../github/github.ts'
import { adviceFor, describeCause } from '../http/errors.ts'
import { CancelledError, ProxyError } from '../http/exchange.ts'
import { Withheld } from '../ledger/steps.ts'
import { ReleaseUnreadable } from '../release/find-release.ts'
import { EventFileError } from '../runner/context.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishResult } from '../shop/publish.ts'
import { NotApprovedError } from './approval.ts'
import type { TargetInputs } from './inputs.ts'
import {
  type Annotation,
  endedEarly,
  type OutcomeWord,
  type Reason,
  type Report
} from './report.ts'

/** The part of a report that says how the sending ended. */
export interface Explanation {
  readonly outcome: OutcomeWord
  readonly reason: Reason
  readonly message: string
  readonly advice: string
  readonly annotations: readonly Annotation[]
}

/** What feeds a field of the request, by the field. */
export type Feeding = Readonly<Record<string, string>>

/** Which of the target's inputs feed the fields. */
export function feedingOf({ changelog, changelogFile, asset }: TargetInputs): Feeding {
  const texts = changelogFile === '' ? 'Release notes' : 'Input changelog-file'
  return {
    version_name: 'Input version-name',
    title: 'Input title',
    changelog: changelog === '' ? texts : 'Input changelog',
    changelog_format: 'Input changelog-format',
    file: asset.length > 0 ? 'Input asset' : 'Input file'
  }
}

/** Explains a result; `host` is the service's, for messages. */
export function explain(result: PublishResult, host: string, feeding: Feeding = {}): Explanation {
  switch (result.kind) {
    case 'published': {
      const message = `Published as version ${result.record.id}.`
      return { outcome: 'published', reason: '', message, advice: '', annotations: [] }
    }
    case 'rejected':
      return explainRejection(result, host, feeding)
    case 'notPublished':
      return explainFailure(result.cause, host)
    case 'unknown':
      return {
        outcome: 'unknown',
        reason: result.status === undefined ? 'no-answer' : 'strange-answer',
        message: `Nobody knows whether it is published: ${result.early ? '' : 'the whole request was sent, but '}${describeCause(result.cause, host)}.`,
        advice: 'Before you run this again, check the shop’s admin dashboard for this version.',
        annotations: []
      }
  }
}

function explainRejection(
  result: Extract<PublishResult, { kind: 'rejected' }>,
  host: string,
  feeding: Feeding
): Explanation {
  const { status, error, location, webPage } = result
  const page = webPage ? ' with a web page' : ''
  const said = error ? `: ${error.message}` : ''
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  const annotations = Object.entries(error?.fields ?? {}).map(([field, texts]): Annotation => {
    const source = Object.hasOwn(feeding, field) ? feeding[field] : undefined
    const title = source === undefined ? `Field ${field}` : `${source} (field ${field})`
    return { kind: 'error', title, message: texts.join(' ') || 'was refused without a reason' }
  })
  return {
    outcome: 'failed',
    reason: 'rejected',
    message: `${host} did not publish it: it answered ${status}${page}${said}${pointing}`,
    advice: adviceOn(result, annotations.length > 0),
    annotations
  }
}

function adviceOn(
  { status, moved, after }: Extract<PublishResult, { kind: 'rejected' }>,
  hasFields: boolean
): string {
  if (moved !== undefined) return `The shop has another address: set \`base-url\` to ${moved}.`
  if (status === 429 && after !== undefined) {
    return `The shop asks for fewer requests. Run this job again in ${Math.ceil(after / 1000)} seconds or later.`
  }
  return likelyCause(status, hasFields)
}

/** What a status most likely means, and what to do about it; empty when it says nothing. */
export function likelyCause(status: number, hasFields: boolean): string {
  if (status >= 300 && status < 400) {
    return 'Set `base-url` to the shop’s real address. Redirects are not followed.'
  }
  switch (status) {
    case 401:
      return 'The token is wrong, expired or revoked. Create a new one in the admin dashboard, and store it as the secret that `token` uses.'
    case 403:
      return 'The token’s owner may not publish this product. Check `product`, and whose token it is.'
    case 404:
      return 'There is no such product or benefit, or `base-url` is not the shop’s address. Check `base-url`, `product` and `benefit`.'
    case 413:
      return 'The file is larger than the shop accepts. Make it smaller, or ask the shop for its limit.'
    case 429:
      return 'The shop is getting too many requests. Run this job again later.'
    case 503:
      return 'The shop is not available right now. Run this job again later.'
    default:
      return hasFields
        ? 'Correct what is named above, and publish again. A re-run uses the workflow as it was: after changing it, start a new run.'
        : ''
  }
}

function explainFailure(cause: Error, host: string): Explanation {
  const failed = (reason: Reason, message: string, advice: string): Explanation => {
    return { outcome: 'failed', reason, message, advice, annotations: [] }
  }
  if (cause instanceof FileFault)
    return failed(cause.reason, `Nothing was published. ${cause.message}`, '')
  if (cause instanceof NotApprovedError) {
    return failed('not-approved', `Nothing was published. ${cause.message}`, '')
  }
  if (cause instanceof CancelledError) {
    return failed(
      'cancelled',
      'The run was cancelled before the file was sent. Nothing was published.',
      ''
    )
  }
  if (cause instanceof Withheld) {
    const message = `Nothing was published: ${withReason(cause)}.`
    return failed('withheld', message, 'Run this job again.')
  }
  const message = `Nothing was published: ${describeCause(cause, host)}.`
  return failed('not-sent', message, adviceFor(cause, '`stall-timeout` or `response-timeout`'))
}

function withReason(error: Error): string {
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

/** What ends a run, or a target, without a result; `outcome` is for what should not have happened. */
export function explainStop(
  error: unknown,
  { cancelled, debug }: Pick<Runner, 'cancelled' | 'debug'>,
  outcome: 'failed' | 'unknown'
): Report {
  const stopped = (reason: Reason, message: string, advice = '') =>
    endedEarly('failed', reason, `Nothing was published. ${message}`, advice)
  if (error instanceof EventFileError) return endedEarly('failed', 'event', error.message)
  if (error instanceof FileFault) return stopped(error.reason, error.message)
  const fromGitHub = error instanceof GitHubError
  if (error instanceof CancelledError || (fromGitHub && cancelled.aborted)) {
    return stopped('cancelled', 'The run was cancelled.')
  }
  if (fromGitHub) return stopped('github', error.message, adviseOnGitHub(error))
  if (error instanceof ReleaseUnreadable) {
    return stopped('github', error.message, 'Run this job again.')
  }
  debug(error instanceof Error ? (error.stack ?? '') : '')
  const message = `This should not have happened: ${error instanceof Error ? error.message : String(error)}`
  const advice =
    'Check in the shop whether the version is there, and report this with the log of a run in debug mode.'
  return endedEarly(outcome, 'internal', message, advice)
}

/** What to do when GitHub does not answer as it should. */
export function adviseOnGitHub({ status, denied, cause }: GitHubError): string {
  if (cause instanceof ProxyError) return adviceFor(cause, '')
  if (status === 401) {
    return 'Check `github-token`: GitHub does not know it. Without that input the job’s own token is used.'
  }
  if (denied) return 'Check that `github-token` may read this repository (`contents: read`).'
  return 'Run this job again.'
}
