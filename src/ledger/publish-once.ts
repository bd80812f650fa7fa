// Publishes a version at most once: what others have recorded, a claim for each try, and how the try ended.
import type { FileDigest } from '../files/artifact.ts'
import { CommitWithheld, passCommitPoint } from './commit-point.ts'
import { describeEnd, describePublished } from './record.ts'
import {
  beganAt,
  type Claim,
  isEarlierAttempt,
  judge,
  LIFETIME,
  type Stop,
  settledAt,
  stateOf
} from './rules.ts'
import { openLook, type Publisher, type Steps, writeAgain } from './snapshot.ts'

/** How a try ended, for the record: the version's id with `success`, else a reason. */
export type Ending = Readonly<{ state: 'success' | 'failure' | 'error'; text: string }>

/** One try of the request. */
export interface Try<R> {
  readonly result: R
  readonly ending: Ending
  /** Only if the tail was not sent and a retry may help: pauses, then says whether to try again. */
  readonly waitToRetry?: () => Promise<boolean>
}

/** Rejects to withhold the tail, as soon as it can once `ended` fires: then the tail cannot be sent any more. */
type Commit = (digest: FileDigest, ended?: AbortSignal) => Promise<void>

/** What sends. */
export interface Sender<R> {
  /** Asks the shop before anything is claimed; throws if nothing may be uploaded. Called once. */
  firstContact(): Promise<void>
  /** Sends the request. Once only the tail is left, calls `commit`; sends the tail only if that resolves. */
  attempt(commit: Commit): Promise<Try<R>>
}

/** How it ended. Nothing was sent by this run unless it `tried`. */
export type PublishOnceEnd<R> = Stop | Readonly<{ kind: 'withheld'; why: string }> | Tried<R>

/** The last try. */
export interface Tried<R> {
  readonly kind: 'tried'
  readonly result: R
  /** The id of its deployment; undefined without the record. */
  readonly claim?: number
  /** Its end is recorded. */
  readonly recorded: boolean
  /** Of the file, in hexadecimal digits; empty if the last bytes were not reached. */
  readonly sha256: string
  /** By GitHub's clock: from when on a person may look whether the shop has it. Undefined if it cannot have it. */
  readonly settled?: number
}

/** How often a run gives way to others before it gives up. */
const ROUNDS = 5

/** Publishes with the record. Throws what kept the record from being read or written: no tail was sent then. */
export async function publishOnce<R>(steps: Steps, sender: Sender<R>): Promise<PublishOnceEnd<R>> {
  const run: Publisher = { ...steps, look: openLook(steps), mine: [] }
  let hasContact = false
  for (let round = 1; ; ) {
    const verdict = await arrive(run)
    if (verdict.kind !== 'clear') return verdict
    if (!hasContact) await sender.firstContact()
    hasContact = true
    const own = await writeAgain(steps, () =>
      steps.deployments.create(steps.versionName, steps.tag, steps.claimant)
    )
    run.mine.push(own)
    const { last, withheld, sha256, committed } = await tryWithClaim(run, sender)
    const recorded = await recordEnd(steps, own, last.ending, sha256)
    const tried: Tried<R> = {
      kind: 'tried',
      result: last.result,
      claim: own,
      recorded,
      sha256,
      ...(committed ? { settled: settledAt(committed) } : {})
    }
    // A failure that others cannot see leaves the claim in progress: no other run may send then.
    if (!recorded || last.ending.state !== 'failure') return tried
    if (withheld === undefined) {
      if (await last.waitToRetry?.()) continue
      return tried
    }
    const { verdict: found } = withheld
    if (found !== undefined && found.kind !== 'in progress') return found
    if (round++ === ROUNDS) return { kind: 'withheld', why: withheld.message }
    if (found !== undefined) await waitForEnd(steps, found.claim)
  }
}

/** Reads the record until nobody else is sending: what stops this one, if anything does. */
async function arrive(run: Publisher): Promise<Stop | { kind: 'clear' }> {
  for (;;) {
    const verdict = judge(await run.look(), run.claimant, run.mine)
    if (verdict.kind === 'in doubt') await markDoubt(run, verdict.claim)
    if (verdict.kind !== 'in progress') return verdict
    await waitForEnd(run, verdict.claim)
  }
}

