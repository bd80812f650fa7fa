// Sends one target: the check before the first upload, the tries of its request, and the memory around them.
import { GitHubError } from '../github/github.ts'
import { describeCause, isPassing, pauseBefore, TRIES } from '../http/errors.ts'
import { type Attempt, publishOnce, publishWithoutMemory } from '../ledger/publish-once.ts'
import { describePublished, judgeReplay } from '../ledger/record.ts'
import type { Ending } from '../ledger/steps.ts'
import { sizeText } from '../runner/text.ts'
import { type CheckResult, type PublishResult, publishVersion } from '../shop/publish.ts'
import { explain, judgeCheck, requestCheck } from './answers.ts'
import { answerTimeout } from './inputs.ts'
import {
  doubtAdvice,
  doubtReport,
  explainMemory,
  findHigher,
  replayReport,
  settleCommand,
  stepsOf,
  versionsOf
} from './memory.ts'
import { PERMISSION_ADVICE, START_AGAIN } from './messages.ts'
import type { Sending } from './prepare.ts'
import { ended, type Report } from './report.ts'

/** In milliseconds: how long a cancelled run waits for the answer once the tail is sent. */
const GRACE = 5000

/** Publishes the target, at most once, and reports how that ended. */
export async function sendTarget(sending: Sending): Promise<Report> {
  const { inputs, planned, runner, showLink, commit } = sending
  const trace: { sha256?: string } = {}
  const once = await remember(sending, attemptOf(sending, trace))
  if ('outcome' in once) return once
  const subject = { ...planned, ...trace }
  switch (once.kind) {
    case 'replay': {
      const { sha256 } = await planned.artifact.digest()
      const verdict = judgeReplay(once.claim, { ...runner.context, commit, sha256 })
      return replayReport(once.claim, verdict, { ...subject, sha256 }, showLink, runner.context)
    }
    case 'in doubt':
      return { ...doubtReport(once.claim, subject, runner.context), subject }
    case 'tried': {
      const { result, claim, recorded } = once
      if (claim !== undefined && !recorded) warnUnrecorded(sending, claim, result)
      const told = explain(result, new URL(inputs.baseUrl).host, planned.target)
      const isDoubted = told.outcome === 'unknown' && claim !== undefined
      const advice = isDoubted ? doubtAdvice(claim, subject, runner.context) : told.advice
      return { ...told, advice, subject, showLink }
    }
  }
}

/** Publishes with or without the memory, as the input `once` says; gives a report if nothing was tried. */
async function remember(sending: Sending, attempt: Attempt<PublishResult>) {
  const { runner, inputs, planned } = sending
  const unremembered = async () => (await checkFirst(sending)) ?? publishWithoutMemory(attempt)
  if (inputs.once === 'off') return unremembered()
  try {
    const report = await whyNotSend(sending)
    if (report) return report
    const steps = stepsOf(sending, { ...planned, commit: sending.commit }, planned.artifact)
    return await publishOnce(steps, attempt)
  } catch (error) {
    const denied = error instanceof GitHubError && error.missingPermission
    if (!denied || inputs.once === 'require') return explainMemory(error, sending)
    const warning = `Publishing without a record on GitHub, so a re-run would publish again (${error.message}).`
    runner.warning(`${warning}\n${PERMISSION_ADVICE}`)
    return unremembered()
  }
}

const UNDER_ACT =
  'act gives every run the same id, so a file that was built again on the same commit counts as ' +
  'published already, and is skipped.'

