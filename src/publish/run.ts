// The use case: find the release, prepare, handle one target after another, report.
import { CancelledError, strayError } from '../http/exchange.ts'
import { commitOf, findRelease, type Tagged } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import type { Fault } from '../runner/values.ts'
import { type Adapters, openApi, openRun, type Run } from './adapters.ts'
import { checkTarget } from './answers.ts'
import { whyNotApproved } from './approval.ts'
import { parseInputs, tagOf } from './inputs.ts'
import { explainStop, MODES, type Problem, problemReport } from './messages.ts'
import { auditTarget, listAudited, planTarget, settleTarget } from './modes.ts'
import { describeRoute } from './naming.ts'
import { announce, type Prepared, partOf, prepare } from './prepare.ts'
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
export async function publish(adapters: Adapters): Promise<void> {
  const { runner } = adapters
  const started = performance.now()
  for (const name of ['token', 'github-token']) runner.mask(runner.input(name))
  const { inputs, problems, products } = await parseInputs(runner.input)
  if (problems.length > 0) problems.push(...(await faultsOfSince(adapters)))
  const { reports, note = '' } = inputs
    ? await handle(openRun(adapters, inputs), problems)
    : refuse(runner, problems)
  const { context, input } = runner
  // A pull request may publish only to a shop on this machine; no other may have a `base-url` with http.
  const isProposed = context.eventName.startsWith('pull_request') && inputs?.mode === 'publish'
  const rehearsal = isProposed && inputs.baseUrl.startsWith('http:')
  const milliseconds = performance.now() - started
  const facts = { context, input, products, note, rehearsal, milliseconds }
  await runner.summary(summaryOf(reports, facts))
  const fitting = fitOutputs(reports)
  if (fitting !== reports) runner.warning(NO_CHANGELOGS)
  for (const [name, value] of outputsOf(fitting, inputs?.targets.length)) runner.output(name, value)
  const { outcome } = worstOf(reports)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
}

/** Asks GitHub whether `audit-since` is wrong, so that it is reported along with the other inputs. */
async function faultsOfSince(adapters: Adapters): Promise<Fault[]> {
  const { input, cancelled } = adapters.runner
  const since = tagOf(input('audit-since'))
  if (since === '' || input('mode') !== 'audit') return []
  const github = openApi(adapters, input('github-token'), cancelled)
  const found = await listAudited(github, since).catch(() => [])
  github.close()
  return 'place' in found ? [found] : []
}

/** `note` is what the summary says first, such as that another release stands in. */
type Ended = Readonly<{ reports: Reports; note?: string }>

async function handle(run: Run, problems: readonly Fault[]): Promise<Ended> {
  const { runner, inputs, github, settling } = run
  try {
    const isLook = inputs.mode === 'check' || inputs.mode === 'audit'
    if (!isLook) return await publishOf(run, problems)
    return problems.length > 0 ? refuse(runner, problems) : await lookAt(run)
  } catch (error) {
    // Wrong inputs are what the user can fix, so they are reported rather than the error.
    if (problems.length > 0) return refuse(runner, problems)
    return endAll(runner, explainStop(error, runner, 'failed'))
  } finally {
    github.close()
    settling.close()
  }
}

/** The modes without a release: `check` asks the shop about every target, `audit` the memory. */
async function lookAt(run: Run): Promise<Ended> {
  const { auditSince, mode } = run.inputs
  const releases = mode === 'audit' ? await listAudited(run.github, auditSince) : undefined
  if (releases && 'place' in releases) return refuse(run.runner, [releases])
  const unnamed = { versionName: '', title: '', changelog: '' }
  const targets = run.inputs.targets.map(target => ({ ...unnamed, route: target.route, target }))
  return eachInTurn(run, targets, ({ target }) =>
    releases ? auditTarget(run, target, releases) : checkTarget(run, target)
  )
}

/** The modes with a release: publishes, plans, or settles every target. */
async function publishOf(run: Run, problems: readonly Fault[]): Promise<Ended> {
  const { runner, inputs, github } = run
  const { mode, tag, baseUrl } = inputs
  const found = await findRelease({
    ...{ ...runner.context, payload: await runner.payload(), tag },
    ...{ api: github, notice: runner.notice },
    harmless: mode === 'plan' || baseUrl.startsWith('http:'),
    // A person may settle any release, pre-release or not.
    prerelease: mode === 'settle' ? 'publish' : inputs.prerelease
  })
  if ('outcome' in found) {
    if (problems.length > 0) return refuse(runner, problems)
    return endAll(runner, ended(found.outcome, found.reason, found.message))
  }
  if (found.standIn !== '') runner.notice(found.standIn)
  const prepared = await prepare(run, found, problems)
  try {
    if (prepared.problems.length > 0) return refuse(runner, prepared.problems)
    const all = await (mode === 'settle' ? settleAll : sendAll)(run, found, prepared)
    return { ...all, note: found.standIn }
  } finally {
    await prepared.dispose()
  }
}

async function settleAll(run: Run, tagged: Tagged, { named, planned }: Prepared): Promise<Ended> {
  const commit = await commitOf(tagged, run.runner.context.sha, run.github)
  const targets = named.map(one => ({ ...one, changelog: '', commit }))
  return eachInTurn(run, targets, one =>
    settleTarget(run, one, planned.find(({ target }) => target === one.target)?.artifact)
  )
}

async function sendAll(run: Run, tagged: Tagged, { planned }: Prepared): Promise<Ended> {
  const { runner, github, isPrivate } = run
  const { mode, once, downloadLink, approvedPlan } = run.inputs
  const commit = once === 'off' ? '' : await commitOf(tagged, runner.context.sha, github)
  // Everyone who can read the repository sees the log, the summary, and the deployments.
  const showLink = downloadLink === 'auto' ? (await isPrivate()) === true : downloadLink === 'show'
  // All targets are compared with the approved plan before the first is sent.
  const parts = await Promise.all(approvedPlan ? planned.map(one => partOf(run, one)) : [])
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
): Promise<Ended> {
  // An unexpected error may come after the tail, so nobody knows whether it was published.
  const broken = inputs.mode === 'publish' ? 'unknown' : 'failed'
  const reports: Report[] = []
  for (const [index, target] of targets.entries()) {
    const version = target.versionName && `, version ${target.versionName}`
    const name = targets.length === 1 ? '' : `product ${describeRoute(target.route)}${version}`
    const one = async () => {
      const report = await treat(target, index).catch(error => explainStop(error, runner, broken))
      return tell(runner, { subject: target, ...report }, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return { reports: [first, ...others] }
}

function endAll(runner: Runner, report: Report): Ended {
  return { reports: [tell(runner, report)] }
}

function refuse(runner: Runner, problems: readonly Problem[]): Ended {
  return endAll(runner, problemReport(problems, runner))
}

const STRAY = {
  reason: 'internal',
  message: 'Nothing was published. This should not have happened: see the error above.',
  advice: 'Report this with the log of a run in debug mode.'
} as const

/** Logs and returns a report. A target that an uncaught error stopped is `internal`, not `cancelled`. */
function tell(runner: Runner, report: Report, name = ''): Report {
  const isStray = report.reason === 'cancelled' && strayError(runner.cancelled.reason)
  const heading = report.outcome === 'failed' && MODES.get(runner.input('mode'))?.failed
  const told = { ...(heading ? { heading } : {}), ...report, ...(isStray ? STRAY : {}) }
  logReport(runner, told, name)
  return told
}
