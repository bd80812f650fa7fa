// The state of a simulated world while it is played, and what its parts share: the ledger of a run, and counts.

import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Rank } from '../../src/ledger/rules.ts'
import { SimulatedGitHub } from './simulated-github.ts'
import type { SimulatedRun } from './simulated-run.ts'
import { type Arrived, SimulatedService } from './simulated-service.ts'
import { openScheduler, type Scheduler, type World } from './world.ts'

/** In milliseconds: how much may pass at most between two steps of a world. */
const PACE = 100

/** A world while it is played. */
export interface Simulation {
  readonly world: World
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  readonly service: SimulatedService
  readonly runs: SimulatedRun[]
  /** How each of a person's marks ended. */
  readonly marks: string[]
  /** Whether every run that ended with "already published" was given the digest of the very version. */
  truthful: boolean
  /** The versions of which a mark said that no run will send them, with how often runs had sent it until then. */
  readonly promised: Map<string, number>
  /** The versions that a person lifted by a slip, with when all runs could see the correction. */
  readonly corrected: Map<string, number>
  readonly slips: Slip[]
}

/** The time in which a run may believe, by a person's slip, that a version is not there. */
export interface Slip {
  readonly versionName: string
  readonly from: number
  /** Infinity until it is corrected. */
  to: number
}

/** Opens a world in which nothing has happened yet. Between two steps up to `pace` ms pass. */
export function openWorld(world: World, pace = PACE): Simulation {
  const scheduler = openScheduler(world.seed, pace)
  return {
    world,
    scheduler,
    github: new SimulatedGitHub(world, scheduler),
    service: new SimulatedService(world, scheduler),
    runs: [],
    marks: [],
    truthful: true,
    promised: new Map(),
    corrected: new Map(),
    slips: []
  }
}

/** The ledger of a run, except for whose it is. */
export function ledgerOf(
  { github }: Simulation,
  run: SimulatedRun,
  versionName: string
): Omit<Ledger, 'claimant'> {
  return {
    deployments: github.open(run),
    versionName,
    tag: `v${versionName}`,
    ref: `v${versionName}`,
    stopwatch: () => run.stopwatch(),
    rankOf: (other): Rank => (other > versionName ? 'higher' : 'lower'),
    sleep: ms => run.turn(ms),
    settlingPause: ms => run.turn(ms, true),
    log: () => undefined
  }
}

/** The versions of that name that came from runs. */
export function sentOf({ service }: Simulation, name: string): Arrived[] {
  return service.versions.filter(
    ({ versionName, run }) => versionName === name && run !== undefined
  )
}

/** How often runs have sent the last bytes of that version. */
export function tailsOf({ service }: Simulation, name: string): number {
  return service.tails.filter(({ versionName }) => versionName === name).length
}

/** Whether a machine may sleep, unseen by any clock, between its last look and the tail: nothing can stop it then. */
export function sleepsUnseen({ sleep, asleep }: World): boolean {
  return sleep > 0 && asleep === 'is lost'
}
