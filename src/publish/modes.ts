// The modes that neither publish nor plan. `check` asks the shop about a target; `settle` records what a person found
// there; `audit` compares GitHub's releases with the memory: is every one published?
import type { Artifact } from '../file/artifact.ts'
import { CancelledError, strayError } from '../http/exchange.ts'
import type { RecordedVersions } from '../ledger/deployments.ts'
import type { Standing } from '../ledger/ledger.ts'
import { type Finding, type Settled, settleByHand } from '../ledger/settle.ts'
import { type Api, parseRelease, type Release } from '../release/release.ts'
import { readTag } from '../release/tag.ts'
import type { Failure } from '../report/failures.ts'
import type { Fault } from '../runner/values.ts'
import { type CheckResult, checkRoute } from '../shop/publish.ts'
import {
  type Claimable,
  memoryFailureOf,
  type Permission,
  type Run,
  stepsOf,
  versionsOf
} from './adapters.ts'
import { answerTimeout, type TargetInputs } from './inputs.ts'
import { nameTargets } from './naming.ts'

export type Refusal = Exclude<CheckResult, { kind: 'checked' }>

/** Sends a request without any field of a version. It tests the token and the ids, and cannot publish. */
export async function requestCheck(
  run: Run,
  { route, upload }: TargetInputs
): Promise<CheckResult> {
  const { inputs, runner, connect } = run
  const result = await checkRoute(connect, {
    service: { baseUrl: inputs.baseUrl, token: inputs.token },
    route,
    upload,
    patience: { stall: inputs.stallTimeout, answer: answerTimeout(inputs, 0) },
    signal: runner.cancelled
  })
  if (result.kind === 'noAnswer' && result.cause instanceof CancelledError) throw result.cause
  return result
}

/** The end of `mode: check` for a target; `unpublished`: the run's tag, if the memory has nothing of it. */
export interface CheckEnd {
  readonly kind: 'checked'
  readonly result: CheckResult
  readonly unpublished: string
  readonly permission: Permission
}

/** Sends the check of one target. Throws `CancelledError`. */
export async function checkTarget(
  run: Run,
  target: TargetInputs,
  permission: Permission
): Promise<CheckEnd> {
  const result = await requestCheck(run, target)
  const isAsked = result.kind === 'checked' && run.facts.tag !== '' && run.inputs.once !== 'off'
  const isUnpublished = isAsked && (await lacksVersion(run, target))
  return { kind: 'checked', result, unpublished: isUnpublished ? run.facts.tag : '', permission }
}

/**
 * Whether the memory has nothing of the version of the run's tag: a check is green, and who pressed the button with
 * a tag takes it for a publication.
 */
