// One target, from the opened file to the report: the memory around the tries, and what came of them.
import { GitHubError } from '../github/github.ts'
import { NoDeployments } from '../ledger/deployments.ts'
import {
  type Attempt,
  type Once,
  publishOnce,
  publishUnremembered,
  type Repetition
} from '../ledger/publish-once.ts'
import { describePublished, judgeReplay } from '../ledger/record.ts'
import type { PublishResult } from '../shop/publish.ts'
import { attemptOf, repetitionOf, type Sending, type Trace } from './attempt.ts'
import { stepsOf } from './memory.ts'
import {
  crowdedReport,
  doubtAdvice,
  doubtReport,
  permissionAdvice,
  permissionReport,
  replayReport,
  settleCommand
} from './memory-reports.ts'
import { adviseOnGitHub, explain, feedingOf } from './messages.ts'
import { subjectOf } from './prepare.ts'
import { endedEarly, type Report } from './report.ts'

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
    case 'crowded out':
      return crowdedReport(once.claim, subject, runner.context)
    case 'tried': {
      warnIfUnrecorded(sending, once)
      const fields = once.result.kind === 'published' ? once.result.record.fields : {}
      const told = explain(once.result, new URL(inputs.baseUrl).host, feedingOf(planned.inputs))
      const advice =
        told.outcome === 'unknown' && once.claim !== undefined
          ? doubtAdvice(once.claim, subject, runner.context)
          : told.advice
      return { ...told, advice, fields, subject, showLink }
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
  if (inputs.once === 'off') return publishUnremembered(attempt, repetition)
  try {
    return await publishOnce(stepsOf(sending), attempt, repetition)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof GitHubError && error.missingPermission) {
      if (inputs.once === 'require') {
        return { report: permissionReport(error.message, subjectOf(planned)) }
      }
      runner.warning(`Publishing without the memory (${error.message}).\n${permissionAdvice()}`)
      return publishUnremembered(attempt, repetition)
    }
    return { report: unreadable(error, sending) }
  }
}

/** Nothing was sent, since the memory could not be asked first. */
function unreadable(error: Error, { runner, planned }: Sending): Report {
  const subject = subjectOf(planned)
  if (runner.cancelled.aborted) {
    const message = 'The run was cancelled before anything was sent. Nothing was published.'
    return endedEarly('failed', 'cancelled', message, '', subject)
  }
  if (error instanceof NoDeployments) {
    const advice = 'Set `once: off`, and go without that guard.'
    return endedEarly(
      'failed',
      'no-deployments',
      `Nothing was sent: ${error.message}.`,
      advice,
      subject
    )
  }
  const message = `Nothing was sent: GitHub, which remembers what is published, could not be asked. ${error.message}`
  const advice = error instanceof GitHubError ? adviseOnGitHub(error) : 'Run this job again.'
  return endedEarly('failed', 'github', message, advice, subject)
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
