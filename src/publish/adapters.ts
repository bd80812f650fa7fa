// One run of the publish action: its inputs, and the adapters that its steps use.
import { downloadAsset } from '../file/asset.ts'
import { type GitHub, GitHubError, openGitHub } from '../github/github.ts'
import { pauseBefore } from '../http/errors.ts'
import type { Connect } from '../http/exchange.ts'
import type { FailedClaims, Stopwatch } from '../ledger/steps.ts'
import { type Asset, isPrivate } from '../release/release.ts'
import { readFacts } from '../report/ways.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishInputs } from './inputs.ts'

/** What the use case acts through. `patience`: the time limit of a call to GitHub, in milliseconds. */
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
export function startStopwatch(): Stopwatch {
  const [steady, wall] = [performance.now(), Date.now()]
  const atLeast = () => performance.now() - steady
  // `performance.now` stops while Linux sleeps; the other clock does not, but can be set.
  return { atLeast, atMost: () => Math.max(atLeast(), Date.now() - wall) }
}

/** In milliseconds. A cancelled run has 7 seconds in all: the runner waits 7.5 from SIGINT to SIGTERM. */
const SETTLING_TIME = 6500
export type Run = Readonly<ReturnType<typeof openRun>>

/** Opens GitHub's API for the run's own repository. Sends nothing yet. */
export function openApi(adapters: Adapters, token: string, signal: AbortSignal): GitHub {
  const { runner, connect, sleep, patience } = adapters
  const [owner = '', name = ''] = runner.context.repository.split('/')
  const repository = { apiUrl: runner.context.apiUrl, owner, name, token }
  return openGitHub(repository, {
    ...{ connect, signal, patience, tell: runner.info },
    sleep: ms => sleep(ms, signal)
  })
}

/** Opens a run. Sends nothing yet. */
export function openRun(adapters: Adapters, inputs: PublishInputs) {
  const { runner, connect, sleep, stopwatch = startStopwatch } = adapters
  const { cancelled } = runner
  const open = (signal: AbortSignal) => openApi(adapters, inputs.githubToken, signal)
  const github = open(cancelled)
  const failed: FailedClaims = new Map()
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_TIME).unref()
  })
  const askGitHub = async () =>
    isPrivate({ repository: (await github.read('GET /repos/{owner}/{repo}')).data })
  const ask = async () => isPrivate(await runner.payload()) ?? askGitHub().catch(() => undefined)
  // Asked once, so that all targets of a run get the same answer.
  let asked: ReturnType<typeof ask> | undefined
  return {
    ...{ runner, connect, sleep, stopwatch, inputs, github, failed },
    facts: readFacts(runner, inputs),
    /** `github` for writes that settle a claim: they still work for `SETTLING_TIME` after a cancellation. */
    settling: open(settled.signal),
    /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
    isPrivate: () => {
      asked ??= ask()
      return asked
    }
  }
}

/** Downloads an attached file as `downloadAsset` does. One that broke is started again, where that may help. */
export function download({ runner, github, sleep }: Run, asset: Asset) {
  const retry = async (tried: number, error: unknown) => {
    const pause = pauseBefore(tried)
    if (!pause || runner.cancelled.aborted || !(error instanceof GitHubError)) throw error
    const { status = 500, message } = error
    if (status !== 429 && status < 500) throw error
    runner.info(`The download broke (${message}). It is started again.`)
    await sleep(pause, runner.cancelled)
  }
  const { temp } = runner.context
  return downloadAsset(asset, { temp, stream: github.streamAsset, retry, notice: runner.notice })
}
