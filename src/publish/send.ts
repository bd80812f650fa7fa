// `mode: publish`: the first contact with the shop, the tries of the request, and the record around them.
import { GitHubError } from '../github/github-error.ts'
import { describeCause, pauseBefore, TRIES } from '../http/failures.ts'
import { isSameContent } from '../ledger/claim-format.ts'
import { CommitWithheld } from '../ledger/commit-point.ts'
import {
  type Ending,
  type HeldTry,
  type PublishOnceEnd,
  publishOnce,
  publishUnrecorded,
  type Tried,
  type Try
} from '../ledger/publish-once.ts'
import { notSent, refused, rejected, unknownOutcome } from '../report/answers.ts'
import {
  adviseToLook,
  adviseToRecord,
  alreadyPublished,
  differentContent,
  inDoubt,
  lowerVersion
} from '../report/claims.ts'
import { AGAIN, hostOf, type RunFacts } from '../report/guidance.ts'
import { internal, type Result, resultOf, resultOfError, subjectOf } from '../report/result.ts'
import { ActionError } from '../runner/action-error.ts'
import { CancelledError } from '../runner/cancellation.ts'
import { isLoopback } from '../runner/loopback.ts'
import { sizeText } from '../runner/words.ts'
import { type CheckResult, judgeContact } from '../shop/check.ts'
import { type PublishResult, startUpload } from '../shop/upload.ts'
import { requestCheck } from './check.ts'
import type { PublishConfig } from './config.ts'
import { type Environment, openSteps } from './environment.ts'
import {
  type Publication,
  partsOf,
  planDigestOf,
  presentRunOf,
  tableOfParts
} from './publication.ts'

/** In milliseconds: how long a cancelled run waits for the answer once the tail is sent. */
const GRACE = 5000

/** Sends a publication, unless it is published already, in doubt, or not what was approved. Never throws. */
export async function send(env: Environment, publication: Publication): Promise<Result> {
  const { config, facts } = env
  const subject = subjectOf(publication)

  const unapproved = compareWithApproval(config, publication)
  if (unapproved) return { ...unapproved, subject }

  if (!config.record && !isLoopback(new URL(config.baseUrl))) {
    env.runner.warning(
      'This version is published without a record (`record: false`): a re-run would publish it again.'
    )
  }

  const sending = openSending(env, publication)
  const sender = {
    firstContact: () => makeFirstContact(env),
    startUpload: sending.startUpload
  }
  try {
    const end = config.record
      ? await publishOnce(await openSteps(env, publication, publication.file), sender)
      : await publishUnrecorded(sender)
    return await endOf(end, env, publication)
  } catch (error) {
    // Whatever it is called, an error after the commit point does not say that nothing was published.
    const result = sending.isCommitted()
      ? internal(error, true)
      : resultOfError(error, facts, env.runner.cancelled)
    return { ...result, subject }
  }
}

/** Undefined if nothing, or exactly this, was approved. */
function compareWithApproval(config: PublishConfig, publication: Publication): Result | undefined {
  const { approvedPlan } = config
  const parts = partsOf(config, publication)
  const digest = planDigestOf(parts)
  if (approvedPlan === undefined || approvedPlan === digest) return undefined

  const message = `Nothing was published: the plan ${approvedPlan.slice(0, 12)}… was approved, and this is ${digest.slice(0, 12)}….`
  return resultOf('failed', message, {
    reason: 'not-approved',
    advice:
      'Compare what would be sent now with the summary of the plan; to publish this, plan and approve it anew.',
    table: { head: ['Part', 'Now'], rows: tableOfParts(parts) }
  })
}

/** The tries of one request. */
interface Sending {
  startUpload(): Promise<HeldTry<PublishResult> | Try<PublishResult>>
  /** Whether the last bytes of the last try may have been sent. */
  isCommitted(): boolean
}

