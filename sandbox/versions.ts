/** Owns the published versions: their records, their files and the mails that they cause. */
import { randomUUID } from 'node:crypto'
import type { Submission } from './fields.ts'
import type { Target } from './routing.ts'

/** The version record, field for field as the service answers it. */
export interface VersionRecord {
  readonly id: number
  readonly product_id: string
  readonly option_id: number | null
  readonly purchase_benefit_id: number | null
  readonly benefit_name: string | null
  readonly version_number: string
  readonly title: string
  readonly changelog: string
  readonly download_url: string
  readonly file_name: string
  readonly created_at: string
  readonly updated_at: string
}

/** A version as the stand-in keeps it. */
export interface StoredVersion {
  readonly record: VersionRecord
  readonly route: 'product' | 'benefit'
  /** What was sent as `version_name`, which the record does not hold. */
  readonly versionName: string
  readonly changelogFormat: string | null
  readonly fileName: string
  readonly size: number
  readonly sha256: string
  bytes(): Promise<Buffer>
  stream(): NodeJS.ReadableStream
}

/** What the license holders of a product get when a version comes out. */
export interface Notification {
  readonly versionId: number
  readonly productId: number
  readonly mails: number
}

export interface Shelf {
  readonly versions: readonly StoredVersion[]
  readonly notifications: readonly Notification[]
  /** Makes a version that nobody has yet. */
  draft(target: Target, submission: Submission): StoredVersion
  /** Puts the version on the shelf and tells the license holders. */
  put(target: Target, version: StoredVersion): void
  /** A record as it could be answered before any field was read. */
  guess(target: Target | undefined): VersionRecord
  find(downloadPath: string): StoredVersion | undefined
}

/** Opens an empty shelf whose download addresses lie under the origin. */
export function openShelf(origin: () => string, licenseHolders: number): Shelf {
  const versions: StoredVersion[] = []
  const notifications: Notification[] = []
  const recordOf = (target: Target | undefined, shown: Shown): VersionRecord => ({
    id: 1001 + versions.length,
    product_id: String(target?.product.id ?? 0),
    option_id: target?.benefit?.optionId ?? null,
    purchase_benefit_id: target?.benefit?.id ?? null,
    benefit_name: target?.benefit?.name ?? null,
    version_number: String(1 + versions.filter(version => sameTarget(version, target)).length),
    title: shown.title,
    changelog: shown.changelog,
    download_url: `${origin()}/downloads/${randomUUID()}/${encodeURIComponent(shown.fileName)}`,
    file_name: shown.fileName,
    ...timesOf(new Date())
  })
  return {
    versions,
    notifications,
    guess: target => recordOf(target, { title: '', changelog: '', fileName: 'file' }),
    draft: (target, submission) => ({
      record: recordOf(target, submission),
      route: target.benefit === null ? 'product' : 'benefit',
      versionName: submission.versionName,
      changelogFormat: submission.changelogFormat,
      fileName: submission.fileName,
      size: submission.file.size,
      sha256: submission.file.sha256,
      bytes: submission.file.bytes,
      stream: submission.file.stream
    }),
    put(target, version) {
      versions.push(version)
      const productId = target.product.id
      notifications.push({ versionId: version.record.id, productId, mails: licenseHolders })
    },
    find: path => versions.find(({ record }) => new URL(record.download_url).pathname === path)
  }
}

type Shown = Pick<Submission, 'title' | 'changelog' | 'fileName'>

function sameTarget({ record }: StoredVersion, target: Target | undefined): boolean {
  const benefitId = target?.benefit?.id ?? null
  return (
    record.product_id === String(target?.product.id) && record.purchase_benefit_id === benefitId
  )
}

function timesOf(now: Date): Pick<VersionRecord, 'created_at' | 'updated_at'> {
  const text = now.toISOString().replace(/\.\d+Z$/, '.000000Z')
  return { created_at: text, updated_at: text }
}
