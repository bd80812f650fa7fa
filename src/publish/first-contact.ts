// The check of one target, and the first contact: the same request, sent before an upload.
import { describeCause, pauseBefore, TRIES } from '../http/errors.ts'
import { type CheckResult, checkRoute, judgeContact } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import {
  explainCheck,
  explainNotSent,
  explainRefusal,
  type Refusal,
  type ShopQuestion
} from './answers.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { START_AGAIN } from './messages.ts'
import type { Report } from './report.ts'

/** What the first contact says about the upload: `report`, if there is one, ends the target as failed. */
export type FirstContact =
  | Readonly<{ kind: 'upload'; answeredAsApi: boolean }>
  | Readonly<{ kind: 'stop'; report: Report }>

/** Sends the check of one target and reports the answer. Throws `CancelledError`. */
export async function checkTarget(run: Run, target: TargetInputs): Promise<Report> {
  const result = await requestCheck(run, target)
  return explainCheck(result, { host: new URL(run.inputs.baseUrl).host, target, contacted: false })
}

/** Sends a request without any field of a version. It tests the token and the ids, and cannot publish. */
function requestCheck(run: Run, { route, upload }: TargetInputs): Promise<CheckResult> {
  const { inputs, runner, connect } = run
  return checkRoute(connect, {
    service: { baseUrl: inputs.baseUrl, token: inputs.token },
    route,
    upload,
    patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, 0) },
    signal: runner.cancelled
  })
}

/**
 * Sends a check before an upload, so that a wrong address, token, or id ends the run before it, and what
 * answers in the shop's place after it is known for that. Repeats it where that may help.
 */
export async function makeFirstContact(run: Run, target: TargetInputs): Promise<FirstContact> {
  const { runner } = run
  runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const mayRepeat = countTries(run)
  for (;;) {
    const result = await requestCheck(run, target)
    if (result.kind === 'checked') return { kind: 'upload', answeredAsApi: true }
    const verdict = judgeContact(result)
    if (verdict === 'upload') return { kind: verdict, answeredAsApi: result.kind === 'rejected' }
    const { host } = new URL(run.inputs.baseUrl)
    const after = 'after' in result ? result.after : undefined
    const why = `No first contact yet: ${describeRefusal(result, host)}.`
    if (verdict === 'repeat' && (await mayRepeat(after, why))) continue
    return { kind: 'stop', report: explainStopped(result, { host, target, contacted: false }) }
  }
}

function describeRefusal(result: Refusal, host: string): string {
  if (result.kind === 'noAnswer') return describeCause(result.cause, host)
  return `${host} answered ${result.status}`
}

/** The report of a target that ends with its first contact. */
function explainStopped(result: Refusal, question: ShopQuestion): Report {
  if (result.kind === 'noAnswer') {
    const report = explainNotSent(result.cause, question.host)
    if (report.reason === 'cancelled') return report
    return { ...report, advice: `${report.advice}\n${START_AGAIN}` }
  }
  const report = explainRefusal(result, question)
  const { status, isCloudflare } = result
  // No new run is needed: a re-run reads secrets again, and the shop may be up, or open, by then.
  const needsNoChange = isCloudflare || [401, 402, 429].includes(status) || status >= 500
  const advice = needsNoChange ? report.advice : `${report.advice}\n${START_AGAIN}`
  return { ...report, message: `Nothing was uploaded. ${report.message}`, advice }
}

/** Asks whether there is another try after this one; if so, says why, and returns true after the pause. */
export type MayTryAgain = (after: number | undefined, why: string) => Promise<boolean>

/** Counts the tries of one request. */
export function countTries({ runner, sleep }: Run): MayTryAgain {
  let tried = 0
  return async (after, why) => {
    const ms = pauseBefore(++tried, after)
    if (ms === undefined) return false
    runner.info(why)
    runner.info(`Try ${tried + 1} of ${TRIES} follows in ${(ms / 1000).toFixed(1)} s.`)
    // If the run is cancelled, the next try fails at once.
    await sleep(ms, runner.cancelled).catch(() => undefined)
    return true
  }
}
