// One run of the action: its inputs, and what its steps act through.
import type { Retry } from '../file/asset.ts'
import { GitHubError, openGitHub, streamAsset } from '../github/github.ts'
import { pauseBefore } from '../http/errors.ts'
import type { Connect } from '../http/exchange.ts'
import { isPrivate } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishInputs } from './inputs.ts'

/** What the use case acts through; `patience` is how long a call to GitHub may take, in milliseconds. */
export interface Adapters {
  readonly runner: Runner
  readonly connect: Connect
  /** Resolves after so many milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  readonly patience?: number
}

/** A cancelled run has 7 seconds in all; what settles a claim may use nearly all of them, in milliseconds. */
const SETTLING_TIME = 6500
export type Run = Readonly<ReturnType<typeof openRun>>

/** GitHub's API for the run's own repository; nothing is asked of anybody by that. */
export function openApi(adapters: Adapters, token: string, signal: AbortSignal) {
  const { runner, connect, sleep, patience } = adapters
  const [owner = '', name = ''] = runner.context.repository.split('/')
  const repository = { apiUrl: runner.context.apiUrl, owner, name, token }
  const github = openGitHub(repository, connect, ms => sleep(ms, signal), signal, patience)
  const isFailure = (error: unknown) => error instanceof GitHubError
  return {
    ...{ ...github, isFailure, failure: (message: string) => new GitHubError(message) },
    streamAsset: (id: number, receive: (chunk: Buffer) => void) =>
      streamAsset(repository, id, connect, receive, signal)
  }
}

/** Opens a run; nothing is asked of anybody by that, either. */
export function openRun(adapters: Adapters, inputs: PublishInputs) {
  const { runner, connect, sleep } = adapters
  const { cancelled } = runner
  const open = (signal: AbortSignal) => openApi(adapters, inputs.githubToken, signal)
  const github = open(cancelled)
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_TIME).unref()
  })
  const askGitHub = async () =>
    isPrivate({ repository: (await github.read('GET /repos/{owner}/{repo}')).data })
  const ask = async () => isPrivate(await runner.payload()) ?? askGitHub().catch(() => undefined)
  // Once, so that no two targets of a run get different answers.
  let asked: ReturnType<typeof ask> | undefined
  return {
    ...{ runner, connect, sleep, inputs, github },
    /** The same for writes that settle a claim, which go on for a moment when the run is cancelled. */
    settling: open(settled.signal),
    /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
    isPrivate: () => {
      asked ??= ask()
      return asked
    }
  }
}

/** A download that breaks is started again, three times at most; one that GitHub refuses is not. */
export function retryDownloads({ runner, sleep }: Run): Retry {
  return async (tried, error) => {
    const pause = pauseBefore(tried)
    if (!pause || runner.cancelled.aborted || !(error instanceof GitHubError)) throw error
    const { status = 500, message } = error
    if (status !== 429 && status < 500) throw error
    runner.info(`The download broke (${message}). It is started again.`)
    await sleep(pause, runner.cancelled)
  }
}
