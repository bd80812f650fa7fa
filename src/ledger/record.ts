// What a claim's statuses say of the version: written down at its end, read back and compared by a later run. Pure.
import type { Claim } from './ledger.ts'

/** The present run, and the file that it has. */
export interface Present {
  readonly runId: string
  readonly runAttempt: number
  /** Every run has the same id and attempt, which therefore tell nothing. */
  readonly isAct?: boolean
  readonly commit: string
  readonly sha256: string
}

/** What a published claim means for a run that comes later with a file of its own. */
export type Verdict =
  /** The same bytes. */
  | 'same'
  /** Other bytes of the same source: builds are rarely reproducible. */
  | 'rebuilt'
  /** Other content under the same version: two jobs of one attempt, or another commit. */
  | 'different'

/** Compares; a record without a digest, settled by hand, is taken at its word. */
export function judgeReplay(claim: Claim, present: Present): Verdict {
  const record = recordOf(claim)
  if (record.sha256 === '' || record.sha256 === present.sha256) return 'same'
  const { runId, runAttempt, commit } = claim.claimant
  if (present.runId === runId && !present.isAct)
    return present.runAttempt > runAttempt ? 'rebuilt' : 'different'
  return present.commit !== '' && present.commit === commit ? 'rebuilt' : 'different'
}

/** What a claim's statuses hold about the version; empty where it is not written down. */
export interface Record {
  readonly versionId: string
  readonly sha256: string
  readonly size: string
  readonly fileName: string
  readonly downloadUrl: string
}

const LIMIT = 140
const PUBLISHED = /published as version (-?\d+)$/
const SENDING = /^sha256:([0-9a-f]{64}), (\d+) bytes$/

/** The description of `in_progress`, at most 140 characters. */
export function describeSending(sha256: string, size: number): string {
  return `sha256:${sha256}, ${size} bytes`
}

/** The description of `success`, at most 140 characters: a long version name is cut short. */
export function describePublished(versionName: string, versionId: string): string {
  const end = ` published as version ${versionId}`
  return cutShort(`${cutShort(versionName, LIMIT - end.length)}${end}`, LIMIT)
}

/** A description that GitHub takes: at most 140 characters. */
export function describeReason(reason: string): string {
  return cutShort(reason, LIMIT)
}

/** Counts UTF-16 units, of which there are never fewer than characters, and splits no character. */
function cutShort(text: string, room: number): string {
  if (text.length <= room) return text
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > room - 1) break
    kept += character
  }
  return `${kept}…`
}

/** Reads back what the two descriptions hold. */
export function recordOf(claim: Claim): Record {
  const find = (state: string, pattern: RegExp) =>
    claim.statuses
      .filter(status => status.state === state)
      .map(status => ({ status, match: pattern.exec(status.description) }))
      .find(({ match }) => match)
  const sent = find('in_progress', SENDING)?.match
  const done = find('success', PUBLISHED)
  return {
    versionId: done?.match?.[1] ?? '',
    sha256: sent?.[1] ?? '',
    size: sent?.[2] ?? '',
    fileName: claim.claimant.fileName,
    // Another tool may write a `success` with an address of its own; only ours holds the file's.
    downloadUrl: done?.status.environmentUrl ?? ''
  }
}
