// One target, from the opened file to the report: the memory around the tries, and the tries themselves.
import { type GitHub, GitHubError } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { USER_AGENT } from '../http/user-agent.ts'
import { openDeployments, type Publication } from '../ledger/deployments.ts'
import { describePublished, judgeReplay } from '../ledger/ledger.ts'
import type { Ending, Steps } from '../ledger/once.ts'
import {
  type Attempt,
  type Once,
  publishOnce,
  publishUnremembered,
  type Repetition,
  type Sealed,
  type Try
} from '../ledger/publish-once.ts'
import { type PublishResult, publishVersion } from '../marketplace/client.ts'
import type { Artifact } from '../release/artifact.ts'
import type { Runner } from '../runner/runner.ts'
import { describeCause, explain } from './explain.ts'
import type { PublishInputs } from './inputs.ts'
import { LONGEST_PAUSE, pauseBefore, sleep } from './pause.ts'
import type { Target } from './plan.ts'
import { watchProgress } from './progress.ts'
import {
  doubtReport,
  permissionAdvice,
  permissionReport,
  replayReport,
  settleCommand
} from './remembered.ts'
import { endedEarly, type Report, type Subject } from './report.ts'

/** What publishing one target needs. */
export interface Sending {
  readonly runner: Runner
  readonly inputs: PublishInputs
  readonly target: Target
  readonly artifact: Artifact
  readonly connect: Connect
  readonly github: GitHub
  /** The same for writes that settle a claim, which go on for a moment when the run is cancelled. */
  readonly settling: GitHub
  readonly commit: string
  readonly showLink: boolean
}

/** How often a request is sent at most. */
const TRIES = 4
/** After the last byte, how long a cancelled run waits for the answer, in milliseconds. */
const GRACE = 5000

/** Publishes the target, at most once, and reports how that ended. */
export async function sendTarget(sending: Sending): Promise<Report> {
  const { inputs, artifact, runner } = sending
  const trace: Trace = { sealed: undefined }
  const attempt = attemptOf(sending, trace)
  const repetition = repetitionOf(sending)
  const once = await remember(sending, attempt, repetition)
  if ('report' in once) return once.report
  const subject = subjectOf(sending, trace.sealed)
  switch (once.kind) {
    case 'replay': {
      const { sha256 } = await artifact.digest()
      const { runId, runAttempt } = runner.context
      const verdict = judgeReplay(once.claim, { runId, runAttempt, commit: sending.commit, sha256 })
      return replayReport(
        once.claim,
        verdict,
        { ...subject, sha256 },
        sending.showLink,
        runner.context
      )
    }
    case 'in doubt':
      return doubtReport(once.claim, subject, runner.context)
    case 'tried': {
      warnIfUnrecorded(sending, once)
      const host = new URL(inputs.baseUrl).host
      const fields = once.result.kind === 'published' ? once.result.record.fields : {}
      return { ...explain(once.result, host), fields, subject, showLink: sending.showLink }
    }
  }
}

/** What a run learns while it sends. */
interface Trace {
  sealed: Sealed | undefined
}

function subjectOf({ target, artifact }: Sending, sealed: Sealed | undefined): Subject {
  const { route, versionName, title, changelog } = target
  const about = { route, versionName, title, changelog, file: artifact.path, size: artifact.size }
  return sealed ? { ...about, sha256: sealed.sha256 } : about
}

/** Publishes with the memory that the input `once` asks for. */
async function remember(
  sending: Sending,
  attempt: Attempt<PublishResult>,
  repetition: Repetition
): Promise<Once<PublishResult> | { readonly report: Report }> {
  const { runner, inputs } = sending
  if (inputs.once === 'off') return publishUnremembered(attempt, repetition)
  try {
    return await publishOnce(stepsOf(sending), attempt, repetition)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof GitHubError && error.denied) {
      if (inputs.once === 'require') {
        return { report: permissionReport(error.message, subjectOf(sending, undefined)) }
      }
      runner.warning(`Publishing without the memory (${error.message}).\n${permissionAdvice()}`)
      return publishUnremembered(attempt, repetition)
    }
    return { report: unreadable(error, sending) }
  }
}

/** Nothing was sent, since the memory could not be asked first. */
function unreadable(error: Error, sending: Sending): Report {
  const subject = subjectOf(sending, undefined)
  if (sending.runner.cancelled.aborted) {
    const message = 'The run was cancelled before anything was sent. Nothing was published.'
    return endedEarly('failed', 'cancelled', message, '', subject)
  }
  const message = `Nothing was sent: what is already published could not be read from GitHub. ${error.message}`
  return endedEarly('failed', 'github', message, 'Run this job again.', subject)
}

