// The use case: find the release, prepare, publish one target after another, report.
import { commitOf, findRelease, type Tagged } from '../release/find-release.ts'
import type { Runner } from '../runner/runner.ts'
import type { Fault } from '../runner/values.ts'
import { type Adapters, openRun, type Run } from './adapters.ts'
import { partOf, whyNotApproved } from './approval.ts'
import { checkTarget } from './check.ts'
import { parseInputs, type TargetInputs } from './inputs.ts'
import { auditTarget, listAudited, settleTarget } from './memory-modes.ts'
import { explainStop } from './messages.ts'
import { describeRoute, type NamedTarget, routeOf } from './naming.ts'
import { fitOutputs, outputsOf, planOf } from './outputs.ts'
import { planTarget } from './plan.ts'
import { announce, type Planned, type Prepared, prepare, subjectOf } from './prepare.ts'
import {
  blameStray,
  endedEarly,
  logReport,
  problemReport,
  type Report,
  type Reports,
  worstOf
} from './report.ts'
import { mayShowLink, sendTarget } from './send.ts'
import { summaryOf } from './summary.ts'

const UNDER_ACT =
  'act gives every run the same id and attempt, so versions that were published before are told apart by ' +
  'their commits alone: a file that was built again on the same commit is skipped.'

const NO_CHANGELOGS =
  'The outputs of a job may have 1 MB in all, so this is left empty, and null in `versions`: changelog. ' +
  'The changelog that was sent is in the log.'

const CREDENTIAL_FOUND =
  'A credential of this step appeared in the results, and is shown as ***. ' +
  'If the shop sent it back in its answer, tell the shop, and replace the credential.'

/** Runs the publish action from the inputs to the outputs. */
export async function publish(adapters: Adapters): Promise<void> {
  const { runner, now = () => performance.now() } = adapters
  const started = now()
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name))
  const { ended, targets, note, rehearsal } = await handle(adapters)
  const fitting = fitOutputs(ended)
  if (fitting !== ended) runner.warning(NO_CHANGELOGS)
  const outputs = outputsOf(fitting, targets)
  const milliseconds = now() - started
  const { context, input } = runner
  const summary = summaryOf(ended, { context, input, note, rehearsal, milliseconds })
  const results = [summary, ...outputs.map(([, value]) => value)]
  if (results.some(text => runner.conceal(text) !== text)) runner.warning(CREDENTIAL_FOUND)
  await runner.summary(summary)
  for (const [name, value] of outputs) runner.output(name, value)
  const { outcome } = worstOf(ended)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
}

interface Ended {
  /** One report for each target, or one for all of them. */
  readonly ended: Reports
  readonly targets: number
  /** What the summary says first: another release stands in. */
  readonly note: string
  /** Nothing was sent but to a stand-in for the shop, for a release that is still to come. */
  readonly rehearsal: boolean
}

async function handle(adapters: Adapters): Promise<Ended> {
  const { runner } = adapters
  const { inputs, problems } = await parseInputs(runner.input)
  const proposed = runner.context.eventName.startsWith('pull_request')
  const rehearsal = proposed && inputs?.mode === 'publish' && isStandIn(inputs.baseUrl)
  const one = (report: Report, targets: number) => {
    return { ended: [tell(runner, report)] as const, targets, note: '', rehearsal }
  }
  if (!inputs) return one(problemReport(problems), 1)
  const targets = Math.max(inputs.targets.length, 1)
  const run = openRun(adapters, inputs)
  try {
    const done = await doneBy(run, problems)
    return 'ended' in done ? { ...done, targets, rehearsal } : one(done, targets)
  } catch (error) {
    return one(explainStop(error, runner, 'failed'), targets)
  } finally {
    run.github.close()
    run.settling.close()
  }
}

/** The reports of all targets, or one report when the run ends before the first. */
type Done = Report | Pick<Ended, 'ended' | 'note'>

function doneBy(run: Run, problems: readonly Fault[]): Promise<Done> {
  switch (run.inputs.mode) {
    case 'check':
      return checkAll(run, problems)
    case 'audit':
      return auditAll(run, problems)
    case 'publish':
    case 'plan':
    case 'settle':
      return publishAll(run, problems)
  }
}

async function auditAll(run: Run, problems: readonly Fault[]): Promise<Done> {
  if (problems.length > 0) return problemReport(problems)
  const releases = await listAudited(run)
  if ('place' in releases) return problemReport([releases])
  const nameOf = (target: TargetInputs) => `product ${describeRoute(routeOf(target))}`
  const ended = await eachInTurn(run, run.inputs.targets, nameOf, target =>
    auditTarget(run, target, releases)
  )
  return { ended, note: '' }
}

async function checkAll(run: Run, problems: readonly Fault[]): Promise<Done> {
  if (problems.length > 0) return problemReport(problems)
  const ended = await eachInTurn(
    run,
    run.inputs.targets,
    target => `product ${describeRoute(routeOf(target))}`,
    target => checkTarget(run, target)
  )
  return { ended, note: '' }
}

