// `mode: plan`: what the record says of a version, and how its file differs from the one that buyers have now.
import { openArtifact } from '../file/artifact.ts'
import { downloadAsset, sha256Of } from '../file/asset.ts'
import { type Comparison, compareArchives, listZip } from '../file/compare.ts'
import { isZip } from '../file/entries.ts'
import type { RecordedVersions } from '../ledger/deployments.ts'
import type { Standing } from '../ledger/ledger.ts'
import { judgeReplay, type ReplayVerdict, recordOf } from '../ledger/record.ts'
import { type Asset, readRelease } from '../release/release.ts'
import { type RecordFailure, recordFailureOf } from '../report/failures.ts'
import { describeGap } from '../report/notices.ts'
import { type Run, retryDownloads } from './adapters.ts'
import { digestOf, type PlannedPart } from './approval.ts'
import { previewOf } from './buyer-text.ts'
import { findGap, findHigher, type Higher, versionsOf } from './memory.ts'
import type { Planned, Sending } from './prepare.ts'

/** The end of `mode: plan` for a target. */
export interface PlanEnd {
  readonly kind: 'planned'
  /** The release's. */
  readonly tag: string
  readonly sha256: string
  readonly answer: RecordAnswer
  readonly changes: FoundChanges
  /** The changelog as buyers see it, in HTML that was cleaned; undefined where making it would take too long. */
  readonly preview: string | undefined
  /** What can be approved; nothing for a release that only stands in for the next one. */
  readonly part: PlannedPart | undefined
}

/** What the record says of a version. */
export interface RecordAnswer {
  /** Undefined where it is not asked (`once: off`), or could not be read. */
  readonly standing?: Standing
  /** Of a published one, whether publishing would fail. */
  readonly verdict?: ReplayVerdict
  readonly higher?: Higher
  /** Why no more is known. */
  readonly failure?: RecordFailure
}

/** Plans a target; `standsIn`: its release only stands in for the next one. */
export async function planTarget(sending: Sending, standsIn: boolean): Promise<PlanEnd> {
  const { planned, inputs } = sending
  const { sha256 } = await planned.artifact.digest()
  const isAsked = inputs.once !== 'off'
  const versions = isAsked
    ? await tryRecord(sending, versionsOf(sending, planned.route))
    : undefined
  const answer =
    versions && 'kind' in versions
      ? { failure: versions }
      : await askRecord(sending, versions, sha256, standsIn)
  const known = versions && !('kind' in versions) ? versions : undefined
  const changes = await findChanges(sending, known).catch((cause: unknown) => {
    if (sending.runner.cancelled.aborted || !(cause instanceof Error)) throw cause
    return { kind: 'failed', cause } as const
  })
  const preview = await previewOf(sending, planned)
  const part = standsIn ? undefined : await plannedPartOf(sending, planned)
  return { kind: 'planned', tag: planned.names.tag, sha256, answer, changes, preview, part }
}

/** A target's part of the plan. Throws when its file cannot be read. */
export async function plannedPartOf({ inputs }: Run, planned: Planned): Promise<PlannedPart> {
  const { target, route, versionName, title, artifact, size, changelog, changelogFormat } = planned
  const { before, after } = inputs.base64File
  return {
    base_url: inputs.baseUrl,
    product: route.product,
    benefit: route.benefit ?? null,
    version_name: versionName,
    title,
    file_name: artifact.name,
    size,
    sha256: (await artifact.digest()).sha256,
    changelog_sha256: digestOf(changelog),
    changelog_format: changelogFormat,
    upload: target.upload,
    base64_file: target.upload === 'base64' ? `${before}{base64}${after}` : null
  }
}

/** Awaits something of the record; a failure is an answer, too. Throws when cancelled. */
async function tryRecord<T>({ runner }: Sending, asked: Promise<T>): Promise<T | RecordFailure> {
  try {
    return await asked
  } catch (error) {
    if (runner.cancelled.aborted || !(error instanceof Error)) throw error
    return recordFailureOf(error)
  }
}

