// The commit point: with all but the tail sent, whether the tail may go.
import type { FileDigest } from '../files/artifact.ts'
import { describeSending } from './claim-format.ts'
import { beganAt, type Claim, judge, type Look, stateOf, type Verdict } from './rules.ts'
import { type Publisher, type Steps, waitUntilAllSee, writeAgain } from './snapshot.ts'

/** The tail must not be sent. `verdict` is what stops it; undefined if that is the run's own claim. */
export class CommitWithheld extends Error {
  override readonly name = 'CommitWithheld'
  readonly verdict: Obstacle | undefined

  constructor(message: string, verdict?: Obstacle) {
    super(message)
    this.verdict = verdict
  }
}

/** What stands in a run's way. */
type Obstacle = Exclude<Verdict, { kind: 'clear' }>

/** What is decided of the tail. */
export type CommitDecision =
  /** It may go. `claim`: the own claim, as the last look shows it. */
  | Readonly<{ kind: 'send'; claim: Claim }>
  /** It must not: a `CommitWithheld`, or what kept the record from being read or written. */
  | Readonly<{ kind: 'withhold'; cause: Error }>

/** In milliseconds: how long the first of several waits for the others to give way. */
const GIVE_WAY = 30_000
/** In milliseconds: how often it looks meanwhile. */
const LOOK_PAUSE = 2000
/** In milliseconds: a look that was asked for longer ago is not the last one. */
const FRESH = 30_000
/**
 * In milliseconds, by GitHub's clock, from the own `in_progress` to a look that counts: with the longest answer of 12
 * minutes, no living request is older than the 15 minutes after which others take it for dead.
 */
const OLDEST = 2 * 60_000

/**
 * Decides whether the tail may go. Never rejects. `ended`: fires once the tail can no longer be sent.
 *
 * Two runs never both send. Each of the two saw its own `in_progress` *shown* before it waited. Say A saw its own shown
 * first. B saw its own shown later, waited for the lag, and then looked: so B's look came at least a lag after A's was
 * shown to one run, when it shows to all (the one assumption: `LAG`). B saw A's `in_progress`, and did not send, unless
 * A had ended. This counts by each run's own monotonic clock; neither GitHub's clock nor a machine's date matters.
 *
 * Of several that see each other, only the one with the lowest claim waits, and then it *looks again*: all others
 * withhold. So at most one goes on, and only after a look that shows no other in progress.
 *
 * What looks dead is dead. Others take a claim for ended 15 minutes (`LIFETIME`) after its `in_progress`. The last look
 * comes at most 120 s after that (`OLDEST`), the tail at most 30 s after the look was asked for (`FRESH`), and the answer
 * is waited for 720 s at most (the longest `response-timeout`): 14.5 minutes in all.
 */
export async function passCommitPoint(
  run: Publisher,
  file: FileDigest,
  ended: AbortSignal
): Promise<CommitDecision> {
  try {
    const steps: Publisher = { ...run, sleep: ms => run.sleep(ms, ended) }
    await announce(steps, file)
    return { kind: 'send', claim: await lookLast(steps) }
  } catch (error) {
    return { kind: 'withhold', cause: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Records that the tail is about to go, and waits until every run sees that. */
async function announce(run: Publisher, file: FileDigest): Promise<void> {
  const own = ownClaimOf(run)
  const description = describeSending(file)
  await writeAgain(run, () => run.deployments.record(own, 'in_progress', description))
  await waitUntilAllSee(run, [own], statuses => beganAt({ statuses }) !== undefined)
}

/** Looks until nothing stands in the way; returns the own claim. Throws `CommitWithheld`, or what kept it from looking. */
async function lookLast(run: Publisher): Promise<Claim> {
  const own = ownClaimOf(run)
  for (let waited = 0; ; ) {
    const asked = run.stopwatch()
    const snapshot = await run.look()
    const claim = demandOwn(snapshot, own, run)

    const verdict = judge(snapshot, run.claimant, run.mine)
    if (verdict.kind === 'clear') {
      if (asked.atMost() <= FRESH) return claim
      continue
    }

    // The others see this claim and withhold; their `failure` shows a little later.
    const goesFirst =
      verdict.kind === 'in progress' && verdict.rank === 'same' && verdict.claim.id > own
    if (!goesFirst || waited >= GIVE_WAY) throw new CommitWithheld(describe(verdict), verdict)
    await run.sleep(LOOK_PAUSE)
    waited += LOOK_PAUSE
  }
}

/** The id of the claim on which the run is about to send. */
function ownClaimOf({ mine }: Publisher): number {
  return mine.at(-1) ?? 0
}

/** The run's own claim. Throws `CommitWithheld` unless it is in progress, and young enough. */
function demandOwn({ claims, until }: Look, own: number, { claimant }: Steps): Claim {
  const claim = claims.find(({ id }) => id === own)
  if (!claim) throw new CommitWithheld('this run’s deployment is gone from the list')

  // The state, not the status: a person may have lifted the claim meanwhile, or marked it.
  const state = stateOf(claim, until, claimant)
  if (state !== 'in progress' && state !== 'published' && state !== 'in doubt') {
    throw new CommitWithheld('this run’s deployment does not show as in progress')
  }

  if (until - (beganAt(claim) ?? 0) > OLDEST) {
    throw new CommitWithheld('the last look at the record came too late')
  }
  return claim
}

/** Such as `run 42 is publishing "1.4.2"`. */
function describe(verdict: Obstacle): string {
  const { claimant, versionName } = verdict.claim
  const verb = verdict.kind === 'in progress' ? 'is publishing' : 'may have published'
  return `run ${claimant.runId} ${verb} "${versionName}"`
}
