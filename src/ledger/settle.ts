// Records what a person found in the shop: that a version is published, or that it is not.
import type { Digest } from '../file/reading.ts'
import { type Claim, isLiving, standingOf, stateOf } from './ledger.ts'
import { describeFinding, describeSending, numberAt, recordOf } from './record.ts'
import {
  type ProductSnapshot,
  pauseBeforeSnapshot,
  type RecordedState,
  type Steps,
  takeSnapshot,
  waitUntilShown
} from './steps.ts'

export type Settled =
  /** `known`: nothing was left to record. */
  | { readonly kind: 'settled' | 'known' }
  /** Nothing was recorded. `busy`: a run may be publishing; `contradicted`: it is published. */
  | { readonly kind: 'busy' | 'contradicted'; readonly claim: Claim }
  /** It is recorded, and a run may be publishing nevertheless: it began at the same time. */
  | { readonly kind: 'overtaken'; readonly claim: Claim }
  /** It is recorded, and whether a run began at the same time could not be seen. */
  | { readonly kind: 'unconfirmed'; readonly cause: unknown }
  /** It may be recorded, or a part of it: a write got no answer. */
  | { readonly kind: 'unanswered'; readonly cause: unknown }

/** In seconds; short, since nothing is sent for this claim. If the run dies, others wait no longer. */
const DEADLINE = 60
/** In milliseconds: before a write that got no answer is repeated. */
const WRITE_PAUSE = 1000
/** What a person found in the shop. */
export type Finding = 'published' | 'not published'

/** Records what a person found, and the file's digest, if given. Throws when the memory cannot be used. */
export async function settleByHand(steps: Steps, kind: Finding, file?: Digest): Promise<Settled> {
  const snapshot = await takeSnapshot(steps)
  const standing = standingOf(snapshot)
  if (standing.state === 'published' && kind === 'not published') {
    return { kind: 'contradicted', claim: standing.claim }
  }
  const isPublished = standing.state === 'published'
  const living = snapshot.claims.find(claim => isLiving(claim, snapshot.now))
  if (living && !isPublished) return { kind: 'busy', claim: living }
  const written = new Set<number>()
  try {
    if (!isPublished) await recordFinding(steps, snapshot, kind, file, written)
  } catch (cause) {
    if (written.size > 0) return { kind: 'unanswered', cause }
    throw cause
  }
  try {
    const claim = await findInFlight(steps, kind, snapshot, [...written])
    if (claim) return { kind: 'overtaken', claim }
  } catch (cause) {
    if (written.size > 0) return { kind: 'unconfirmed', cause }
    throw cause
  }
  return { kind: written.size === 0 ? 'known' : 'settled' }
}

/** Writes it on the claims in doubt, or on one of its own; `written` gets the ids of those that have it, or may. */
async function recordFinding(
  { deployments, claimant, sleep }: Steps,
  snapshot: ProductSnapshot,
  kind: Finding,
  file: Digest | undefined,
  written: Set<number>
): Promise<void> {
  const { claims, now } = snapshot
  const doubtful = claims.filter(claim => stateOf(claim, now) === 'in doubt')
  const record = async (id: number, state: RecordedState, text: string) => {
    const write = () => deployments.record(id, state, text)
    await write().catch(async (error: unknown) => {
      if ((numberAt(error, 'status') ?? 500) < 500) throw error
      // It may have taken effect. The same status twice does no harm.
      written.add(id)
      await sleep(WRITE_PAUSE)
      await write()
    })
    written.add(id)
  }
  if (kind === 'not published') {
    const text = describeFinding(kind, '', claimant.runId)
    for (const { id } of doubtful) await record(id, 'failure', text)
    return
  }
  const fitting = doubtful.find(claim => !file || recordOf(claim).sha256 === file.sha256)
  // If no claim in doubt has this file, it was uploaded by hand, and gets a claim of its own.
  // Under which title, nobody has said.
  const own = { ...claimant, nonce: crypto.randomUUID(), title: '', deadline: DEADLINE }
  const id = fitting?.id ?? (await deployments.create(own))
  if (!fitting && file) await record(id, 'in_progress', describeSending(file))
  const sha256 = file?.sha256 ?? (fitting ? recordOf(fitting).sha256 : '')
  await record(id, 'success', describeFinding(kind, sha256, claimant.runId))
}

/**
 * Waits until what was written shows to all, and takes another snapshot: a run that did not see it made its claim
 * less than a lag later, or earlier, and that claim shows by then. Returns such a claim, if there is one.
 */
async function findInFlight(
  steps: Steps,
  kind: Finding,
  before: ProductSnapshot,
  written: readonly number[]
): Promise<Claim | undefined> {
  const sinceWritten = steps.stopwatch()
  for (let left = before.lag; left > 0; left = before.lag - sinceWritten.atLeast()) {
    await steps.sleep(pauseBeforeSnapshot(left))
  }
  const hidden = new Error('GitHub did not show in time what was recorded')
  const { claims, now } = await waitUntilShown(steps, hidden, async () => {
    const snapshot = await takeSnapshot(steps)
    const settled = snapshot.claims.filter(claim => {
      const state = stateOf(claim, snapshot.now)
      return state === 'published' || state === 'over'
    })
    const isShown = written.every(id => settled.some(claim => claim.id === id))
    return isShown ? snapshot : undefined
  })
  const known = [...before.claims.map(({ id }) => id), ...written]
  return claims.find(claim => {
    const state = stateOf(claim, now)
    if (isLiving(claim, now)) return true
    if (state === 'published' && kind === 'not published') return true
    return state !== 'over' && !known.includes(claim.id)
  })
}
