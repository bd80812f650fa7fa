// The use case: find the release, prepare, handle one target after another, report.
import { commitOf, findRelease, type Tagged } from '../release/find-release.ts'
import type { Runner } from '../runner/runner.ts'
import type { Fault } from '../runner/values.ts'
import type { Route } from '../shop/publish.ts'
import { type Adapters, openRun, type Run } from './adapters.ts'
import { whyNotApproved } from './approval.ts'
import { checkTarget } from './check.ts'
import { parseInputs } from './inputs.ts'
import { auditTarget, listAudited, settleTarget } from './memory-modes.ts'
import { explainStop } from './messages.ts'
import { describeRoute, routeOf } from './naming.ts'
import { fitOutputs, outputsOf, planOf } from './outputs.ts'
import { planTarget } from './plan.ts'
import { announce, type Prepared, partOf, prepare, subjectOf } from './prepare.ts'
import {
  endedEarly,
  logReport,
  problemReport,
  type Report,
  type Reports,
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

/** Runs the publish action from the inputs to the outputs. */
export async function publish(adapters: Adapters): Promise<void> {
  const { runner, now } = adapters
  const started = now()
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name))
  const { inputs, problems, products } = await parseInputs(runner.input)
  const { reports, note = '' } = inputs
    ? await handle(openRun(adapters, inputs), problems)
    : endAll(runner, problemReport(problems))
  const { context, input } = runner
  // From a pull request, nothing but a shop on this machine is published to.
  const isProposed = context.eventName.startsWith('pull_request')
  const rehearsal = isProposed && inputs?.mode === 'publish' && isOnThisMachine(inputs.baseUrl)
  const facts = { context, input, products, note, rehearsal, milliseconds: now() - started }
  await runner.summary(summaryOf(reports, facts))
  const fitting = fitOutputs(reports)
  if (fitting !== reports) runner.warning(NO_CHANGELOGS)
  for (const [name, value] of outputsOf(fitting, inputs?.targets.length)) runner.output(name, value)
  const { outcome } = worstOf(reports)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
}

interface Ended {
  /** One report for each target, or one for all of them. */
  readonly reports: Reports
  /** What the summary says first: another release stands in. */
  readonly note?: string
}

async function handle(run: Run, problems: readonly Fault[]): Promise<Ended> {
  try {
    const { mode } = run.inputs
    return await (mode === 'check' || mode === 'audit' ? lookAt : publishOf)(run, problems)
  } catch (error) {
    // Wrong entries count, whatever else is wrong.
    const isWrong = problems.length > 0
    const report = isWrong ? problemReport(problems) : explainStop(error, run.runner, 'failed')
    return endAll(run.runner, report)
  } finally {
    run.github.close()
    run.settling.close()
  }
}

/** Without a release: looks at every target, in the shop or in the memory. */
async function lookAt(run: Run, problems: readonly Fault[]): Promise<Ended> {
  if (problems.length > 0) return endAll(run.runner, problemReport(problems))
  const releases = run.inputs.mode === 'audit' ? await listAudited(run) : undefined
  if (releases && 'place' in releases) return endAll(run.runner, problemReport([releases]))
  const targets = run.inputs.targets.map(target => ({ target, route: routeOf(target) }))
  return eachInTurn(run, targets, ({ target }) =>
    releases ? auditTarget(run, target, releases) : checkTarget(run, target)
  )
}

/** With a release: publishes every target, plans that, or settles it. */
async function publishOf(run: Run, problems: readonly Fault[]): Promise<Ended> {
  const { runner, inputs } = run
  const found = await find(run)
  if ('kind' in found) {
    const outcome = found.kind === 'skip' ? 'skipped' : 'failed'
    const stopped = endedEarly(outcome, found.reason, found.message)
    return endAll(runner, problems.length > 0 ? problemReport(problems) : stopped)
  }
  if (found.standIn !== '') runner.notice(found.standIn)
  const prepared = await prepare(run, found, problems)
  try {
    if (prepared.problems.length > 0) return endAll(runner, problemReport(prepared.problems))
    const ended = await (inputs.mode === 'settle' ? settleAll : sendAll)(run, found, prepared)
    return { ...ended, note: found.standIn }
  } finally {
    await prepared.dispose()
  }
}

async function find({ runner, inputs, releases }: Run) {
  const { eventName, ref, runAttempt } = runner.context
  const { mode, tag, baseUrl } = inputs
  // Whatever a release is marked as, a person may say what is true of it.
  const prerelease = mode === 'settle' ? 'publish' : inputs.prerelease
  const harmless = mode === 'plan' || isOnThisMachine(baseUrl)
  const trigger = { eventName, ref, payload: await runner.payload(), tag, harmless }
  return findRelease({
    ...{ ...trigger, prerelease, runAttempt, api: releases },
    notice: text => runner.notice(text)
  })
}

