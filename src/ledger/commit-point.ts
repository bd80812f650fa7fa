// The commit point: all but the tail is sent, and the record decides whether the tail may go.
import type { FileDigest } from '../files/artifact.ts'
import { GitHubError } from '../github/github-error.ts'
import { retry } from '../runner/retry.ts'
import { describeSending } from './claim-format.ts'
import { claimWords } from './claim-words.ts'
import { type Publisher, waitUntilAllSee, writeAgain } from './ledger.ts'
import {
  beganAt,
  type Claim,
  type HigherVersion,
  judge,
  type Look,
  mayHaveSent,
  type Verdict
} from './rules.ts'

/** The record does not let the tail go. Its message is what the record says. */
export class CommitWithheld extends Error {
  override readonly name = 'CommitWithheld'
}

/** Anything that stands in a run's way. */
type Obstacle = Exclude<Verdict, { kind: 'clear' }>

/** The decision about the tail. */
export type CommitDecision =
  /** It may go. `claim`: the own claim, as the last look shows it. */
  | Readonly<{ kind: 'send'; claim: Claim }>
  /** It must not. `obstacle`: what stands in the way; undefined if the own claim is gone, failed or too old. */
  | Readonly<{ kind: 'withhold'; obstacle: Obstacle | undefined; cause: CommitWithheld }>
  /** The record could not be read or written, or the tail can no longer be sent. */
  | Readonly<{ kind: 'undecided'; cause: Error }>

/** How long the first of several waits for the others to give way. */
const GIVE_WAY_MS = 30_000
/** How often it looks meanwhile. */
const LOOK_PAUSE_MS = 2000
/** How long the last look goes on while GitHub fails. */
const FAILING_MAX_MS = 90_000
/** A look that was asked for longer ago is not the last one. */
const LAST_LOOK_MAX_AGE_MS = 30_000
/** By GitHub's clock, from the own `in_progress` to the last look: no later look counts. */
const IN_PROGRESS_MAX_AGE_MS = 2 * 60_000

/**
 * Decides whether the tail may go. Never rejects. `ownId`: of the run's claim for this upload. `ended`: fires once the
 * tail can no longer be sent.
 *
 * **Two runs never both send.** Each records its `in_progress`, reads until it sees it, waits for `LAG_MS`, and only
 * then looks for the last time; to see it is to find the claim in the list, and the status in its history. Of two runs,
 * call A the one that saw its own `in_progress` first, and B the other. B's last look comes a whole `LAG_MS` after B
 * saw its own, so more than that after A saw A's. So B's last look shows A's `in_progress`. As long as A has not ended,
 * B does not send. If A has ended by then, its claim shows how: after a `success` or an `error`, B stops; after a
 * `failure`, nothing more can come of A. All waits go by each run's own monotonic clock: neither GitHub's clock nor the
 * date of a machine matters.
 *
 * This has three premises. GitHub shows to every run, within `LAG_MS`, whatever it has shown to one. Nobody deletes a
 * claim between these looks. And a `failure` means that the claim's tail never goes, or that the shop has refused it: a
 * run writes it after the upload has ended, and makes another claim for another try; what a person writes has to be
 * true.
 *
 * **Runs that see each other do not all give up**, if their `failure` shows within `GIVE_WAY_MS`. The one with the
 * lowest claim waits for the others to withhold, and looks again; it sends only after a look that shows no other in
 * progress. All others withhold. If a `failure` shows later than that, all withhold. Each waits until
 * the other's claim has ended, and begins again, five times at most; then the next run publishes.
 *
 * **A claim that is in progress for 15 minutes is in doubt** (`LIFETIME_MS`). No run relies on its being dead: a doubt
 * stops them all. The person who then looks into the shop relies on it. The last look comes at most 120 s after the
 * `in_progress` (`IN_PROGRESS_MAX_AGE_MS`), the tail is let go at most 30 s after the look was asked for
 * (`LAST_LOOK_MAX_AGE_MS`), and the answer is awaited for 720 s at most (the longest `response-timeout`): 14.5 minutes
 * in all. But that is how long a run has patience, not how long its request lives. Nothing bounds the time between look
 * and tail in a process that is stopped, nor the time that the shop takes. So a person who is asked to look is also
 * asked to make sure that the run has ended.
 */
