// What the record on GitHub says of a version, in words: published before, in doubt, outranked, or settled.
import { CancelledError } from '../http/exchange.ts'
import { type Claim, deadlineOf, isForeign, type Outranked } from '../ledger/ledger.ts'
import { judgeReplay, recordOf } from '../ledger/record.ts'
import type { SettleEnd } from '../publish/modes.ts'
import type { SendEnd } from '../publish/send.ts'
import type { RunContext } from '../runner/runner.ts'
import { counted } from '../runner/text.ts'
import { adviseOnGitHub } from './failures.ts'
import { ended, type Reason, type Report, type Subject } from './outcome.ts'
import {
  AGAIN,
  adviseNewStart,
  adviseSettling,
  deleteCommands,
  describeRoute,
  type Place,
  type RunFacts,
  startCommand
} from './ways.ts'

/** As a clause: `"1.4.3" is lower than "1.5.0", which is already published`. */
export function describeHigher(
  { state, versionName: higher }: Outranked,
  versionName: string
): string {
  const which =
    state === 'published'
      ? 'which is already published'
      : 'and nobody knows whether that is published'
  return `"${versionName}" is lower than "${higher}", ${which}`
}

/** The report of a version that is not sent since a higher one is published, or may be. */
export function reportLower(higher: Outranked, versionName: string, facts: RunFacts): Report {
  const settle = `Look in the shop for "${higher.versionName}" first, and say with \`mode: settle\` whether it is there. `
  const advice =
    `${higher.state === 'published' ? '' : settle}To publish the lower version anyway, set \`order: any\`. ` +
    `Buyers will then see it as the newest. ${adviseNewStart(facts)}`
  const message = `Nothing was published: ${describeHigher(higher, versionName)}.`
  return ended('failed', 'lower-version', message, advice)
}

/** The report of a version that was published before. */
export function reportReplay(
  end: Extract<SendEnd, { kind: 'replay' }>,
  subject: Subject,
  { context }: RunFacts
): Report {
  const { claim, showLink } = end
  const verdict = judgeReplay(claim, { ...context, ...end })
  const { versionId, sha256, size, title: recordedTitle, fileName, downloadUrl } = recordOf(claim)
  const by = `run ${describeRun(claim, context)}`
  const name = `"${subject.versionName}"`
  const digests = `the SHA-256 ${sha256}, this one has ${end.sha256}`
  if (verdict === 'different') {
    const message = `The version ${name} was published by ${by} with different content: its file had ${digests}.`
    const advice =
      'Give the new content a new version. If two jobs of one workflow publish the same version, remove one.'
    return ended('failed', 'different-content', message, advice)
  }
  // What this run would have sent may differ from what buyers have: only what is recorded is shown.
  const { route, versionName } = subject
  const file = { file: fileName, sha256, ...(size === '' ? {} : { size: Number(size) }) }
  const recorded: Subject = { route, versionName, title: recordedTitle, changelog: '', ...file }
  const rebuilt = ` The file was built again since: the published one has ${digests}.`
  const message = `The version ${name} is already published, as ${by} recorded. Nothing was sent.${verdict === 'rebuilt' ? rebuilt : ''}`
  const { title, changelog } = subject
  // As the shop gives it: a number, or a bigint if a number cannot hold it exactly.
  const id = Number.isSafeInteger(Number(versionId)) ? Number(versionId) : BigInt(versionId)
  const fields = {
    ...{ id: versionId === '' ? null : id, title, changelog },
    ...{ file_name: fileName || null, download_url: downloadUrl || null }
  }
  const report = ended('skipped', 'already-published', message)
  return { ...report, subject: recorded, fields, showLink }
}

/** The report of a version that may or may not be published: a person has to look. */
export function reportDoubt(claim: Claim, subject: Subject, facts: RunFacts): Report {
  const { fileName, sha256, size } = recordOf(claim)
  const bytes = counted(Number(size), 'byte')
  const file = sha256 === '' ? fileName : `${fileName} (SHA-256 ${sha256}, ${bytes})`
  const run = `run ${describeRun(claim, facts.context)}`
  const foreign = claim.statuses.find(isForeign)
  const why = foreign
    ? `something else than this action marked the deployment of ${run} as a success ("${foreign.description}")`
    : `${run} was about to send the last bytes of ${file}, and no answer was recorded`
  const message =
    `Nobody knows whether "${subject.versionName}" is published: ${why}. So that nothing is published twice, this run ` +
    'sent nothing.'
  return ended('unknown', 'in-doubt', message, adviseOnClaim(claim.id, subject, facts))
}

/** The report of a run whose own claim was marked as a success before its last bytes went out. */
export function reportContradicted({ id, statuses }: Claim, { context }: RunFacts): Report {
  const { description = '' } = statuses.find(({ state }) => state === 'success') ?? {}
  const message =
    `Nothing was published: before the last bytes went out, something else wrote \`success\`${description && ` ("${description}")`} ` +
    `on this run’s own deployment ${id}.`
  const advice = [
    'If somebody looked in the shop and recorded that the version is there, nothing is left to do. If not, it was an ' +
      'app or a workflow that reacts to deployments: let it leave those with the task `publish-version` alone. ' +
      'Then delete this one, or runs may take the version for published, and run this job again:',
    ...deleteCommands(id, context)
  ].join('\n')
  return ended('failed', 'contradicted', message, advice)
}

