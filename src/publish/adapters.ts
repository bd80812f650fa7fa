// What the use case acts through, and what is opened for one run: GitHub, downloads, the event.
import type { Retry, Stream } from '../file/asset.ts'
import { type GitHub, GitHubError, type Repository } from '../github/github.ts'
import { pauseBefore, sleep as sleepByClock } from '../http/pause.ts'
import type { Api } from '../release/find-release.ts'
import { isPrivate } from '../release/release.ts'
import type { Runner } from '../runner/runner.ts'
import type { CheckRequest, CheckResult, PublishRequest, PublishResult } from '../shop/publish.ts'
import type { PublishInputs } from './inputs.ts'

/** Resolves after so many milliseconds, or rejects as soon as the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The service, one request at a time. */
export interface Shop {
  publish(request: PublishRequest): Promise<PublishResult>
  /** A request that cannot publish. */
  check(request: CheckRequest): Promise<CheckResult>
}

/** Everything outside of this folder that the use case acts through; tests pass others. */
export interface Adapters {
  readonly runner: Runner
  readonly shop: Shop
  openGitHub(repository: Repository, signal: AbortSignal): GitHub
  /** Streams files that are attached to the repository's releases. */
  openAssets(repository: Repository, signal: AbortSignal): Stream
  /** By the clock when left out. */
  readonly sleep?: Sleep
  /** Milliseconds since some moment; by the clock when left out. */
  readonly now?: () => number
}

/** One run of the action: its inputs, and what its steps act through. */
export interface Run {
  readonly runner: Runner
  readonly inputs: PublishInputs
  readonly shop: Shop
  readonly github: GitHub
  /** The same for writes that settle a claim, which go on for a moment when the run is cancelled. */
  readonly settling: GitHub
  readonly releases: Api
  readonly streamAsset: Stream
  readonly downloads: Retry
  readonly sleep: Sleep
  /** The event's payload; rejects when the file cannot be read. */
  payload(): Promise<unknown>
  /** Whether the repository is private; undefined when neither the event nor GitHub says so. */
  isPrivate(): Promise<boolean | undefined>
}

/** Opens a run; nothing is asked of GitHub yet. */
export function openRun(adapters: Adapters, inputs: PublishInputs): Run {
  const { runner, shop, openGitHub, openAssets, sleep = sleepByClock } = adapters
  const { context, cancelled } = runner
  const [owner = '', name = ''] = context.repository.split('/')
  const repository = { apiUrl: context.apiUrl, owner, name, token: inputs.githubToken }
  const github = openGitHub(repository, cancelled)
  const payload = once(runner.payload)
  return {
    runner,
    inputs,
    shop,
    github,
    settling: openGitHub(repository, afterwards(cancelled)),
    releases: releasesOf(github),
    streamAsset: openAssets(repository, cancelled),
    downloads: retryDownloads(runner, sleep),
    sleep,
    payload,
    isPrivate: once(
      async () => isPrivate(await payload()) ?? isPrivate({ repository: await describe(github) })
    )
  }
}

/** GitHub, as the release is read from it. */
export function releasesOf({ read, readAll }: GitHub): Api {
  return { read, readAll, isFailure: error => error instanceof GitHubError }
}

/** The same answer, asked for once. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}

/** The repository as GitHub describes it, or nothing. */
async function describe(github: GitHub): Promise<unknown> {
  try {
    return (await github.read('GET /repos/{owner}/{repo}')).data
  } catch (error) {
    if (error instanceof GitHubError) return undefined
    throw error
  }
}

/** How often an attached file is downloaded at most. */
const DOWNLOADS = 4

/** A download that breaks is started again; one that GitHub refuses is not. */
function retryDownloads(runner: Runner, sleep: Sleep): Retry {
  return {
    tries: DOWNLOADS,
    pause: async (tried, error) => {
      if (!(error instanceof GitHubError) || !isPassing(error) || runner.cancelled.aborted) {
        throw error
      }
      runner.info(`The download broke (${error.message}). It is started again.`)
      await sleep(pauseBefore(tried, undefined, Math.random()), runner.cancelled)
    }
  }
}

function isPassing({ status }: GitHubError): boolean {
  return status === undefined || status === 429 || status >= 500
}

/** A cancelled run has 7 seconds in all; what settles a claim may use nearly all of them, in milliseconds. */
const SETTLING_TIME = 6500

function afterwards(cancelled: AbortSignal): AbortSignal {
  const over = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => over.abort(), SETTLING_TIME).unref()
  })
  return over.signal
}
