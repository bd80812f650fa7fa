// The use case: find the release, prepare, handle one target after another, report.
import { CancelledError, strayError } from '../http/exchange.ts'
import { explainCheckout, isComparable, readCheckout } from '../release/checkout.ts'
import { commitOf, findRelease, type Tagged } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import { type Fault, textAt } from '../runner/values.ts'
import { type Adapters, openApi, openRun, type Run } from './adapters.ts'
import { whyNotApproved } from './approval.ts'
import { auditTarget, listAudited } from './audit.ts'
import { checkTarget } from './first-contact.ts'
import { headCheck } from './heading.ts'
import { parsePublishInputs, parseTag, placeIn } from './inputs.ts'
import { completeAdvice, explainStop, MODES, type Problem, problemReport } from './messages.ts'
import { planTarget, settleTarget } from './modes.ts'
import { describeRoute } from './naming.ts'
import { tellPermission } from './notices.ts'
import { announce, type Prepared, plannedPartOf, prepare } from './prepare.ts'
import {
  ended,
  fitOutputs,
  logReport,
  outputsOf,
  planOf,
  type Report,
  type Reports,
  type Subject,
  worstOf
} from './report.ts'
import { sendTarget } from './send.ts'
import { summaryOf } from './summary.ts'

const NO_CHANGELOGS =
  'The outputs of a job may have 1 MB in all, so this is left empty, and null in `versions`: changelog. ' +
  'The changelog that was sent is in the log.'
const APPROVE_AGAIN =
  'If what would be sent now is right, run `mode: plan` again, and have that approved. Another build has other bytes, ' +
  'so publish the file that was planned, for example as the release’s `asset`.'

/** Runs the publish action from the inputs to the outputs. A failure is reported, and fails the step. */
export async function publishRelease(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name))
  const { inputs, problems, warnings, products } = await parsePublishInputs(
    runner.input,
    runner.context.inputNames
  )
  for (const warning of warnings) runner.warning(warning)
  if (problems.length > 0) problems.push(...(await faultsOfSince(adapters)))
  const {
    reports,
    note = '',
    draftUrl = ''
  } = inputs ? await handle(openRun(adapters, inputs), problems) : refuseRun(runner, problems)
  const { context, input } = runner
  const facts = { context, input, products, note, draftUrl, baseUrl: inputs?.baseUrl ?? '' }
  const { outcome } = worstOf(reports)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
  const fitting = fitOutputs(reports)
  if (fitting !== reports) runner.warning(NO_CHANGELOGS)
  for (const [name, value] of outputsOf(fitting, inputs?.targets.length)) runner.output(name, value)
  // The last, since nothing that fails here may lose what later steps need to know.
  try {
    await runner.summary(summaryOf(reports, facts))
  } catch (error) {
    runner.warning(`There is no summary, since it could not be made: ${textAt(error, 'message')}`)
  }
}

/** Asks GitHub whether `audit-since` is wrong, so that it is reported along with the other inputs. */
async function faultsOfSince(adapters: Adapters): Promise<Fault[]> {
  const { input, cancelled } = adapters.runner
  const since = parseTag(input('audit-since'))
  if (since === '' || input('mode') !== 'audit') return []
  const github = openApi(adapters, input('github-token'), cancelled)
  const found = await listAudited(github, since).catch(() => [])
  github.close()
  return 'place' in found ? [found] : []
}

/** `note` is what the summary says first, such as that another release stands in. */
type RunResult = Readonly<{ reports: Reports; note?: string; draftUrl?: string }>

async function handle(run: Run, problems: readonly Fault[]): Promise<RunResult> {
  const { runner, inputs, github, settling } = run
  try {
    const isLook = inputs.mode === 'check' || inputs.mode === 'audit'
    if (!isLook) return await publishOf(run, problems)
    return problems.length > 0 ? refuseRun(runner, problems) : await runWithoutRelease(run)
  } catch (error) {
    // Wrong inputs are what the user can fix, so they are reported rather than the error.
    if (problems.length > 0) return refuseRun(runner, problems)
    return endAll(runner, explainStop(error, runner, 'failed'))
  } finally {
    github.close()
    settling.close()
  }
}

