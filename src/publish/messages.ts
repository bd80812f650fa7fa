// What a result, or an error, means for the user, and what to do about it.
import { FileFault } from '../file/fault.ts'
import { GitHubError } from '../github/github.ts'
import { adviceFor, adviceForProxied, describeCause, throughProxy } from '../http/errors.ts'
import { CancelledError, ProxyError } from '../http/exchange.ts'
import { Withheld } from '../ledger/steps.ts'
import { ReleaseUnreadable } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import { counted } from '../runner/text.ts'
import type { PublishResult } from '../shop/publish.ts'
import { NotApprovedError } from './approval.ts'
import type { TargetInputs } from './inputs.ts'
import { endedEarly, type OutcomeWord, type Reason, type Report, START_AGAIN } from './report.ts'

const AGAIN = 'Run this job again.'

/** What feeds a field of the request, by the field. */
type Feeding = Readonly<Record<string, string>>

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

/** The report of a result, without its subject; `host` is the service's. */
export function explain(result: PublishResult, host: string, feeding: Feeding = {}): Report {
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      return { ...endedEarly('published', '', `Published as version ${id}.`), fields }
    }
    case 'rejected':
      return explainRejection(result, host, feeding)
    case 'notPublished': {
      const { cause } = result
      const message = `Nothing was published: ${describeCause(cause, host)}.`
      const advice = adviceFor(cause, '`stall-timeout` or `response-timeout`')
      return explainKnown(cause) ?? endedEarly('failed', 'not-sent', message, advice)
    }
    case 'unknown': {
      const reason = result.status === undefined ? 'no-answer' : 'strange-answer'
      const sent = result.early ? '' : 'the whole request was sent, and '
      const cause = describeCause(result.cause, host)
      const message = `Nobody knows whether it is published: ${sent}${cause}.`
      const advice = 'Before you run this again, check the shop’s admin dashboard for this version.'
      return endedEarly('unknown', reason, message, advice)
    }
  }
}

type Rejection = Extract<PublishResult, { kind: 'rejected' }>

function explainRejection(result: Rejection, host: string, feeding: Feeding): Report {
  const { status, error, location } = result
  const page = describePage(result)
  const said = error ? `: ${error.message}` : ''
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  const message = `${host} did not publish it: it answered ${status}${page}${said}${pointing}`
  const complaints = Object.entries(error?.fields ?? {}).map(([field, texts]) => {
    const source = Object.hasOwn(feeding, field) ? feeding[field] : undefined
    const place = source === undefined ? `Field ${field}` : `${source} (field ${field})`
    return { place, message: texts.join(' ') || 'was refused without a reason' }
  })
  const advice =
    complaints.length > 0
      ? `Correct what is named above, and publish again. ${START_AGAIN}`
      : likelyCause(result)
  return { ...endedEarly('failed', 'rejected', message, advice), complaints }
}

/** How else an answer differs from the shop's, as words behind its status. */
export function describePage({ webPage, proxy }: Pick<Rejection, 'webPage' | 'proxy'>): string {
  return `${webPage ? ' with a web page' : ''}${throughProxy({ proxy })}`
}

/** What a status most likely means, and what to do about it. */
const CAUSES: Readonly<Record<number, string>> = {
  401: 'The token is wrong, expired or revoked. Create a new one in the admin dashboard, store it as the secret that `token` uses, and run this job again.',
  402: 'The shop’s own account may have an unpaid bill, or a plan that does not allow this. Ask the shop’s owner to check, then run this job again.',
  403: 'The token’s owner is not allowed to publish this product. Check `product`, and whose token it is.',
  404: 'There is no such product or benefit, or `base-url` is not the shop’s address. Check `base-url`, `product` and `benefit`; `base-url` goes without `/api`.',
  405: 'This is not the address of the shop’s API. Check `base-url`: it goes without `/api`.',
  409: 'The shop says that this conflicts with what it has. Look for this version in its admin dashboard before you publish again.',
  413: 'The file is larger than the shop accepts. Make it smaller, or ask the shop for its limit.',
  415: 'The shop does not take uploads of this kind. Try the other value of `upload`, or ask the shop.',
  429: 'The shop is getting too many requests. Run this job again later.',
  503: 'The shop is not available right now. Run this job again later.'
}

