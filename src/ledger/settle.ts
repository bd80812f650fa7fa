// Records what a person found in the shop: that a version is published, or that it is not.
import type { Digest } from '../file/reading.ts'
import { type Claim, isLiving, standingOf, stateOf } from './ledger.ts'
import { describeSending, describeSettled, recordOf } from './record.ts'
import { look, type Seen, type Steps, untilShown } from './steps.ts'

export type Settled =
  /** `known`: nothing was left to record. */
  | { readonly kind: 'settled' | 'known' }
  /** Nothing was recorded. `busy`: a run may be publishing; `contradicted`: it is published. */
  | { readonly kind: 'busy' | 'contradicted'; readonly claim: Claim }
  /** It is recorded, and a run may be publishing nevertheless: it began at the same time. */
  | { readonly kind: 'overtaken'; readonly claim: Claim }
  /** It is recorded, and whether a run began at the same time could not be seen. */
  | { readonly kind: 'unconfirmed'; readonly cause: unknown }

/** In seconds; short, since nothing is sent for this claim. If the run dies, others wait no longer. */
const DEADLINE = 60
/** In milliseconds: the least between two looks. */
const PAUSE = 250

type Kind = 'published' | 'not published'

/** Records what a person found, and the file's digest, if given. Throws when the memory cannot be used. */
export async function settleByHand(steps: Steps, kind: Kind, file?: Digest): Promise<Settled> {
  const seen = await look(steps)
  const standing = standingOf(seen)
  if (standing.state === 'published' && kind === 'not published') {
    return { kind: 'contradicted', claim: standing.claim }
  }
  const living = seen.claims.find(claim => isLiving(claim, seen.now))
  if (living && standing.state !== 'published') return { kind: 'busy', claim: living }
  const written = standing.state === 'published' ? [] : await write(steps, seen, kind, file)
  try {
    const claim = await findInFlight(steps, kind, seen, written)
    if (claim) return { kind: 'overtaken', claim }
  } catch (cause) {
    if (written.length > 0) return { kind: 'unconfirmed', cause }
    throw cause
  }
  return { kind: written.length === 0 ? 'known' : 'settled' }
}

/** Writes it on the claims in doubt, or on one of its own; returns the ids of those that it wrote on. */
async function write(
  { deployments, claimant }: Steps,
  seen: Seen,
  kind: Kind,
  file: Digest | undefined
): Promise<readonly number[]> {
  const doubtful = seen.claims.filter(claim => stateOf(claim, seen.now) === 'in doubt')
  if (kind === 'not published') {
    const text = describeSettled(kind, '', claimant.runId)
    for (const { id } of doubtful) await deployments.record(id, 'failure', text)
    return doubtful.map(({ id }) => id)
  }
  const fitting = doubtful.find(claim => !file || recordOf(claim).sha256 === file.sha256)
  // If no claim in doubt has this file, it was uploaded by hand, and gets a claim of its own.
  const own = { ...claimant, nonce: crypto.randomUUID(), deadline: DEADLINE }
  const id = fitting?.id ?? (await deployments.create(own))
  if (!fitting && file) await deployments.record(id, 'in_progress', describeSending(file))
  const sha256 = file?.sha256 ?? (fitting ? recordOf(fitting).sha256 : '')
  await deployments.record(id, 'success', describeSettled(kind, sha256, claimant.runId))
  return [id]
}

/**
 * Waits until what was written shows to all, and looks once more: a run that did not see it made its claim
 * less than a lag later, or earlier, and that claim shows by then. Returns such a claim, if there is one.
 */
async function findInFlight(
  steps: Steps,
  kind: Kind,
  before: Seen,
  written: readonly number[]
): Promise<Claim | undefined> {
  const sinceWritten = steps.stopwatch()
  for (let left = before.lag; left > 0; left = before.lag - sinceWritten.atLeast()) {
    await steps.sleep(Math.max(left, PAUSE))
  }
  const hidden = new Error('GitHub did not show in time what was recorded')
  const isSettled = (claim: Claim, now: number) =>
    ['published', 'over'].includes(stateOf(claim, now))
  const seen = await untilShown(steps, hidden, async () => {
    const all = await look(steps)
    const settled = all.claims.filter(claim => isSettled(claim, all.now)).map(({ id }) => id)
    return written.every(id => settled.includes(id)) ? all : undefined
  })
  const known = [...before.claims.map(({ id }) => id), ...written]
  return seen.claims.find(claim => {
    const state = stateOf(claim, seen.now)
    if (isLiving(claim, seen.now)) return true
    if (state === 'published' && kind === 'not published') return true
    return state !== 'over' && !known.includes(claim.id)
  })
}
