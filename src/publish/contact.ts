// Asks the shop without sending a version: `mode: check`, and the first contact before an upload.
import { describeCause, pauseBefore, TRIES } from '../http/errors.ts'
import { CancelledError } from '../http/exchange.ts'
import { type CheckResult, checkRoute, judgeContact } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { type Permission, versionsOf } from './memory.ts'
import { nameTargets } from './naming.ts'

export type Refusal = Exclude<CheckResult, { kind: 'checked' }>

/** The end of `mode: check` for a target; `unpublished`: the run's tag, if the memory has nothing of it. */
export interface CheckEnd {
  readonly kind: 'checked'
  readonly result: CheckResult
  readonly unpublished: string
  readonly permission: Permission
}

/** Sends the check of one target. Throws `CancelledError`. */
export async function checkTarget(
  run: Run,
  target: TargetInputs,
  permission: Permission
): Promise<CheckEnd> {
  const result = await requestCheck(run, target)
  const isAsked = result.kind === 'checked' && run.facts.tag !== '' && run.inputs.once !== 'off'
  const isUnpublished = isAsked && (await lacksVersion(run, target))
  return { kind: 'checked', result, unpublished: isUnpublished ? run.facts.tag : '', permission }
}

/**
 * Whether the memory has nothing of the version of the run's tag: a check is green, and who pressed the button with
 * a tag takes it for a publication.
 */
async function lacksVersion(run: Run, target: TargetInputs): Promise<boolean> {
  // A check does not read the release, and so does not know its name.
  if (target.versionName.includes('{name}')) return false
  const tagged = { tag: run.facts.tag, release: undefined, standIn: '', ownCommit: false }
  const { named, problems } = nameTargets({ ...run.inputs, targets: [target] }, tagged)
  const [one] = problems.length === 0 ? named : []
  if (!one) return false
  const memory = await versionsOf(run, one.route).catch(() => undefined)
  const standing = await memory?.standing(one.versionName).catch(() => undefined)
  return standing?.state === 'none'
}

/** Sends a request without any field of a version. It tests the token and the ids, and cannot publish. */
async function requestCheck(run: Run, { route, upload }: TargetInputs): Promise<CheckResult> {
  const { inputs, runner, connect } = run
  const result = await checkRoute(connect, {
    service: { baseUrl: inputs.baseUrl, token: inputs.token },
    route,
    upload,
    patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, 0) },
    signal: runner.cancelled
  })
  if (result.kind === 'noAnswer' && result.cause instanceof CancelledError) throw result.cause
  return result
}

/** What the first contact says about the upload; `refused` ends the target. */
export type FirstContact =
  | Readonly<{ kind: 'upload'; answeredAsApi: boolean }>
  | Readonly<{ kind: 'refused'; refusal: Refusal }>

/**
 * Sends a check before an upload, so that a wrong address, token, or id ends the run before it, and what
 * answers in the shop's place after it is known for that. Repeats it where that may help. Throws `CancelledError`.
 */
export async function makeFirstContact(run: Run, target: TargetInputs): Promise<FirstContact> {
  run.runner.info('Asking the shop about the token and the ids first, without sending a version.')
  const mayRepeat = countTries(run)
  for (;;) {
    const result = await requestCheck(run, target)
    if (result.kind === 'checked') return { kind: 'upload', answeredAsApi: true }
    const verdict = judgeContact(result)
    if (verdict === 'upload') return { kind: verdict, answeredAsApi: result.kind === 'rejected' }
    const after = 'after' in result ? result.after : undefined
    const why = `No first contact yet: ${describeRefusal(result, run.facts.host)}.`
    if (verdict === 'repeat' && (await mayRepeat(after, why))) continue
    return { kind: 'refused', refusal: result }
  }
}

function describeRefusal(refusal: Refusal, host: string): string {
  if (refusal.kind === 'noAnswer') return describeCause(refusal.cause, host)
  return `${host} answered ${refusal.status}`
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
