// Publishes a version at most once: reads what others have recorded, makes a claim for each upload that may reach its last
// bytes, and records how it ended.
import type { FileDigest } from '../files/artifact.ts'
import { GitHubError } from '../github/github-error.ts'
import type { Held } from '../http/exchange.ts'
import { growing, poll } from '../runner/retry.ts'
import type { PublishResult } from '../shop/upload.ts'
import { describeEnd } from './claim-format.ts'
import { claimWords } from './claim-words.ts'
import { type CommitDecision, passCommitPoint } from './commit-point.ts'
import type { CreatedClaim } from './deployments.ts'
import { type Ledger, openLook, type Publisher, type Stopwatch, writeAgain } from './ledger.ts'
import { recordEnd } from './record-end.ts'
import {
  beganAt,
  type Claim,
  isEarlierAttempt,
  judge,
  LIFETIME_MS,
  type Stop,
  settledAt,
  stateOf
} from './rules.ts'

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
  /** By GitHub's clock, as far as the run knows it: from when on a person may look whether the shop has the version. */
  readonly settled: number
}

/** How often a run gives way to others before it gives up. */
const MAX_ROUNDS = 5

/** Publishes with the record. Throws what kept the record from being read or written: no tail was sent then. */
export async function publishOnce(ledger: Ledger, sender: Sender): Promise<PublishOnceEnd> {
  const run: Publisher = { ...ledger, look: openLook(ledger), mine: [] }
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
  const sinceClaim = run.stopwatch()
  const claim = await createClaim(run)
  const { id } = claim

  const upload = await startUntilHeld(sender)
  if (upload.kind !== 'held') {
    const recorded = await recordEnd(run, id, upload, '')
    const settled = settledByNow(claim, sinceClaim)
    const ended: EndedClaim = { id, recorded, sha256: '', settled }
    return { kind: 'tried', result: upload, claim: ended, decision: undefined }
  }

  const decision = await passCommitPoint(run, id, sender.digest, upload.ended)
  const result =
    decision.kind === 'send' ? await upload.finish() : await upload.withhold(decision.cause)

  const { sha256 } = sender.digest
  const recorded = await recordEnd(run, id, result, sha256)
  const settled =
    decision.kind === 'send' ? settledAt(decision.claim) : settledByNow(claim, sinceClaim)
  return { kind: 'tried', result, claim: { id, recorded, sha256, settled }, decision }
}

/** GitHub says the time in whole seconds. */
const DATE_PRECISION_MS = 1000

/**
 * When a claim is settled without a last look that shows its `in_progress`: the write may have taken effect at any time
 * until now. `sinceClaim`: started before the claim was made.
 */
function settledByNow({ answeredAt }: CreatedClaim, sinceClaim: Stopwatch): number {
  return answeredAt + DATE_PRECISION_MS + sinceClaim.atMost() + LIFETIME_MS
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

/** Claims the version. */
async function createClaim(run: Publisher): Promise<CreatedClaim> {
  const { deployments, versionName, tag, claimant } = run
  const claim = await writeAgain(run, () => deployments.create(versionName, tag, claimant))
  run.mine.push(claim.id)
  return claim
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
    const verdict = judge(await run.look(), run.claimant, run.mine)
    if (verdict.kind === 'in doubt') await markDoubt(run, verdict.claim)
    if (verdict.kind !== 'in progress') return verdict
    await waitForEnd(run, verdict.claim)
  }
}

/**
 * Marks a claim of an earlier attempt as in doubt, so that other runs need not wait until its 15 minutes are over. If its
 * process is still alive, its last look shows the mark. Failing to write it does no harm.
 */
async function markDoubt(ledger: Ledger, { id, claimant, statuses }: Claim): Promise<void> {
  const isMarked = statuses.some(({ state }) => state === 'error')
  if (isMarked || !isEarlierAttempt(claimant, ledger.claimant)) return

  const text = describeEnd('unknown', 'its attempt ended without recording how')
  await ledger.deployments.record(id, 'error', text).catch(() => undefined)
}

/** The first pause between two questions about another run's claim. */
const FIRST_WAIT_MS = 1000
/** The longest of them. */
const LONGEST_WAIT_MS = 30_000

/**
 * Waits until another run's claim has ended. A claim that disappears from the list counts as ended only after its 15
 * minutes. While GitHub fails, it waits on, since it holds nothing: throws what fails only once those minutes are over.
 */
async function waitForEnd(ledger: Ledger, other: Claim): Promise<void> {
  ledger.log(
    `Waiting for run ${other.claimant.runId}, which is publishing ${claimWords(other).versionName} (15 minutes at most). ` +
      'If that run was killed, run it again: it will say what to check in the shop.'
  )

  const waited = ledger.stopwatch()
  const look = () =>
    hasEnded(ledger, other).catch((error: unknown) => {
      const mayWaitOn = error instanceof GitHubError && waited.atLeast() < LIFETIME_MS
      if (!mayWaitOn) throw error
      return false
    })

  await ledger.sleep(FIRST_WAIT_MS)
  await poll(async () => (await look()) || undefined, {
    pauseAfter: looked => growing(FIRST_WAIT_MS * 1.2, 1.2, LONGEST_WAIT_MS, looked),
    sleep: ms => ledger.sleep(ms)
  })
}

async function hasEnded(ledger: Ledger, other: Claim): Promise<boolean> {
  const end = (beganAt(other) ?? other.createdAt) + LIFETIME_MS
  const history = await ledger.deployments.history(other.id)
  if (!history) {
    const { now } = await ledger.deployments.list()
    return now >= end
  }

  const claim = { ...other, statuses: history.statuses }
  const state = stateOf(claim, history.now, ledger.claimant)
  return (state !== 'idle' && state !== 'in progress') || history.now >= end
}