// Without the mark, other runs wait for it until its time is over. If its process is alive after all, its last look
// shows the mark.
async function markDoubt(steps: Steps, { id, claimant, statuses }: Claim): Promise<void> {
  const isMarked = statuses.some(({ state }) => state === 'error')
  if (isMarked || !isEarlierAttempt(claimant, steps.claimant)) return
  const text = describeEnd('unknown', 'its attempt ended without recording how')
  await steps.deployments.record(id, 'error', text).catch(() => undefined)
}

/** `committed`: the claim as the last look showed it, once the tail may go. */
interface ClaimedTry<R> {
  readonly last: Try<R>
  readonly withheld: CommitWithheld | undefined
  readonly sha256: string
  readonly committed: Claim | undefined
}

/**
 * Tries with the last of the claims as long as it has no `in_progress`: a claim is one try, since a `failure` that
 * shows late would hide the next one's doubt.
 */
async function tryWithClaim<R>(run: Publisher, { attempt }: Sender<R>): Promise<ClaimedTry<R>> {
  let isCommitting = false
  let sha256 = ''
  let withheld: CommitWithheld | undefined
  let committed: Claim | undefined
  const commit: Commit = async (digest, ended) => {
    isCommitting = true
    sha256 = digest.sha256
    committed = await passCommitPoint(run, digest, ended).catch((error: unknown) => {
      if (error instanceof CommitWithheld) withheld = error
      throw error
    })
  }
  let last = await attempt(commit)
  while (!isCommitting && (await last.waitToRetry?.())) last = await attempt(commit)
  return { last, withheld, sha256, committed }
}

/** In milliseconds: the pauses between two questions about another run's claim. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [1000, 30_000]

/** Waits until another run's claim has ended. That it is gone from a list is no end. */
async function waitForEnd(steps: Steps, other: Claim): Promise<void> {
  const begun = beganAt(other) ?? other.createdAt
  const { runId } = other.claimant
  steps.log(
    `Waiting for run ${runId}, which is publishing "${other.versionName}" (15 minutes at most). ` +
      'If it was killed, run it again: it says what to check in the shop.'
  )
  for (let pause = SHORTEST_WAIT; ; pause = Math.min(pause * 1.2, LONGEST_WAIT)) {
    await steps.sleep(pause)
    const history = await steps.deployments.history(other.id)
    if (!history) {
      const { now } = await steps.deployments.list()
      if (now >= begun + LIFETIME) return
      continue
    }
    const claim = { ...other, statuses: history.statuses }
    const state = stateOf(claim, history.now, steps.claimant)
    if (state !== 'idle' && state !== 'in progress') return
    if (history.now >= begun + LIFETIME) return
  }
}

/** In milliseconds: how long a `failure` is tried, and anything else. */
const LONG_TRY = 120_000
const SHORT_TRY = 10_000

/** Records how a claim ended. False if this failed. */
async function recordEnd(
  steps: Steps,
  own: number,
  { state, text }: Ending,
  sha256: string
): Promise<boolean> {
  const descriptions: Readonly<Record<Ending['state'], string>> = {
    success: describePublished(text, sha256),
    failure: describeEnd('not published', text),
    error: describeEnd('unknown', text)
  }
  const limit = state === 'failure' ? LONG_TRY : SHORT_TRY
  const write = () => steps.deployments.record(own, state, descriptions[state])
  const elapsed = steps.stopwatch()
  for (let pause = 1000; ; pause = Math.min(pause * 2, 15_000)) {
    const isWritten = await write().then(
      () => true,
      () => false
    )
    if (isWritten) return true
    if (elapsed.atMost() + pause > limit) return false
    const isOver = await steps.settlingPause(pause).then(
      () => false,
      () => true
    )
    if (isOver) return false
  }
}

/** Publishes without the record: nothing holds the tail back. Throws what the sender throws. */
export async function publishUnrecorded<R>({
  firstContact,
  attempt
}: Sender<R>): Promise<PublishOnceEnd<R>> {
  await firstContact()
  const commit = () => Promise.resolve()
  let last = await attempt(commit)
  while (await last.waitToRetry?.()) last = await attempt(commit)
  return { kind: 'tried', result: last.result, recorded: false, sha256: '' }
}