/** The modes without a release: `check` asks the shop about every target, `audit` the memory. */
async function runWithoutRelease(run: Run): Promise<RunResult> {
  const { auditSince, mode } = run.inputs
  const audited = mode === 'audit' ? await listAudited(run.github, auditSince) : undefined
  if (audited && 'place' in audited) return refuseRun(run.runner, [audited])
  const unnamed = { versionName: '', title: '', changelog: '' }
  const targets = run.inputs.targets.map(target => ({ ...unnamed, route: target.route, target }))
  if (audited) return eachInTurn(run, targets, ({ target }) => auditTarget(run, target, audited))
  const permission = await tellPermission(run)
  return eachInTurn(run, targets, async ({ target }) => {
    const report = await headCheck(run, target, await checkTarget(run, target))
    return { ...report, message: `${report.message} ${permission}`.trimEnd() }
  })
}

/** The modes with a release: publishes, plans, or settles every target. */
async function publishOf(run: Run, problems: readonly Fault[]): Promise<RunResult> {
  const { runner, inputs, github } = run
  const { mode, tag, baseUrl } = inputs
  const found = await findRelease({
    ...{ ...runner.context, payload: await runner.payload(), tag },
    ...{ api: github, notice: runner.notice },
    harmless: mode === 'plan' || baseUrl.startsWith('http:'),
    takesDrafts: mode === 'plan',
    // A person may settle any release, pre-release or not.
    prerelease: mode === 'settle' ? 'publish' : inputs.prerelease
  })
  if ('outcome' in found) {
    if (problems.length > 0) return refuseRun(runner, problems)
    return endAll(runner, ended(found.outcome, found.reason, found.message))
  }
  const draftUrl = found.release?.draft ? found.release.url : ''
  const note = found.release?.draft ? noteOnDraft(found.tag) : found.standIn
  if (note !== '') runner.notice(note)
  const { commit, strayed } = await readCommits(run, found)
  const prepared = await prepare(run, found, [...problems, ...strayed])
  try {
    if (prepared.problems.length > 0) return { ...refuseRun(runner, prepared.problems), draftUrl }
    const all =
      mode === 'settle'
        ? await settleAll(run, commit, prepared)
        : await sendAll(run, found, commit, prepared)
    return { ...all, note, draftUrl }
  } finally {
    await prepared.dispose()
  }
}

function noteOnDraft(tag: string): string {
  return `The release ${tag} is still a draft. To publish exactly what is planned here, publish the release on GitHub, and then run \`mode: publish\` with this plan as \`approved-plan\`.`
}

/**
 * The tag's commit, empty if nobody knows or asks for it; `strayed` has a problem if a file of the workspace may be
 * built from another one.
 */
async function readCommits({ runner, inputs, github }: Run, tagged: Tagged) {
  const { context } = runner
  const { mode, once, fileVersion, targets } = inputs
  const target = targets.find(({ file }) => file.length > 0)
  const isCompared =
    target !== undefined && fileVersion === 'agree' && isComparable(tagged, context)
  const checkedOut = isCompared ? await readCheckout(context.workspace) : ''
  const isNeeded = mode === 'settle' || once !== 'off' || checkedOut !== ''
  const commit = isNeeded ? await commitOf(tagged, context.sha, github) : ''
  const message = explainCheckout(tagged, commit, checkedOut)
  if (target === undefined || message === '') return { commit, strayed: [] }
  const place = placeIn(target, 'file')
  // On the tag's own event, a build may have moved on from it; and `settle` sends nothing.
  const isMeant = tagged.ownCommit || mode === 'settle'
  if (isMeant) runner.warning(`${place}: ${message}`)
  const strayed: readonly Problem[] = isMeant ? [] : [{ place, message, reason: 'commit' }]
  return { commit, strayed }
}

