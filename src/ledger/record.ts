// What a claim's statuses say of the version: written down at its end, read back and compared by a later run. Pure.
import type { Digest } from '../file/artifact.ts'
import type { Claim, RunOf } from './ledger.ts'

/** The present run, and the file that it has. Under act every run has the same id and attempt. */
export interface Present extends RunOf, Pick<Digest, 'sha256'> {
  readonly isAct?: boolean
  readonly commit: string
}

/** `rebuilt`: other bytes of the same source, as builds are rarely reproducible; `different`: all others. */
export type Verdict = 'same' | 'rebuilt' | 'different'

/** What a published claim means for a later run; without a digest (settled by hand) it counts as the same. */
export function judgeReplay(claim: Claim, present: Present): Verdict {
  const { sha256 } = recordOf(claim)
  if (sha256 === '' || sha256 === present.sha256) return 'same'
  const { runId, runAttempt, commit } = claim.claimant
  const isSameRun = present.runId === runId && !present.isAct
  const isSameSource = present.commit !== '' && present.commit === commit
  return (isSameRun ? present.runAttempt > runAttempt : isSameSource) ? 'rebuilt' : 'different'
}

/** GitHub takes at most so many characters for a description. */
const LIMIT = 140
const PUBLISHED = /published as version (-?\d+)$/
const SENDING = /^sha256:([0-9a-f]{64}), (\d+) bytes$/

/** The description of `in_progress`. */
export function describeSending({ sha256, size }: Digest): string {
  return `sha256:${sha256}, ${size} bytes`
}

/** The description of `success`: a long version name is cut short. */
export function describePublished(versionName: string, versionId: string): string {
  const end = ` published as version ${versionId}`
  return describe(`${describe(versionName, LIMIT - end.length)}${end}`)
}

/** The text cut to a length that GitHub takes, between whole characters. */
export function describe(text: string, room = LIMIT): string {
  if (text.length <= room) return text
  // There are never fewer UTF-16 units than characters.
  const kept = text.slice(0, room - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** What the statuses hold about the version; empty where it is not written down. */
export function recordOf({ statuses, claimant: { fileName } }: Claim) {
  const find = (wanted: string, pattern: RegExp) => {
    const status = statuses.find(it => it.state === wanted && pattern.test(it.description))
    const [, ...parts] = pattern.exec(status?.description ?? '') ?? []
    return [status?.environmentUrl ?? '', ...parts]
  }
  const [, sha256 = '', size = ''] = find('in_progress', SENDING)
  // Another tool may write a `success` with an address of its own; only ours holds the file's.
  const [downloadUrl = '', versionId = ''] = find('success', PUBLISHED)
  return { versionId, sha256, size, fileName, downloadUrl }
}
