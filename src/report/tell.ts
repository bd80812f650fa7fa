// Puts how a target ended into words, once, at its end; everything else in this folder serves that.
import { describePublished } from '../ledger/record.ts'
import type { Difference } from '../publish/approval.ts'
import type { TargetInputs } from '../publish/inputs.ts'
import type { AuditEnd, CheckEnd, Refusal, SettleEnd } from '../publish/modes.ts'
import type { PlanEnd } from '../publish/plan.ts'
import type { SendEnd } from '../publish/send.ts'
import {
  adviseIfMissing,
  reportCheck,
  reportNotSent,
  reportPublished,
  reportRefusal,
  reportResult
} from './answers.ts'
import { reportAudit } from './audit.ts'
import { reportFailure } from './failures.ts'
import { describePermission, reportNoTime } from './notices.ts'
import { type Report, type ToldTarget, untold } from './outcome.ts'
import { reportPlan, reportUnapproved } from './plan.ts'
import {
  adviseOnClaim,
  reportContradicted,
  reportDoubt,
  reportLower,
  reportReplay,
  reportSettled,
  settleCommand
} from './record.ts'
import { adviseNewStart, describeRoute, type RunFacts } from './ways.ts'

/** How a target ended, in any mode. */
export type TargetEnd =
  | SendEnd
  | PlanEnd
  | CheckEnd
  | SettleEnd
  | AuditEnd
  | Readonly<{ kind: 'not approved'; difference: Difference; sha256: string }>

/** The report of a target. What cannot be told changes nothing about what the shop has published. */
export function tellTarget(end: TargetEnd, told: ToldTarget, facts: RunFacts): Report {
  // As long as a file was not read to its end, nobody knows its digest.
  const sha256 = 'sha256' in end && end.sha256 !== '' ? end.sha256 : undefined
  const subject = { ...told, sha256 }
  try {
    return { subject, ...reportEnd(end, told, facts) }
  } catch (error) {
    if (end.kind !== 'tried' || end.result.kind !== 'published') throw error
    return untold({ subject, ...reportPublished(end.result.record) }, error)
  }
}

function reportEnd(end: TargetEnd, told: ToldTarget, facts: RunFacts): Report {
  const { versionName, target, route } = told
  switch (end.kind) {
    case 'tried':
      return reportSent(end, told, facts)
    case 'replay':
      return reportReplay(end, told, facts)
    case 'in doubt':
      return reportDoubt(end.claim, told, facts)
    case 'contradicted':
      return reportContradicted(end.claim, facts)
    case 'outranked':
      return reportLower(end, versionName, facts)
    case 'no time':
      return reportNoTime(end.longest, facts)
    case 'refused':
      return reportContact(end.refusal, target, facts)
    case 'not approved':
      return reportUnapproved(end.difference)
    case 'planned':
      return reportPlan(end, told, facts)
    case 'checked':
      return reportChecked(end, target, facts)
    case 'settled':
      return reportSettled(end, told, facts)
    case 'audited':
      return reportAudit(end, describeRoute(route))
    default:
      return reportFailure(end, facts)
  }
}

type Sent = Extract<SendEnd, { kind: 'tried' }>

function reportSent(sent: Sent, told: ToldTarget, facts: RunFacts): Report {
  const { result, claim, recorded, contact, showLink } = sent
  const contacted = contact?.kind === 'upload' && contact.answeredAsApi
  const { target, versionName } = told
  const question = { facts, target, versionName, contacted, recorded: claim !== undefined }
  const report = { ...reportResult(result, question), showLink }
  if (claim === undefined) return report
  if (result.kind !== 'unknown') {
    if (recorded) return report
    return { ...report, warnings: [{ text: explainUnrecorded(claim, sent, versionName, facts) }] }
  }
  const more = adviseIfMissing(result, question)
  const settling = adviseOnClaim(claim, told, facts)
  return { ...report, advice: more === '' ? settling : `${settling}\n\n${more}` }
}

/** How to record the end by hand; without a record, the next run may find the version in doubt. */
function explainUnrecorded(
  claim: number,
  { result, sha256 }: Sent,
  versionName: string,
  { context }: RunFacts
): string {
  const isPublished = result.kind === 'published'
  const text = isPublished ? describePublished(versionName, sha256, result.record.id) : ''
  const command = settleCommand(claim, isPublished ? 'success' : 'failure', context, text)
  return `How this ended could not be recorded on GitHub, so the next run would not know. Record it with:\n    ${command}`
}

function reportContact(refusal: Refusal, target: TargetInputs, facts: RunFacts): Report {
  if (refusal.kind === 'noAnswer') {
    const report = reportNotSent(refusal.cause, facts)
    return { ...report, advice: `${report.advice}\n${adviseNewStart(facts)}` }
  }
  const report = reportRefusal(refusal, { target, contacted: false, facts })
  const { status, isCloudflare } = refusal
  // No new run is needed: a re-run reads secrets again, and the shop may be up, or open, by then.
  const needsNoChange = isCloudflare || [401, 402, 429].includes(status) || status >= 500
  const advice = needsNoChange ? report.advice : `${report.advice}\n${adviseNewStart(facts)}`
  return { ...report, message: `Nothing was uploaded. ${report.message}`, advice }
}

function reportChecked(
  { result, unpublished, permission }: CheckEnd,
  target: TargetInputs,
  facts: RunFacts
): Report {
  const report = reportCheck(result, { target, contacted: false, facts })
  const message = `${report.message} ${describePermission(permission, facts).said}`.trimEnd()
  const heading = `Checked. ${unpublished} is not published`
  return { ...report, message, ...(unpublished === '' ? {} : { heading }) }
}
