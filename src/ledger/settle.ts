// What a person tells the memory about a version: that it is published, or that it is not.
import { type Claim, isLiving, standingOf, stateOf } from './ledger.ts'
import { describeReason, describeSending } from './record.ts'
import { look, type Steps } from './steps.ts'

/** What a person found in the shop; with the file, where it is at hand. */
export type Found =
  | {
      readonly kind: 'published'
      readonly file?: { readonly sha256: string; readonly size: number }
    }
  | { readonly kind: 'not published' }

export type Settled =
  /** It is written down now, on these claims. */
  | { readonly kind: 'settled'; readonly claims: readonly number[] }
  /** The memory knows that already: nothing was written. */
  | { readonly kind: 'known'; readonly claim?: Claim }
  /** A run is publishing it: what a person found may be out of date in a moment. */
  | { readonly kind: 'busy'; readonly claim: Claim }
  /** It is recorded as published, and stays so. */
  | { readonly kind: 'contradicted'; readonly claim: Claim }

/** Records what was found. Throws when the memory cannot be read or written. */
export async function settleByHand(
  steps: Pick<Steps, 'deployments' | 'claimant' | 'nonce'>,
  found: Found,
  by: string
): Promise<Settled> {
  const { deployments, claimant } = steps
  const seen = await look(deployments, claimant)
  const standing = standingOf(seen)
  if (standing.state === 'published') {
    const kind = found.kind === 'published' ? 'known' : 'contradicted'
    return { kind, claim: standing.claim }
  }
  const living = seen.claims.find(claim => isLiving(claim, seen.now))
  if (living) return { kind: 'busy', claim: living }
  const doubtful = seen.claims.filter(claim => stateOf(claim, seen.now) === 'in doubt')
  const text = describeReason(`settled as ${found.kind} by ${by}`)
  if (found.kind === 'not published') {
    for (const { id } of doubtful) await deployments.record(id, 'failure', text)
    return doubtful.length === 0
      ? { kind: 'known' }
      : { kind: 'settled', claims: doubtful.map(({ id }) => id) }
  }
  const [doubt] = doubtful
  const id = doubt?.id ?? (await deployments.create({ ...claimant, nonce: steps.nonce() }))
  if (!doubt && found.file) {
    const { sha256, size } = found.file
    await deployments.record(id, 'in_progress', describeSending(sha256, size))
  }
  await deployments.record(id, 'success', text)
  return { kind: 'settled', claims: [id] }
}