async function lacksVersion(run: Run, target: TargetInputs): Promise<boolean> {
  // A check does not read the release, and so does not know its name.
  if (target.versionName.includes('{name}')) return false
  const tagged = { tag: run.facts.tag, release: undefined, standIn: '', ownCommit: false }
  const { named, problems } = nameTargets({ ...run.inputs, targets: [target] }, tagged)
  const [one] = problems.length === 0 ? named : []
  if (!one) return false
  const memory = await versionsOf(run, one.route).catch(() => undefined)
  const standing = await memory?.standing(one.versionName).catch(() => undefined)
  return standing?.state === 'none'
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

const MOST = 1000
/** In milliseconds. A release younger than this is not audited: its run may not have ended yet. */
const YOUNG = 60 * 60 * 1000

/** The published releases, newest first; `isCut`: there may be older ones. */
export interface Audited {
  readonly releases: readonly Release[]
  readonly isCut: boolean
}

/** Lists the published releases, or returns what is wrong with `audit-since`. Throws a `GitHubError`. */
export async function listAudited(api: Api, since: string): Promise<Audited | Fault> {
  const { items, isCut = false } = await api.readAll('GET /repos/{owner}/{repo}/releases', {}, MOST)
  const releases = items
    .map(parseRelease)
    .filter(release => release !== undefined)
    .filter(({ draft }) => !draft)
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
  if (since === '' || releases.some(({ tag }) => tag === since)) return { releases, isCut }
  const [among, advice] = isCut
    ? [`the newest ${MOST} releases of this repository`, '; set a later one']
    : ['the releases of this repository', '']
  const message = `"${since}" is not the tag of a published release among ${among}${advice}`
  return { place: 'audit-since', message }
}

/** The end of `mode: audit` for a target. */
export type AuditEnd = Readonly<{ kind: 'audited' }> &
  Readonly<
    | { result: 'nothing' }
    /** There are releases, and no tag of them fits `tag-pattern`. */
    | { result: 'no fit' }
    | { result: 'too many'; most: number }
    /** `newest`: when the newest published version was claimed, in milliseconds since 1970, or 0. */
    | { result: 'compared'; rows: readonly AuditRow[]; newest: number }
  >

/** Compares the releases with what the memory has for one target; reads only. */
export async function auditTarget(
  run: Run,
  target: TargetInputs,
  audited: Audited
): Promise<AuditEnd | Failure> {
  const kind = 'audited'
  const { auditSince, prerelease: policy } = run.inputs
  try {
    const versions = await versionsOf(run, target.route)
    const rows = await rowsOf(run, target, audited, versions)
    const oldest = await versions.oldestPublished()
    // What is only on its way says nothing of the releases before it.
    const isUnknown = oldest === undefined && rows.every(({ state }) => state !== 'in doubt')
    if (auditSince === '' && isUnknown) return { kind, result: 'nothing' }
    // Its release may be older than all that were listed.
    const first = audited.releases.at(-1)?.publishedAt ?? 0
    if (auditSince === '' && audited.isCut && oldest && oldest.createdAt < first) {
      return { kind, result: 'too many', most: MOST }
    }
    if (rows.length === 0 && audited.releases.length > 0) return { kind, result: 'no fit' }
    const counting = (auditSince === '' ? sinceFirst(rows, oldest !== undefined) : rows)
      .filter(({ publishedAt }) => publishedAt <= versions.now - YOUNG)
      .filter(({ prerelease }) => policy === 'publish' || prerelease === (policy === 'only'))
    const newest = (await versions.newestPublished())?.createdAt ?? 0
    return { kind, result: 'compared', rows: counting, newest }
  } catch (error) {
    return memoryFailureOf(error, run)
  }
}

/** A release with what the memory has of it; `claimed`: it has something. */
export interface AuditRow extends Release {
  readonly versionName: string
  readonly state: Standing['state']
  readonly claimed: boolean
}

/** The releases whose tags fit, since `audit-since`, with their states. */
async function rowsOf(
  { inputs }: Run,
  target: TargetInputs,
  { releases }: Audited,
  { names, standing }: RecordedVersions
): Promise<AuditRow[]> {
  const since = releases.find(({ tag }) => tag === inputs.auditSince)?.publishedAt ?? 0
  const rows: AuditRow[] = []
  for (const release of releases.filter(({ publishedAt }) => publishedAt >= since)) {
    // A tag that does not fit belongs to another package of the repository.
    if (readTag(release.tag, inputs.tagPattern).kind === 'misfit') continue
    const tagged = { tag: release.tag, release, standIn: '', ownCommit: false }
    const { named } = nameTargets({ ...inputs, targets: [target] }, tagged)
    for (const { versionName } of named) {
      const { state } = await standing(versionName)
      rows.push({ ...release, versionName, state, claimed: names.includes(versionName) })
    }
  }
  return rows
}

/** From the oldest published release on: what is older came before this action was used, unless it is recorded. */
function sinceFirst(rows: readonly AuditRow[], hasPublished: boolean): readonly AuditRow[] {
  const oldest = rows.findLastIndex(({ state }) => state === 'published')
  // What is published has other names than these, so nobody knows where to start.
  if (oldest < 0 && hasPublished) return rows
  return rows.filter(({ state }, index) => index <= oldest || state !== 'none')
}
