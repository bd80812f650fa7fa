// The at-most-once memory of a target, wired to GitHub.
import { openDeployments, openVersions, type Versions } from '../ledger/deployments.ts'
import type { Steps } from '../ledger/steps.ts'
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
export interface Claiming {
  readonly route: Route
  readonly versionName: string
  readonly tag: string
  readonly commit: string
  readonly fileName: string
  readonly size: number
}

/** The steps, with a claimant that is this run. */
export function stepsOf({ github, settling, ...run }: Run, claiming: Claiming): Steps {
  const { runner, inputs } = run
  const { route, versionName, tag, commit, fileName, size } = claiming
  const { runId, runAttempt, job } = runner.context
  const reserve = answerTimeout(inputs, size) / 1000 + RECORDING_TIME
  const deadline = Math.ceil(SENDING_TIME + size / SLOWEST + reserve)
  const publication = { baseUrl: inputs.baseUrl, ...route, versionName }
  const asking = openDeployments(github, publication, tag)
  const ending = openDeployments(settling, publication, tag)
  return {
    deployments: {
      ...asking,
      // A cancelled run has to learn the id of the claim that it ends.
      create: ending.create,
      record: (id, state, ...rest) =>
        (state === 'in_progress' ? asking : ending).record(id, state, ...rest)
    },
    claimant: { runId, runAttempt, job, commit, fileName, deadline },
    ...{ reserve, lag: LAG, stopwatch },
    sleep: ms => run.sleep(ms, runner.cancelled),
    tell: message => runner.info(message)
  }
}
