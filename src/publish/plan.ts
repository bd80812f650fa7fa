// `mode: plan`: what the record says of a version, and how its file differs from the one that buyers have now.
import { openArtifact } from '../file/artifact.ts'
import { sha256Of } from '../file/asset.ts'
import { type Comparison, compareArchives, listZip } from '../file/compare.ts'
import { isZip } from '../file/entries.ts'
import type { RecordedVersions } from '../ledger/deployments.ts'
import type { Outranked, Standing } from '../ledger/ledger.ts'
import { recordOf } from '../ledger/record.ts'
import { type Asset, readRelease } from '../release/release.ts'
import { type RecordFailure, recordFailureOf } from '../report/failures.ts'
import { describeGap } from '../report/notices.ts'
import { describeRoute } from '../report/ways.ts'
import { sizeText } from '../runner/text.ts'
import { download, findGap, findHigher, type Run, versionsOf } from './adapters.ts'
import { digestOf, type PlannedPart } from './approval.ts'
import { previewOf } from './buyer-text.ts'
import type { Planned, Sending } from './prepare.ts'

/** The end of `mode: plan` for a target. */
export interface PlanEnd {
  readonly kind: 'planned'
  readonly tag: string
  readonly commit: string
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
  readonly higher?: Outranked
  readonly failure?: RecordFailure
}

/** Plans a target; `standsIn`: its release only stands in for the next one. */
export async function planTarget(sending: Sending, standsIn: boolean): Promise<PlanEnd> {
  const { planned, commit, inputs } = sending
  const { sha256 } = await planned.artifact.digest()
  const isAsked = inputs.once !== 'off'
  const versions = isAsked
    ? await tryRecord(sending, versionsOf(sending, planned.route))
    : undefined
  const answer = await askRecord(sending, versions, standsIn)
  const changes = await findChanges(sending, versions).catch((cause: unknown) => {
    if (sending.runner.cancelled.aborted || !(cause instanceof Error)) throw cause
    return { kind: 'not compared', why: cause.message.replace(/\.$/, '') } as const
  })
  const preview = await previewOf(sending, planned)
  const part = standsIn ? undefined : await plannedPartOf(sending, planned)
  return { kind: 'planned', tag: planned.names.tag, commit, sha256, answer, changes, preview, part }
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
  versions: RecordedVersions | RecordFailure | undefined,
  standsIn: boolean
): Promise<RecordAnswer> {
  const { planned, inputs, runner } = sending
  if (!versions) return {}
  if ('kind' in versions) return { failure: versions }
  const standing = await tryRecord(sending, versions.standing(planned.versionName))
  if ('kind' in standing) return { failure: standing }
  const gap = await tryRecord(sending, findGap(sending, planned, versions))
  if (gap && 'error' in gap) return { standing, failure: gap }
  if (gap) runner.notice(describeGap(gap, planned.route))
  if (standing.state !== 'none' || inputs.order !== 'rising' || standsIn) return { standing }
  const higher = await tryRecord(sending, findHigher(versions, planned.versionName))
  if (!higher) return { standing }
  return 'error' in higher ? { standing, failure: higher } : { standing, higher }
}

/** In bytes: a larger file is not downloaded only to be compared. */
const LARGEST = 512 * 1024 * 1024

/** How the file differs from the one that buyers have now, which is of the release `tag`. */
export type FoundChanges =
  /** `why`: as a clause without a period. */
  | Readonly<{ kind: 'not compared'; why: string }>
  | Readonly<{ kind: 'same'; tag: string; isOther: boolean }>
  | Readonly<{
      kind: 'compared'
      tag: string
      name: string
      before: number
      comparison: Comparison
    }>

const NO_ZIP = 'only ZIP archives are'

async function findChanges(
  sending: Sending,
  versions: RecordedVersions | RecordFailure | undefined
): Promise<FoundChanges> {
  const { artifact, names, route } = sending.planned
  const not = (why: string) => ({ kind: 'not compared', why }) as const
  if (!versions || 'kind' in versions) return not('the record of what is published was not read')
  if (!isZip(artifact.name)) return not(NO_ZIP)
  const claim = await versions.newestPublished()
  if (!claim) return not(`no version of product ${describeRoute(route)} is recorded as published`)
  const { tag } = claim
  const { sha256 } = recordOf(claim)
  if (sha256 === '') return not(`its SHA-256 is not recorded (${tag})`)
  if (sha256 === (await artifact.digest()).sha256) {
    // Of another tag, it is probably an old build.
    return { kind: 'same', tag, isOther: tag !== names.tag }
  }
  const asset = await findAsset(sending, tag, sha256)
  return typeof asset === 'string' ? not(asset) : compareWith(sending, asset, tag)
}

/** The attached file that was published, by its digest; or why it is not to be had. */
async function findAsset(
  { github }: Sending,
  tag: string,
  sha256: string
): Promise<Asset | string> {
  const release = await readRelease(github, { tag }).catch((error: unknown) => {
    if (!github.isFailure(error) || error.status !== 404) throw error
  })
  if (!release) return `the tag ${tag} has no release any more`
  const asset = release.assets.find(it => sha256Of(it) === sha256)
  if (!asset) return `no file that is attached to the release ${tag} has its SHA-256`
  if (!isZip(asset.name)) return NO_ZIP
  if (asset.size <= LARGEST) return asset
  return `it has ${sizeText(asset.size)}, and at most ${sizeText(LARGEST)} are downloaded for that`
}

async function compareWith(sending: Sending, asset: Asset, tag: string): Promise<FoundChanges> {
  const { runner, planned } = sending
  const { workspace, temp } = runner.context
  runner.info(`Downloading "${asset.name}" from the release ${tag}, to compare the file with it`)
  const { path, remove } = await download(sending, asset)
  try {
    const last = await openArtifact(path, workspace, [temp])
    const before = await listZip(last).finally(last.close)
    const comparison = compareArchives(before, await listZip(planned.artifact))
    return { kind: 'compared', tag, name: asset.name, before: before.size, comparison }
  } finally {
    await remove().catch(() => undefined)
  }
}