/** No address but one on this machine may do without encryption. */
function isOnThisMachine(baseUrl: string): boolean {
  return baseUrl.startsWith('http:')
}

async function settleAll(run: Run, tagged: Tagged, { named, planned }: Prepared): Promise<Ended> {
  const commit = await commitOf(tagged, run.runner.context.sha, run.releases)
  const targets = named.map(one => ({ ...one, ...one.named }))
  return eachInTurn(run, targets, one => {
    const artifact = planned.find(({ inputs }) => inputs === one.target)?.artifact
    return settleTarget(run, { ...one.named, tag: tagged.tag, commit }, artifact)
  })
}

async function sendAll(run: Run, tagged: Tagged, { planned }: Prepared): Promise<Ended> {
  const { runner, releases, isPrivate } = run
  const { mode, once, downloadLink, approvedPlan } = run.inputs
  const commit = once === 'off' ? '' : await commitOf(tagged, runner.context.sha, releases)
  // Everyone who may read the repository sees the log, the summary and the deployments.
  const showLink = downloadLink === 'auto' ? (await isPrivate()) === true : downloadLink === 'show'
  // All are compared before the first is sent.
  const parts = await Promise.all(approvedPlan ? planned.map(one => partOf(run, one)) : [])
  const refusals = approvedPlan ? whyNotApproved(approvedPlan, parts) : []
  const ended = await eachInTurn(run, planned, async (target, index) => {
    if (runner.cancelled.aborted) {
      const message = 'The run was stopped before this was sent. Nothing was published.'
      return endedEarly('failed', 'cancelled', message, '', subjectOf(target))
    }
    await announce(run, target, planned.length === 1)
    if (mode === 'plan') return planTarget(run, target, commit, tagged.standIn !== '')
    const approvedFile = parts[index]?.sha256
    if (refusals[index] !== undefined) {
      const message = `Nothing was published. ${refusals[index]}`
      const subject = subjectOf(target, approvedFile)
      return endedEarly('failed', 'not-approved', message, APPROVE_AGAIN, subject)
    }
    return sendTarget({ ...run, planned: target, commit, showLink, approvedFile })
  })
  const plan = planOf(ended.reports)
  if (plan) runner.info(`Digest of this plan, for \`approved-plan\`: ${plan.digest}`)
  return ended
}

/** Handles one after another, each in a group of its own where there are several; none stops another. */
async function eachInTurn<T extends { readonly route: Route; readonly versionName?: string }>(
  { runner, inputs }: Run,
  targets: readonly T[],
  handleOne: (target: T, index: number) => Promise<Report>
): Promise<Ended> {
  const broken = inputs.mode === 'publish' ? 'unknown' : 'failed'
  const reports: Report[] = []
  for (const [index, target] of targets.entries()) {
    const { route, versionName } = target
    const version = versionName === undefined ? '' : `, version ${versionName}`
    const name = targets.length === 1 ? '' : `product ${describeRoute(route)}${version}`
    const one = async () => {
      const report = await handleOne(target, index).catch((error: unknown) =>
        explainStop(error, runner, broken)
      )
      return tell(runner, report, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return { reports: [first, ...others] }
}

/** One report for all targets. */
function endAll(runner: Runner, report: Report): Ended {
  return { reports: [tell(runner, report)] }
}

/** Logs a report: what an error that nobody caught has stopped, nobody cancelled. */
function tell(runner: Runner, report: Report, name = ''): Report {
  const error: unknown = runner.cancelled.reason
  const isStray =
    report.reason === 'cancelled' && error instanceof Error && error.name !== 'AbortError'
  const told: Report = { ...headed(report, runner.input('mode')), ...(isStray ? STRAY : {}) }
  logReport(runner, told, name)
  return told
}

/** What a failure is called, where nothing would have been published. */
const FAILED: Readonly<Record<string, string>> = {
  plan: 'Nothing planned',
  check: 'Check failed',
  settle: 'Settling failed',
  audit: 'Audit failed'
}

function headed(report: Report, mode: string): Report {
  const heading = report.outcome === 'failed' ? (report.heading ?? FAILED[mode]) : undefined
  return heading === undefined ? report : { ...report, heading }
}

const STRAY = {
  reason: 'internal',
  message: 'Nothing was published. This should not have happened: see the error above.',
  advice: 'Report this with the log of a run in debug mode.'
} as const
