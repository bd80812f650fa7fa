// The words for the shop's answers to a publication or a check, and what a user can do about them.

import { describeCause } from '../http/failures.ts'
import { isBusy, isNotFound, isRedirect, isServerError, isSuccess } from '../http/statuses.ts'
import type { Asked } from '../report/asked.ts'
import { describeField, describeRemedy, describeRoute, hostOf } from '../report/guidance.ts'
import { rulesOf } from '../report/modes.ts'
import { type Result, resultOf } from '../report/result.ts'
import { ActionError, type Complaint } from '../runner/action-error.ts'
import { counted, NAMES_SHOWN, quoteText } from '../runner/words.ts'
import { adviceFor } from '../shop/advice.ts'
import type { AnswerOrigin, VersionRecord } from '../shop/answer.ts'
import type { CheckResult } from '../shop/check.ts'
import { type FieldSources, FORM_FIELDS, REQUIRED_FIELDS, type TextSource } from '../shop/form.ts'
import { addressOf } from '../shop/request.ts'
import type { PublishResult } from '../shop/upload.ts'
import type { LookAdvice } from './claims.ts'
import type { PublishConfig } from './config.ts'
import { type Publication, subjectOf, type VersionIdentity } from './publication.ts'

type UnknownResult = Extract<PublishResult, { kind: 'noAnswer' | 'doubtful' }>
type RejectedResult = Extract<PublishResult, { kind: 'rejected' }>
/** A check that did not find the route, the token and the product to be right. */
type FailedPreflight = Exclude<CheckResult, { kind: 'checked' }>

/** The result for a version that the shop has published. */
export function resultOfPublished(record: VersionRecord, publication: Publication): Result {
  return resultOf('published', `Published. Version id: ${record.id}.`, {
    versionFields: record.fields,
    subject: subjectOf(publication)
  })
}

/** The error of a request that did not reach the shop, or not to its end. */
export function explainNotSent(cause: Error, asked: Asked): ActionError {
  const reason = asked.mode === 'check' ? 'inconclusive' : 'not-sent'
  const { nothingDone } = rulesOf(asked.mode)
  const message = `${nothingDone}: ${describeCause(cause, hostOf(asked))}.`
  return new ActionError(reason, message, { advice: adviceFor(cause), cause })
}

/**
 * The result for a whole request whose fate is unknown.
 * @param look How to find out, and to record it.
 */
export function resultOfUnknown(
  unknown: UnknownResult,
  { versionName }: VersionIdentity,
  asked: Asked,
  look: LookAdvice
): Result {
  const message = `The shop may have published "${versionName}": ${describeDoubt(unknown, hostOf(asked))}.`
  const reason = unknown.kind === 'noAnswer' ? 'no-answer' : 'strange-answer'
  return resultOf('unknown', message, { reason, ...look })
}

function describeDoubt(unknown: UnknownResult, host: string): string {
  if (unknown.kind === 'noAnswer') {
    return `the whole request was sent, and ${describeCause(unknown.cause, host)}`
  }

  const said = `${host} answered ${describeAnswered(unknown)}`
  if (unknown.early) return `${said} before the request was completely sent`
  if (unknown.truncated) return `${said}, but not to the end`
  return `the whole request was sent, and ${said}, which does not say whether the version was published`
}

/** The error for the shop's word that it did not publish. */
export function explainRejected(
  answer: RejectedResult,
  { textSource }: Publication,
  config: PublishConfig,
  asked: Asked
): ActionError {
  const { asset } = config
  const complaints = complaintsOf(answer, { textSource, asset })
  const message = `${hostOf(asked)} refused the version: it answered ${describeAnswered(answer)}.`
  const fields = Object.keys(answer.error?.fields ?? {})
  if (fields.length === 0) {
    return new ActionError('rejected', message, { advice: describeWayOut(answer, config, asked) })
  }

  if (REQUIRED_FIELDS.every(name => fields.includes(name))) {
    return new ActionError('rejected', `${message} It received none of the fields.`, {
      advice: DROPPED
    })
  }

  // The name follows the documented rules, or it would not have been sent.
  if (fields.includes('version_name')) {
    return new ActionError('rejected', message, { complaints, advice: describeTakenName(config) })
  }
  const isOfRelease = fields.every(name => isFedByRelease(name, config, textSource))
  const remedy = isOfRelease ? 'edit release' : 'correct workflow'
  return new ActionError('rejected', message, { complaints, remedy })
}

const DROPPED =
  'The server dropped the whole form, most likely for the size of the file (in PHP: `post_max_size` and `upload_max_filesize`): make the file smaller, or ask the shop to raise that limit.'

/** Whether a field's text stands in the release, where it can be edited: its title, or its notes. */
function isFedByRelease(field: string, { title }: PublishConfig, source: TextSource): boolean {
  if (field === 'title') return title.includes('{name}')
  return field === 'changelog' && source === 'notes'
}