export async function passCommitPoint(
  run: Publisher,
  ownId: number,
  file: FileDigest,
  ended: AbortSignal
): Promise<CommitDecision> {
  try {
    const untilEnded: Publisher = { ...run, sleep: ms => run.sleep(ms, ended) }
    await announce(untilEnded, ownId, file)
    return await lookLast(untilEnded, ownId)
  } catch (error) {
    return { kind: 'undecided', cause: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Records that the tail is about to go, and waits until every run sees that. */
async function announce(run: Publisher, ownId: number, file: FileDigest): Promise<void> {
  const description = describeSending(file)
  await writeAgain(run, () => run.deployments.record(ownId, 'in_progress', description))
  await waitUntilAllSee(run, [ownId], statuses => beganAt({ statuses }) !== undefined)
}

/** Looks until a look decides. Throws what kept it from looking. */
async function lookLast(run: Publisher, ownId: number): Promise<CommitDecision> {
  const look = lookWhileFailing(run)
  for (let waited = 0; ; ) {
    const asked = run.stopwatch()
    const seen = await look()
    const claim = seen.claims.find(({ id }) => id === ownId)
    if (!claim) return withhold('this run’s deployment is gone from the list')

    const lapse = describeLapse(claim, seen)
    if (lapse) return withhold(lapse)

    const verdict = judge(seen, ownId)
    if (verdict.kind === 'clear') {
      if (asked.atMost() <= LAST_LOOK_MAX_AGE_MS) return { kind: 'send', claim }
      // The answer took too long to count. This ends at the latest when the own claim is too old.
      continue
    }

    // The others see this claim and withhold; their `failure` shows a little later.
    const goesFirst =
      verdict.kind === 'in progress' && verdict.rank === 'same' && verdict.claim.id > ownId
    if (!goesFirst || waited >= GIVE_WAY_MS) return withhold(describeObstacle(verdict), verdict)

    await run.sleep(LOOK_PAUSE_MS)
    waited += LOOK_PAUSE_MS
  }
}

/** Makes looks that go on while GitHub fails, for 90 seconds in all: a file that is sent waits for them. */
function lookWhileFailing(run: Publisher): () => Promise<Look> {
  const since = run.stopwatch()
  return () =>
    retry(run.look, {
      pauseAfter: error => {
        const mayPass = error instanceof GitHubError && since.atLeast() < FAILING_MAX_MS
        return mayPass ? LOOK_PAUSE_MS : undefined
      },
      sleep: ms => run.sleep(ms)
    })
}

function withhold(why: string, obstacle?: Obstacle): CommitDecision {
  return { kind: 'withhold', obstacle, cause: new CommitWithheld(why) }
}

/**
 * Why the run's own claim has lapsed; undefined if it stands. One that is published or in doubt stands, since `judge` has the
 * better words for it.
 */
function describeLapse(claim: Claim, { lastDate }: Look): string | undefined {
  // Its state counts, not its last status: a person may have marked the claim meanwhile.
  if (!mayHaveSent(claim, lastDate)) return 'this run’s deployment does not show as in progress'

  const isOld = lastDate - (beganAt(claim) ?? 0) > IN_PROGRESS_MAX_AGE_MS
  return isOld ? 'the last look at the record came too late' : undefined
}

const VERBS: Readonly<Record<HigherVersion['state'], string>> = {
  published: 'has published',
  'in doubt': 'may have published',
  'in progress': 'is publishing'
}

/** Such as `run 42 is publishing "1.4.2"`. */
function describeObstacle(verdict: Obstacle): string {
  const { claim } = verdict
  const state = verdict.kind === 'higher' ? verdict.state : verdict.kind
  return `run ${claim.claimant.runId} ${VERBS[state]} ${claimWords(claim).versionName}`
}
