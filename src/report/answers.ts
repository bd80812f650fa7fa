// What the shop's answers mean, to a publication or to a check, and what a user can do about them.
import { adviceFor, describeCause } from '../http/errors.ts'
import type { TargetInputs } from '../publish/inputs.ts'
import type { Refusal } from '../publish/modes.ts'
import { counted } from '../runner/text.ts'
import type { Answered, VersionRecord } from '../shop/answer.ts'
import type { CheckResult, PublishResult } from '../shop/publish.ts'
import { knownFailureOf, reportFailure } from './failures.ts'
import { ended, type Report } from './outcome.ts'
import { adviseNewStart, adviseSettling, describeRoute, type RunFacts } from './ways.ts'

/** What was asked of the shop, as far as the words about its answer depend on it. */
export interface ShopQuestion {
  readonly facts: RunFacts
  readonly target: TargetInputs
  /** Whether the shop's API answered on this address just before. */
  readonly contacted: boolean
}

/** What was asked for a version. */
export interface VersionQuestion extends ShopQuestion {
  readonly versionName: string
  /** Whether there is a record on GitHub, which `mode: settle` can complete. */
  readonly recorded: boolean
}

type Rejection = Extract<PublishResult, { kind: 'rejected' }>
export type Unknown = Extract<PublishResult, { kind: 'unknown' }>

const TIMEOUT_INPUTS = '`stall-timeout` or `response-timeout`'

/** The report of a version that the shop has published, without its subject. */
export function reportPublished({ id, fields }: VersionRecord): Report {
  return { ...ended('published', '', `Published. Version id: ${id}.`), fields }
}

/** The report of a publication's result, without its subject. */
export function reportResult(result: PublishResult, question: VersionQuestion): Report {
  switch (result.kind) {
    case 'published':
      return reportPublished(result.record)
    case 'rejected':
      return reportRejection(result, question)
    case 'notPublished':
      return reportNotSent(result.cause, question.facts)
    case 'unknown': {
      const reason = result.answered === undefined ? 'no-answer' : 'strange-answer'
      const sent = result.answered?.early ? '' : 'the whole request was sent, and '
      const cause = describeDoubt(result, question)
      const message = `Nobody knows whether it is published: ${sent}${cause}.`
      return ended('unknown', reason, message, adviseOnDoubt(result, question))
    }
  }
}

/** The report of what was not sent, or not to its end. */
export function reportNotSent(cause: Error, facts: RunFacts): Report {
  const known = knownFailureOf(cause)
  if (known) return reportFailure(known, facts)
  const message = `Nothing was published: ${describeCause(cause, facts.host)}.`
  return ended('failed', 'not-sent', message, adviceFor(cause, TIMEOUT_INPUTS, facts.host))
}

/** Why a result is in doubt, as a clause without a period. It names whoever answered. */
function describeDoubt(result: Unknown, { facts: { host }, contacted }: ShopQuestion): string {
  if (result.answered === undefined) return describeCause(result.cause, host)
  const { status, early, truncated, error, webPage, title, server, location } = result.answered
  const sender = server === '' ? host : server
  if (early) return `${sender} answered ${status} before the request was completely sent`
  if (truncated) {
    return `${sender} answered ${status}, but not to the end: ${describeCause(truncated, host)}`
  }
  if (error) return `${host} answered ${status}: ${error.message.replace(/\.$/, '')}`
  const before = contacted
    ? ', though the shop’s API answered on this address a moment ago'
    : ', which proves nothing'
  if (status >= 300 && status < 400) {
    return `${sender} answered ${status} with a redirect to ${location ?? 'nowhere'}${before}`
  }
  if (webPage) return `${sender} answered ${status} with a web page${inQuotes(title)}${before}`
  const lack =
    status < 300 ? ' without the record of a version' : ', not in the form of the shop’s API'
  return `${sender} answered ${status}${lack}${before}`
}

function inQuotes(title: string): string {
  return title === '' ? '' : ` (“${title}”)`
}

