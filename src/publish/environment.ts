// What a run of the publish action acts through: its inputs, the runner, the network, the clocks, GitHub, the record.
import type { Artifact } from '../files/artifact.ts'
import { type GitHub, openGitHub } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { comparableName } from '../ledger/claim-format.ts'
import { openDeployments } from '../ledger/deployments.ts'
import type { Steps, Stopwatch } from '../ledger/snapshot.ts'
import { isPrivate } from '../release/release.ts'
import { openRanking } from '../release/tag.ts'
import type { RunFacts } from '../report/guidance.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishConfig } from './config.ts'
import type { VersionIdentity } from './publication.ts'

/** What tests replace. `patience`: the time limit of a call to GitHub, in milliseconds. */
export interface Adapters {
  readonly runner: Runner
  readonly connect: Connect
  /** Resolves after `ms` milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  readonly patience?: number
  /** By the clocks of this machine when left out. */
  readonly stopwatch?: () => Stopwatch
}

/** Starts measuring by this machine's clocks. */
function startStopwatch(): Stopwatch {
  const [steady, wall] = [performance.now(), Date.now()]
  const atLeast = () => performance.now() - steady
  // `performance.now` stops while Linux sleeps; the other clock does not, but can be set.
  return { atLeast, atMost: () => Math.max(atLeast(), Date.now() - wall) }
}

/** In milliseconds. A cancelled run has 7 seconds in all: the runner waits 7.5 from SIGINT to SIGTERM. */
const SETTLING_TIME = 6500

export type Environment = Readonly<ReturnType<typeof openEnvironment>>

/** Opens what a run needs. Sends nothing yet; `close` ends all that was opened. */
export function openEnvironment(adapters: Adapters, config: PublishConfig, facts: RunFacts) {
  const { runner, connect, sleep, patience, stopwatch = startStopwatch } = adapters
  const { context, cancelled } = runner
  const [owner = '', name = ''] = context.repository.split('/')
  const access = { apiUrl: context.apiUrl, owner, name, token: config.githubToken }
  const open = (signal: AbortSignal): GitHub =>
    openGitHub(access, {
      ...{ connect, signal, patience, log: runner.info, conceal: runner.conceal },
      sleep: ms => sleep(ms, signal)
    })
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_TIME).unref()
  })
  const [github, settling] = [open(cancelled), open(settled.signal)]
  const endings: (() => Promise<void>)[] = []
  const askGitHub = async () =>
    isPrivate({ repository: (await github.read('GET /repos/{owner}/{repo}')).data })
  return {
    ...{ config, facts, runner, connect, stopwatch, github },
    deployments: openDeployments(github, settling, config),
    /** Pauses for so many milliseconds; throws when the run is cancelled. */
    sleep: (ms: number, signal = cancelled) => sleep(ms, AbortSignal.any([cancelled, signal])),
    /** The same, also in a cancelled run as long as it may write how it ended. `settling` writes as long. */
    settlingPause: (ms: number) => sleep(ms, settled.signal),
    /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
    isPrivate: async () =>
      isPrivate(await runner.payload()) ?? (await askGitHub().catch(() => undefined)),
    /** Runs at the end, the last given first: closes a file, or removes one that was downloaded. */
    atEnd: (task: () => Promise<void>) => {
      endings.push(task)
    },
    close: async () => {
      // A failed cleanup leaves files in RUNNER_TEMP at worst, and must not change how the run ended.
      for (const end of endings.toReversed()) await end().catch(() => undefined)
      github.close()
      settling.close()
    }
  }
}

/** The steps for a version, with this run as the claimant. */
export async function openSteps(
  env: Environment,
  { versionName, title, names, commit }: VersionIdentity,
  file: Pick<Artifact, 'name' | 'path'> | undefined
): Promise<Steps> {
  const { config, runner, stopwatch, sleep, settlingPause } = env
  const { runId, runAttempt, job } = runner.context
  return {
    deployments: env.deployments,
    versionName: comparableName(versionName),
    tag: names.tag,
    claimant: {
      runId,
      runAttempt,
      job,
      commit,
      title,
      fileName: file?.name ?? '',
      filePath: file?.path ?? ''
    },
    rankOf: config.allowLower ? undefined : await openRanking(comparableName(versionName)),
    ...{ stopwatch, sleep, settlingPause, log: runner.info }
  }
}
