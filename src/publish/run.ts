// The use case: find the release, prepare, handle one target after another, report.
import { CancelledError, strayError } from '../http/exchange.ts'
import { findRelease, type Tagged } from '../release/release.ts'
import { parseTag } from '../release/tag.ts'
import { failureOf, type Problem, reportFailure, reportProblems } from '../report/failures.ts'
import { describePermission, logPlanned } from '../report/notices.ts'
import {
  describeCut,
  ended,
  fitOutputs,
  logReport,
  outputsOf,
  type Report,
  type Reports,
  type ToldTarget,
  worstOf
} from '../report/outcome.ts'
import { summaryOf } from '../report/summary.ts'
import { type TargetEnd, tellTarget } from '../report/tell.ts'
import { describeDraft, describeRoute, MODES, type RunFacts, readFacts } from '../report/ways.ts'
import type { Runner } from '../runner/runner.ts'
import { type Fault, textAt } from '../runner/values.ts'
import { type Adapters, openApi, openRun, type Run, readPermission } from './adapters.ts'
import { compareWithApproval, type PlannedPart, type PlanOutput, planOutputOf } from './approval.ts'
import { parsePublishInputs } from './inputs.ts'
import { auditTarget, checkTarget, listAudited, settleTarget } from './modes.ts'
import { plannedPartOf, planTarget } from './plan.ts'
import { type Planned, type Prepared, prepare, readCommits } from './prepare.ts'
import { sendTarget } from './send.ts'

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
  const facts = readFacts(runner, inputs)
  const result = inputs
    ? await handle(openRun(adapters, inputs), problems)
    : refuseRun(runner, facts, problems)
  const { reports, note = '', draftUrl = '', plan } = result
  const { outcome } = worstOf(reports)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
  const { fitting, leftOut } = fitOutputs(reports, plan)
  if (leftOut !== '') runner.warning(describeCut(leftOut))
  const outputs = outputsOf(fitting, inputs?.targets.length, plan)
  for (const [name, value] of outputs) runner.output(name, value)
  // The last, since nothing that fails here may lose what later steps need to know.
  try {
    const digest = plan?.digest ?? ''
    await runner.summary(summaryOf(reports, { ...facts, products, note, draftUrl, digest }))
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
interface RunResult {
  readonly reports: Reports
  readonly note?: string
  readonly draftUrl?: string
  readonly plan?: PlanOutput
}

async function handle(run: Run, problems: readonly Fault[]): Promise<RunResult> {
  const { runner, inputs, github, settling, facts } = run
  try {
    const isLook = inputs.mode === 'check' || inputs.mode === 'audit'
    if (!isLook) return await publishOf(run, problems)
    if (problems.length > 0) return refuseRun(runner, facts, problems)
    return await runWithoutRelease(run)
  } catch (error) {
    // Wrong inputs are what the user can fix, so they are reported rather than the error.
    if (problems.length > 0) return refuseRun(runner, facts, problems)
    return endAll(runner, facts, reportThrown(error, run, false))
  } finally {
    github.close()
    settling.close()
  }
}

async function runWithoutRelease(run: Run): Promise<RunResult> {
  const { runner, github, facts, inputs } = run
  const unnamed = { versionName: '', title: '', changelog: '' }
  const targets = inputs.targets.map(target => ({ ...unnamed, route: target.route, target }))
  if (inputs.mode === 'audit') {
    const audited = await listAudited(github, inputs.auditSince)
    if ('place' in audited) return refuseRun(runner, facts, [audited])
    return eachInTurn(run, targets, ({ target }) => auditTarget(run, target, audited))
  }
  const permission = await readPermission(run)
  const { said, advice } = describePermission(permission, facts)
  if (advice !== '') runner.warning(`${said}\n${advice}`)
  return eachInTurn(run, targets, ({ target }) => checkTarget(run, target, permission))
}

async function publishOf(run: Run, problems: readonly Fault[]): Promise<RunResult> {
  const { runner, inputs, github, facts } = run
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
    if (problems.length > 0) return refuseRun(runner, facts, problems)
    return endAll(runner, facts, ended(found.outcome, found.reason, found.message))
  }
  const draftUrl = found.release?.draft ? found.release.url : ''
  const note = found.release?.draft ? describeDraft(found.tag) : found.standIn
  if (note !== '') runner.notice(note)
  const { commit, strayed } = await readCommits(run, found)
  const prepared = await prepare(run, found, [...problems, ...strayed])
  try {
    if (prepared.problems.length > 0) {
      return { ...refuseRun(runner, facts, prepared.problems), draftUrl }
    }
    const all =
      mode === 'settle'
        ? await settleAll(run, commit, prepared)
        : await sendAll(run, found, commit, prepared)
    return { ...all, note, draftUrl }
  } finally {
    await prepared.dispose()
  }
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
  const differences = approvedPlan ? compareWithApproval(approvedPlan, parts) : []
  const ready: PlannedPart[] = []
  const all = await eachInTurn<Planned>(run, planned, async (target, index) => {
    if (runner.cancelled.aborted) throw new CancelledError()
    await logPlanned(runner, target, run.inputs.baseUrl, run.facts)
    const sending = { ...run, planned: target, commit, showLink }
    if (mode === 'plan') {
      const end = await planTarget(sending, tagged.standIn !== '')
      if (end.part) ready.push(end.part)
      return end
    }
    const difference = differences[index]
    if (difference === undefined) return sendTarget(sending)
    return { kind: 'not approved', difference, sha256: parts[index]?.sha256 ?? '' }
  })
  // What can be approved is the whole, or nothing.
  if (ready.length < planned.length) return all
  const plan = planOutputOf(ready)
  runner.info(`Digest of this plan, for \`approved-plan\`: ${plan.digest}`)
  return { ...all, plan }
}

