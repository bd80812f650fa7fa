// Step 5, the commit point: record what is sent, look a last time, and only then let the tail go.
import { type Claim, type Decision, deadlineOf, decide } from './ledger.ts'
import { describeSending } from './record.ts'
import { type Steps, untilShown, Withheld } from './steps.ts'

const CONTEST_LIMIT = 20_000

/** Step 5: resolves when the tail may go, and rejects with `Withheld` when it must not. */
export async function commit(
  steps: Steps,
  own: Claim,
  file: { readonly sha256: string; readonly size: number }
): Promise<void> {
  try {
    // An `in_progress` after the deadline would put the version in doubt until the `failure` follows.
    const { now } = await steps.deployments.history(own.id)
    demandTime(steps, own, now)
    await steps.deployments.record(own.id, 'in_progress', describeSending(file.sha256, file.size))
    await recorded(steps, own.id)
    const decision = await lastLook(steps, own.id)
    if (decision.kind !== 'proceed') throw new Withheld(why(decision), decision)
  } catch (error) {
    if (error instanceof Withheld) throw error
    throw new Withheld('the memory on GitHub could not be read or written', undefined, error)
  }
}

/**
 * Waits until the own `in_progress` shows. Only then does the last look prove anything: of two runs that
 * both get this far, the one that looks later sees the other's claim and its `in_progress`.
 */
async function recorded(steps: Steps, own: number): Promise<void> {
  const shown = await untilShown(steps, async () => {
    const { statuses } = await steps.deployments.history(own)
    return statuses.find(({ state }) => state === 'in_progress')
  })
  if (!shown) throw new Withheld('the claim did not show as in progress in time')
}

async function lastLook(steps: Steps, own: number): Promise<Decision> {
  for (let waited = 0; ; waited += 2000) {
    const look = await steps.deployments.look()
    const mine = look.claims.find(({ id }) => id === own)
    if (!mine) throw new Withheld('the claim is gone from the list of deployments')
    demandTime(steps, mine, look.until)
    const decision = decide(look, { kind: 'committing', own })
    if (decision.kind !== 'contested' || waited >= CONTEST_LIMIT) return decision
    await steps.sleep(2000)
  }
}

/** No tail is sent so late that its answer might come after the deadline. */
function demandTime(steps: Steps, own: Claim, now: number): void {
  if (now >= deadlineOf(own) - steps.reserve * 1000) {
    throw new Withheld('sending took longer than the claim allows')
  }
}

function why(decision: Exclude<Decision, { kind: 'proceed' }>): string {
  switch (decision.kind) {
    case 'replay':
      return 'another run has published this version'
    case 'in doubt':
      return 'another run may have published this version'
    case 'yield':
    case 'contested':
      return `run ${decision.claim.claimant.runId} is publishing this version`
    case 'lost':
      return 'something else wrote on this run’s deployment'
  }
}
