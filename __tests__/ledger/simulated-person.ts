// A person in a simulated world, who uploads a version by hand, and marks versions by a run.
import type { Mark } from '../../src/ledger/claim-format.ts'
import type { Deployments } from '../../src/ledger/deployments.ts'
import { markVersion } from '../../src/ledger/mark-version.ts'
import type { Claimant } from '../../src/ledger/rules.ts'
import { SimulatedRun } from './simulated-run.ts'
import { ledgerOf, type Simulation, sleepsUnseen, tailsOf } from './simulation-state.ts'

/** The number of the runs in which a person marks. */
const PERSON = 99
/** Whose those runs are. */
const MARKING: Claimant = {
  runId: 'mark',
  runAttempt: 1,
  job: 'mark',
  commit: 'c0ffee',
  title: '',
  fileSource: undefined,
  fileName: '',
  filePath: '',
  sha256: ''
}

/** A person uploads the version while runs may be about to, if it is not there, and says so a little later. */
export function uploadByHand(simulation: Simulation, versionName: string): void {
  const { world, scheduler, service } = simulation
  scheduler.start(scheduler.below(world.spread + 20_000), async () => {
    if (service.digestsOf(versionName).length > 0) return

    service.versions.push({ versionName, sha256: 'by hand' })
    await scheduler.turn(scheduler.below(10_000))
    await mark(simulation, versionName, 'published')
  })
}

/** A person marks the version by a run. */
export async function mark(simulation: Simulation, versionName: string, kind: Mark): Promise<void> {
  const { world, scheduler, marks, promised } = simulation

  // A person's look at the shop is true for a while, but not after a sleep.
  const awake = { ...world, sleep: 0 }
  const person = new SimulatedRun(PERSON, awake, scheduler, () => undefined)
  const { deployments, ...others } = ledgerOf(simulation, person, versionName)

  // How often it was sent before the first write of the mark.
  let sentBefore: number | undefined
  const record: Deployments['record'] = (id, state, description) => {
    sentBefore ??= tailsOf(simulation, versionName)
    return deployments.record(id, state, description)
  }

  const ledger = {
    ...others,
    deployments: { ...deployments, record },
    claimant: MARKING
  }
  const end = await markVersion(ledger, kind).catch(() => undefined)
  marks.push(`mark: ${end?.kind ?? 'failed'}`)

  const isMarked = end?.kind === 'marked' || end?.kind === 'known'
  const isPromise = kind === 'published' && !sleepsUnseen(world)
  if (!isMarked || !isPromise || promised.has(versionName)) return

  // A run that sends from the first write on has overtaken the mark, which has to say so.
  promised.set(versionName, sentBefore ?? tailsOf(simulation, versionName))
}
