// Sends one target: what keeps it from being sent, the tries of its request, and the memory around them.
import { GitHubError } from '../github/github.ts'
import { describeCause } from '../http/errors.ts'
import type { Ending } from '../ledger/claim.ts'
import type { Claim } from '../ledger/ledger.ts'
import {
  type Attempt,
  type PublishOnceResult,
  publishOnce,
  publishWithoutMemory
} from '../ledger/publish-once.ts'
import { describePublished, judgeReplay, type ReplayVerdict } from '../ledger/record.ts'
import type { Failure } from '../report/failures.ts'
import { describeGap, describeTime, UNDER_ACT } from '../report/notices.ts'
import { advisePermission } from '../report/ways.ts'
import { sizeText } from '../runner/text.ts'
import { type PublishResult, publishVersion } from '../shop/publish.ts'
import { countTries, type FirstContact, makeFirstContact, type Refusal } from './contact.ts'
import { answerTimeout } from './inputs.ts'
import {
  findGap,
  findHigher,
  type Higher,
  LONGEST_RESPONSE,
  memoryFailureOf,
  sendingTimeOf,
  stepsOf,
  versionsOf
} from './memory.ts'
import type { Sending } from './prepare.ts'

/** In milliseconds: how long a cancelled run waits for the answer once the tail is sent. */
const GRACE = 5000

/** How sending a target ended; `sha256` is that of its file, or empty if it was not read to its end. */
export type SendEnd =
  | Sent
  | Failure
  | Readonly<{ kind: 'refused'; refusal: Refusal }>
  /** `longest`: in seconds, the time limit for the answer with which there would be time to send. */
  | Readonly<{ kind: 'no time'; longest: number }>
  | Readonly<{ kind: 'outranked'; higher: Higher; sha256: string }>
  | Readonly<{ kind: 'in doubt'; claim: Claim; sha256: string }>
  | Replay

/** The version was published before: by whom, and whether the file is the same. */
export interface Replay {
  readonly kind: 'replay'
  readonly claim: Claim
  readonly verdict: ReplayVerdict
  readonly sha256: string
  readonly showLink: boolean
}

/** The last try, with its claim's id if it had one, and whether its end was recorded. */
export interface Sent {
  readonly kind: 'sent'
  readonly result: PublishResult
  /** Whether the shop's API answered on this address just before. */
  readonly contacted: boolean
  readonly claim: number | undefined
  readonly recorded: boolean
  readonly sha256: string
  /** Whether the log and the summary may show the download link. */
  readonly showLink: boolean
}

/** What sending has shown so far; `committed`: the last bytes may have been sent. */
interface Trace {
  sha256: string
  committed: boolean
  contact?: FirstContact
}

/** Publishes the target, at most once. */
export async function sendTarget(sending: Sending): Promise<SendEnd> {
  const { planned, runner, commit, showLink } = sending
  const trace: Trace = { sha256: '', committed: false }
  const once = await publishWithPolicy(sending, trace).catch((thrown: unknown): Hindrance => {
    if (!trace.committed) throw thrown
    // Whatever it is called, it does not say that nothing was published.
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { kind: 'held', end: { kind: 'bug', error, isDoubtful: true } }
  })
  const { sha256 } = trace
  switch (once.kind) {
    case 'replay': {
      const { sha256: present } = await planned.artifact.digest()
      const verdict = judgeReplay(once.claim, { ...runner.context, commit, sha256: present })
      return { kind: 'replay', claim: once.claim, verdict, sha256: present, showLink }
    }
    case 'outranked':
      return { kind: 'outranked', higher: once, sha256 }
    case 'in doubt':
      return { kind: 'in doubt', claim: once.claim, sha256 }
    case 'tried': {
      const { result, claim, recorded } = once
      const contacted = trace.contact?.kind === 'upload' && trace.contact.answeredAsApi
      return { kind: 'sent', result, contacted, claim, recorded, sha256, showLink }
    }
    case 'held':
      return once.end
  }
}

/** Publishes with or without the memory, as the input `once` says; or returns why nothing was tried. */
async function publishWithPolicy(
  sending: Sending,
  trace: Trace
): Promise<PublishOnceResult<PublishResult> | Hindrance> {
  const { runner, inputs, planned } = sending
  const attempt = attemptOf(sending, trace)
  const withoutMemory = async () =>
    (await findRefusal(sending, trace)) ?? publishWithoutMemory(attempt)
  if (inputs.once === 'off') return withoutMemory()
  try {
    const hindrance = await findHindrance(sending, trace)
    if (hindrance) return hindrance
    const steps = await stepsOf(sending, { ...planned, commit: sending.commit }, planned.artifact)
    return await publishOnce(steps, attempt)
  } catch (error) {
    if (trace.committed) throw error
    const denied = error instanceof GitHubError && error.missingPermission
    if (!denied || inputs.once === 'require') {
      return { kind: 'held', end: memoryFailureOf(error, sending) }
    }
    const warning = `Publishing without a record on GitHub, so a re-run would publish again (${error.message}).`
    runner.warning(`${warning}\n${advisePermission(sending.facts)}`)
    return withoutMemory()
  }
}

/** What ends a target before anything of it is sent. */
type Hindrance = Readonly<{ kind: 'held'; end: SendEnd }>

/** Why the target must not be sent; undefined lets it go on. Throws when the memory cannot be read. */
async function findHindrance(sending: Sending, trace: Trace): Promise<Hindrance | undefined> {
  const { planned, inputs, runner } = sending
  const { versionName, route, size } = planned
  if (runner.context.isAct) runner.notice(UNDER_ACT)
  const versions = await versionsOf(sending, route)
  const { state } = await versions.standing(versionName)
  // `publishOnce` will not send it, so no other guard matters.
  if (state === 'published' || state === 'in doubt') return undefined
  const higher = inputs.order === 'rising' && (await findHigher(versions, versionName))
  if (higher) return { kind: 'held', end: { kind: 'outranked', higher, sha256: '' } }
  const gap = await findGap(sending, planned, versions)
  if (gap) runner.notice(describeGap(gap, route))
  const time = sendingTimeOf(inputs, size)
  if (time.kind === 'short')
    return { kind: 'held', end: { kind: 'no time', longest: LONGEST_RESPONSE } }
  if (time.isCut) runner.notice(describeTime(time, size))
  else if (time.kind === 'long') runner.info(describeTime(time, size))
  return findRefusal(sending, trace)
}

/** Asks the shop first; returns its answer if that ends the target. */
async function findRefusal(sending: Sending, trace: Trace): Promise<Hindrance | undefined> {
  // Without a permission, `once: auto` comes here twice.
  trace.contact ??= await makeFirstContact(sending, sending.planned.target)
  return trace.contact.kind === 'refused' ? { kind: 'held', end: trace.contact } : undefined
}

function attemptOf(sending: Sending, trace: Trace): Attempt<PublishResult> {
  const { connect, runner, inputs, planned } = sending
  const mayTryAgain = countTries(sending)
  return async commit => {
    // There is another try only if nothing complete was sent.
    trace.committed = false
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
        trace.sha256 = sealed.sha256
        await commit(sealed, ended)
        trace.committed = true
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
