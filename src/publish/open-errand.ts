// Opens what a run needs of GitHub: reading, settling, downloads, and whether the repository is private.

import type { Retry } from '../file/download.ts'
import { streamAsset } from '../github/asset.ts'
import { type GitHub, GitHubError, type Repository } from '../github/github.ts'
import type { Connect } from '../http/exchange.ts'
import { USER_AGENT } from '../http/exchange.ts'
import { pauseBefore, sleep as sleepByClock } from '../http/pause.ts'
import { isPrivate } from '../release/event.ts'
import type { Runner } from '../runner/runner.ts'
import type { Errand, Sleep } from './errand.ts'
import type { PublishInputs } from './inputs.ts'

interface Doors {
  readonly runner: Runner
  readonly connect: Connect
  openGitHub(repository: Repository, signal: AbortSignal): GitHub
  readonly sleep?: Sleep
}

/** Opens the errand of a run; nothing is asked of GitHub yet. */
export function openErrand(doors: Doors, inputs: PublishInputs): Errand {
  const { runner, connect, openGitHub, sleep = sleepByClock } = doors
  const { context, cancelled } = runner
  const [owner = '', name = ''] = context.repository.split('/')
  const repository = { apiUrl: context.apiUrl, owner, name, token: inputs.githubToken }
  const github = openGitHub(repository, cancelled)
  const payload = once(runner.payload)
  return {
    runner,
    inputs,
    connect,
    github,
    settling: openGitHub(repository, afterwards(cancelled)),
    streamAsset: (id, receive) =>
      streamAsset(repository, id, connect, USER_AGENT, receive, cancelled),
    downloads: retryDownloads(runner, sleep),
    sleep,
    payload,
    isPrivate: once(
      async () => isPrivate(await payload()) ?? isPrivate({ repository: await describe(github) })
    )
  }
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

const TRIES = 4

/** A download that breaks is started again; one that GitHub refuses is not. */
function retryDownloads(runner: Runner, sleep: Sleep): Retry {
  return {
    tries: TRIES,
    pause: async (tried, error) => {
      if (!(error instanceof GitHubError) || !isPassing(error) || runner.cancelled.aborted)
        throw error
      runner.info(`The download broke (${error.message}); it is started again.`)
      await sleep(pauseBefore(tried, undefined, Math.random()), runner.cancelled)
    }
  }
}

function isPassing({ status }: GitHubError): boolean {
  return status === undefined || status === 429 || status >= 500
}

/** A cancelled run has 7 seconds in all; what settles a claim may use nearly all of them. */
const SETTLING_TIME = 6500

function afterwards(cancelled: AbortSignal): AbortSignal {
  const over = new AbortController()
  cancelled.addEventListener('abort', () => {
    setTimeout(() => over.abort(), SETTLING_TIME).unref()
  })
  return over.signal
}
