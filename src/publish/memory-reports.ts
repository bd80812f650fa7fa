// What the at-most-once memory tells the user: already published, in doubt, not permitted, not recorded.
import { GitHubError } from '../github/github.ts'
import { NoDeployments } from '../ledger/deployments.ts'
import type { Claim } from '../ledger/ledger.ts'
import { recordOf, type Verdict } from '../ledger/record.ts'
import { Withheld } from '../ledger/steps.ts'
import type { RunContext } from '../runner/runner.ts'
import { counted } from '../runner/text.ts'
import type { Run } from './adapters.ts'
import { adviseOnGitHub, permissionAdvice } from './messages.ts'
import { describeRoute } from './naming.ts'
import { endedEarly, type Reason, type Report, type Subject } from './report.ts'

/** Where the repository and its runs are found. */
type Place = Pick<RunContext, 'serverUrl' | 'repository'>

/** The report of a version that was published before. `sha256` is that of the file at hand. */
export function replayReport(
  claim: Claim,
  verdict: Verdict,
  subject: Subject & { readonly sha256: string },
  showLink: boolean,
  place: Place
): Report {
  const { versionId, sha256, size, fileName, downloadUrl } = recordOf(claim)
  const by = `run ${runOf(claim, place)}`
  const name = `"${subject.versionName}"`
  if (verdict === 'different') {
    const message =
      `The version ${name} was published by ${by} with different content: ` +
      `its file had the SHA-256 ${sha256}, this one has ${subject.sha256}.`
    const advice =
      'Give the new content a new version. If two jobs of one workflow publish the same version, remove one.'
    return endedEarly('failed', 'different-content', message, advice, subject)
  }
  const { size: _, ...known } = subject
  const recorded = { ...known, sha256, ...(size === '' ? {} : { size: Number(size) }) }
  const rebuilt =
    verdict === 'rebuilt'
      ? ` The file was built again since: the published one has the SHA-256 ${sha256}, this one has ${subject.sha256}.`
      : ''
  const message = `The version ${name} is already published, by ${by}. Nothing was sent.${rebuilt}`
  const fields = {
    id: versionId === '' ? null : asId(versionId),
    title: subject.title,
    changelog: subject.changelog,
    file_name: fileName || null,
    download_url: downloadUrl || null
  }
  return {
    ...endedEarly('skipped', 'already-published', message, '', recorded),
    ...{ fields, showLink }
  }
}

/** An id with the type that the service gives it. */
function asId(digits: string): number | bigint {
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : BigInt(digits)
}

/** The report of a version that may be published, or not: a person has to look. */
export function doubtReport(claim: Claim, subject: Subject, place: Place): Report {
  const { fileName, sha256, size } = recordOf(claim)
  const file =
    sha256 === '' ? fileName : `${fileName} (SHA-256 ${sha256}, ${counted(Number(size), 'byte')})`
  const message =
    `Nobody knows whether "${subject.versionName}" is published: run ${runOf(claim, place)} was about ` +
    `to send the last bytes of ${file}, and no answer was recorded. So that nothing is published twice, this run ` +
    'sent nothing.'
  return endedEarly('unknown', 'in-doubt', message, doubtAdvice(claim.id, subject, place), subject)
}

/** What a person does about a claim that nobody knows the end of. Each command is a line of its own. */
export function doubtAdvice(claim: number, { route, versionName }: Subject, place: Place): string {
  return [
    '1. Wait ten minutes: a slow server may still finish what was sent. Then look in ' +
      `the shop’s admin dashboard, product ${describeRoute(route)}: is there a version "${versionName}"?`,
    '2. Say what you found: run a workflow by hand that has this step with the input `mode: settle`, and ' +
      '`settle-as: published` if the version is there, or `settle-as: not-published` if it is not.',
    'Or paste a command. If the version is there:',
    `    ${settleCommand(claim, 'success', place)}`,
    'If it is not there:',
    `    ${settleCommand(claim, 'failure', place)}`,
    '3. Run this job again.'
  ].join('\n\n')
}

/** A command, ready to paste, that records how a claim ended. */
export function settleCommand(
  claim: number,
  state: 'success' | 'failure',
  { serverUrl, repository }: Place,
  description = ''
): string {
  const { host } = new URL(serverUrl)
  const hostname = host === 'github.com' ? '' : ` --hostname ${host}`
  const path = `repos/${repository}/deployments/${claim}/statuses`
  const quoted = `'${description.replaceAll("'", "'\\''")}'`
  const text = description === '' ? '' : ` -f description=${quoted}`
  return `gh api${hostname} ${path} -f state=${state} -F auto_inactive=false${text}`
}

/** Why nothing was sent or recorded: the memory could not be asked. Throws what is no error. */
export function explainMemory(
  error: unknown,
  { runner, inputs }: Pick<Run, 'runner' | 'inputs'>,
  subject: Subject
): Report {
  if (!(error instanceof Error)) throw error
  const ended = (reason: Reason, message: string, advice = '') =>
    endedEarly('failed', reason, message, advice, subject)
  if (runner.cancelled.aborted) {
    return ended(
      'cancelled',
      'The run was stopped before anything was sent. Nothing was published.'
    )
  }
  const without = inputs.mode === 'publish' ? 'To publish without that guard, set `once: off`.' : ''
  if (error instanceof GitHubError && error.missingPermission) {
    const message =
      'Nothing was sent: the job is not allowed to write deployments, which record what is published, ' +
      `so that nothing is published twice (${error.message}).`
    return ended('permission', message, `${permissionAdvice()}\n${without}`.trimEnd())
  }
  if (error instanceof NoDeployments) {
    return ended('no-deployments', `Nothing was sent: ${error.message}.`, without)
  }
  if (error instanceof Withheld && !error.cause) {
    return ended('withheld', `Nothing was sent: ${error.message}.`, 'Run this job again.')
  }
  const message = `Nothing was sent: GitHub, which remembers what is published, could not be asked (${error.message}).`
  const isGitHub = error instanceof GitHubError
  return ended('github', message, isGitHub ? adviseOnGitHub(error) : 'Run this job again.')
}

function runOf(
  { claimant: { runId, runAttempt } }: Claim,
  { serverUrl, repository }: Place
): string {
  const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : ''
  return `${runId}${attempt} (${serverUrl}/${repository}/actions/runs/${runId})`
}
