// What changed in the file since the last version, for a plan. It only informs: whatever fails is a sentence.
import { openArtifact } from '../file/artifact.ts'
import { downloadAsset } from '../file/asset.ts'
import { type Change, type Comparison, compareArchives, listZip } from '../file/compare.ts'
import { isZip } from '../file/entries.ts'
import { listed } from '../file/fault.ts'
import type { RecordedVersions } from '../ledger/deployments.ts'
import { recordOf } from '../ledger/record.ts'
import { type Asset, readRelease } from '../release/release.ts'
import { counted, sizeText } from '../runner/text.ts'
import { retryDownloads } from './adapters.ts'
import { placeIn } from './inputs.ts'
import { describeRoute } from './naming.ts'
import type { Sending } from './prepare.ts'
import type { Changes, Table } from './report.ts'

/** In bytes: a larger file is not downloaded only to be compared. */
const LARGEST = 512 * 1024 * 1024
/** How many files of a kind are listed. */
const ROWS_SHOWN = 20

/** Compares a target's file with the one that buyers have now, and logs the result. Throws when cancelled. */
export async function tellChanges(
  sending: Sending,
  versions: RecordedVersions | undefined
): Promise<Changes> {
  const { runner, planned } = sending
  const changes = await findChanges(sending, versions).catch((error: unknown) => {
    if (runner.cancelled.aborted || !(error instanceof Error)) throw error
    return skipComparison(error.message.replace(/\.$/, ''))
  })
  runner.info(changes.line)
  const place = placeIn(planned.target, planned.target.asset.length > 0 ? 'asset' : 'file')
  for (const warning of changes.warnings) runner.warning(`${place}: ${warning}`)
  return changes
}

function skipComparison(why: string): Changes {
  const line = `The file was not compared with the one that buyers have now: ${why}.`
  return { line, warnings: [], tables: [] }
}

async function findChanges(
  sending: Sending,
  versions: RecordedVersions | undefined
): Promise<Changes> {
  const { artifact, route, names } = sending.planned
  if (!versions) return skipComparison('the record of what is published was not read')
  if (!isZip(artifact.name)) return skipComparison('only ZIP archives are')
  const claim = await versions.newestPublished()
  if (!claim) {
    return skipComparison(`no version of product ${describeRoute(route)} is recorded as published`)
  }
  const tag = versions.refOf(claim)
  const { sha256 } = recordOf(claim)
  if (sha256 === '') return skipComparison(`its SHA-256 is not recorded (${tag})`)
  if (sha256 === (await artifact.digest()).sha256) {
    const line = `The file is the one that buyers have now, byte for byte (${tag}).`
    // Of another tag, it is probably an old build.
    return { line, warnings: tag === names.tag ? [] : [line], tables: [] }
  }
  const asset = await findAsset(sending, tag, sha256)
  return typeof asset === 'string' ? skipComparison(asset) : compareWith(sending, asset, tag)
}

/** The attached file that was published, by its digest; or why it is not to be had. */
async function findAsset({ github }: Sending, tag: string, sha256: string) {
  const release = await readRelease(github, { tag }).catch((error: unknown) => {
    if (!github.isFailure(error) || error.status !== 404) throw error
  })
  if (!release) return `the tag ${tag} has no release any more`
  const asset = release.assets.find(({ digest }) => digest === `sha256:${sha256}`)
  if (!asset) return `no file that is attached to the release ${tag} has its SHA-256`
  if (!isZip(asset.name)) return 'only ZIP archives are'
  if (asset.size <= LARGEST) return asset
  return `it has ${sizeText(asset.size)}, and at most ${sizeText(LARGEST)} are downloaded for that`
}

async function compareWith(sending: Sending, asset: Asset, tag: string): Promise<Changes> {
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
    return describeChanges(
      comparison,
      `${listed([asset.name])} of ${tag}`,
      before.size,
      planned.size
    )
  } finally {
    await remove().catch(() => undefined)
  }
}

function describeChanges(
  { added, removed, changed, warnings }: Comparison,
  last: string,
  before: number,
  after: number
): Changes {
  const counts = `${counted(added.length, 'file')} added, ${removed.length} removed, ${changed.length} changed`
  const line = `Compared with ${last}, which buyers have now: ${counts}; ${sizeText(before)} before, ${sizeText(after)} now.`
  const tables = [
    ...changeTable(added, ['Added', 'Size'], ({ after: size = 0 }) => [sizeText(size)]),
    ...changeTable(removed, ['Removed', 'Size'], ({ before: size = 0 }) => [sizeText(size)]),
    ...changeTable(changed, ['Changed', 'Before', 'Now'], change =>
      [change.before, change.after].map(size => sizeText(size ?? 0))
    )
  ]
  const told = warnings.map(text => `Compared with the file that buyers have now, ${text}.`)
  return { line, warnings: told, tables }
}

/** No table where nothing is to be listed. */
function changeTable(
  changes: readonly Change[],
  head: readonly string[],
  cellsOf: (change: Change) => readonly string[]
): Table[] {
  const rows = changes
    .slice(0, ROWS_SHOWN)
    .map(change => [listed([change.path]), ...cellsOf(change)])
  const more = changes.length - rows.length
  const last = more > 0 ? [[`… and ${more} more`, ...head.slice(1).map(() => '')]] : []
  return rows.length === 0 ? [] : [{ head, rows: [...rows, ...last] }]
}