function openSending(env: Environment, publication: Publication): Sending {
  const { runner, connect, config } = env
  const mayTryAgain = countTries(env)
  let committed = false

  const tryOf = (result: PublishResult): Try<PublishResult> => {
    const ending = endingOf(result, env)
    if (!('retry' in result) || !result.retry) return { kind: 'ended', result, ending }
    const waitToRetry = () => mayTryAgain(result.after, `${ending.text}.`)
    return { kind: 'ended', result, ending, waitToRetry }
  }

  const start: Sending['startUpload'] = async () => {
    // There is another try only if nothing complete was sent.
    committed = false
    const reading = publication.file.read()
    const { size } = reading
    const chunks = () => logProgress(reading.chunks(), size, runner.info)
    const upload = await startUpload(connect, {
      service: { baseUrl: config.baseUrl, token: config.token },
      route: publication.route,
      fields: publication,
      file: { ...reading, chunks },
      template: config.upload === 'base64' ? config.base64File : undefined,
      patience: { stall: config.stallTimeout, answer: config.responseTimeout, grace: GRACE },
      signal: runner.cancelled,
      conceal: runner.conceal
    })
    if (upload.kind !== 'held') return tryOf(upload)

    // Unless these are the bytes that were inspected and approved, the tail stays here.
    const digest = await reading.seal().catch(errorOf)
    if (digest instanceof Error) return tryOf(await upload.withhold(digest))
    return {
      kind: 'held',
      digest,
      ended: upload.ended,
      finish: async () => {
        committed = true
        return tryOf(await upload.finish())
      },
      withhold: async cause => tryOf(await upload.withhold(cause))
    }
  }
  return { startUpload: start, isCommitted: () => committed }
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** What is recorded of a try. */
function endingOf(result: PublishResult, { runner, config }: Environment): Ending {
  const host = hostOf(config)
  switch (result.kind) {
    case 'published':
      return { state: 'success', text: result.record.id }
    case 'rejected':
      return { state: 'failure', text: `${host} answered ${result.status}` }
    case 'notPublished':
      return { state: 'failure', text: runner.conceal(describeCause(result.cause, host)) }
    case 'unknown': {
      const { answered } = result
      const text = answered ? `${host} answered ${answered.status}` : 'no answer'
      return { state: 'error', text }
    }
  }
}

/** What the end means to whoever started the run. Throws an `ActionError` where nothing was sent. */
async function endOf(
  end: PublishOnceEnd<PublishResult>,
  env: Environment,
  publication: Publication
): Promise<Result> {
  const { facts } = env
  const subject = subjectOf(publication)
  switch (end.kind) {
    case 'published': {
      const present = presentRunOf(env.runner.context, publication)
      if (isSameContent(end.claim, present)) return alreadyPublished(end.claim, publication, facts)
      throw differentContent(end.claim, publication, facts)
    }
    case 'in doubt':
      return { ...inDoubt(end.claim, publication, facts), subject }
    case 'higher':
      throw lowerVersion(end, publication, facts)
    case 'withheld':
      throw new ActionError('withheld', `Nothing was published: ${end.why}.`, { advice: AGAIN })
    case 'tried':
      return { ...sentResult(end, env, publication), subject, warnings: warningsOf(end, facts) }
  }
}

function sentResult(
  { result, claim, settled }: Tried<PublishResult>,
  env: Environment,
  publication: Publication
): Result {
  const { facts } = env
  const { cancelled } = env.runner
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      return resultOf('published', `Published. Version id: ${id}.`, { record: fields })
    }
    case 'rejected':
      return resultOfError(rejected(result, env), facts, cancelled)
    case 'notPublished': {
      const { cause } = result
      return resultOfError(isExplained(cause) ? cause : notSent(cause, facts), facts, cancelled)
    }
    case 'unknown': {
      if (claim === undefined || settled === undefined) {
        return unknownOutcome(result, publication, facts)
      }
      const look = adviseToLook(claim, settled, publication, facts)
      return unknownOutcome(result, publication, facts, look)
    }
  }
}

/** Whether a cause has its own words, so that it is none of the network's. */
function isExplained(cause: Error): boolean {
  return [ActionError, CancelledError, CommitWithheld, GitHubError].some(
    type => cause instanceof type
  )
}

/** What could not be recorded: without it, the next run may find the version in doubt. */
function warningsOf(
  { result, claim, recorded, sha256 }: Tried<PublishResult>,
  facts: RunFacts
): string[] {
  if (claim === undefined || recorded) return []

  // Of what may have been published, a person has to look first.
  if (result.kind === 'unknown') return ['This outcome could not be recorded on GitHub.']
  const versionId = result.kind === 'published' ? result.record.id : undefined
  return [adviseToRecord(claim, versionId, sha256, facts)]
}

/** Asks the shop first, again where that may help. Throws an `ActionError` if nothing may be uploaded. */
async function makeFirstContact(env: Environment): Promise<void> {
  env.runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const mayRepeat = countTries(env)
  for (;;) {
    const result = await requestCheck(env)
    const verdict = result.kind === 'checked' ? 'upload' : judgeContact(result)
    if (result.kind === 'checked' || verdict === 'upload') return

    const { said, after } = describeContact(result, hostOf(env.config))
    const repeats = verdict === 'repeat' && (await mayRepeat(after, `${said}.`))
    if (!repeats) throw refused(result, env)
  }
}

/** How the shop answered, for the log; and the pause that it asks for, in milliseconds. */
function describeContact(
  result: Exclude<CheckResult, { kind: 'checked' }>,
  host: string
): { said: string; after: number | undefined } {
  if (result.kind === 'noAnswer') {
    return { said: describeCause(result.cause, host), after: undefined }
  }
  return { said: `${host} answered ${result.status}`, after: result.after }
}

/**
 * Counts the tries of one request. Asked for another one after a pause of at least `after` milliseconds, says why, and
 * returns true once it is over; false if there is none.
 */
type MayTryAgain = (after: number | undefined, why: string) => Promise<boolean>

function countTries({ runner, sleep }: Environment): MayTryAgain {
  let tried = 0
  return async (after, why) => {
    tried += 1
    const ms = pauseBefore(tried, after)
    if (ms === undefined) return false

    const again = `Trying again (${tried + 1} of ${TRIES}) in ${(ms / 1000).toFixed(1)} s.`
    runner.info(`Not published yet: ${why} ${again}`)
    // If the run is cancelled, the next try fails at once.
    await sleep(ms).catch(() => undefined)
    return true
  }
}

/** In milliseconds: when progress is logged first. */
const QUIET = 3000
/** In milliseconds: how often after that. */
const EVERY = 5000

/** Passes chunks on and logs the progress. A chunk is sent once the next is asked for. `size`: in bytes. */
export async function* logProgress(
  chunks: AsyncIterable<Buffer>,
  size: number,
  log: (line: string) => void,
  now = Date.now
): AsyncGenerator<Buffer> {
  const start = now()
  let logged = start + QUIET - EVERY
  let sent = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length

    const time = now()
    if (time - logged < EVERY || sent >= size) continue
    logged = time
    log(describeProgress(sent, size, time - start))
  }
}

/** Bytes in so many milliseconds, such as `Sent 40 % of 1.20 GB, 80.0 MB/s, about 9 s left`. */
function describeProgress(sent: number, size: number, elapsed: number): string {
  const rate = (sent / elapsed) * 1000
  const percent = Math.floor((sent / size) * 100)
  const seconds = Math.ceil((size - sent) / rate)
  const speed = sizeText(Math.round(rate))
  return `Sent ${percent} % of ${sizeText(size)}, ${speed}/s, about ${seconds} s left`
}