/** Advice where the shop does not take a version's name, perhaps because it has that version already. */
function describeTakenName({ route }: PublishConfig): string {
  return `The version may be in the shop already: look at ${describeRoute(route)} in its admin dashboard. If it is there, start the workflow with mode \`mark-published\`; if not, change \`version-name\`.`
}

/** One for each field that the shop refuses, with the input that feeds it. */
function complaintsOf({ error }: RejectedResult, inputs: FieldSources): Complaint[] {
  const sources = new Map(FORM_FIELDS.map(field => [field.name, field.source(inputs)]))
  return Object.entries(error?.fields ?? {}).map(([field, texts]) => {
    const source = sources.get(field)
    const name = `field ${describeField(field)}`
    const place = source === undefined ? name : `${source} (${name})`

    const left = texts.length - NAMES_SHOWN
    const more = left > 0 ? [`… and ${left} more`] : []
    const said = [...texts.slice(0, NAMES_SHOWN), ...more].join(' ')
    const message =
      said === '' ? 'was refused without a reason' : `the shop says ${quoteText(said)}`
    return { place, message }
  })
}

/** The error of a check that did not succeed, or of the preflight before an upload. */
export function explainPreflight(
  failed: FailedPreflight,
  config: PublishConfig,
  asked: Asked
): ActionError {
  if (failed.kind === 'noAnswer') return explainNotSent(failed.cause, asked)
  const mayHaveCreated = failed.kind === 'strange' && isSuccess(failed.status) && !failed.webPage
  const created =
    ' An empty request should have been refused: check in the shop whether a version was created.'
  const { nothingDone } = rulesOf(asked.mode)
  const message = `${nothingDone}: ${hostOf(asked)} answered ${describeAnswered(failed)}.${mayHaveCreated ? created : ''}`
  const reason = failed.kind === 'rejected' ? 'rejected' : 'inconclusive'
  return new ActionError(reason, message, { advice: describeWayOut(failed, config, asked) })
}

/**
 * Such as `404 (nginx, a page called "Not found") and points to "https://…"`, `404 and says "No such product."`, or
 * `201 (no JSON: "Warning: …")`.
 */
function describeAnswered(answered: AnswerOrigin): string {
  const { status, error, title, firstWords, server, location } = answered
  const page = title === '' ? '' : `a page called ${quoteText(title)}`
  const words = title !== '' || firstWords === '' ? '' : `no JSON: ${quoteText(firstWords)}`
  const sender = [server, page, words].filter(text => text !== '').join(', ')
  const from = sender && !error ? ` (${sender})` : ''
  const pointing = location ? ` and points to ${quoteText(location)}` : ''
  const said = error ? ` and says ${quoteText(error.message)}` : ''
  return `${status}${from}${pointing}${said}`
}

const NO_API = 'This is not the address of the shop’s API: check `base-url`.'
const PASSWORD =
  'A password protects the whole site (`WWW-Authenticate: Basic`), and the action gives none: ask the shop to let `/api` through.'
const ADVICE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'The token is wrong, expired or revoked: create one in the admin dashboard, save it as the secret that `token` uses, and press *Re-run failed jobs*.',
  403: 'The token’s owner may not publish this product, or a firewall keeps GitHub’s runners out: check whose token it is, or ask the shop to let `/api` through.',
  405: NO_API,
  408: 'The shop’s server gave up an upload whose last bytes wait for the record on GitHub: press *Re-run failed jobs*, or ask the shop to allow more time.',
  413: 'The file is larger than the shop accepts: make it smaller, or ask the shop for its limit.',
  429: 'The shop is getting too many requests: press *Re-run failed jobs* later.'
}

function describeWayOut(
  { status, webPage, asksPassword, after }: AnswerOrigin & { readonly after?: number },
  { baseUrl, route }: PublishConfig,
  asked: Asked
): string {
  if (isRedirect(status)) {
    return 'Set `base-url` to the shop’s real address: redirects are not followed.'
  }
  // Some servers send `Retry-After` with everything, a wrong token too.
  if (after && isBusy(status)) {
    const wait = counted(Math.ceil(after / 60_000), 'minute')
    return `The shop asks for a pause: press *Re-run failed jobs* in ${wait} or later.`
  }
  if (isNotFound(status)) {
    const asked = `The address was ${addressOf(baseUrl, route)}: if the shop is elsewhere, correct \`base-url\`.`
    return route.benefit === undefined
      ? `${asked} Otherwise, there is no such product: check \`product\`.`
      : `${asked} Otherwise, there is no such product or benefit: check \`product\`, and \`benefit\`, which takes the number \`id\` of the benefit in the shop’s list of benefits, not its \`option_id\`.`
  }
  if (asksPassword) return PASSWORD
  if (webPage && isSuccess(status)) return NO_API
  return (
    ADVICE_BY_STATUS[status] ?? (isServerError(status) ? describeRemedy('run again', asked) : '')
  )
}
