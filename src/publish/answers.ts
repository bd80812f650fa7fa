// What the shop's answers mean, to a publication or to a check, and what a user can do about them.
import { adviceFor, adviceForProxied, describeCause, throughProxy } from '../http/errors.ts'
import { CancelledError } from '../http/exchange.ts'
import { counted } from '../runner/text.ts'
import { type CheckResult, checkRoute, type PublishResult, type Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { explainKnown, START_AGAIN } from './messages.ts'
import { describeRoute } from './naming.ts'
import { ended, type Report } from './report.ts'

const LIMITS = '`stall-timeout` or `response-timeout`'
type Rejection = Extract<PublishResult, { kind: 'rejected' }>
type Answered = Pick<Rejection, 'status' | 'moved' | 'location' | 'webPage' | 'after' | 'proxy'>

/** The report of a publication's result, without its subject; `host` is the shop's. */
export function explain(result: PublishResult, host: string, target: TargetInputs): Report {
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      return { ...ended('published', '', `Published as version ${id}.`), fields }
    }
    case 'rejected':
      return explainRejection(result, host, target)
    case 'notPublished': {
      const message = `Nothing was published: ${describeCause(result.cause, host)}.`
      const advice = adviceFor(result.cause, LIMITS)
      return explainKnown(result.cause) ?? ended('failed', 'not-sent', message, advice)
    }
    case 'unknown': {
      const reason = result.status === undefined ? 'no-answer' : 'strange-answer'
      const sent = result.early ? '' : 'the whole request was sent, and '
      const cause = describeCause(result.cause, host)
      const message = `Nobody knows whether it is published: ${sent}${cause}.`
      const advice = 'Before you run this again, check the shop’s admin dashboard for this version.'
      return ended('unknown', reason, message, advice)
    }
  }
}

function explainRejection(result: Rejection, host: string, target: TargetInputs): Report {
  const { error } = result
  const answered = describeAnswer(result, error ? `: ${error.message}` : '')
  const { changelog, changelogFile, asset } = target
  const text = changelogFile === '' ? 'Release notes' : 'Input changelog-file'
  const sources = new Map([
    ['version_name', 'Input version-name'],
    ['title', 'Input title'],
    ['changelog', changelog === '' ? text : 'Input changelog'],
    ['changelog_format', 'Input changelog-format'],
    ['file', asset.length > 0 ? 'Input asset' : 'Input file']
  ])
  const complaints = Object.entries(error?.fields ?? {}).map(([field, texts]) => {
    const source = sources.get(field)
    const place = source === undefined ? `Field ${field}` : `${source} (field ${field})`
    return { place, message: texts.join(' ') || 'was refused without a reason' }
  })
  const advice =
    complaints.length > 0
      ? `Correct what is named above, and publish again. ${START_AGAIN}`
      : likelyCause(result)
  const message = `${host} did not publish it: it answered ${answered}`
  return { ...ended('failed', 'rejected', message, advice), complaints }
}

/** Sends the check of one target and reports the answer. Throws `CancelledError`. */
export async function checkTarget(run: Run, target: TargetInputs): Promise<Report> {
  const result = await requestCheck(run, target)
  return judgeCheck(result, new URL(run.inputs.baseUrl).host, target.route)
}

/** Sends a request without any field of a version. It tests the token and the ids, and cannot publish. */
export function requestCheck(run: Run, { route, upload }: TargetInputs): Promise<CheckResult> {
  const { inputs, runner, connect } = run
  return checkRoute(connect, {
    service: { baseUrl: inputs.baseUrl, token: inputs.token },
    route,
    upload,
    patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, 0) },
    signal: runner.cancelled
  })
}

/** The report of the answer to a check. Throws `CancelledError`. */
export function judgeCheck(result: CheckResult, host: string, route: Route): Report {
  switch (result.kind) {
    case 'checked': {
      const missed = Object.keys(result.error.fields).join(', ')
      const message =
        `${host} knows the token and product ${describeRoute(route)}: it asked for the fields of a version (${missed}), ` +
        'which were left out on purpose. Nothing was published.'
      return ended('checked', '', message)
    }
    case 'rejected': {
      const message = `${host} answered ${describeAnswer(result, `: ${result.error.message}`)}`
      return ended('failed', 'rejected', message, likelyCause(result))
    }
    case 'strange': {
      const isSuccess = result.status >= 200 && result.status < 300 && !result.webPage
      const created =
        ' A request without any field must not succeed: check in the shop whether it made a version.'
      const message = `${host} answered ${describeAnswer(result)}. The shop’s API does not answer like that.${isSuccess ? created : ''}`
      const advice =
        'Check that `base-url` is the address of the shop’s API: it goes without `/api`.'
      return ended('failed', 'inconclusive', message, likelyCause(result) || advice)
    }
    case 'noAnswer': {
      const { cause } = result
      if (cause instanceof CancelledError) throw cause
      const message = `There was no answer: ${describeCause(cause, host)}.`
      return ended('failed', 'inconclusive', message, adviceFor(cause, LIMITS))
    }
  }
}

function describeAnswer({ status, webPage, location, proxy }: Answered, said = ''): string {
  const page = webPage ? ' with a web page' : ''
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  return `${status}${page}${throughProxy({ proxy })}${said}${pointing}`
}

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

function likelyCause({ status, moved, webPage, after, proxy }: Answered): string {
  if (proxy !== undefined) return adviceForProxied(proxy)
  if (moved !== undefined) return `The shop has another address: set \`base-url\` to ${moved}.`
  if (status >= 300 && status < 400) {
    return 'Set `base-url` to the shop’s real address. Redirects are not followed.'
  }
  if (after !== undefined) {
    const [length, unit] = after < 100_000 ? [1000, 'second'] : [60_000, 'minute']
    const wait = counted(Math.ceil(after / length), unit)
    return `The shop asks for a pause. Run this job again in ${wait} or later.`
  }
  // These may be the shop's own even as web pages: servers in front of its API answer so.
  return webPage && status < 500 && ![402, 413, 415, 429].includes(status)
    ? 'A web page is not the shop’s API, but its storefront, a login page or a firewall. Check `base-url`: it goes without `/api`.'
    : (CAUSES[status >= 500 ? 503 : status] ?? '')
}