/** Why the target must not be sent; undefined lets it go on. Throws when the memory cannot be read. */
async function whyNotSend(sending: Sending): Promise<Report | undefined> {
  const { planned, inputs, runner } = sending
  const { versionName, route } = planned
  if (runner.context.isAct) runner.notice(UNDER_ACT)
  const versions = await versionsOf(sending, route)
  const { state } = await versions.standing(versionName)
  // `publishOnce` will not send it, so no other guard matters.
  if (state === 'published' || state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' && (await findHigher(versions, versionName))
  if (higher) {
    const advice = `To publish the lower version anyway, set \`order: any\`. Buyers will then see it as the newest. ${START_AGAIN}`
    return ended('failed', 'lower-version', `Nothing was sent: ${higher}.`, advice)
  }
  return (await versions.newestPublished()) ? undefined : checkFirst(sending)
}

/** Sends a check first, so that a wrong address, token, or id is found before a long upload. */
async function checkFirst(sending: Sending): Promise<Report | undefined> {
  const { inputs, planned, runner } = sending
  runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const result = await requestCheck(sending, planned.target)
  if (!isHopeless(result)) return undefined
  const { host } = new URL(inputs.baseUrl)
  if (result.kind === 'noAnswer') {
    const report = explain({ kind: 'notPublished', cause: result.cause }, host, planned.target)
    return { ...report, advice: `${report.advice}\n${START_AGAIN}` }
  }
  const report = judgeCheck(result, host, planned.route)
  // No new run is needed: a re-run reads secrets again, and the shop may be up by then.
  const isSame = [401, 402, 429].includes(result.status) || result.status >= 500
  const again = isSame ? '' : `\n${START_AGAIN}`
  const message = `Nothing was uploaded. ${report.message}`
  return { ...report, message, advice: `${report.advice}${again}` }
}

function isHopeless(result: CheckResult): boolean {
  if (result.kind === 'noAnswer') return !isPassing(result.cause)
  const { status } = result
  if ([401, 403, 404].includes(status) || (status >= 300 && status < 400)) return true
  return result.kind === 'strange' && (result.proxy !== undefined || result.webPage === true)
}

/** Tells how to record the end by hand; without a record, the next run may find the version in doubt. */
function warnUnrecorded({ runner, planned }: Sending, claim: number, result: PublishResult): void {
  if (result.kind === 'unknown') return
  const isPublished = result.kind === 'published'
  const text = isPublished ? describePublished(planned.versionName, result.record.id) : ''
  const command = settleCommand(claim, isPublished ? 'success' : 'failure', runner.context, text)
  runner.warning(
    `How this ended could not be recorded on GitHub, so the next run would not know. Record it with:\n${command}`
  )
}

function countTries({ runner, sleep }: Sending) {
  let tried = 0
  return async ({ after }: { readonly after?: number }) => {
    const ms = pauseBefore(++tried, after)
    if (ms === undefined) return false
    runner.info(`Try ${tried + 1} of ${TRIES} follows in ${(ms / 1000).toFixed(1)} s.`)
    // If the run is cancelled, the next try fails at once.
    await sleep(ms, runner.cancelled).catch(() => undefined)
    return true
  }
}

function attemptOf(sending: Sending, trace: { sha256?: string }): Attempt<PublishResult> {
  const { connect, runner, inputs, planned } = sending
  const isRepeated = countTries(sending)
  return async permit => {
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
      commit: async () => {
        // Throws unless these are the bytes that were inspected and approved.
        const sealed = await reading.seal()
        trace.sha256 = sealed.sha256
        await permit(sealed)
      }
    })
    const ending = endingOf(result, sending)
    if (!('retry' in result) || !result.retry) return { result, ending }
    runner.info(`Not published yet: ${ending.text}.`)
    return { result, ending, again: () => isRepeated(result) }
  }
}

function endingOf(result: PublishResult, { showLink, inputs, runner, planned }: Sending): Ending {
  const { host } = new URL(inputs.baseUrl)
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      const link = fields.download_url
      const isShown = showLink && typeof link === 'string' && /^https?:\/\//.test(link)
      // The runner masks nothing in deployments, so a link with a secret in it is left out.
      const isHarmless = isShown && runner.conceal(link) === link
      const text = describePublished(planned.versionName, id)
      return { state: 'success', text, ...(isHarmless ? { link } : {}) }
    }
    case 'rejected':
      return { state: 'failure', text: `${host} answered ${result.status}` }
    case 'notPublished':
      return { state: 'failure', text: runner.conceal(describeCause(result.cause, host)) }
    case 'unknown': {
      const text = result.early
        ? `${host} answered ${result.status} before the request was complete`
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
