// The use case: read, plan, publish, report. It gets its doors as one argument.
import { type GitHub, GitHubError, type Repository } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { FileFault, openArtifact } from '../release/artifact.ts'
import { isPrivate } from '../release/event.ts'
import { findFile } from '../release/find.ts'
import type { Runner } from '../runner/runner.ts'
import { type PublishInputs, parseInputs } from './inputs.ts'
import { plan } from './plan.ts'
import { endedEarly, outputsOf, type Report, summaryOf } from './report.ts'
import { sendTarget } from './send.ts'
import { commitOf, findSubject } from './subject.ts'
import { announce, faulty, tell } from './tell.ts'

/** Everything that the use case touches outside of itself. */
export interface Doors {
  readonly runner: Runner
  readonly connect: Connect
  openGitHub(repository: Repository, signal: AbortSignal): GitHub
}

/** Runs the publish action from the inputs to the outputs. */
export async function publish(doors: Doors): Promise<void> {
  const { runner } = doors
  const report = await attend(doors)
  for (const [name, value] of outputsOf(report)) runner.output(name, value)
  tell(runner, report)
  await runner.summary(summaryOf(report))
  if (report.outcome === 'failed' || report.outcome === 'unknown') runner.fail()
}

async function attend(doors: Doors): Promise<Report> {
  const { runner } = doors
  runner.mask(runner.input('token'))
  runner.mask(runner.input('github-token'))
  const { inputs, faults } = parseInputs(runner.input)
  if (!inputs) return faulty(faults)
  const github = doors.openGitHub(repositoryOf(runner, inputs), runner.cancelled)
  try {
    return await publishRelease(doors, inputs, github)
  } catch (error) {
    if (runner.cancelled.aborted) {
      return endedEarly('failed', 'cancelled', 'The run was cancelled. Nothing was published.')
    }
    if (error instanceof GitHubError) {
      const advice =
        'Look whether `github-token` may read this repository (`contents: read`), and run this job again.'
      return endedEarly('failed', 'github', `Nothing was published. ${error.message}`, advice)
    }
    if (error instanceof FileFault) return endedEarly('failed', error.reason, error.message)
    throw error
  } finally {
    github.close()
  }
}

function repositoryOf({ context }: Runner, inputs: PublishInputs): Repository {
  const [owner = '', name = ''] = context.repository.split('/')
  return { apiUrl: context.apiUrl, owner, name, token: inputs.githubToken }
}

async function publishRelease(
  doors: Doors,
  inputs: PublishInputs,
  github: GitHub
): Promise<Report> {
  const { runner } = doors
  const { context } = runner
  const payload = await runner.payload()
  const { tag, prerelease } = inputs
  const found = await findSubject({ context, payload, tag, prerelease, github, log: runner })
  if ('report' in found) return found.report
  const { target, faults, warnings } = plan(inputs, found.subject)
  for (const warning of warnings) runner.warning(warning)
  if (faults.length > 0) return faulty(faults, target)
  const path = await findFile(target.patterns, context.workspace)
  const artifact = await openArtifact(path, context.workspace, [context.workspace, context.temp])
  const settling = doors.openGitHub(repositoryOf(runner, inputs), afterwards(runner.cancelled))
  try {
    announce(runner, target, artifact, inputs.baseUrl)
    return await sendTarget({
      ...{ runner, inputs, target, artifact, github, settling, connect: doors.connect },
      commit: inputs.once === 'off' ? '' : await commitOf(found.subject, context, github),
      showLink: await mayShowLink(inputs, payload, github)
    })
  } finally {
    settling.close()
    await artifact.close()
  }
}

/** Whether `download_url` may be shown where everyone who can read the repository sees it. */
async function mayShowLink(
  { downloadLink }: PublishInputs,
  payload: unknown,
  github: GitHub
): Promise<boolean> {
  if (downloadLink !== 'auto') return downloadLink === 'show'
  const known = isPrivate(payload)
  if (known !== undefined) return known
  try {
    const { data } = await github.read('GET /repos/{owner}/{repo}')
    return isPrivate({ repository: data }) ?? false
  } catch (error) {
    if (error instanceof GitHubError) return false
    throw error
  }
}

/** A cancelled run has 7 seconds in all; what settles a claim may use nearly all of them. */
const SETTLING_TIME = 6500

function afterwards(cancelled: AbortSignal): AbortSignal {
  const over = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => over.abort(), SETTLING_TIME).unref()
  })
  return over.signal
}
