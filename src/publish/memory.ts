// The at-most-once memory of a target, wired to GitHub.
import type { GitHub } from '../github/github.ts'
import { openDeployments, type Publication } from '../ledger/deployments.ts'
import type { Deployments, Steps } from '../ledger/steps.ts'
import type { Run } from './adapters.ts'
import type { Sending } from './attempt.ts'
import type { Planned } from './prepare.ts'

/** What a claim allows for sending: some time for tries and pauses, in seconds, … */
const SENDING_TIME = 300
/** … and for the bytes, at the slowest rate that is worth waiting for, in bytes a second. */
const SLOWEST = 64 * 1024
/** After the answer's own time-out, for recording it, in seconds. */
const RECORDING_TIME = 60
/** What GitHub shows to one run, it shows to all within so many milliseconds: that is assumed. */
const LAG = 6000

/** The deployments of a target's publication. */
export function deploymentsOf({ inputs }: Run, planned: Planned, github: GitHub): Deployments {
  const publication: Publication = {
    baseUrl: inputs.baseUrl,
    ...planned.route,
    versionName: planned.versionName
  }
  return openDeployments(github, publication, planned.tag)
}

/** By whichever clock says more: on Linux, the steady one rests while the machine sleeps. */
function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - steady, Date.now() - wall)
}

/** The steps, with a claimant that is this run. */
export function stepsOf(sending: Sending): Steps {
  const { runner, inputs, planned, commit } = sending
  const { runId, runAttempt, job } = runner.context
  const reserve = inputs.responseTimeout / 1000 + RECORDING_TIME
  const asking = deploymentsOf(sending, planned, sending.github)
  const settling = deploymentsOf(sending, planned, sending.settling)
  return {
    deployments: {
      ...asking,
      // A cancelled run has to learn the id of the claim that it ends.
      create: settling.create,
      record: (id, state, ...rest) =>
        (state === 'in_progress' ? asking : settling).record(id, state, ...rest)
    },
    claimant: {
      runId,
      runAttempt,
      job,
      commit,
      fileName: planned.artifact.name,
      deadline: Math.ceil(SENDING_TIME + planned.artifact.size / SLOWEST + reserve)
    },
    reserve,
    lag: LAG,
    versionName: planned.versionName,
    nonce: () => crypto.randomUUID(),
    stopwatch,
    sleep: ms => sending.sleep(ms, runner.cancelled),
    tell: message => runner.info(message)
  }
}
