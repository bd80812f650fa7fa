// The published versions of the stand-in: their records, their files and the mails that they cause.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { StoredFile, Submission } from './form.ts'
import type { Target } from './routes.ts'

/** The record of a version, field for field as the service answers it. */
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
  readonly target: Target
  readonly route: 'product' | 'benefit'
  /** As it was sent; the record has another number. */
  readonly versionName: string
  readonly changelogFormat: string | null
  readonly fileName: string
  /** Reads the file. */
  readonly bytes: () => Promise<Buffer>
}

/** Each version is mailed to so many. */
const LICENSE_HOLDERS = 3

/** The emails that one version causes. */
export interface Notification {
  readonly versionId: number
  readonly productId: number
  readonly mails: number
}

/** The versions and emails of a shop; empty at first. */
export class Store {
  readonly versions: StoredVersion[] = []
  readonly notifications: Notification[] = []
  readonly #origin: () => string

  /** Download addresses lie under the origin. */
  constructor(origin: () => string) {
    this.#origin = origin
  }

  /**
   * The record that the next version of the target gets. Its texts are empty without a submission: for a request of
   * which no field was read yet.
   */
  record(target: Target | undefined, submission?: Submission): VersionRecord {
    const { title = '', changelog = '', fileName = 'file' } = submission ?? {}
    const earlier = this.versions.filter(version => isSame(version.target, target))
    // To the second, but written with six more digits.
    const now = new Date().toISOString().replace(/\.\d+Z$/, '.000000Z')

    return {
      id: 1001 + this.versions.length,
      product_id: String(target?.product.id ?? 0),
      option_id: target?.benefit?.optionId ?? null,
      purchase_benefit_id: target?.benefit?.id ?? null,
      benefit_name: target?.benefit?.name ?? null,
      version_number: String(1 + earlier.length),
      title,
      changelog,
      download_url: `${this.#origin()}/downloads/${randomUUID()}/${encodeURIComponent(fileName)}`,
      file_name: fileName,
      created_at: now,
      updated_at: now
    }
  }

  /** Keeps a version, and notes the emails to the license holders. */
  put(target: Target, submission: Submission, record: VersionRecord): void {
    const { file, versionName, changelogFormat, fileName } = submission
    this.versions.push({
      ...file,
      record,
      target,
      route: target.benefit === null ? 'product' : 'benefit',
      versionName,
      changelogFormat,
      fileName,
      bytes: () => readFile(file.path)
    })

    this.notifications.push({
      versionId: record.id,
      productId: target.product.id,
      mails: LICENSE_HOLDERS
    })
  }
}

function isSame(one: Target, other: Target | undefined): boolean {
  return one.product === other?.product && one.benefit === other.benefit
}