/** What to do about a claim, by its deployment id, whose end nobody knows. Each command has its own line. */
export function adviseOnClaim(
  claim: number,
  { route, versionName }: Subject,
  facts: RunFacts
): string {
  return [
    '1. Wait ten minutes: a slow shop may still finish what was sent. Then look in ' +
      `the shop’s admin dashboard, product ${describeRoute(route)}: is there a version "${versionName}"?`,
    `2. Say what you found: ${adviseSettling(facts)}`,
    'Or paste a command. If the version is there:',
    `    ${settleCommand(claim, 'success', facts.context)}`,
    'If it is not there:',
    `    ${settleCommand(claim, 'failure', facts.context)}`,
    '3. Run this job again.'
  ].join('\n\n')
}

/** A `gh` command, ready to paste into a POSIX shell, that records how a claim (its deployment id) ended. */
export function settleCommand(
  claim: number,
  state: 'success' | 'failure',
  place: Place,
  description = ''
): string {
  const text = description && ` -f description='${description.replaceAll("'", "'\\''")}'`
  return `${startCommand(claim, place)}/statuses -f state=${state} -F auto_inactive=false${text}`
}

function describeRun({ claimant }: Claim, { serverUrl, repository }: RunContext): string {
  const { runId, runAttempt } = claimant
  const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : ''
  return `${runId}${attempt} (${serverUrl}/${repository}/actions/runs/${runId})`
}

/** The report of what a person found and `mode: settle` recorded, or did not. */
export function reportSettled(end: SettleEnd, subject: Subject, facts: RunFacts): Report {
  return { ...reportFinding(end, subject, facts), subject: { ...subject, ...end.read } }
}

function reportFinding(
  { settled, finding }: SettleEnd,
  { versionName, route }: Subject,
  facts: RunFacts
): Report {
  const name = `"${versionName}" of product ${describeRoute(route)}`
  const next = finding === 'published' ? 'No run will send it.' : 'A run may publish it now.'
  const refused = (reason: Reason, why: string, advice: string) =>
    ended('failed', reason, `Nothing was recorded: ${why}`, advice)
  switch (settled.kind) {
    case 'settled':
      return ended('settled', '', `${name} is recorded as ${finding}. ${next}`)
    case 'known': {
      const known = finding === 'published' ? 'is already recorded as published' : 'is not in doubt'
      const message = `${name} ${known}, so nothing was recorded. ${next}`
      const advice =
        'If you meant another version, check `tag`, `product`, `benefit` and `version-name`.'
      return { ...ended('settled', '', message, advice), heading: 'Nothing to record' }
    }
    case 'busy': {
      const { runId } = settled.claim.claimant
      const end = new Date(deadlineOf(settled.claim)).toISOString().replace(/\.\d+/, '')
      const advice =
        'Wait until that run has ended. Then look in the shop, and run this again if needed. ' +
        'If it was killed, run its job again: that starts at once, and either publishes the version or ' +
        `lets you say what you find in the shop. Without that, this is refused until ${end}.`
      return refused('busy', `run ${runId} may be publishing ${name} right now.`, advice)
    }
    case 'contradicted': {
      const { serverUrl, repository } = facts.context
      const { id } = settled.claim
      const advice = [
        'If it is really not in the shop, publish the file as a new version. Or delete the record ' +
          `(deployments of ${serverUrl}/${repository}), and run this again:`,
        ...deleteCommands(id, facts.context)
      ].join('\n')
      const why = `${name} is recorded as published, which cannot be taken back.`
      return refused('contradicted', why, advice)
    }
    case 'overtaken': {
      const { runId } = settled.claim.claimant
      const message = `${name} is recorded as ${finding}. But run ${runId} began to publish it at about the same time, and may have sent it.`
      const advice =
        'Wait until that run has ended, then check how many times the version is in the shop. ' +
        'If it is there twice, delete one there: no run can. If what is there is what is recorded, nothing is left to do.'
      return ended('failed', 'busy', message, advice)
    }
    case 'unconfirmed':
    case 'unanswered': {
      const { kind, cause } = settled
      const reason = cause instanceof CancelledError ? 'cancelled' : 'github'
      const why = cause instanceof Error ? cause.message : String(cause)
      const way = cause instanceof Error ? adviseOnGitHub(cause, facts) : ''
      if (kind === 'unconfirmed') {
        const message = `${name} is recorded as ${finding}. But whether a run began to publish it at the same time could not be seen (${why}).`
        return ended('failed', reason, message, way)
      }
      const message = `${name} may be recorded as ${finding}, or not: GitHub did not say (${why}).`
      const again = 'Run this job again in a minute: it records what is not recorded by then.'
      return ended('failed', reason, message, way === AGAIN ? again : `${again} ${way}`)
    }
  }
}
