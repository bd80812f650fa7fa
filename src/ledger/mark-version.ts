// Records what a person found in the shop: that a version is published, or that it is not.
import { describeMark, type Mark } from './claim-format.ts'
import { type Ledger, openLook, waitUntilAllSee, writeAgain } from './ledger.ts'
import {
  beganAt,
  type Claim,
  type ClaimState,
  LIFETIME_MS,
  type Look,
  mayHaveSent,
  type Status,
  settledAt,
  stateOf
} from './rules.ts'

/** How a mark ended. */
export type MarkEnd =
  /** `settled`: the claims that were in doubt until now. */
  | Readonly<{ kind: 'marked'; settled: readonly Claim[] }>
  /** It was recorded so before. */
  | Readonly<{ kind: 'known'; claim: Claim }>
  /** Refused: a run may be publishing it, until then by GitHub's clock. */
  | Readonly<{ kind: 'busy'; claim: Claim; until: number }>
  /** Refused: it is recorded as published. */
  | Readonly<{ kind: 'published'; claim: Claim }>
  /** Refused: nothing is recorded that could be lifted. */
  | Readonly<{ kind: 'nothing' }>
  /** It is recorded, and by then another claim shows that its run is sending, or may have sent. */
  | Readonly<{ kind: 'overtaken'; claim: Claim }>

/**
 * Marks a version.
 * @throws {GitHubError} The record cannot be read or written.
 */
export async function markVersion(ledger: Ledger, mark: Mark): Promise<MarkEnd> {
  const { deployments, versionName, claimant } = ledger
  // Whatever is recorded of other versions, a person has looked for this one.
  const look = openLook({ deployments, versionName })
  const before = await look()
  const refusal = endBeforeMark(before, mark)
  if (refusal) return refusal

  // A version that was uploaded by hand has no claim in doubt, and gets one of its own.
  const doubtful = before.claims.filter(claim => stateOf(claim, before.now) === 'in doubt')
  const ids =
    doubtful.length > 0
      ? doubtful.map(({ id }) => id)
      : [(await writeAgain(ledger, () => deployments.create(ledger))).id]

  const isPublished = mark === 'published'
  const state = isPublished ? 'success' : 'failure'
  // A run has recorded the file that it sent by its `in_progress`: it may be another build than the file of the mark.
  const ownDigest = isPublished && doubtful.length === 0 ? claimant.sha256 : ''
  const description = describeMark(mark, claimant.runId, ownDigest)
  for (const id of ids) {
    await writeAgain(ledger, () => deployments.record(id, state, description))
  }

  // Once all see the mark, a run that did not see it has recorded its `in_progress`, which shows. It may even have ended.
  const isMarked = (status: Status) => status.description === description
  await waitUntilAllSee(ledger, ids, statuses => statuses.some(isMarked))

  const after = await look()
  const other = after.claims.find(claim => !ids.includes(claim.id) && mayHaveSent(claim, after.now))
  if (other) return { kind: 'overtaken', claim: other }
  return { kind: 'marked', settled: doubtful }
}

/** Why nothing may be recorded, or need not, such as `mark-not-published` of a version that a run has published. */
function endBeforeMark({ claims, now }: Look, mark: Mark): MarkEnd | undefined {
  const find = (state: ClaimState) => claims.find(claim => stateOf(claim, now) === state)

  const published = find('published')
  if (published) {
    return { kind: mark === 'published' ? 'known' : 'published', claim: published }
  }

  const running = find('in progress')
  if (running) {
    return { kind: 'busy', claim: running, until: (beganAt(running) ?? now) + LIFETIME_MS }
  }
  if (mark === 'published') return undefined

  const doubtful = claims.filter(claim => stateOf(claim, now) === 'in doubt')
  const [latest] = doubtful.toSorted((a, b) => settledAt(b) - settledAt(a))
  if (!latest) {
    const failed = find('failed')
    return failed ? { kind: 'known', claim: failed } : { kind: 'nothing' }
  }

  // A slow shop may still finish, and a process that was thought dead may live.
  const until = settledAt(latest)
  return now < until ? { kind: 'busy', claim: latest, until } : undefined
}
