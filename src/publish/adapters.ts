// One run of the publish action: its inputs, the adapters that its steps use, and the at-most-once memory on GitHub.
import type { Artifact } from '../file/artifact.ts'
import { downloadAsset } from '../file/asset.ts'
import { type GitHub, GitHubError, openGitHub } from '../github/github.ts'
import { pauseBefore } from '../http/errors.ts'
import type { Connect } from '../http/exchange.ts'
import { LAG, openDeployments, openVersions, type RecordedVersions } from '../ledger/deployments.ts'
import type { Outranked } from '../ledger/ledger.ts'
import { LONGEST_DEADLINE } from '../ledger/record.ts'
import { type FailedClaims, type Steps, type Stopwatch, Withheld } from '../ledger/steps.ts'
import { type Asset, isPrivate, parseRelease } from '../release/release.ts'
import { higherThan, openRanking, readTag, uncomparableOf } from '../release/tag.ts'
import { type Failure, type RecordFailure, recordFailureOf } from '../report/failures.ts'
import { readFacts } from '../report/ways.ts'
import type { Runner } from '../runner/runner.ts'
import type { Route } from '../shop/publish.ts'
import { answerTimeout, type PublishInputs } from './inputs.ts'
import type { Named } from './naming.ts'

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
  let asked: Promise<boolean | undefined> | undefined
  return {
    ...{ runner, connect, sleep, stopwatch, inputs, github, failed },
    facts: readFacts(runner, inputs),
    /** `github` for writes that settle a claim: they still work for `SETTLING_TIME` after a cancellation. */
    settling: open(settled.signal),
    settlingPause: (ms: number) => sleep(ms, settled.signal),
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

/** In seconds: the part of a claim's deadline that is for retries and the pauses between them. */
const SENDING_TIME = 300
/** In bytes per second: the slowest upload that a deadline allows for. */
const SLOWEST = 64 * 1024
/** In seconds: for recording the answer, after the time limit for the answer itself. */
const RECORDING_TIME = 60
/** In seconds: the longest time limit for the answer with which there is time to send a file. */
export const LONGEST_RESPONSE = LONGEST_DEADLINE - SENDING_TIME - RECORDING_TIME

/** What the memory has for every version of a product or benefit. Throws when it cannot be read. */
export function versionsOf({ inputs, github, runner, failed }: Run, route: Route) {
  return openVersions(github, { baseUrl: inputs.baseUrl, ...route }, runner.context, failed)
}

/** What was thrown while the memory was used, so that nothing was sent. Throws what is no `Error`. */
export function memoryFailureOf(error: unknown, { runner }: Run): Failure {
  if (!(error instanceof Error)) throw error
  if (runner.cancelled.aborted) return { kind: 'cancelled' }
  // With a cause, what it lacked was not its turn.
  const lacksTurn = error instanceof Withheld && !error.cause
  return lacksTurn ? { kind: 'withheld', error, isSent: false } : recordFailureOf(error)
}

/** A higher version that is published, or may be; undefined if there is none. */
export async function findHigher(
  versions: RecordedVersions,
  versionName: string
): Promise<Outranked | undefined> {
  for (const other of await higherThan(versionName, versions.names)) {
    const standing = await versions.standing(other)
    if (standing.state === 'published' || standing.state === 'in doubt') {
      return { state: standing.state, versionName: other, claim: standing.claim }
    }
  }
  return undefined
}

/** In seconds: how long a claim counts, and the last part of that, which is kept for the answer. */
function timesOf(inputs: PublishInputs, size: number) {
  const reserve = answerTimeout(inputs, size) / 1000 + RECORDING_TIME
  const deadline = Math.ceil(SENDING_TIME + size / SLOWEST + reserve)
  return {
    reserve,
    deadline: Math.min(deadline, LONGEST_DEADLINE),
    isCut: deadline > LONGEST_DEADLINE
  }
}

/** How long sending may take, in seconds; `isCut`: since no claim counts for longer. */
export interface SendingTime {
  readonly seconds: number
  readonly isCut: boolean
  /** `short`: it cannot be enough; `usual`: nobody needs to know it. */
  readonly kind: 'short' | 'usual' | 'long'
}

/** The time for sending a file of `size` bytes. */
export function sendingTimeOf(inputs: PublishInputs, size: number): SendingTime {
  const { reserve, deadline, isCut } = timesOf(inputs, size)
  const seconds = deadline - reserve
  // Below twice that, the time for retries is longer than any usual upload.
  const kind = seconds < SENDING_TIME ? 'short' : seconds > 2 * SENDING_TIME ? 'long' : 'usual'
  return { seconds, isCut, kind }
}

/** A version that may get a claim. */
export interface Claimable extends Pick<Named, 'route' | 'versionName' | 'title' | 'names'> {
  /** The tag's, or empty. */
  readonly commit: string
}

/** The steps for a version, with this run as the claimant; `artifact` is its file, if there is one. */
export async function stepsOf(run: Run, version: Claimable, artifact?: Artifact): Promise<Steps> {
  const { runner, inputs, failed, stopwatch } = run
  const { route, versionName, title, names, commit } = version
  const { name: fileName = '', size = 0 } = artifact ?? {}
  const { runId, runAttempt, job } = runner.context
  const { reserve, deadline } = timesOf(inputs, size)
  const publication = { baseUrl: inputs.baseUrl, ...route, versionName }
  return {
    deployments: openDeployments(run, publication, names.tag),
    claimant: { runId, runAttempt, job, commit, title, fileName, deadline },
    ...{ reserve, lag: LAG, stopwatch, failed },
    rankOf: inputs.order === 'rising' ? await openRanking(versionName) : undefined,
    sleep: (ms, until = runner.cancelled) =>
      run.sleep(ms, AbortSignal.any([runner.cancelled, until])),
    settlingPause: run.settlingPause,
    tell: message => runner.info(message)
  }
}

/** What the memory lacks or cannot compare: no version, though there are releases with `tags`; or names of no version. */
export type Gap =
  | Readonly<{ kind: 'first'; tags: readonly string[] }>
  | Readonly<{ kind: 'uncompared'; names: readonly string[] }>

/** How many of the newest names that are not compared are looked up: each may take a request. */
const LOOKED_UP = 3

/** What the memory lacks, or cannot compare; undefined if there is nothing. */
export async function findGap(
  run: Run,
  version: Named,
  versions: RecordedVersions
): Promise<Gap | undefined> {
  if (versions.names.length === 0) return findEarlierReleases(run, version)
  if (run.inputs.order !== 'rising') return undefined
  const own = await uncomparableOf([version.versionName])
  if (own.length > 0) return { kind: 'uncompared', names: own }
  const published: string[] = []
  for (const name of (await uncomparableOf(versions.names)).slice(0, LOOKED_UP)) {
    if ((await versions.standing(name)).state === 'published') published.push(name)
  }
  return published.length === 0 ? undefined : { kind: 'uncompared', names: published }
}

/** A repository with releases that the memory knows nothing of: either it is new here, or it was deleted. */
async function findEarlierReleases(
  { github, inputs }: Run,
  { names }: Named
): Promise<Gap | undefined> {
  const { items } = await github
    .readAll('GET /repos/{owner}/{repo}/releases', {}, 1)
    .catch(() => ({ items: [] }))
  const earlier = items.map(parseRelease).filter(release => release !== undefined)
  const tags = earlier
    .filter(({ tag, draft }) => !draft && tag !== names.tag)
    .map(({ tag }) => tag)
    .filter(tag => readTag(tag, inputs.tagPattern).kind !== 'misfit')
  return tags.length === 0 ? undefined : { kind: 'first', tags }
}

/** Whether the job may use the memory, as far as reading tells. */
export type Permission =
  | RecordFailure
  /** `dispensable`: it is missing, and with `once: auto` the version is published nevertheless. */
  | Readonly<{ kind: 'unused' | 'readable' | 'dispensable' }>

/** Reads the memory of the first target. Throws when the run is cancelled. */
export async function readPermission(run: Run): Promise<Permission> {
  const [target] = run.inputs.targets
  if (run.inputs.once === 'off' || target === undefined) return { kind: 'unused' }
  try {
    await versionsOf(run, target.route)
    return { kind: 'readable' }
  } catch (error) {
    if (run.runner.cancelled.aborted || !(error instanceof Error)) throw error
    const failure = recordFailureOf(error)
    const isDispensable = failure.kind === 'permission' && run.inputs.once === 'auto'
    return isDispensable ? { kind: 'dispensable' } : failure
  }
}