/** What to do about an answer that is a refusal; empty when it says nothing about that. */
export function likelyCause(
  answer: Pick<Rejection, 'status' | 'moved' | 'webPage' | 'after' | 'proxy'>
): string {
  const { status, moved, webPage, after, proxy } = answer
  if (proxy !== undefined) return adviceForProxied(proxy)
  if (moved !== undefined) return `The shop has another address: set \`base-url\` to ${moved}.`
  if (status >= 300 && status < 400) {
    return 'Set `base-url` to the shop’s real address. Redirects are not followed.'
  }
  if (after !== undefined) {
    const wait =
      after < 100_000
        ? counted(Math.ceil(after / 1000), 'second')
        : counted(Math.ceil(after / 60_000), 'minute')
    return `The shop asks for a pause. Run this job again in ${wait} or later.`
  }
  return webPage && status < 500
    ? 'A web page is not the shop’s API, but its storefront, a login page or a firewall. Check `base-url`: it goes without `/api`.'
    : (CAUSES[status] ?? '')
}

/** The report of an error that says itself what happened; undefined for any other. */
function explainKnown(error: unknown): Report | undefined {
  const stopped = (reason: Reason, why: string, advice = '') =>
    endedEarly('failed', reason, `Nothing was published. ${why}`, advice)
  if (error instanceof FileFault) return stopped(error.reason, error.message)
  if (error instanceof NotApprovedError) return stopped('not-approved', error.message)
  if (error instanceof CancelledError) {
    return stopped('cancelled', 'The run was stopped before the file was sent.')
  }
  if (error instanceof Withheld) {
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return stopped('withheld', `The last bytes were held back: ${error.message}${why}.`, AGAIN)
  }
  return undefined
}

/** What ends a run, or a target, without a result; `outcome` is for what should not have happened. */
export function explainStop(
  error: unknown,
  { cancelled, debug }: Pick<Runner, 'cancelled' | 'debug'>,
  outcome: OutcomeWord
): Report {
  const isGitHub = error instanceof GitHubError
  const known = explainKnown(isGitHub && cancelled.aborted ? new CancelledError() : error)
  if (known) return known
  if (isGitHub || error instanceof ReleaseUnreadable) {
    const message = `Nothing was published, since a request to GitHub failed (${error.message}).`
    return endedEarly('failed', 'github', message, adviseOnGitHub(error))
  }
  debug(error instanceof Error ? (error.stack ?? '') : '')
  const message = `This should not have happened: ${error instanceof Error ? error.message : String(error)}`
  const advice =
    'Check the shop’s admin dashboard for this version, and report this bug with the log of a run with debug logging.'
  return endedEarly(outcome, 'internal', message, advice)
}

/** The lines that every publishing job needs. */
export function permissionAdvice(): string {
  return [
    'Add these lines to the job, and keep its other permissions:',
    '    permissions:',
    '      contents: read',
    '      deployments: write',
    START_AGAIN
  ].join('\n')
}

/** What to do when GitHub does not answer as it should. */
export function adviseOnGitHub(error: Error): string {
  if (error instanceof GitHubError) {
    if (error.cause instanceof ProxyError) return adviceFor(error.cause, '')
    if (error.status === 401) {
      return 'Check `github-token`: GitHub does not accept it. Without that input the job’s own token is used.'
    }
    if (error.missingPermission) return permissionAdvice()
    if (error.denied) {
      return 'Check that `github-token` can read this repository (`contents: read`).'
    }
  }
  return AGAIN
}
