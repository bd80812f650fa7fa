// The published versions of the stand-in: their records, their files and the mails that they cause.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Submission } from './fields.ts'
import type { StoredFile } from './form.ts'
import type { Target } from './routes.ts'

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
export interface StoredVersion extends StoredFile {
  readonly record: VersionRecord
  readonly route: 'product' | 'benefit'
  /** What was sent as `version_name`, which the record does not hold. */
  readonly versionName: string
  readonly changelogFormat: string | null
  readonly fileName: string
  bytes(): Promise<Buffer>
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
  const recordOf = (target: Target | undefined, shown: Shown): VersionRecord => {
    const now = new Date().toISOString().replace(/\.\d+Z$/, '.000000Z')
    const productId = String(target?.product.id ?? 0)
    const benefitId = target?.benefit?.id ?? null
    const earlier = versions.filter(
      ({ record }) => record.product_id === productId && record.purchase_benefit_id === benefitId
    )
    return {
      id: 1001 + versions.length,
      product_id: productId,
      option_id: target?.benefit?.optionId ?? null,
      purchase_benefit_id: benefitId,
      benefit_name: target?.benefit?.name ?? null,
      version_number: String(1 + earlier.length),
      title: shown.title,
      changelog: shown.changelog,
      download_url: `${origin()}/downloads/${randomUUID()}/${encodeURIComponent(shown.fileName)}`,
      file_name: shown.fileName,
      created_at: now,
      updated_at: now
    }
  }
  return {
    versions,
    notifications,
    guess: target => recordOf(target, { title: '', changelog: '', fileName: 'file' }),
    draft: (target, submission) => ({
      ...submission.file,
      record: recordOf(target, submission),
      route: target.benefit === null ? 'product' : 'benefit',
      versionName: submission.versionName,
      changelogFormat: submission.changelogFormat,
      fileName: submission.fileName,
      bytes: () => readFile(submission.file.path)
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
