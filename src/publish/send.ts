// Sends one target: the first contact with the shop, what keeps it from being sent, the tries of its request, and the
// memory around them.
import { GitHubError } from '../github/github.ts'
import { describeCause, pauseBefore, TRIES } from '../http/errors.ts'
import type { Ending } from '../ledger/claim.ts'
import {
  type Attempt,
  type PublishOnceResult,
  publishOnce,
  publishWithoutMemory
} from '../ledger/publish-once.ts'
import { describePublished } from '../ledger/record.ts'
import type { Failure } from '../report/failures.ts'
import { describeGap, describeTime, UNDER_ACT } from '../report/notices.ts'
import { RECORD_LATER } from '../report/ways.ts'
import { sizeText } from '../runner/text.ts'
import { judgeContact, type PublishResult, publishVersion } from '../shop/publish.ts'
import {
  findGap,
  findHigher,
  LONGEST_RESPONSE,
  memoryFailureOf,
  type Run,
  sendingTimeOf,
  stepsOf,
  versionsOf
} from './adapters.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { type Refusal, requestCheck } from './modes.ts'
import type { Sending } from './prepare.ts'

/** In milliseconds: how long a cancelled run waits for the answer once the tail is sent. */
const GRACE = 5000

/** What sending has shown so far; `committed`: the last bytes may have been sent. */
interface Shown {
  committed: boolean
  /** That of the file, or empty if it was not read to its end. */
  sha256: string
  /** What the shop said before the file was sent; undefined if it was not asked. */
  contact?: FirstContact
}

type Refused = Readonly<{ kind: 'refused'; refusal: Refusal }>
type Result =
  | Failure
  | Refused
  | PublishOnceResult<PublishResult>
  /** `longest`: in seconds, the time limit for the answer with which there would be time to send. */
  | Readonly<{ kind: 'no time'; longest: number }>
/** How sending a target ended; `showLink`: whether the log and the summary may show the download link. */
export type SendEnd =
  | Failure
  | (Result & Pick<Shown, 'sha256' | 'contact'> & Pick<Sending, 'commit' | 'showLink'>)

/** Publishes the target, at most once. */
export async function sendTarget(sending: Sending): Promise<SendEnd> {
  const { planned, commit, showLink } = sending
  const shown: Shown = { sha256: '', committed: false }
  const end = await publishWithPolicy(sending, shown).catch((thrown: unknown): Result => {
    if (!shown.committed) throw thrown
    // Whatever it is called, it does not say that nothing was published.
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { kind: 'bug', error, isDoubtful: true }
  })
  // A failure is told without the file.
  if ('error' in end) return end
  // Nothing was sent, and the file is compared with the one that was.
  if (end.kind === 'replay') shown.sha256 = (await planned.artifact.digest()).sha256
  return { ...end, ...shown, commit, showLink }
}

async function publishWithPolicy(sending: Sending, shown: Shown): Promise<Result> {
  const { runner, inputs, planned, commit } = sending
  const attempt = attemptOf(sending, shown)
  const withoutMemory = async () =>
    (await findRefusal(sending, shown)) ?? publishWithoutMemory(attempt)
  if (inputs.once === 'off') return withoutMemory()
  try {
    const hindrance = await findHindrance(sending, shown)
    if (hindrance) return hindrance
    const steps = await stepsOf(sending, { ...planned, commit }, planned.artifact)
    return await publishOnce(steps, attempt)
  } catch (error) {
    if (shown.committed) throw error
    const denied = error instanceof GitHubError && error.missingPermission
    if (!denied || inputs.once === 'require') return memoryFailureOf(error, sending)
    const warning = `Publishing without a record on GitHub (${error.message}): a re-run, or a run by hand with this tag, would publish again.`
    runner.warning(`${warning} ${RECORD_LATER}`)
    return withoutMemory()
  }
}

