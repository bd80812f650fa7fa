// The use case: read, prepare, publish one target after another, report. It gets its doors as one argument.

import { FileFault } from '../file/artifact.ts'
import { type GitHub, GitHubError, type Repository } from '../github/github.ts'
import { CancelledError, type Connect } from '../http/exchange.ts'
import { EventFileError } from '../runner/payload.ts'
import type { Runner } from '../runner/runner.ts'
import { checkTarget } from './check-mode.ts'
import { concealIn } from './conceal.ts'
import type { Errand, Sleep } from './errand.ts'
import { adviseOnGitHub } from './explain.ts'
import { parseInputs } from './inputs.ts'
import { describeRoute, routeOf } from './naming.ts'
import { openErrand } from './open-errand.ts'
import { fitOutputs } from './output-limit.ts'
import { previewTarget } from './plan-mode.ts'
import { type Planned, type Prepared, prepare } from './prepare.ts'
import { endedEarly, outputsOf, type Report, type Reports, worstOf } from './report.ts'
import { sendTarget, subjectOf } from './send.ts'
import { commitOf, findSubject, type Subject } from './subject.ts'
import { summaryOf } from './summary.ts'
import { announce, faulty, tell } from './tell.ts'

/** Everything that the use case touches outside of itself. */
export interface Doors {
  readonly runner: Runner
  readonly connect: Connect
  openGitHub(repository: Repository, signal: AbortSignal): GitHub
  /** Waits so many milliseconds, or rejects when the signal fires; by the clock when left out. */
  readonly sleep?: Sleep
}

const CREDENTIAL_FOUND =
  'A credential of this step stood in what there is to report, so it is shown as *** there. ' +
  'If the service sent it back in its answer, tell the service, and replace the credential.'

/** Runs the publish action from the inputs to the outputs. */
export async function publish(doors: Doors): Promise<void> {
  const { runner } = doors
  const secrets = [runner.input('token'), runner.input('github-token')]
  secrets.forEach(runner.mask)
  const { ended, targets } = await attend(doors)
  const { reports, found } = concealIn(ended, secrets)
  if (found) runner.warning(CREDENTIAL_FOUND)
  const { fitting, leftOut } = fitOutputs(reports)
  if (leftOut !== '') runner.warning(leftOut)
  for (const [name, value] of outputsOf(fitting, targets)) runner.output(name, value)
  await runner.summary(summaryOf(reports))
  const { outcome } = worstOf(reports)
  if (outcome === 'failed' || outcome === 'unknown') runner.fail()
}

interface Attended {
  /** One report for each target, or one for all of them. */
  readonly ended: Reports
  readonly targets: number
}

async function attend(doors: Doors): Promise<Attended> {
  const { runner } = doors
  const { inputs, faults } = await parseInputs(runner.input)
  if (!inputs) return { ended: [told(runner, faulty(faults))], targets: 1 }
  const targets = inputs.targets.length
  const errand = openErrand(doors, inputs)
  try {
    const ended = inputs.mode === 'check' ? await checkAll(errand) : await publishAll(errand)
    return { ended, targets }
  } catch (error) {
    return { ended: [told(runner, explainStop(error, runner, 'failed'))], targets }
  } finally {
    errand.github.close()
    errand.settling.close()
  }
}

/** What ends a run, or a target, without a result; `outcome` is for what should not have happened. */
function explainStop(error: unknown, runner: Runner, outcome: 'failed' | 'unknown'): Report {
  if (error instanceof EventFileError) return endedEarly('failed', 'event', error.message)
  if (error instanceof FileFault) {
    return endedEarly('failed', error.reason, `Nothing was published. ${error.message}`)
  }
  if (
    error instanceof CancelledError ||
    (error instanceof GitHubError && runner.cancelled.aborted)
  ) {
    return endedEarly('failed', 'cancelled', 'The run was cancelled. Nothing was published.')
  }
  if (error instanceof GitHubError) {
    const advice = adviseOnGitHub(error)
    return endedEarly('failed', 'github', `Nothing was published. ${error.message}`, advice)
  }
  runner.debug(error instanceof Error ? (error.stack ?? '') : '')
  const message = `This should not have happened: ${error instanceof Error ? error.message : String(error)}`
  const advice =
    'Look in the shop whether the version is there, and report this with the log of a run in debug mode.'
  return endedEarly(outcome, 'internal', message, advice)
}

async function checkAll(errand: Errand): Promise<Reports> {
  const { targets } = errand.inputs
  return eachInTurn(
    errand,
    targets,
    target => `product ${describeRoute(routeOf(target))}`,
    target => checkTarget(errand, target)
  )
}

async function publishAll(errand: Errand): Promise<Reports> {
  const { inputs, runner, github } = errand
  const { tag, prerelease, mode } = inputs
  const planning = mode === 'plan'
  const { context } = runner
  const payload = await errand.payload()
  const question = { context, payload, tag, prerelease, planning, github, log: runner }
  const found = await findSubject(question)
  if ('report' in found) return [told(runner, found.report)]
  const prepared = await prepare(errand, found.subject)
  try {
    if (prepared.faults.length > 0) return [told(runner, faulty(prepared.faults))]
    return await handleAll(errand, found.subject, prepared)
  } finally {
    await prepared.dispose()
  }
}

async function handleAll(
  errand: Errand,
  subject: Subject,
  { planned }: Prepared
): Promise<Reports> {
  const { inputs, runner, github } = errand
  const commit = inputs.once === 'off' ? '' : await commitOf(subject, runner.context, github)
  const showLink = await mayShowLink(errand)
  const nameOf = ({ route, versionName }: Planned) =>
    `product ${describeRoute(route)}, version ${versionName}`
  return eachInTurn(errand, planned, nameOf, async target => {
    if (runner.cancelled.aborted) {
      const message = 'The run was cancelled before this was sent. Nothing was published.'
      return endedEarly('failed', 'cancelled', message, '', subjectOf(target))
    }
    announce(runner, target, inputs.baseUrl)
    return inputs.mode === 'plan'
      ? previewTarget(errand, target, commit, subject.standIn)
      : sendTarget({ ...errand, planned: target, commit, showLink })
  })
}

/** Handles one after another, each in a group of its own where there are several; one's end stops no other. */
async function eachInTurn<T>(
  { runner, inputs }: Errand,
  items: readonly T[],
  nameOf: (item: T) => string,
  handle: (item: T) => Promise<Report>
): Promise<Reports> {
  const reports: Report[] = []
  for (const item of items) {
    const name = items.length === 1 ? '' : nameOf(item)
    const one = async () => {
      const report = await handle(item).catch((error: unknown) =>
        explainStop(error, runner, inputs.mode === 'publish' ? 'unknown' : 'failed')
      )
      return told(runner, report, name)
    }
    reports.push(name === '' ? await one() : await runner.group(name, one))
  }
  const [first, ...others] = reports
  if (first === undefined) throw new Error('there is no target')
  return [first, ...others]
}

function told(runner: Runner, report: Report, name?: string): Report {
  tell(runner, report, name)
  return report
}

/** Whether `download_url` may be shown where everyone who can read the repository sees it. */
async function mayShowLink({ inputs, isPrivate }: Errand): Promise<boolean> {
  if (inputs.downloadLink !== 'auto') return inputs.downloadLink === 'show'
  return (await isPrivate()) ?? false
}
