// One try of a publication's request, and the pauses between tries.
import { canWait, describeCause, pauseBefore } from '../http/errors.ts'
import type { Attempt, Repetition, Sealed, Try } from '../ledger/publish-once.ts'
import type { Ending } from '../ledger/steps.ts'
import type { PublishResult } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { NotApprovedError } from './approval.ts'
import { answerTimeout } from './inputs.ts'
import type { Planned } from './prepare.ts'
import { watchProgress } from './progress.ts'

/** A target, with what publishing it needs beside the run. */
export interface Sending extends Run {
  readonly planned: Planned
  readonly commit: string
  readonly showLink: boolean
  /** The only file that may be sent, by its digest; undefined when nothing had to be approved. */
  readonly approvedFile: string | undefined
}

/** What a run learns while it sends. */
export interface Trace {
  sealed: Sealed | undefined
}

/** How often a request is sent at most. */
const TRIES = 4
/** After the last byte, how long a cancelled run waits for the answer, in milliseconds. */
const GRACE = 5000

/** The tries of a target, told in the log. */
export function repetitionOf({ runner, sleep }: Pick<Sending, 'runner' | 'sleep'>): Repetition {
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

/** Sends the target's request once; what was sent is left in the trace. */
export function attemptOf(sending: Sending, trace: Trace): Attempt<PublishResult> {
  const { runner, inputs, planned } = sending
  const tell = (line: string) => runner.info(line)
  return async permit => {
    const reading = planned.artifact.read()
    const result = await sending.shop.publish({
      service: { baseUrl: inputs.baseUrl, token: inputs.token },
      route: planned.route,
      fields: planned,
      file: {
        ...reading,
        chunks: () => watchProgress(reading.chunks(), reading.size, tell, Date.now)
      },
      form:
        planned.inputs.upload === 'base64'
          ? { kind: 'base64', template: inputs.base64File }
          : { kind: 'multipart' },
      patience: {
        stall: inputs.stallTimeout,
        answer: answerTimeout(inputs, reading.size),
        grace: GRACE
      },
      signal: runner.cancelled,
      commit: async () => {
        trace.sealed = await reading.seal()
        const { approvedFile } = sending
        if (approvedFile !== undefined && trace.sealed.sha256 !== approvedFile) {
          throw new NotApprovedError(trace.sealed.sha256, approvedFile)
        }
        await permit(trace.sealed)
      }
    })
    const tried = asTry(result, sending)
    if (tried.again && tried.ending.kind === 'failure') runner.info(`${tried.ending.reason}.`)
    return tried
  }
}

/** A result, and what the memory has to know of it. */
function asTry(result: PublishResult, sending: Sending): Try<PublishResult> {
  const retry = 'retry' in result ? result.retry : undefined
  const patient = retry && canWait(retry.after)
  return { result, ending: endingOf(result, sending), ...(patient ? { again: retry } : {}) }
}

/** What the memory is told of a result. */
export function endingOf(
  result: PublishResult,
  { showLink, inputs, runner }: Pick<Sending, 'showLink' | 'inputs' | 'runner'>
): Ending {
  const { host } = new URL(inputs.baseUrl)
  const { conceal } = runner
  switch (result.kind) {
    case 'published': {
      const { id, fields } = result.record
      const link = fields.download_url
      const shown = showLink && typeof link === 'string' && /^https?:\/\//.test(link)
      // A deployment is read by whoever reads the repository, and the runner masks nothing there.
      const harmless = shown && conceal(link) === link
      return { kind: 'success', versionId: id, ...(harmless ? { link } : {}) }
    }
    case 'rejected':
      return { kind: 'failure', reason: `${host} answered ${result.status}` }
    case 'notPublished':
      return { kind: 'failure', reason: conceal(describeCause(result.cause, host)) }
    case 'unknown': {
      const reason = result.early
        ? `${host} answered ${result.status} before the request was complete`
        : 'sent, but no answer says whether it was published'
      return { kind: 'unknown', reason }
    }
  }
}
