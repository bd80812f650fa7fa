// The at-most-once memory of a target, wired to GitHub.
import type { GitHub } from '../github/github.ts'
import { openDeployments, openVersions, type Versions } from '../ledger/deployments.ts'
import type { Deployments, Steps } from '../ledger/steps.ts'
import type { Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout } from './inputs.ts'

/** What a claim allows for sending: some time for tries and pauses, in seconds, … */
const SENDING_TIME = 300
/** … and for the bytes, at the slowest rate that is worth waiting for, in bytes a second. */
const SLOWEST = 64 * 1024
/** After the answer's own time-out, for recording it, in seconds. */
const RECORDING_TIME = 60
/** What GitHub shows to one run, it shows to all within so many milliseconds: that is assumed. */
const LAG = 6000

/** A version of a product or benefit, and its tag. */
export interface VersionOf {
  readonly route: Route
  readonly versionName: string
  readonly tag: string
}

/** The deployments of a version's publication. */
export function deploymentsOf(
  { inputs }: Run,
  { route, versionName, tag }: VersionOf,
  github: GitHub
): Deployments {
  return openDeployments(github, { baseUrl: inputs.baseUrl, ...route, versionName }, tag)
}

/** What the memory has of every version of a product or benefit. */
export function versionsOf({ inputs, github, runner }: Run, route: Route): Promise<Versions> {
  return openVersions(github, { baseUrl: inputs.baseUrl, ...route }, runner.context)
}

/** By whichever clock says more: on Linux, the steady one rests while the machine sleeps. */
function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - steady, Date.now() - wall)
}

/** A version that is to be claimed, and the file that comes with it, its size in bytes. */
export interface Claiming extends VersionOf {
  readonly commit: string
  readonly fileName: string
  readonly size: number
}

/** The steps, with a claimant that is this run. */
export function stepsOf(run: Run, claiming: Claiming): Steps {
  const { runner, inputs } = run
  const { commit, fileName, size, versionName } = claiming
  const { runId, runAttempt, job } = runner.context
  const reserve = answerTimeout(inputs, size) / 1000 + RECORDING_TIME
  const deadline = Math.ceil(SENDING_TIME + size / SLOWEST + reserve)
  const asking = deploymentsOf(run, claiming, run.github)
  const settling = deploymentsOf(run, claiming, run.settling)
  return {
    deployments: {
      ...asking,
      // A cancelled run has to learn the id of the claim that it ends.
      create: settling.create,
      record: (id, state, ...rest) =>
        (state === 'in_progress' ? asking : settling).record(id, state, ...rest)
    },
    claimant: { runId, runAttempt, job, commit, fileName, deadline },
    ...{ reserve, lag: LAG, versionName, stopwatch },
    nonce: () => crypto.randomUUID(),
    sleep: ms => run.sleep(ms, runner.cancelled),
    tell: message => runner.info(message)
  }
}
