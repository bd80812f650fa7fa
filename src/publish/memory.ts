// Wires a target to the at-most-once memory on GitHub, and asks it what is known of a version.
import type { Artifact } from '../file/artifact.ts'
import { CancelledError, strayError } from '../http/exchange.ts'
import { LAG, openDeployments, openVersions, type RecordedVersions } from '../ledger/deployments.ts'
import type { Outranked } from '../ledger/ledger.ts'
import { LONGEST_DEADLINE } from '../ledger/parse.ts'
import { type Finding, type Settled, settleByHand } from '../ledger/settle.ts'
import type { Steps } from '../ledger/steps.ts'
import { parseRelease } from '../release/release.ts'
import { higherThan, openRanking, readTag, uncomparableOf } from '../release/tag.ts'
import { type Failure, type RecordFailure, recordFailureOf } from '../report/failures.ts'
import type { Route } from '../shop/publish.ts'
import type { Run } from './adapters.ts'
import { answerTimeout, type PublishInputs } from './inputs.ts'
import type { Named } from './naming.ts'

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
  return runner.cancelled.aborted ? { kind: 'cancelled' } : recordFailureOf(error)
}

/** A version that is published, or may be, and is higher than another. */
export type Higher = Pick<Outranked, 'state' | 'versionName'>

/** A higher version that is published, or may be; undefined if there is none. */
export async function findHigher(
  versions: RecordedVersions,
  versionName: string
): Promise<Higher | undefined> {
  for (const other of await higherThan(versionName, versions.names)) {
    const { state } = await versions.standing(other)
    if (state === 'published' || state === 'in doubt') return { state, versionName: other }
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
    tell: message => runner.info(message)
  }
}

/** The end of `mode: settle` for a target; `read` is its file, if one was given. */
export interface SettleEnd {
  readonly kind: 'settled'
  readonly settled: Settled
  readonly finding: Finding
  readonly read: Readonly<{ file?: string; sha256?: string; size?: number }>
}

/** Records what the input `settle-as` says about one target, with its file's digest if a file is given. */
export async function settleTarget(
  run: Run,
  version: Claimable,
  artifact?: Artifact
): Promise<SettleEnd | Failure> {
  const file = await artifact?.digest()
  const read = artifact && file ? { file: artifact.path, ...file } : {}
  const finding = run.inputs.settleAs === 'published' ? 'published' : 'not published'
  try {
    const settled = await settleByHand(await stepsOf(run, version, artifact), finding, file)
    const { aborted, reason } = run.runner.cancelled
    const isCut = aborted && (settled.kind === 'unconfirmed' || settled.kind === 'unanswered')
    const cause = strayError(reason) ?? new CancelledError()
    const told = isCut ? { ...settled, cause } : settled
    return { kind: 'settled', settled: told, finding, read }
  } catch (error) {
    return memoryFailureOf(error, run)
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
