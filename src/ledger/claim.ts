// A run's own claim: how it gets one, waits for others, and records how the claim ended.
import { counted } from '../runner/text.ts'
import {
  type Claim,
  type Decision,
  deadlineOf,
  decide,
  isEarlierAttempt,
  isLiving,
  NOT_PUBLISHED
} from './ledger.ts'
import { cutToFit } from './record.ts'
import {
  AnswerLost,
  type EndState,
  type Steps,
  type Stopwatch,
  takeSnapshot,
  unreadableHistory,
  Withheld,
  waitUntilShown
} from './steps.ts'

/** A run's own claim, with its age since it was asked for, and since GitHub answered. */
export interface Claimed {
  readonly kind: 'claimed'
  readonly own: Claim
  readonly sinceAsked: Stopwatch
  readonly sinceAnswered: Stopwatch
  /** In milliseconds: how late the lists are. */
  readonly lag: number
}
export type AlreadyDecided = Extract<Decision, { kind: 'replay' | 'in doubt' | 'contradicted' }>

/** How often a run claims before it gives up, as other runs keep coming first. */
const ROUNDS = 10

const CROWDED =
  'other runs kept trying to publish this version (add a `concurrency` group to the workflow), the last of them run'

const WITHDRAWN = { state: 'inactive', text: 'another run publishes this version' } as const

/** Steps 1 to 3: returns a claim that comes first, or what is decided. Throws `Withheld` if a claim may exist. */
export async function acquireClaim(steps: Steps): Promise<Claimed | AlreadyDecided> {
  let isNeeded = false
  try {
    for (let round = 1; ; round++) {
      const snapshot = await takeSnapshot(steps)
      const arriving = decide(snapshot, { kind: 'arriving' })
      if (arriving.kind === 'in doubt') await markDoubt(steps, arriving.claim)
      if (arriving.kind === 'replay' || arriving.kind === 'in doubt') return arriving
      isNeeded ||= snapshot.claims.some(other => isLiving(other, snapshot.now))
      const sinceAsked = steps.stopwatch()
      const id = await createClaim(steps)
      isNeeded = true
      const sinceAnswered = steps.stopwatch()
      const { own, lag, decision } = await waitUntilListed(steps, id)
      if (decision.kind === 'proceed') {
        return { kind: 'claimed', own, sinceAsked, sinceAnswered, lag }
      }
      if (decision.kind === 'contradicted') {
        await recordEnd(steps, id, { state: 'failure', text: 'nothing was sent' })
        return decision
      }
      const hasEnded = await recordEnd(steps, id, WITHDRAWN)
      if (decision.kind === 'replay' || decision.kind === 'in doubt') return decision
      if (round === ROUNDS) throw new Withheld(`${CROWDED} ${decision.claim.claimant.runId}`)
      if (decision.kind === 'yield') await waitForEnd(steps, decision.claim)
      // This run would wait for a claim of its own that has no end.
      if (hasEnded || (await recordEnd(steps, id, WITHDRAWN))) continue
      throw new Withheld('this run’s earlier deployment could not be marked as inactive')
    }
  } catch (error) {
    if (!isNeeded || error instanceof Withheld) throw error
    // With `once: auto`, a missing permission lets a run publish without the memory. That must not happen
    // once this run may have a claim, or another run has a living one.
    throw new Withheld(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// Marks the claim of an earlier attempt that died. Without the mark, other runs wait until its deadline, and
// `settle` is refused until then. If its process is alive after all, its last snapshot shows the mark.
async function markDoubt(steps: Steps, { id, claimant, statuses }: Claim): Promise<void> {
  const isMarked = statuses.some(({ state }) => state === 'error')
  if (isMarked || !isEarlierAttempt(claimant, steps.claimant)) return
  const text = 'its attempt ended without an end written down'
  await steps.deployments.record(id, 'error', text).catch(() => undefined)
}

/** Step 2: creates a claim. When the answer is lost, finds it again by its nonce. */
async function createClaim(steps: Steps): Promise<number> {
  const nonce = crypto.randomUUID()
  try {
    return await steps.deployments.create({ ...steps.claimant, nonce })
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error
    const search = waitUntilShown(steps, error, async () => {
      const { claims } = await steps.deployments.list()
      return claims.find(other => other.claimant.nonce === nonce)
    })
    const found = await search.catch(() => {
      // Not the search's own error: that could be a missing permission, and the claim may exist.
      throw error
    })
    return found.id
  }
}

/** Step 3: waits until this run's claim is listed, then decides over all. Ends a claim that never shows. */
async function waitUntilListed(steps: Steps, id: number) {
  const hidden = new Withheld('GitHub did not list this run’s deployment in time')
  try {
    return await waitUntilShown(steps, hidden, async () => {
      const snapshot = await takeSnapshot(steps)
      const own = snapshot.claims.find(other => other.id === id)
      const decision = decide(snapshot, { kind: 'claimed', own: id })
      return own && { own, lag: snapshot.lag, decision }
    })
  } catch (error) {
    await recordEnd(steps, id, { state: 'failure', text: 'nothing was sent' })
    throw error
  }
}

/** In milliseconds: the longest pause between two questions about another run's claim. */
const LONGEST_WAITING_PAUSE = 30_000

/** Waits for another claim to end, asking less and less often: a repository has 1,000 requests an hour. */
export async function waitForEnd(steps: Steps, other: Claim): Promise<void> {
  const { runId } = other.claimant
  for (let pause = 1000; ; pause = Math.min(pause * 1.2, LONGEST_WAITING_PAUSE)) {
    const ask = () => steps.deployments.history(other.id)
    const { statuses, now } = await waitUntilShown(steps, unreadableHistory(other), ask)
    if (!isLiving({ ...other, statuses }, now)) return
    const left = Math.max(deadlineOf(other) - now, 1000)
    const minutes = counted(Math.ceil(left / 60_000), 'minute')
    steps.tell(
      `Waiting for run ${runId}, which may still be publishing "${other.versionName}" (${minutes} at most). ` +
        'If it was killed, cancel this run, and run that one again: it starts at once.'
    )
    await steps.sleep(Math.min(pause, left))
  }
}

/** How a claim ends. `link`: an http(s) address. */
export type Ending = Readonly<{ state: EndState; text: string; link?: string }>

/** In milliseconds: before a failed end is written once more. */
const END_PAUSE = 1000

/** Step 6: records how a claim ended, without the link if GitHub refuses that. False if this failed. */
export async function recordEnd(steps: Steps, own: number, ending: Ending): Promise<boolean> {
  const { state, text, link } = ending
  const description = cutToFit(state === 'failure' ? `${NOT_PUBLISHED}${text}` : text)
  const write = (...linked: string[]) =>
    steps.deployments.record(own, state, description, ...linked).then(
      () => true,
      () => false
    )
  if (link !== undefined && (await write(link))) return true
  if (await write()) return true
  // The same end twice does no harm; none at all keeps other runs waiting.
  await steps.settlingPause(END_PAUSE).catch(() => undefined)
  return await write()
}
