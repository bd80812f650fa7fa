// How a run ended, in one shape: each mode returns one, and this folder puts it into log, outputs and summary.
import type { Publication } from '../publish/publication.ts'
import type { Complaint, Reason } from '../runner/action-error.ts'
import type { Route } from '../shop/publish.ts'

/** The outcomes, and how the log and the summary show them. */
export const OUTCOMES = {
  published: { mark: '✅', title: 'Published', level: 'info' },
  skipped: { mark: '⏭️', title: 'Skipped', level: 'notice' },
  planned: { mark: '📋', title: 'Plan, nothing sent', level: 'info' },
  checked: { mark: '✅', title: 'Checked, nothing published', level: 'info' },
  marked: { mark: '✅', title: 'Marked, nothing sent', level: 'info' },
  audited: { mark: '✅', title: 'Every release is published', level: 'info' },
  failed: { mark: '❌', title: 'Not published', level: 'error' },
  unknown: { mark: '⚠️', title: 'Outcome unknown', level: 'error' }
} as const
type Outcome = keyof typeof OUTCOMES

/** What a run is about, as far as it got. */
export interface Subject
  extends Partial<
    Pick<Publication, 'tagged' | 'versionName' | 'title' | 'changelog' | 'removed' | 'contents'>
  > {
  readonly route?: Route
  /** The file's path, or the name of an attached file and the tag. */
  readonly file?: string
  /** In bytes. */
  readonly size?: number
  readonly sha256?: string
}

/** The end of a run; texts are plain, not Markdown. */
export interface Result {
  readonly outcome: Outcome
  /** Empty when all went well. */
  readonly reason: Reason | ''
  /** In place of the outcome's title. */
  readonly heading?: string
  readonly message: string
  /** What to do now; empty if nothing is. */
  readonly advice: string
  readonly complaints: readonly Complaint[]
  readonly subject: Subject
  /** The version record, as the shop answered it, or as far as it is recorded. */
  readonly record: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  readonly planDigest: string
  /** The changelog as buyers see it, in HTML that was cleaned; empty where it is not shown. */
  readonly preview: string
  readonly table?: Readonly<{ head: readonly string[]; rows: readonly (readonly string[])[] }>
}

/** A finished result; what is not given is empty. */
export function resultOf(
  outcome: Outcome,
  message: string,
  { reason = '', advice = '', ...rest }: Partial<Result> = {}
): Result {
  const nothing = { complaints: [], subject: {}, record: {}, warnings: [], planDigest: '' }
  return Object.freeze({ ...nothing, preview: '', outcome, reason, message, advice, ...rest })
}

/** What the report shows of a publication. */
export function subjectOf(publication: Publication): Subject {
  const { tagged, route, versionName, title, changelog, removed, contents, sha256 } = publication
  const { path: file, size } = publication.file
  return { tagged, route, versionName, title, changelog, removed, contents, file, size, sha256 }
}
