// The surroundings of one run of the publish action: its inputs, the runner, the network, the clocks, GitHub, the record.
import type { Artifact } from '../files/artifact.ts'
import { isPrivateIn, type WorkflowEvent } from '../github/event.ts'
import { type GitHub, openGitHub } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { comparableName } from '../ledger/claim-format.ts'
import { type Deployments, openDeployments } from '../ledger/deployments.ts'
import type { Ledger, Stopwatch } from '../ledger/ledger.ts'
import { openRanking } from '../release/tag.ts'
import type { RunFacts } from '../report/guidance.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishConfig } from './config.ts'
import type { VersionIdentity } from './publication.ts'

/** The outside world, which tests replace. */
export interface Adapters {
  readonly runner: Runner
  readonly connect: Connect
  /** Resolves after `ms` milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** The time limit of a call to GitHub, in milliseconds; the client's own when left out. */
  readonly patience?: number
  /** By the clocks of this machine when left out. */
  stopwatch?(): Stopwatch
}

/** The task of a step, read once, and the runner that shows what became of it. */
export interface Step {
  readonly runner: Runner
  readonly config: PublishConfig
  readonly event: WorkflowEvent
  readonly facts: RunFacts
}

/** A step, and all that it acts on. */
export interface Environment extends Step {
  readonly connect: Connect
  readonly github: GitHub
  /** The record of the product, or of the benefit. */
  readonly deployments: Deployments
  stopwatch(): Stopwatch
  /** Pauses for `ms` milliseconds; rejects when the run is canceled, or the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** The same, also in a canceled run, as long as it may write how its claim ended. */
  settlingPause(ms: number): Promise<void>
  /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
  isPrivate(): Promise<boolean | undefined>
  /** Has a task run at the end: to close a file, or to remove one that was downloaded. */
  atEnd(task: () => Promise<void>): void
  /** Runs these tasks, the last given first; ends the connections to GitHub. Never rejects. */
  close(): Promise<void>
}

/** Starts measuring by this machine's clocks. */
function startStopwatch(): Stopwatch {
  const steady = performance.now()
  const wall = Date.now()
  const atLeast = () => performance.now() - steady
  // `performance.now` stops while Linux sleeps; the other clock does not, but can be set.
  return { atLeast, atMost: () => Math.max(atLeast(), Date.now() - wall) }
}

/** A canceled run has 7 seconds in all: the runner waits 7.5 from SIGINT to SIGTERM. */
const SETTLING_MS = 6500

/** Opens what a run needs. Sends nothing yet. */
export function openEnvironment(adapters: Adapters, step: Step): Environment {
  const { connect, sleep, stopwatch = startStopwatch } = adapters
  const { runner, config, event } = step
  const { cancelled } = runner

  // A canceled run may still write how its claim ended, for a while.
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_MS).unref()
  })

  const github = connectToGitHub(adapters, config, cancelled)
  const settling = connectToGitHub(adapters, config, settled.signal)

  const endings: (() => Promise<void>)[] = []
  return {
    ...step,
    connect,
    github,
    deployments: openDeployments(github, settling, config),
    stopwatch,
    sleep: (ms, signal = cancelled) => sleep(ms, AbortSignal.any([cancelled, signal])),
    settlingPause: ms => sleep(ms, settled.signal),
    isPrivate: () => readPrivacy(event, github),
    atEnd: task => {
      endings.push(task)
    },
    close: async () => {
      // A failure here leaves files in RUNNER_TEMP at worst, and must not change how the run ended.
      const closings = [
        ...endings.toReversed(),
        async () => github.close(),
        async () => settling.close()
      ]
      for (const close of closings) {
        await close().catch(() => undefined)
      }
    }
  }
}

function connectToGitHub(
  { runner, connect, sleep, patience }: Adapters,
  config: PublishConfig,
  signal: AbortSignal
): GitHub {
  const { apiUrl, repository } = runner.context
  const [owner = '', name = ''] = repository.split('/')
  const access = { apiUrl, owner, name, token: config.githubToken }
  return openGitHub(access, {
    connect,
    signal,
    patience,
    sleep: ms => sleep(ms, signal),
    log: runner.info,
    conceal: runner.conceal
  })
}

async function readPrivacy(
  { isPrivate }: WorkflowEvent,
  github: GitHub
): Promise<boolean | undefined> {
  if (isPrivate !== undefined) return isPrivate

  const reply = await github.read('GET /repos/{owner}/{repo}').catch(() => undefined)
  return reply && isPrivateIn(reply.data)
}

/**
 * Opens the ledger of a version, with this run as the claimant.
 * @param sent The file, with its digest unless it was not inspected; undefined if none was named.
 * @param ref Of the claims: the tag, unless GitHub does not know it.
 */
export async function openLedger(
  env: Environment,
  { versionName, title, names, commit }: VersionIdentity,
  sent: SentFile | undefined,
  ref = names.tag
): Promise<Ledger> {
  const { config, runner, stopwatch, sleep, settlingPause } = env
  const { runId, runAttempt, job } = runner.context
  return {
    deployments: env.deployments,
    versionName: comparableName(versionName),
    tag: names.tag,
    ref,
    claimant: {
      runId,
      runAttempt,
      job,
      commit,
      title,
      fileSource: sent?.file.origin.source,
      fileName: sent?.file.name ?? '',
      filePath: sent?.file.path ?? '',
      sha256: sent?.sha256 ?? ''
    },
    rankOf: config.allowLower ? undefined : await openRanking(comparableName(versionName)),
    stopwatch,
    sleep,
    settlingPause,
    log: runner.info
  }
}

/** A file as a claim holds it. */
interface SentFile {
  readonly file: Pick<Artifact, 'name' | 'path' | 'origin'>
  readonly sha256?: string
}