/** Handles the targets in turn, in log groups if there are several. A failure does not stop the others. */
async function eachInTurn<T extends ToldTarget>(
  run: Run,
  targets: readonly T[],
  handleTarget: (target: T, index: number) => Promise<TargetEnd>
): Promise<RunResult> {
  const { runner, facts } = run
  const reports: Report[] = []
  for (const [index, target] of targets.entries()) {
    const version = target.versionName && `, version ${target.versionName}`
    const name = targets.length === 1 ? '' : `product ${describeRoute(target.route)}${version}`
    const one = async () => {
      const report = await handleTarget(target, index)
        .then(end => tellTarget(end, target, facts))
        // An unexpected error may come after the tail, so nobody knows whether it was published.
        .catch(error => ({
          ...reportThrown(error, run, facts.mode === 'publish'),
          subject: target
        }))
      return logEnd(runner, facts, report, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return { reports: [first, ...others] }
}

function endAll(runner: Runner, facts: RunFacts, report: Report): RunResult {
  return { reports: [logEnd(runner, facts, report)] }
}

function refuseRun(runner: Runner, facts: RunFacts, problems: readonly Problem[]): RunResult {
  return endAll(runner, facts, reportProblems(problems, facts))
}

/** The report of what was thrown; `isDoubtful`: if it is a bug, nobody knows what was done before. */
function reportThrown(error: unknown, { runner, facts }: Run, isDoubtful: boolean): Report {
  const failure = failureOf(error, runner.cancelled.aborted, isDoubtful)
  if (failure.kind === 'bug') runner.debug(failure.error.stack ?? '')
  return reportFailure(failure, facts)
}

const STRAY_REPORT = {
  reason: 'internal',
  message: 'Nothing was published. This should not have happened: see the error above.',
  advice: 'Report this with the log of a run in debug mode.'
} as const

/** Logs and returns a report. A target that an uncaught error stopped is `internal`, not `cancelled`. */
function logEnd(runner: Runner, { mode }: RunFacts, report: Report, name = ''): Report {
  const isStray = report.reason === 'cancelled' && strayError(runner.cancelled.reason)
  const heading = report.outcome === 'failed' && MODES.get(mode)?.failed
  const told = { ...(heading ? { heading } : {}), ...report, ...(isStray ? STRAY_REPORT : {}) }
  return logReport(runner, told, name)
}
