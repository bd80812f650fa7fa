// The published versions of the stand-in: their records, their files and the mails that they cause.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Submission } from './form.ts'
import type { Target } from './routes.ts'

/** A version as the stand-in keeps it; `versionName` is not in the record. */
export type StoredVersion = ReturnType<typeof versionOf>

export type Store = ReturnType<typeof openStore>

/** Opens an empty store whose download addresses lie under the origin. */
export function openStore(origin: () => string, licenseHolders: number) {
  const versions: StoredVersion[] = []
  const notifications: { versionId: number; productId: number; mails: number }[] = []
  return {
    versions,
    notifications,
    /** A record of a version that nobody has yet; without a submission, before any field was read. */
    record: (target: Target | undefined, submission?: Submission) =>
      recordOf(target, submission, versions, origin()),
    /** Keeps a version and tells the license holders. */
    put(target: Target, submission: Submission, record: ReturnType<typeof recordOf>): void {
      versions.push(versionOf(target, submission, record))
      const productId = target.product.id
      notifications.push({ versionId: record.id, productId, mails: licenseHolders })
    },
    find: (path: string) =>
      versions.find(({ record }) => new URL(record.download_url).pathname === path)
  }
}

/** The version record, field for field as the service answers it. */
function recordOf(
  target: Target | undefined,
  shown: Submission | undefined,
  versions: readonly { readonly target: Target }[],
  origin: string
) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, '.000000Z')
  const { title = '', changelog = '', fileName = 'file' } = shown ?? {}
  const earlier = versions.filter(
    ({ target: { product, benefit } }) => product === target?.product && benefit === target.benefit
  )
  return {
    id: 1001 + versions.length,
    product_id: String(target?.product.id ?? 0),
    option_id: target?.benefit?.optionId ?? null,
    purchase_benefit_id: target?.benefit?.id ?? null,
    benefit_name: target?.benefit?.name ?? null,
    version_number: String(1 + earlier.length),
    title,
    changelog,
    download_url: `${origin}/downloads/${randomUUID()}/${encodeURIComponent(fileName)}`,
    file_name: fileName,
    created_at: now,
    updated_at: now
  }
}

function versionOf(target: Target, submission: Submission, record: ReturnType<typeof recordOf>) {
  const { file, versionName, changelogFormat, fileName } = submission
  const route: 'product' | 'benefit' = target.benefit === null ? 'product' : 'benefit'
  const bytes = () => readFile(file.path)
  return { ...file, record, target, route, versionName, changelogFormat, fileName, bytes }
}
