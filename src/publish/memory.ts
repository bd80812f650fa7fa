// Wires a target to the at-most-once memory on GitHub, and puts into words what the memory says.
import type { Artifact } from '../file/artifact.ts'
import { GitHubError } from '../github/github.ts'
import { CancelledError } from '../http/exchange.ts'
import {
  LAG,
  NoDeployments,
  openDeployments,
  openVersions,
  type RecordedVersions
} from '../ledger/deployments.ts'
import type { Claim, Outranked } from '../ledger/ledger.ts'
import { LONGEST_DEADLINE } from '../ledger/parse.ts'
import { type ReplayVerdict, recordOf } from '../ledger/record.ts'
import { type Steps, Withheld } from '../ledger/steps.ts'
import { higherThan, openRanking } from '../release/tag.ts'
import type { RunContext } from '../runner/runner.ts'
import { counted } from '../runner/text.ts'
import type { Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout, type PublishInputs } from './inputs.ts'
import {
  AGAIN,
  adviseOnGitHub,
  nothingDone,
  PERMISSION_ADVICE,
  SETTLE_BY_HAND,
  START_AGAIN
} from './messages.ts'
import { describeRoute, type Named } from './naming.ts'
import type { Sending } from './prepare.ts'
import { ended, type Reason, type Report, type Subject } from './report.ts'

/** In seconds: the part of a claim's deadline that is for retries and the pauses between them. */
export const SENDING_TIME = 300
/** In bytes per second: the slowest upload that a deadline allows for. */
const SLOWEST = 64 * 1024
/** In seconds: for recording the answer, after the time limit for the answer itself. */
const RECORDING_TIME = 60
/** In seconds: the longest time limit for the answer with which there is time to send a file. */
export const LONGEST_RESPONSE = LONGEST_DEADLINE - SENDING_TIME - RECORDING_TIME
/** What the memory has for every version of a product or benefit. Throws when it cannot be read. */
export function versionsOf({ inputs, github, runner, failed }: Run, route: Route) {
  return openVersions(github, { baseUrl: inputs.baseUrl, ...route }, runner.context, failed)
}

type Higher = Pick<Outranked, 'state' | 'versionName'>

/** A higher version that is published, or may be; undefined if there is none. */
export async function findHigher(
  versions: RecordedVersions,
  versionName: string
): Promise<Higher | undefined> {
  for (const other of await higherThan(versionName, versions.names)) {
    const { state } = await versions.standing(other)
    if (state === 'published' || state === 'in doubt') return { state, versionName: other }
  }
  return undefined
}

/** As a clause: `"1.4.3" is lower than "1.5.0", which is already published`. */
export function describeHigher(
  { state, versionName: higher }: Higher,
  versionName: string
): string {
  const which =
    state === 'published'
      ? 'which is already published'
      : 'and nobody knows whether that is published'
  return `"${versionName}" is lower than "${higher}", ${which}`
}

/** The report of a version that is not sent since a higher one is published, or may be. */
export function lowerReport(higher: Higher, versionName: string): Report {
  const settle = `Look in the shop for "${higher.versionName}" first, and say with \`mode: settle\` whether it is there. `
  const advice =
    `${higher.state === 'published' ? '' : settle}To publish the lower version anyway, set \`order: any\`. ` +
    `Buyers will then see it as the newest. ${START_AGAIN}`
  const message = `Nothing was published: ${describeHigher(higher, versionName)}.`
  return ended('failed', 'lower-version', message, advice)
}

/** In seconds: how long a claim counts, and the last part of that, which is kept for the answer. */
export function timesOf(inputs: PublishInputs, size: number) {
  const reserve = answerTimeout(inputs, size) / 1000 + RECORDING_TIME
  const deadline = Math.ceil(SENDING_TIME + size / SLOWEST + reserve)
  return {
    reserve,
    deadline: Math.min(deadline, LONGEST_DEADLINE),
    isCut: deadline > LONGEST_DEADLINE
  }
}

export type Claimable = Pick<Sending, 'commit'> &
  Pick<Named, 'route' | 'versionName' | 'title' | 'names'>

/** The steps for a version, with this run as the claimant; `artifact` is its file, if there is one. */
export async function stepsOf(run: Run, version: Claimable, artifact?: Artifact): Promise<Steps> {
  const { runner, inputs, failed, stopwatch } = run
  const { route, versionName, title, names, commit } = version
  const { name: fileName = '', size = 0 } = artifact ?? {}
  const { runId, runAttempt, job } = runner.context
  const { reserve, deadline } = timesOf(inputs, size)
  const publication = { baseUrl: inputs.baseUrl, ...route, versionName }
  return {
    deployments: openDeployments(run, publication, names.tag),
    claimant: { runId, runAttempt, job, commit, title, fileName, deadline },
    ...{ reserve, lag: LAG, stopwatch, failed },
    rankOf: inputs.order === 'rising' ? await openRanking(versionName) : undefined,
    sleep: ms => run.sleep(ms, runner.cancelled),
    tell: message => runner.info(message)
  }
}

