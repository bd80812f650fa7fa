// What the record needs to know of a version and of this run.
import { openDeployments } from '../ledger/deployments.ts'
import { comparableName } from '../ledger/record.ts'
import type { Steps } from '../ledger/snapshot.ts'
import { openRanking } from '../release/order.ts'
import type { PublishConfig } from './config.ts'
import type { Environment } from './environment.ts'
import type { VersionIdentity } from './publication.ts'

/** The steps for a version, with this run as the claimant; `fileName` is empty if there is no file. */
export async function openSteps(
  env: Environment,
  config: PublishConfig,
  { versionName, title, names, commit }: VersionIdentity,
  fileName: string
): Promise<Steps> {
  const { runner, stopwatch, sleep, settlingPause } = env
  const { runId, runAttempt, job } = runner.context
  return {
    deployments: openDeployments(env.github, env.settling, config),
    versionName: comparableName(versionName),
    tag: names.tag,
    claimant: { runId, runAttempt, job, commit, title, fileName },
    rankOf: config.allowLower ? undefined : await openRanking(comparableName(versionName)),
    ...{ stopwatch, sleep, settlingPause, log: runner.info }
  }
}
