// Publishes a version at most once: reads what others have recorded, makes a claim for each upload that may reach its last
// bytes, and records how it ended.
import type { FileDigest } from '../files/artifact.ts'
import { GitHubError } from '../github/github-error.ts'
import type { Held } from '../http/exchange.ts'
import { growing, poll } from '../runner/retry.ts'
import { timeText } from '../runner/words.ts'
import type { PublishResult } from '../shop/upload.ts'
import { claimWords } from './claim-words.ts'
import { type CommitDecision, passCommitPoint } from './commit-point.ts'
import { type Ledger, openLook, type Publisher, type Stopwatch, writeAgain } from './ledger.ts'
import { recordEnd } from './record-end.ts'
import { beganAt, type Claim, judge, LIFETIME_MS, type Stop, settledAt, stateOf } from './rules.ts'

/** The shop, as the record needs it. */
export interface Sender {
  /** The file's: no upload of another file is ever held. */
  readonly digest: FileDigest
  /** Asks the shop before anything is claimed; throws if nothing may be uploaded. Called once. */
  preflight(): Promise<void>
  /** Sends all but the tail; resolves with how the try ended if it did before that. */
  startUpload(): Promise<Held<PublishResult> | PublishResult>
  /** Pauses before another try, and returns true; false at once if the tail was sent, or another try would not help. */
  waitToRetry(result: PublishResult): Promise<boolean>
}

/** How it ended. Unless it is `tried`, this run has sent no last bytes. */
export type PublishOnceEnd = Stop | Readonly<{ kind: 'withheld'; why: string }> | PublishAttempt

/** The last try. */
export interface PublishAttempt {
  readonly kind: 'tried'
  readonly result: PublishResult
  readonly claim: EndedClaim
}

/** A claim whose upload has ended. */
export interface EndedClaim {
  readonly id: number
  /** Its end is recorded. */
  readonly recorded: boolean
  /** The file's, in hexadecimal digits; empty if the upload ended before the commit point. */
  readonly sha256: string
  /**
   * By GitHub's clock: from when on a person may look whether the shop has the version; undefined where its `in_progress` was
   * asked for, and no last look has shown it.
   */
  readonly settled: number | undefined
}

/** How often a run gives way to others before it gives up. */
const MAX_ROUNDS = 5

/** Publishes with the record. Throws what kept the record from being read or written: no tail was sent then. */
export async function publishOnce(ledger: Ledger, sender: Sender): Promise<PublishOnceEnd> {
  const run: Publisher = { ...ledger, look: openLook(ledger) }
  let hasContact = false
  let gaveWay = 0

  for (;;) {
    const verdict = await arrive(run)
    if (verdict.kind !== 'clear') return verdict

    if (!hasContact) {
      await sender.preflight()
      hasContact = true
    }

    const upload = await claimAndSend(run, sender)
    const next = nextStep(upload)
    switch (next.kind) {
      case 'retry':
        if (!(await sender.waitToRetry(upload.result))) return upload
        break
      case 'give way':
        gaveWay += 1
        if (gaveWay === MAX_ROUNDS) return { kind: 'withheld', why: next.why }
        if (next.to) await waitForEnd(ledger, next.to)
        break
      default:
        return next
    }
  }
}

/** An upload under a claim, once its last try has ended. */
interface ClaimedUpload extends PublishAttempt {
  /** The commit point's; undefined if the upload ended before that. */
  readonly decision: CommitDecision | undefined
}

/** Claims the version, sends the file, passes the commit point, and records how it ended. */
async function claimAndSend(run: Publisher, sender: Sender): Promise<ClaimedUpload> {
  const { id, createdAt } = await writeAgain(run, () => run.deployments.create(run))
  const upload = await startUntilHeld(sender)
  if (upload.kind !== 'held') {
    const recorded = await recordEnd(run, id, upload, '')
    const settled = settledAt({ createdAt, statuses: [] })
    const ended: EndedClaim = { id, recorded, sha256: '', settled }
    return { kind: 'tried', result: upload, claim: ended, decision: undefined }
  }

  const decision = await passCommitPoint(run, id, sender.digest, upload.ended)
  const result =
    decision.kind === 'send' ? await upload.finish() : await upload.withhold(decision.cause)

  const { sha256 } = sender.digest
  const recorded = await recordEnd(run, id, result, sha256)
  const settled = decision.kind === 'send' ? settledAt(decision.claim) : undefined
  const ended: EndedClaim = { id, recorded, sha256, settled }
  return { kind: 'tried', result, claim: ended, decision }
}

