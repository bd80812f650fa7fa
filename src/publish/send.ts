// One target, from the opened file to the report: the memory around the tries, and what came of them.
import { GitHubError } from '../github/github.ts'
import {
  type Attempt,
  type Once,
  publishOnce,
  publishUnremembered,
  type Repetition
} from '../ledger/publish-once.ts'
import { describePublished, judgeReplay } from '../ledger/record.ts'
import type { PublishResult } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { attemptOf, repetitionOf, type Sending, type Trace } from './attempt.ts'
import { guardWithMemory, guardWithoutMemory } from './guard.ts'
import { stepsOf } from './memory.ts'
import {
  doubtAdvice,
  doubtReport,
  explainMemory,
  permissionAdvice,
  replayReport,
  settleCommand
} from './memory-reports.ts'
import { explain, feedingOf } from './messages.ts'
import { subjectOf } from './prepare.ts'
import type { Report } from './report.ts'

/** Publishes the target, at most once, and reports how that ended. */
export async function sendTarget(sending: Sending): Promise<Report> {
  const { inputs, planned, runner, showLink } = sending
  const trace: Trace = { sealed: undefined }
  const once = await remember(sending, attemptOf(sending, trace), repetitionOf(sending))
  if ('report' in once) return once.report
  const subject = subjectOf(planned, trace.sealed?.sha256)
  switch (once.kind) {
    case 'replay': {
      const { sha256 } = await planned.artifact.digest()
      const present = { ...runner.context, commit: sending.commit, sha256 }
      const verdict = judgeReplay(once.claim, present)
      return replayReport(once.claim, verdict, { ...subject, sha256 }, showLink, runner.context)
    }
    case 'in doubt':
      return doubtReport(once.claim, subject, runner.context)
    case 'tried': {
      warnIfUnrecorded(sending, once)
      const told = explain(once.result, new URL(inputs.baseUrl).host, feedingOf(planned.inputs))
      const advice =
        told.outcome === 'unknown' && once.claim !== undefined
          ? doubtAdvice(once.claim, subject, runner.context)
          : told.advice
      return { ...told, advice, subject, showLink }
    }
  }
}

/** Publishes with the memory that the input `once` asks for. */
async function remember(
  sending: Sending,
  attempt: Attempt<PublishResult>,
  repetition: Repetition
): Promise<Once<PublishResult> | { readonly report: Report }> {
  const { runner, inputs, planned } = sending
  const unremembered = async () => {
    const report = await guardWithoutMemory(sending)
    return report ? { report } : publishUnremembered(attempt, repetition)
  }
  if (inputs.once === 'off') return unremembered()
  try {
    const report = await guardWithMemory(sending)
    const { name: fileName, size } = planned.artifact
    const claiming = { ...planned, commit: sending.commit, fileName, size }
    return report ? { report } : await publishOnce(stepsOf(sending, claiming), attempt, repetition)
  } catch (error) {
    const denied = error instanceof GitHubError && error.missingPermission
    if (!denied || inputs.once === 'require') {
      return { report: explainMemory(error, sending, subjectOf(planned)) }
    }
    runner.warning(`Publishing without the memory (${error.message}).\n${permissionAdvice()}`)
    return unremembered()
  }
}

/** An end that the memory does not know would be in doubt at the next run. */
function warnIfUnrecorded(
  { runner, planned }: Sending,
  { claim, recorded, result }: Extract<Once<PublishResult>, { kind: 'tried' }>
): void {
  if (claim === undefined || recorded || result.kind === 'unknown') return
  const command =
    result.kind === 'published'
      ? settleCommand(
          claim,
          'success',
          runner.context,
          describePublished(planned.versionName, result.record.id)
        )
      : settleCommand(claim, 'failure', runner.context)
  runner.warning(
    `How this ended could not be recorded on GitHub, so the next run would not know. Record it with:\n${command}`
  )
}

/** Whether `download_url` may be shown where everyone who can read the repository sees it. */
export async function mayShowLink({ inputs, isPrivate }: Run): Promise<boolean> {
  if (inputs.downloadLink !== 'auto') return inputs.downloadLink === 'show'
  return (await isPrivate()) ?? false
}
