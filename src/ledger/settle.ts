// Records what a person found in the shop: that a version is published, or that it is not.
import type { Digest } from '../file/reading.ts'
import { type Claim, isLiving, standingOf, stateOf } from './ledger.ts'
import { cutToFit, describeSending, recordOf } from './record.ts'
import { look, type Steps } from './steps.ts'

/** `known`: nothing was left to record; `busy`: a run may be publishing; `contradicted`: it is published. */
export type Settled =
  | { readonly kind: 'settled' | 'known' }
  | { readonly kind: 'busy' | 'contradicted'; readonly claim: Claim }

/** In seconds; short, since nothing is sent for this claim. If the run dies, others wait no longer. */
const DEADLINE = 60

/** Records what a person found, and the file's digest, if given. Throws when the memory cannot be used. */
export async function settleByHand(
  { deployments, claimant }: Pick<Steps, 'deployments' | 'claimant'>,
  kind: 'published' | 'not published',
  file?: Digest
): Promise<Settled> {
  const seen = await look(deployments, claimant)
  const standing = standingOf(seen)
  if (standing.state === 'published') {
    if (kind === 'published') return { kind: 'known' }
    return { kind: 'contradicted', claim: standing.claim }
  }
  const living = seen.claims.find(claim => isLiving(claim, seen.now))
  if (living) return { kind: 'busy', claim: living }
  const doubtful = seen.claims.filter(claim => stateOf(claim, seen.now) === 'in doubt')
  const text = cutToFit(`settled as ${kind} by run ${claimant.runId}`)
  if (kind === 'not published') {
    for (const { id } of doubtful) await deployments.record(id, 'failure', text)
    return { kind: doubtful.length === 0 ? 'known' : 'settled' }
  }
  const fitting = doubtful.find(claim => !file || recordOf(claim).sha256 === file.sha256)
  // If no claim in doubt has this file, it was uploaded by hand, and gets a claim of its own.
  const own = { ...claimant, nonce: crypto.randomUUID(), deadline: DEADLINE }
  const id = fitting?.id ?? (await deployments.create(own))
  if (!fitting && file) await deployments.record(id, 'in_progress', describeSending(file))
  await deployments.record(id, 'success', text)
  return { kind: 'settled' }
}