/** The next step of a run after an upload. */
type NextStep =
  /** It ends with this upload, or with what another run has recorded meanwhile. */
  | PublishAttempt
  | Stop
  /** It tries again, if that may help. */
  | Readonly<{ kind: 'retry' }>
  /** It starts over; if another claim made it give way, only once that has ended. */
  | Readonly<{ kind: 'give way'; to: Claim | undefined; why: string }>

function nextStep(upload: ClaimedUpload): NextStep {
  const { claim, result, decision } = upload
  // A failure that others cannot see leaves the claim in progress: no other run may send then.
  if (!claim.recorded || result.certainty !== 'not published') return upload

  // `startUntilHeld` has tried again already, as long as that might help.
  if (decision === undefined) return upload
  if (decision.kind !== 'withhold') return { kind: 'retry' }

  const { obstacle, cause } = decision
  if (obstacle && obstacle.kind !== 'in progress') return obstacle
  return { kind: 'give way', to: obstacle?.claim, why: cause.message }
}

/**
 * Sends all but the tail, again where that may help. All these tries share a claim: until its `in_progress` is recorded,
 * no run waits for it. After that, another try needs another claim, since a `failure` of the first that shows late would
 * hide the doubt about the second.
 */
async function startUntilHeld(sender: Sender): Promise<Held<PublishResult> | PublishResult> {
  for (;;) {
    const started = await sender.startUpload()
    if (started.kind === 'held' || !(await sender.waitToRetry(started))) return started
  }
}

/** Reads the record until nobody else is sending. Returns what stops this run, or that the way is clear. */
async function arrive(run: Publisher): Promise<Stop | { kind: 'clear' }> {
  for (;;) {
    const verdict = judge(await run.look())
    if (verdict.kind !== 'in progress') return verdict
    await waitForEnd(run, verdict.claim)
  }
}

/** The first pause between two questions about another run's claim. */
const FIRST_WAIT_MS = 1000
/** The longest of them. */
const LONGEST_WAIT_MS = 30_000
/** Each is longer than the one before it by this factor. */
const WAIT_GROWTH = 1.2
/** How often the log says what the run waits for. */
const WORD_EVERY_MS = 60_000
/** How long a wait goes on while GitHub refuses: a refusal may pass, but not for minutes. */
const REFUSED_MAX_MS = 15_000

/**
 * Waits until another run's claim has ended. A claim that disappears from the list counts as ended only after its 15
 * minutes. While GitHub fails, it waits on, since it holds nothing: throws what fails only once those minutes are over, or
 * a refusal has lasted for 15 seconds.
 */
async function waitForEnd(ledger: Ledger, other: Claim): Promise<void> {
  const waited = ledger.stopwatch()
  const until = (beganAt(other) ?? other.createdAt) + LIFETIME_MS
  const what = `Waiting for run ${other.claimant.runId}, which is publishing ${claimWords(other).versionName}, until ${timeText(until)} at the latest.`
  let nextWord = 0
  let refused: Stopwatch | undefined

  const look = async (): Promise<true | undefined> => {
    if (waited.atLeast() >= nextWord) {
      ledger.log(what)
      nextWord += WORD_EVERY_MS
    }

    try {
      const ended = await hasEnded(ledger, other, until)
      refused = undefined
      return ended || undefined
    } catch (error) {
      const isRefused = error instanceof GitHubError && error.denied
      refused = isRefused ? (refused ?? ledger.stopwatch()) : undefined

      const isOver = refused !== undefined && refused.atLeast() >= REFUSED_MAX_MS
      const mayPass = error instanceof GitHubError && waited.atLeast() < LIFETIME_MS && !isOver
      if (!mayPass) throw error
      return undefined
    }
  }

  await ledger.sleep(FIRST_WAIT_MS)
  await poll(look, {
    pauseAfter: looked =>
      growing(FIRST_WAIT_MS * WAIT_GROWTH, WAIT_GROWTH, LONGEST_WAIT_MS, looked),
    sleep: ms => ledger.sleep(ms)
  })
}

/** @param until When the claim counts as ended at the latest, by GitHub's clock. */
async function hasEnded({ deployments }: Ledger, other: Claim, until: number): Promise<boolean> {
  const history = await deployments.history(other.id)
  if (!history) return (await deployments.list()).now >= until

  const state = stateOf(history, history.now)
  return (state !== 'idle' && state !== 'in progress') || history.now >= until
}