/** What to do about a name that the shop refuses to take, after all else. */
const RENAMING =
  'Only if it is not there, and the shop still refuses the name, change `version-name`. If the version was there ' +
  'after all, buyers get it, and an email about it, a second time.'

/** What else to do about a result in doubt when the version is not in the shop; empty if nothing is known. */
export function adviseIfMissing({ answered }: Unknown, question: ShopQuestion): string {
  if (!answered || answered.status < 400 || answered.status >= 500) return ''
  if (answered.status === 409 && answered.error) return RENAMING
  const cause = likelyCause(answered, question)
  return cause === '' ? '' : `If it is not there, the answer may tell why. ${cause}`
}

const lookFor = ({ target, versionName }: VersionQuestion) =>
  `look in the shop’s admin dashboard, product ${describeRoute(target.route)}: is there a version "${versionName}"?`

// A record that is in doubt has advice with its own commands: see `adviseOnClaim`.
function adviseOnDoubt(result: Unknown, question: VersionQuestion): string {
  return [
    `1. Wait ten minutes: a slow shop may still finish what was sent. Then ${lookFor(question)}`,
    '2. If it is there, do not run this job again: nothing on GitHub says so, and it would be published again. ' +
      `To have it recorded, give the job \`deployments: write\`, leave out \`once\`; then ${adviseSettling(question.facts)}`,
    '3. If it is not there, run this job again.',
    adviseIfMissing(result, question)
  ]
    .filter(step => step !== '')
    .join('\n')
}

/** What to do when the shop does not take the name of a version: perhaps because it has that version. */
function adviseOnName(question: VersionQuestion): string {
  const settling = question.recorded
    ? `record that, and no run sends it again: ${adviseSettling(question.facts)}`
    : 'nothing is left to do. Do not run this job again.'
  return [
    'The version may be in the shop already.',
    `1. First ${lookFor(question)}`,
    `2. If it is there, ${settling}`,
    `3. ${RENAMING} ${adviseNewStart(question.facts)}`
  ].join('\n')
}

function reportRejection(result: Rejection, question: VersionQuestion): Report {
  const { facts, target } = question
  const { error, status } = result
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
  // The name follows the documented rules, or it would not have been sent.
  const isAboutName = status === 409 || Object.hasOwn(error?.fields ?? {}, 'version_name')
  const correct = `Correct what is named above, and publish again. ${adviseNewStart(facts)}`
  const other = complaints.length > 0 ? correct : likelyCause(result, question)
  const message = `${facts.host} did not publish it: it answered ${describeAnswered(result)}`
  const advice = isAboutName ? adviseOnName(question) : other
  return { ...ended('failed', 'rejected', message, advice), complaints }
}

/** The report of the answer to a check. */
export function reportCheck(result: CheckResult, question: ShopQuestion): Report {
  if (result.kind !== 'checked') return reportRefusal(result, question)
  const missed = Object.keys(result.error.fields).join(', ')
  const message =
    `${question.facts.host} knows the token and product ${describeRoute(question.target.route)}: it asked for the fields ` +
    `of a version (${missed}), which were left out on purpose. Nothing was published.`
  return ended('checked', '', message)
}

/** The report of a check that did not succeed: always a failure. */
export function reportRefusal(result: Refusal, question: ShopQuestion): Report {
  const { host } = question.facts
  switch (result.kind) {
    case 'rejected': {
      const message = `${host} answered ${describeAnswered(result)}`
      return ended('failed', 'rejected', message, likelyCause(result, question))
    }
    case 'strange': {
      const isSuccess = result.status >= 200 && result.status < 300 && !result.webPage
      const created =
        ' A request without any field must not succeed: check in the shop whether it made a version.'
      const message = `${host} answered ${describeAnswered(result)}. The shop’s API does not answer like that.${isSuccess ? created : ''}`
      const advice =
        'Check that `base-url` is the address of the shop’s API: it must not include `/api`.'
      return ended('failed', 'inconclusive', message, likelyCause(result, question) || advice)
    }
    case 'noAnswer': {
      const { cause } = result
      const message = `There was no answer: ${describeCause(cause, host)}.`
      return ended('failed', 'inconclusive', message, adviceFor(cause, TIMEOUT_INPUTS, host))
    }
  }
}