async function publishAll(run: Run, problems: readonly Fault[]): Promise<Done> {
  const found = await find(run).catch((error: unknown) => {
    // Wrong entries count, whatever else is wrong.
    if (problems.length > 0) return undefined
    throw error
  })
  if (!found || (problems.length > 0 && 'kind' in found)) return problemReport(problems)
  if ('kind' in found) {
    return endedEarly(found.kind === 'skip' ? 'skipped' : 'failed', found.reason, found.message)
  }
  if (found.standIn !== '') run.runner.notice(found.standIn)
  const prepared = await prepare(run, found, problems)
  try {
    if (prepared.problems.length > 0) return problemReport(prepared.problems)
    const ended =
      run.inputs.mode === 'settle'
        ? await settleAll(run, found, prepared)
        : await sendAll(run, found, prepared)
    return { ended, note: found.standIn }
  } finally {
    await prepared.dispose()
  }
}

async function find({ runner, inputs, releases, payload }: Run) {
  const { eventName, ref, runAttempt } = runner.context
  const { tag, mode, baseUrl } = inputs
  // Whatever a release is marked as, a person may say what is true of it.
  const prerelease = mode === 'settle' ? 'publish' : inputs.prerelease
  const harmless = mode === 'plan' || isStandIn(baseUrl)
  const trigger = { eventName, ref, payload: await payload(), tag, harmless }
  const notice = (text: string) => runner.notice(text)
  return findRelease({ ...trigger, prerelease, runAttempt, api: releases, notice })
}

async function settleAll(run: Run, tagged: Tagged, { named, planned }: Prepared): Promise<Reports> {
  const commit = await commitOf(tagged, run.runner.context.sha, run.releases)
  const nameOf = ({ named: { route, versionName } }: NamedTarget) =>
    `product ${describeRoute(route)}, version ${versionName}`
  return eachInTurn(run, named, nameOf, one => {
    const artifact = planned.find(({ inputs }) => inputs === one.target)?.artifact
    return settleTarget(run, { ...one, tag: tagged.tag, commit, artifact })
  })
}

/** Whether the shop is on this machine: no other address may do without encryption. */
function isStandIn(baseUrl: string): boolean {
  return baseUrl.startsWith('http:')
}

async function sendAll(run: Run, tagged: Tagged, { planned }: Prepared): Promise<Reports> {
  const { inputs, runner, releases } = run
  const commit = inputs.once === 'off' ? '' : await commitOf(tagged, runner.context.sha, releases)
  const showLink = await mayShowLink(run)
  if (runner.context.isAct && inputs.once !== 'off') runner.notice(UNDER_ACT)
  const nameOf = ({ route, versionName }: Planned) =>
    `product ${describeRoute(route)}, version ${versionName}`
  const refusals = await refusalsOf(run, planned)
  const reports = await eachInTurn(run, planned, nameOf, async target => {
    if (runner.cancelled.aborted) {
      const message = 'The run was cancelled before this was sent. Nothing was published.'
      return endedEarly('failed', 'cancelled', message, '', subjectOf(target))
    }
    await announce(runner, target, inputs.baseUrl, planned.length === 1)
    if (inputs.mode === 'plan') return planTarget(run, target, commit, tagged.standIn !== '')
    const refusal = refusals.get(target)
    if (refusal) return refusal
    const approvedFile = inputs.approvedPlan && (await target.artifact.digest()).sha256
    return sendTarget({ ...run, planned: target, commit, showLink, approvedFile })
  })
  const plan = planOf(reports)
  if (plan) runner.info(`Digest of this plan, for \`approved-plan\`: ${plan.digest}`)
  return reports
}

/** The reports of targets that differ from what was approved; all are compared before the first is sent. */
async function refusalsOf(
  { inputs }: Run,
  planned: readonly Planned[]
): Promise<ReadonlyMap<Planned, Report>> {
  const approval = inputs.mode === 'publish' ? inputs.approvedPlan : undefined
  if (!approval) return new Map()
  const digests = await Promise.all(planned.map(({ artifact }) => artifact.digest()))
  const parts = planned.map((target, index) =>
    partOf(inputs.baseUrl, target, digests[index]?.sha256 ?? '')
  )
  const advice =
    'If it is right now, plan it again and have that approved. What was built again has other bytes: ' +
    'hand over the file, for example as the release’s `asset`.'
  return new Map(
    planned.flatMap((target, index) => {
      const why = whyNotApproved(approval, parts, index)
      if (why === undefined) return []
      const subject = subjectOf(target, parts[index]?.sha256)
      const message = `Nothing was published. ${why}`
      return [[target, endedEarly('failed', 'not-approved', message, advice, subject)] as const]
    })
  )
}

/** Handles one after another, each in a group of its own where there are several; none stops another. */
async function eachInTurn<T>(
  { runner, inputs }: Run,
  items: readonly T[],
  nameOf: (item: T) => string,
  handleOne: (item: T) => Promise<Report>
): Promise<Reports> {
  const broken = inputs.mode === 'publish' ? 'unknown' : 'failed'
  const reports: Report[] = []
  for (const item of items) {
    const name = items.length === 1 ? '' : nameOf(item)
    const one = async () => {
      const report = await handleOne(item).catch((error: unknown) =>
        explainStop(error, runner, broken)
      )
      return tell(runner, report, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return [first, ...others]
}

/** Logs a report, as what it was: a stray error is no cancellation. */
function tell(runner: Runner, report: Report, name = ''): Report {
  const told = blameStray(report, runner.cancelled)
  logReport(runner, told, name)
  return told
}