async function settleAll(
  run: Run,
  commit: string,
  { named, planned }: Prepared
): Promise<RunResult> {
  const targets = named.map(one => ({ ...one, changelog: '', commit }))
  return eachInTurn(run, targets, one =>
    settleTarget(run, one, planned.find(({ target }) => target === one.target)?.artifact)
  )
}

async function sendAll(
  run: Run,
  tagged: Tagged,
  commit: string,
  { planned }: Prepared
): Promise<RunResult> {
  const { runner, isPrivate } = run
  const { mode, downloadLink, approvedPlan } = run.inputs
  // Everyone who can read the repository sees the log, the summary, and the deployments.
  const showLink = downloadLink === 'auto' ? (await isPrivate()) === true : downloadLink === 'show'
  // All targets are compared with the approved plan before the first is sent.
  const parts = await Promise.all(approvedPlan ? planned.map(one => plannedPartOf(run, one)) : [])
  const refusals = approvedPlan ? whyNotApproved(approvedPlan, parts) : []
  const all = await eachInTurn(run, planned, async (target, index) => {
    if (runner.cancelled.aborted) throw new CancelledError()
    await announce(run, target, planned.length === 1)
    const sending = { ...run, planned: target, commit, showLink }
    if (mode === 'plan') return planTarget(sending, tagged.standIn !== '')
    if (refusals[index] === undefined) return sendTarget(sending)
    const message = `Nothing was published. ${refusals[index]}`
    const report = ended('failed', 'not-approved', message, APPROVE_AGAIN)
    return { ...report, subject: { ...target, sha256: parts[index]?.sha256 } }
  })
  const plan = planOf(all.reports)
  if (plan) runner.info(`Digest of this plan, for \`approved-plan\`: ${plan.digest}`)
  return all
}

/** Handles the targets in turn, in log groups if there are several. A failure does not stop the others. */
async function eachInTurn<T extends Subject>(
  { runner, inputs }: Run,
  targets: readonly T[],
  treat: (target: T, index: number) => Promise<Report>
): Promise<RunResult> {
  // An unexpected error may come after the tail, so nobody knows whether it was published.
  const broken = inputs.mode === 'publish' ? 'unknown' : 'failed'
  const reports: Report[] = []
  for (const [index, target] of targets.entries()) {
    const version = target.versionName && `, version ${target.versionName}`
    const name = targets.length === 1 ? '' : `product ${describeRoute(target.route)}${version}`
    const one = async () => {
      const report = await treat(target, index).catch(error => explainStop(error, runner, broken))
      return logEnd(runner, { subject: target, ...report }, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return { reports: [first, ...others] }
}

function endAll(runner: Runner, report: Report): RunResult {
  return { reports: [logEnd(runner, report)] }
}

function refuseRun(runner: Runner, problems: readonly Problem[]): RunResult {
  return endAll(runner, problemReport(problems, runner))
}

const STRAY_REPORT = {
  reason: 'internal',
  message: 'Nothing was published. This should not have happened: see the error above.',
  advice: 'Report this with the log of a run in debug mode.'
} as const

/** Logs and returns a report. A target that an uncaught error stopped is `internal`, not `cancelled`. */
function logEnd(runner: Runner, report: Report, name = ''): Report {
  const isStray = report.reason === 'cancelled' && strayError(runner.cancelled.reason)
  const heading = report.outcome === 'failed' && MODES.get(runner.input('mode'))?.failed
  const known = { ...(heading ? { heading } : {}), ...report, ...(isStray ? STRAY_REPORT : {}) }
  const told = { ...known, advice: completeAdvice(known.advice, runner, name === '') }
  logReport(runner, told, name)
  return told
}