async function askRecord(
  sending: Sending,
  versions: RecordedVersions | undefined,
  sha256: string,
  standsIn: boolean
): Promise<RecordAnswer> {
  const { planned, commit, inputs, runner } = sending
  if (!versions) return {}
  const standing = await tryRecord(sending, versions.standing(planned.versionName))
  if ('kind' in standing) return { failure: standing }
  const gap = await tryRecord(sending, findGap(sending, planned, versions))
  if (gap && 'error' in gap) return { standing, failure: gap }
  if (gap) runner.notice(describeGap(gap, planned.route))
  if (standing.state === 'published') {
    return { standing, verdict: judgeReplay(standing.claim, { ...runner.context, commit, sha256 }) }
  }
  if (standing.state !== 'none' || inputs.order !== 'rising' || standsIn) return { standing }
  const higher = await tryRecord(sending, findHigher(versions, planned.versionName))
  if (!higher) return { standing }
  return 'error' in higher ? { standing, failure: higher } : { standing, higher }
}

/** In bytes: a larger file is not downloaded only to be compared. */
const LARGEST = 512 * 1024 * 1024

/** How the file differs from the one that buyers have now, or why it was not compared with that; `tag` is that one's. */
export type FoundChanges =
  | Readonly<{ kind: 'unread' | 'not ZIP' | 'first' }>
  | Readonly<{ kind: 'no digest' | 'no release' | 'no asset'; tag: string }>
  | Readonly<{ kind: 'too large'; size: number; most: number }>
  | Readonly<{ kind: 'failed'; cause: Error }>
  | Readonly<{ kind: 'same'; tag: string; isOther: boolean }>
  | Readonly<{
      kind: 'compared'
      tag: string
      name: string
      before: number
      comparison: Comparison
    }>

async function findChanges(
  sending: Sending,
  versions: RecordedVersions | undefined
): Promise<FoundChanges> {
  const { artifact, names } = sending.planned
  if (!versions) return { kind: 'unread' }
  if (!isZip(artifact.name)) return { kind: 'not ZIP' }
  const claim = await versions.newestPublished()
  if (!claim) return { kind: 'first' }
  const { tag } = claim
  const { sha256 } = recordOf(claim)
  if (sha256 === '') return { kind: 'no digest', tag }
  if (sha256 === (await artifact.digest()).sha256) {
    // Of another tag, it is probably an old build.
    return { kind: 'same', tag, isOther: tag !== names.tag }
  }
  const asset = await findAsset(sending, tag, sha256)
  return 'kind' in asset ? asset : compareWith(sending, asset, tag)
}

/** The attached file that was published, by its digest; or why it is not to be had. */
async function findAsset(
  { github }: Sending,
  tag: string,
  sha256: string
): Promise<Asset | FoundChanges> {
  const release = await readRelease(github, { tag }).catch((error: unknown) => {
    if (!github.isFailure(error) || error.status !== 404) throw error
  })
  if (!release) return { kind: 'no release', tag }
  const asset = release.assets.find(it => sha256Of(it) === sha256)
  if (!asset) return { kind: 'no asset', tag }
  if (!isZip(asset.name)) return { kind: 'not ZIP' }
  return asset.size <= LARGEST ? asset : { kind: 'too large', size: asset.size, most: LARGEST }
}

async function compareWith(sending: Sending, asset: Asset, tag: string): Promise<FoundChanges> {
  const { runner, github, planned } = sending
  const { workspace, temp } = runner.context
  const retry = retryDownloads(sending)
  runner.info(`Downloading "${asset.name}" from the release ${tag}, to compare the file with it`)
  const downloading = { temp, stream: github.streamAsset, retry, notice: runner.notice }
  const { path, remove } = await downloadAsset(asset, downloading)
  try {
    const last = await openArtifact(path, workspace, [temp])
    const before = await listZip(last).finally(last.close)
    const comparison = compareArchives(before, await listZip(planned.artifact))
    return { kind: 'compared', tag, name: asset.name, before: before.size, comparison }
  } finally {
    await remove().catch(() => undefined)
  }
}
