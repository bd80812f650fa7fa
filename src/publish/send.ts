// Sends one target: the first contact, the tries of its request, and the memory around them.
import { GitHubError } from '../github/github.ts'
import { describeCause } from '../http/errors.ts'
import type { Ending } from '../ledger/claim.ts'
import { type Attempt, publishOnce, publishWithoutMemory } from '../ledger/publish-once.ts'
import { describePublished, judgeReplay } from '../ledger/record.ts'
import { sizeText } from '../runner/text.ts'
import { type PublishResult, publishVersion } from '../shop/publish.ts'
import { adviseIfMissing, explainResult } from './answers.ts'
import { countTries, type FirstContact, makeFirstContact } from './first-contact.ts'
import { answerTimeout } from './inputs.ts'
import {
  doubtAdvice,
  doubtReport,
  explainMemory,
  findHigher,
  lowerReport,
  replayReport,
  settleCommand,
  stepsOf,
  versionsOf
} from './memory.ts'
import { PERMISSION_ADVICE } from './messages.ts'
import { checkTime, noticeGaps } from './notices.ts'
import type { Sending } from './prepare.ts'
import type { Report } from './report.ts'

/** In milliseconds: how long a cancelled run waits for the answer once the tail is sent. */
const GRACE = 5000

/** What sending has shown so far. */
interface Trace {
  sha256?: string
  contact?: FirstContact
}

/** Publishes the target, at most once, and reports how that ended. */
export async function sendTarget(sending: Sending): Promise<Report> {
  const { inputs, planned, runner, showLink, commit } = sending
  const trace: Trace = {}
  const contact = async () => {
    // Without a permission, `once: auto` comes here twice.
    trace.contact ??= await makeFirstContact(sending, planned.target)
    return trace.contact.kind === 'stop' ? trace.contact.report : undefined
  }
  const once = await publishWithPolicy(sending, contact, attemptOf(sending, trace))
  if ('outcome' in once) return once
  const subject = { ...planned, sha256: trace.sha256 }
  switch (once.kind) {
    case 'replay': {
      const { sha256 } = await planned.artifact.digest()
      const verdict = judgeReplay(once.claim, { ...runner.context, commit, sha256 })
      return replayReport(once.claim, verdict, { ...subject, sha256 }, showLink, runner.context)
    }
    case 'outranked':
      return { ...lowerReport(once, planned.versionName), subject }
    case 'in doubt':
      return { ...doubtReport(once.claim, subject, runner.context), subject }
    case 'tried': {
      const { result, claim, recorded } = once
      if (claim !== undefined && !recorded) {
        warnUnrecorded(sending, claim, result, trace.sha256)
      }
      const question = {
        host: new URL(inputs.baseUrl).host,
        target: planned.target,
        versionName: planned.versionName,
        contacted: trace.contact?.kind === 'upload' && trace.contact.answeredAsApi,
        recorded: claim !== undefined
      }
      const told = { ...explainResult(result, question), subject, showLink }
      if (result.kind !== 'unknown' || claim === undefined) return told
      const settling = doubtAdvice(claim, subject, runner.context)
      const more = adviseIfMissing(result, question)
      return { ...told, advice: more === '' ? settling : `${settling}\n\n${more}` }
    }
  }
}

/** Asks the shop first; returns how that ended the target, if it did. */
type Contact = () => Promise<Report | undefined>

/** Publishes with or without the memory, as the input `once` says; returns a report if nothing was tried. */
async function publishWithPolicy(
  sending: Sending,
  contact: Contact,
  attempt: Attempt<PublishResult>
) {
  const { runner, inputs, planned } = sending
  const unremembered = async () => (await contact()) ?? publishWithoutMemory(attempt)
  if (inputs.once === 'off') return unremembered()
  try {
    const report = await whyNotSend(sending, contact)
    if (report) return report
    const steps = await stepsOf(sending, { ...planned, commit: sending.commit }, planned.artifact)
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
async function whyNotSend(sending: Sending, contact: Contact): Promise<Report | undefined> {
  const { planned, inputs, runner } = sending
  const { versionName, route } = planned
  if (runner.context.isAct) runner.notice(UNDER_ACT)
  const versions = await versionsOf(sending, route)
  const { state } = await versions.standing(versionName)
  // `publishOnce` will not send it, so no other guard matters.
  if (state === 'published' || state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' && (await findHigher(versions, versionName))
  if (higher) return lowerReport(higher, versionName)
  await noticeGaps(sending, planned, versions)
  return checkTime(sending, planned.size) ?? contact()
}

/** Tells how to record the end by hand; without a record, the next run may find the version in doubt. */
function warnUnrecorded(
  { runner, planned }: Sending,
  claim: number,
  result: PublishResult,
  sha256 = ''
): void {
  if (result.kind === 'unknown') return
  const isPublished = result.kind === 'published'
  const text = isPublished ? describePublished(planned.versionName, sha256, result.record.id) : ''
  const command = settleCommand(claim, isPublished ? 'success' : 'failure', runner.context, text)
  runner.warning(
    `How this ended could not be recorded on GitHub, so the next run would not know. Record it with:\n${command}`
  )
}

function attemptOf(sending: Sending, trace: Trace): Attempt<PublishResult> {
  const { connect, runner, inputs, planned } = sending
  const mayTryAgain = countTries(sending)
  return async commit => {
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
      permit: async () => {
        // Throws unless these are the bytes that were inspected and approved.
        const sealed = await reading.seal()
        trace.sha256 = sealed.sha256
        await commit(sealed)
      }
    })
    const ending = endingOf(result, sending, trace.sha256)
    if (!('retry' in result) || !result.retry) return { result, ending }
    const why = `Not published yet: ${ending.text}.`
    return { result, ending, waitToRetry: () => mayTryAgain(result.after, why) }
  }
}

function endingOf(
  result: PublishResult,
  { showLink, inputs, runner, planned }: Sending,
  sha256 = ''
): Ending {
  const { host } = new URL(inputs.baseUrl)
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
