// One run of the action: its inputs, and what its steps act through.
import type { Retry, Stream } from '../file/asset.ts'
import { type GitHub, GitHubError, openGitHub, streamAsset } from '../github/github.ts'
import { pauseBefore } from '../http/errors.ts'
import type { Connect } from '../http/exchange.ts'
import type { Api } from '../release/find-release.ts'
import { isPrivate } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import type { PublishInputs } from './inputs.ts'

/** What the use case acts through; tests pass others. */
export interface Adapters {
  readonly runner: Runner
  readonly connect: Connect
  /** Resolves after so many milliseconds, or rejects as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Milliseconds since some moment. */
  now(): number
  /** How long a call to GitHub may take, in milliseconds. */
  readonly patience?: number
}

/** A run; nothing is asked of anybody by opening it. */
export interface Run extends Pick<Adapters, 'runner' | 'connect' | 'sleep'> {
  readonly inputs: PublishInputs
  readonly github: GitHub
  /** The same for writes that settle a claim, which go on for a moment when the run is cancelled. */
  readonly settling: GitHub
  readonly releases: Api
  readonly streamAsset: Stream
  /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
  isPrivate(): Promise<boolean | undefined>
}

/** A cancelled run has 7 seconds in all; what settles a claim may use nearly all of them, in milliseconds. */
const SETTLING_TIME = 6500

/** Opens a run of the action. */
export function openRun(adapters: Adapters, inputs: PublishInputs): Run {
  const { runner, connect, sleep, patience } = adapters
  const { context, cancelled } = runner
  const [owner = '', name = ''] = context.repository.split('/')
  const repository = { apiUrl: context.apiUrl, owner, name, token: inputs.githubToken }
  const open = (signal: AbortSignal) =>
    openGitHub(repository, connect, ms => sleep(ms, signal), signal, patience)
  const github = open(cancelled)
  const settled = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => settled.abort(), SETTLING_TIME).unref()
  })
  let asked: Promise<boolean | undefined> | undefined
  const askGitHub = async () =>
    isPrivate({ repository: (await github.read('GET /repos/{owner}/{repo}')).data })
  const ask = async () => isPrivate(await runner.payload()) ?? askGitHub().catch(() => undefined)
  return {
    ...{ runner, connect, sleep, inputs, github, settling: open(settled.signal) },
    releases: { ...github, isFailure: error => error instanceof GitHubError },
    streamAsset: (id, receive) => streamAsset(repository, id, connect, receive, cancelled),
    isPrivate: () => {
      asked ??= ask()
      return asked
    }
  }
}

/** A download that breaks is started again, three times at most; one that GitHub refuses is not. */
export function retryDownloads({ runner, sleep }: Run): Retry {
  return async (tried, error) => {
    if (tried >= 4 || runner.cancelled.aborted || !(error instanceof GitHubError)) throw error
    const { status = 500, message } = error
    if (status !== 429 && status < 500) throw error
    runner.info(`The download broke (${message}). It is started again.`)
    await sleep(pauseBefore(tried, undefined, Math.random()), runner.cancelled)
  }
}