/** An answer in words, such as `404 for https://shop.example.com/…: Not found.` */
function describeAnswered({ status, url, webPage, title, location, error }: Answered): string {
  const page = webPage ? ` with a web page${inQuotes(title)}` : ''
  const asked = status === 404 ? ` for ${url}` : ''
  const said = error ? `: ${error.message}` : ''
  const pointing = location === undefined ? '' : ` (it points to ${location})`
  return `${status}${page}${asked}${said}${pointing}`
}

const STATUS_CAUSES: Readonly<Record<number, string>> = {
  401: 'The token is wrong, expired or revoked. Create a new one in the admin dashboard, store it as the secret that `token` uses, and run this job again.',
  402: 'The shop’s own account may have an unpaid bill, or a plan that does not allow this. Ask the shop’s owner to check, then run this job again.',
  403: 'The token’s owner is not allowed to publish this product. Check `product`, and whose token it is.',
  405: 'This is not the address of the shop’s API. Check `base-url`: it must not include `/api`.',
  413: 'The file is larger than the shop accepts. Make it smaller, or ask the shop for its limit.',
  415: 'The shop does not take uploads of this kind. Try the other value of `upload`, or ask the shop.',
  429: 'The shop is getting too many requests. Run this job again later.',
  503: 'The shop is not available right now. Run this job again later.'
}
const FIREWALL =
  'The firewall may keep GitHub’s runners out: ask the shop to let `/api` through. Then run this job again.'
const IN_FRONT =
  'The shop’s API answered on this address a moment ago, so this comes from a server in front of it. Run this job again; if that does not help, ask the shop.'
const NOT_THE_API =
  'A web page is not the shop’s API, but its storefront, a login page or a firewall. Check `base-url`: it must not include `/api`.'

function likelyCause(
  answered: Answered & { readonly after?: number },
  question: ShopQuestion
): string {
  const { status, moved, after } = answered
  if (moved !== undefined) return `The shop has another address: set \`base-url\` to ${moved}.`
  if (status >= 300 && status < 400) {
    return 'Set `base-url` to the shop’s real address. Redirects are not followed.'
  }
  // Some servers send `Retry-After` with everything, a wrong token too.
  if (after && (status === 429 || status >= 500)) {
    const [length, unit] = after < 100_000 ? [1000, 'second'] : [60_000, 'minute']
    const wait = counted(Math.ceil(after / length), unit)
    return `The shop asks for a pause. Run this job again in ${wait} or later.`
  }
  // These mean the same when a server in front of the shop says them.
  const isUsual = status >= 500 || [402, 413, 415, 429].includes(status)
  const isPage = answered.webPage || answered.isCloudflare
  if (isPage && !isUsual) return causeOfPage(answered, question)
  if (question.contacted && (status === 404 || status === 405)) return IN_FRONT
  if (status === 404) return causeOfNotFound(question)
  return STATUS_CAUSES[status >= 500 ? 503 : status] ?? ''
}

function causeOfPage({ status, isCloudflare }: Answered, { contacted }: ShopQuestion): string {
  if (status === 403 && (isCloudflare || contacted)) return FIREWALL
  if (contacted) return IN_FRONT
  return status === 403 ? `${NOT_THE_API} If it is right: ${FIREWALL}` : NOT_THE_API
}

function causeOfNotFound({ target }: ShopQuestion): string {
  return target.benefit === undefined
    ? 'There is no such product, or `base-url` is not the shop’s address. Check `base-url` and `product`; `base-url` must not include `/api`.'
    : 'There is no such product or benefit, or `base-url` is not the shop’s address. Check `base-url`, `product` and `benefit`; an option’s id is not a benefit’s id, and `base-url` must not include `/api`.'
}