function repetitionOf({ runner }: Sending): Repetition {
  return {
    tries: TRIES,
    pause: async (tried, after) => {
      const ms = pauseBefore(tried, after, Math.random())
      runner.info(`Try ${tried + 1} of ${TRIES} follows in ${(ms / 1000).toFixed(1)} s.`)
      // A cancelled run finds out at its next try.
      await sleep(ms, runner.cancelled).catch(() => undefined)
    }
  }
}

function attemptOf(sending: Sending, trace: Trace): Attempt<PublishResult> {
  const { runner, inputs, target, artifact } = sending
  const host = new URL(inputs.baseUrl).host
  return async permit => {
    const reading = artifact.read()
    const tell = (line: string) => runner.info(line)
    const result = await publishVersion(sending.connect, USER_AGENT, {
      service: { baseUrl: inputs.baseUrl, token: inputs.token },
      route: target.route,
      fields: target,
      file: {
        ...reading,
        chunks: () => watchProgress(reading.chunks(), reading.size, tell, Date.now)
      },
      form:
        inputs.upload === 'base64'
          ? { kind: 'base64', template: inputs.base64File }
          : { kind: 'multipart' },
      patience: { stall: inputs.stallTimeout, answer: inputs.responseTimeout, grace: GRACE },
      signal: runner.cancelled,
      commit: async () => {
        trace.sealed = await reading.seal()
        await permit(trace.sealed)
      }
    })
    const tried = asTry(result, sending.showLink, host)
    if (tried.again) runner.info(tried.ending.kind === 'success' ? '' : tried.ending.reason)
    return tried
  }
}

/** A result, and what the memory has to know of it. */
function asTry(result: PublishResult, showLink: boolean, host: string): Try<PublishResult> {
  const retry = 'retry' in result ? result.retry : undefined
  const patient = retry && (retry.after ?? 0) <= LONGEST_PAUSE
  return { result, ending: endingOf(result, showLink, host), ...(patient ? { again: retry } : {}) }
}

function endingOf(result: PublishResult, showLink: boolean, host: string): Ending {
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      const link = fields.download_url
      const shown = showLink && typeof link === 'string' && /^https?:\/\//.test(link)
      return { kind: 'success', versionId: id, ...(shown ? { link } : {}) }
    }
    case 'rejected':
      return { kind: 'failure', reason: `${host} answered ${result.status}` }
    case 'notPublished':
      return { kind: 'failure', reason: shorten(describeCause(result.cause, host)) }
    case 'unknown':
      return { kind: 'unknown', reason: 'sent, but no answer says whether it was published' }
  }
}

/** A status holds 140 characters. */
function shorten(text: string): string {
  return text.length <= 140 ? text : `${text.slice(0, 139)}…`
}

function stepsOf(sending: Sending): Steps {
  const { runner, inputs, target, artifact, commit } = sending
  const { runId, runAttempt, job } = runner.context
  const reserve = inputs.responseTimeout / 1000 + 60
  const publication: Publication = {
    baseUrl: inputs.baseUrl,
    ...target.route,
    versionName: target.versionName
  }
  const isLost = (error: unknown) =>
    error instanceof GitHubError && (error.status === undefined || error.status >= 500)
  const open = (api: GitHub) => openDeployments(api, publication, target.tag, isLost)
  const asking = open(sending.github)
  const settling = open(sending.settling)
  return {
    deployments: {
      ...asking,
      record: (id, state, ...rest) =>
        (state === 'in_progress' ? asking : settling).record(id, state, ...rest)
    },
    claimant: {
      runId,
      runAttempt,
      job,
      commit,
      fileName: artifact.name,
      deadline: Math.ceil(SENDING_TIME + artifact.size / SLOWEST + reserve)
    },
    reserve,
    versionName: target.versionName,
    nonce: () => crypto.randomUUID(),
    sleep: ms => sleep(ms, runner.cancelled),
    tell: message => runner.info(message)
  }
}

/** What a claim allows for sending: some time for tries and pauses, in seconds, … */
const SENDING_TIME = 300
/** … and for the bytes, at the slowest rate that is worth waiting for, in bytes a second. */
const SLOWEST = 64 * 1024

/** An end that the memory does not know would be in doubt at the next run. */
function warnIfUnrecorded(
  sending: Sending,
  once: Extract<Once<PublishResult>, { kind: 'tried' }>
): void {
  const { claim, recorded, result } = once
  if (claim === undefined || recorded) return
  const { runner, target } = sending
  if (result.kind === 'unknown') return
  const command =
    result.kind === 'published'
      ? settleCommand(
          claim,
          'success',
          runner.context,
          describePublished(target.versionName, result.record.id)
        )
      : settleCommand(claim, 'failure', runner.context)
  runner.warning(
    `How this ended could not be recorded on GitHub, so the next run would not know. Record it with:\n${command}`
  )
}
