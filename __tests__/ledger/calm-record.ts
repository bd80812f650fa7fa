// The record of a calm GitHub, for the tests of one run: requests take no time, and all that is written shows at once.
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Claimant } from '../../src/ledger/rules.ts'
import type { SimulatedGitHub } from './simulated-github.ts'
import { SimulatedRun } from './simulated-run.ts'
import { ledgerOf, openWorld } from './simulation-state.ts'
import { CALM, type Scheduler, START } from './world.ts'

export const CLAIMANT: Claimant = {
  runId: '1',
  runAttempt: 1,
  job: 'a',
  commit: '',
  title: '',
  fileSource: undefined,
  fileName: '',
  filePath: '',
  sha256: ''
}
export const DIGEST = { sha256: 'ab12'.repeat(16), size: 5 }

/** The number of the one run. */
const RUN = 0

/** A test may change whose run it is. */
interface ChangeableLedger extends Ledger {
  claimant: Claimant
}

/** A calm GitHub, and the one run that works with it, on the version `1.0`. */
export interface CalmRecord {
  readonly github: SimulatedGitHub
  /** Its clock moves on only by the run's turns, and what a test starts comes in between: nobody has to play it. */
  readonly scheduler: Scheduler
  /** The run's view of it. */
  readonly ledger: ChangeableLedger
  /** What the run has written: `create`, or such as `10 success`. */
  written(): string[]
  /** Adds another run's claim on the version, with statuses of these states, oldest first; returns its id. */
  addClaim(states: string, over?: Partial<Claimant>): number
  /** How long ago the record was opened, in milliseconds. */
  since(): number
}

/** Opens a record without claims. `meanwhile` is awaited before each look, and gets its number, from 1 on. */
export function openRecord(meanwhile: (look: number) => unknown = () => undefined): CalmRecord {
  const world = { ...CALM, latency: 0, wait: undefined }
  const simulation = openWorld(world, 0)
  const { github, scheduler } = simulation
  scheduler.calmDown()

  const run = new SimulatedRun(RUN, world, scheduler, () => undefined)
  const ledger: ChangeableLedger = { ...ledgerOf(simulation, run, '1.0'), claimant: CLAIMANT }

  let looks = 0
  const { list } = ledger.deployments
  ledger.deployments.list = async () => {
    looks += 1
    await meanwhile(looks)
    return list()
  }

  return {
    github,
    scheduler,
    ledger,
    written: () => github.writtenBy(RUN),
    addClaim: (states, over = {}) => {
      const id = github.addClaim('1.0', 'v1.0', { ...CLAIMANT, runId: '2', ...over })
      for (const state of states.split(' ').filter(Boolean)) {
        github.addStatus(id, state, `publish-version: ${state}`)
      }
      return id
    },
    since: () => scheduler.now() - START
  }
}