/** Why the target must not be sent; undefined lets it go on. Throws when the memory cannot be read. */
async function findHindrance(sending: Sending, shown: Shown): Promise<Result | undefined> {
  const { planned, inputs, runner } = sending
  const { versionName, route, size } = planned
  if (runner.context.isAct) runner.notice(UNDER_ACT)
  const versions = await versionsOf(sending, route)
  const { state } = await versions.standing(versionName)
  // `publishOnce` will not send it, so no other guard matters.
  if (state === 'published' || state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' && (await findHigher(versions, versionName))
  if (higher) return { kind: 'outranked', ...higher }
  const gap = await findGap(sending, planned, versions)
  if (gap) runner.notice(describeGap(gap, route))
  const time = sendingTimeOf(inputs, size)
  if (time.kind === 'short') return { kind: 'no time', longest: LONGEST_RESPONSE }
  if (time.isCut) runner.notice(describeTime(time, size))
  else if (time.kind === 'long') runner.info(describeTime(time, size))
  return findRefusal(sending, shown)
}

async function findRefusal(sending: Sending, shown: Shown): Promise<Result | undefined> {
  // Without a permission, `once: auto` comes here twice.
  shown.contact ??= await makeFirstContact(sending, sending.planned.target)
  return shown.contact.kind === 'refused' ? shown.contact : undefined
}

function attemptOf(sending: Sending, shown: Shown): Attempt<PublishResult> {
  const { connect, runner, inputs, planned } = sending
  const mayTryAgain = countTries(sending)
  return async commit => {
    // There is another try only if nothing complete was sent.
    shown.committed = false
    const reading = planned.artifact.read()
    const { size } = reading
    const result = await publishVersion(connect, {
      service: { baseUrl: inputs.baseUrl, token: inputs.token },
      route: planned.route,
      fields: planned,
      file: {
        ...reading,
        chunks: () => watchProgress(reading.chunks(), size, runner.info, Date.now)
      },
      template: planned.target.upload === 'base64' ? inputs.base64File : undefined,
      patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, size), grace: GRACE },
      signal: runner.cancelled,
      permit: async ended => {
        // Throws unless these are the bytes that were inspected and approved.
        const sealed = await reading.seal()
        shown.sha256 = sealed.sha256
        await commit(sealed, ended)
        shown.committed = true
      }
    })
    const ending = endingOf(result, sending, shown.sha256)
    if (!('retry' in result) || !result.retry) return { result, ending }
    const why = `Not published yet: ${ending.text}.`
    return { result, ending, waitToRetry: () => mayTryAgain(result.after, why) }
  }
}

function endingOf(
  result: PublishResult,
  { showLink, facts: { host }, runner, planned }: Sending,
  sha256: string
): Ending {
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      const link = fields.download_url
      const isShown = showLink && typeof link === 'string' && /^https?:\/\//.test(link)
      // The runner masks nothing in deployments, so a link with a secret in it is left out.
      const isHarmless = isShown && runner.conceal(link) === link
      const text = describePublished(planned.versionName, sha256, id)
      return { state: 'success', text, ...(isHarmless ? { link } : {}) }
    }
    case 'rejected':
      return { state: 'failure', text: `${host} answered ${result.status}` }
    case 'notPublished':
      return { state: 'failure', text: runner.conceal(describeCause(result.cause, host)) }
    case 'unknown': {
      const { answered } = result
      const text = answered?.early
        ? `${host} answered ${answered.status} before the request was complete`
        : 'sent, but no answer says whether it was published'
      return { state: 'error', text }
    }
  }
}

/** In milliseconds: when progress is logged first, and how often after that. */
const QUIET = 3000
const EVERY = 5000

/** Passes chunks on and tells the progress. A chunk is sent once the next is asked for. `size`: in bytes. */
export async function* watchProgress(
  chunks: AsyncIterable<Buffer>,
  size: number,
  tell: (line: string) => void,
  now: () => number
): AsyncGenerator<Buffer> {
  const start = now()
  let told = start + QUIET - EVERY
  let sent = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length
    const time = now()
    if (time - told < EVERY || sent >= size) continue
    told = time
    const rate = (sent / (time - start)) * 1000
    const percent = Math.floor((sent / size) * 100)
    const [total, speed, left] = [sizeText(size), sizeText(Math.round(rate)), (size - sent) / rate]
    tell(`Sent ${percent} % of ${total}, ${speed}/s, about ${Math.ceil(left)} s left`)
  }
}

type FirstContact = Refused | Readonly<{ kind: 'upload'; answeredAsApi: boolean }>

/**
 * Sends a check before an upload, so that a wrong address, token, or id ends the run before it, and what
 * answers in the shop's place after it is known for that. Repeats it where that may help. Throws `CancelledError`.
 */
async function makeFirstContact(run: Run, target: TargetInputs): Promise<FirstContact> {
  const { host } = run.facts
  run.runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const mayRepeat = countTries(run)
  for (;;) {
    const result = await requestCheck(run, target)
    if (result.kind === 'checked') return { kind: 'upload', answeredAsApi: true }
    const verdict = judgeContact(result)
    if (verdict === 'upload') return { kind: verdict, answeredAsApi: result.kind === 'rejected' }
    const after = 'after' in result ? result.after : undefined
    const isAnswer = result.kind !== 'noAnswer'
    const said = isAnswer ? `${host} answered ${result.status}` : describeCause(result.cause, host)
    if (
      verdict === 'repeat' &&
      (await mayRepeat(after, `The shop did not answer as expected: ${said}.`))
    )
      continue
    return { kind: 'refused', refusal: result }
  }
}

/** Counts the tries of one request. Asked for another one, says why, and returns true after the pause; or false. */
function countTries({ runner, sleep }: Run) {
  let tried = 0
  return async (after: number | undefined, why: string): Promise<boolean> => {
    const ms = pauseBefore(++tried, after)
    if (ms === undefined) return false
    runner.info(why)
    runner.info(`Trying again (${tried + 1} of ${TRIES}) in ${(ms / 1000).toFixed(1)} s.`)
    // If the run is cancelled, the next try fails at once.
    await sleep(ms, runner.cancelled).catch(() => undefined)
    return true
  }
}