export type Place = Pick<RunContext, 'serverUrl' | 'repository'>

/** The report of a version that was published before. `subject.sha256` is that of this run's file. */
export function replayReport(
  claim: Claim,
  verdict: ReplayVerdict,
  subject: Subject & { readonly sha256: string },
  showLink: boolean,
  place: Place
): Report {
  const { versionId, sha256, size, title: recordedTitle, fileName, downloadUrl } = recordOf(claim)
  const by = `run ${runOf(claim, place)}`
  const name = `"${subject.versionName}"`
  const digests = `the SHA-256 ${sha256}, this one has ${subject.sha256}`
  if (verdict === 'different') {
    const message = `The version ${name} was published by ${by} with different content: its file had ${digests}.`
    const advice =
      'Give the new content a new version. If two jobs of one workflow publish the same version, remove one.'
    return { ...ended('failed', 'different-content', message, advice), subject }
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
export function doubtReport(claim: Claim, subject: Subject, place: Place): Report {
  const { fileName, sha256, size } = recordOf(claim)
  const bytes = counted(Number(size), 'byte')
  const file = sha256 === '' ? fileName : `${fileName} (SHA-256 ${sha256}, ${bytes})`
  const message =
    `Nobody knows whether "${subject.versionName}" is published: run ${runOf(claim, place)} was about ` +
    `to send the last bytes of ${file}, and no answer was recorded. So that nothing is published twice, this run ` +
    'sent nothing.'
  return ended('unknown', 'in-doubt', message, doubtAdvice(claim.id, subject, place))
}

/** What to do about a claim, by its deployment id, whose end nobody knows. Each command has its own line. */
export function doubtAdvice(claim: number, { route, versionName }: Subject, place: Place): string {
  return [
    '1. Wait ten minutes: a slow server may still finish what was sent. Then look in ' +
      `the shop’s admin dashboard, product ${describeRoute(route)}: is there a version "${versionName}"?`,
    `2. Say what you found: ${SETTLE_BY_HAND}`,
    'Or paste a command. If the version is there:',
    `    ${settleCommand(claim, 'success', place)}`,
    'If it is not there:',
    `    ${settleCommand(claim, 'failure', place)}`,
    '3. Run this job again.'
  ].join('\n\n')
}

/** A `gh` command, ready to paste into a POSIX shell, that records how a claim (its deployment id) ended. */
export function settleCommand(
  claim: number,
  state: 'success' | 'failure',
  { serverUrl, repository }: Place,
  description = ''
): string {
  const { host } = new URL(serverUrl)
  const hostname = host === 'github.com' ? '' : ` --hostname ${host}`
  const path = `repos/${repository}/deployments/${claim}/statuses`
  const text = description && ` -f description='${description.replaceAll("'", "'\\''")}'`
  return `gh api${hostname} ${path} -f state=${state} -F auto_inactive=false${text}`
}

/** Reports that the memory failed, so nothing was sent. Throws `CancelledError`, and what is no `Error`. */
export function explainMemory(error: unknown, { runner, inputs }: Run): Report {
  if (!(error instanceof Error)) throw error
  if (runner.cancelled.aborted) throw new CancelledError()
  const { message } = error
  const nothing = (reason: Reason, why: string, advice: string) =>
    ended('failed', reason, `${nothingDone(inputs.mode)}: ${why}.`, advice)
  if (error instanceof GitHubError && error.missingPermission) {
    const what = inputs.mode === 'audit' ? 'read' : 'write'
    const why =
      `the job is not allowed to ${what} deployments, which record what is published, ` +
      `so that nothing is published twice (${message})`
    const lines = PERMISSION_ADVICE.replace('deployments: write', `deployments: ${what}`)
    return nothing('permission', why, lines)
  }
  if (error instanceof NoDeployments) {
    const without = `To publish without that guard, set \`once: off\`. ${START_AGAIN}`
    return nothing('no-deployments', message, inputs.mode === 'publish' ? without : '')
  }
  if (error instanceof Withheld && !error.cause) return nothing('withheld', message, AGAIN)
  if (error instanceof GitHubError && error.status === 422 && /No ref found/.test(message)) {
    const advice = 'Check that the input `tag` is written as on the releases page.'
    return nothing('github', `there is no such tag (${message})`, advice)
  }
  const why = `GitHub, which remembers what is published, could not be asked (${message})`
  return nothing('github', why, adviseOnGitHub(error))
}

function runOf({ claimant }: Claim, { serverUrl, repository }: Place): string {
  const { runId, runAttempt } = claimant
  const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : ''
  return `${runId}${attempt} (${serverUrl}/${repository}/actions/runs/${runId})`
}
