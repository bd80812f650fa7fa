// Several runs publish one version in a simulated world; then the job is run again with everything working.
// Owns what must hold in every world, too, and the counting of how they end.
import { type Once, publishOnce, publishUnremembered } from '../../src/ledger/publish-once.ts'
import { judgeReplay, type Present, recordOf } from '../../src/ledger/record.ts'
import { settleByHand } from '../../src/ledger/settle.ts'
import type { Steps } from '../../src/ledger/steps.ts'
import { openScheduler, type Scheduler } from './scheduler.ts'
import { Forbidden, openGitHub, type SimulatedGitHub } from './simulated-github.ts'
import { openRun, type SimulatedRun } from './simulated-run.ts'
import { openService, type SimulatedService } from './simulated-service.ts'
import type { World } from './world.ts'

/** How a world ended. */
export interface Report {
  /** How many versions the service held when all runs were over. */
  readonly versions: number
  /** How each run ended. */
  readonly outcomes: readonly string[]
  /** Whether anything befell a run from its `in_progress` on that may leave a version in doubt. */
  readonly excused: boolean
  /** How the job ended when it was run again: the last word on whether it may end in doubt. */
  readonly rerun: string
  /** How long that took, in milliseconds. */
  readonly took: number
  /** Versions at the very end, after a person has settled what was in doubt. */
  readonly finally: string
  readonly finalVersions: number
  /** Whether every run that was told "already published" was told the digest of the very version. */
  readonly truthful: boolean
}

const DEADLINE = 900
const RESERVE = 360
const MOST_RERUNS = 8
/** The run in which a person settles. */
const PERSON = 99
const CLAIMANT = {
  ...{ runId: 'settle', runAttempt: 1, job: 'settle', commit: 'c0ffee' },
  ...{ fileName: '', deadline: DEADLINE }
}
/** What the action tells a person to wait for at least, in milliseconds. */
const SOME_MINUTES = 180_000

interface Simulation {
  readonly world: World
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  readonly service: SimulatedService
  readonly runs: SimulatedRun[]
  truthful: boolean
}

/** Plays one world to its end. */
export async function simulate(world: World): Promise<Report> {
  const scheduler = openScheduler(world.seed, 100)
  const github = openGitHub(world, scheduler)
  const service = openService(world, scheduler)
  const simulation: Simulation = {
    ...{ world, scheduler, github, service },
    ...{ runs: [], truthful: true }
  }
  for (let run = 0; run < world.runs; run++) start(simulation, scheduler.below(world.spread + 1))
  await scheduler.play()
  const { runs } = simulation
  const outcomes = runs.map(({ outcome }) => outcome)
  const excused = world.kind === 'attempts' || runs.some(run => run.isExcused())
  const versions = service.versions.length

  scheduler.calmDown()
  const begun = scheduler.now()
  let took = 0
  const reruns: string[] = []
  do {
    const run = start(simulation, 0)
    await scheduler.play()
    reruns.push(run.outcome)
    took ||= scheduler.now() - begun
  } while (reruns.at(-1) === 'in doubt' && reruns.length < MOST_RERUNS)
  return {
    ...{ versions, outcomes, excused, truthful: simulation.truthful },
    rerun: reruns[0] ?? '',
    took,
    finally: reruns.at(-1) ?? '',
    finalVersions: service.versions.length
  }
}

/** Lets a run begin. Each has a file of its own: builds are rarely reproducible. */
function start(simulation: Simulation, ms: number): SimulatedRun {
  const { world, scheduler, github, runs } = simulation
  const number = runs.length
  const step = () => {
    if (scheduler.chance(world.meddling)) github.meddle()
  }
  const run = openRun(number, world, scheduler, step)
  runs.push(run)
  const isRerun = number >= world.runs
  const present: Present = {
    runId: world.kind !== 'runs' || isRerun ? '0' : String(number),
    runAttempt: world.kind === 'attempts' || isRerun ? 2 + number : 1,
    commit: 'c0ffee',
    sha256: number.toString(16).padStart(64, '0')
  }
  scheduler.start(ms, async () => {
    run.outcome = await publish(simulation, run, present)
  })
  return run
}

async function publish(
  simulation: Simulation,
  run: SimulatedRun,
  present: Present
): Promise<string> {
  const { service, world } = simulation
  const steps = stepsOf(simulation, run, present)
  const attempt = service.open(run, present.sha256)
  try {
    return judge(simulation, await publishOnce(steps, attempt), present)
  } catch (error) {
    if (world.auto && error instanceof Forbidden) {
      await publishUnremembered(attempt)
      return 'published without the memory'
    }
    return `stopped: ${error instanceof Error ? error.message : String(error)}`
  }
}

function judge(simulation: Simulation, once: Once<string>, present: Present): string {
  const { service } = simulation
  switch (once.kind) {
    case 'tried':
      return once.result
    case 'in doubt':
      sayWhatIsThere(simulation, once.claim.id)
      return once.kind
    case 'replay': {
      const { versionId, sha256 } = recordOf(once.claim)
      // A person sees that there is a version, not from which of two doubtful claims it is.
      const settledByHand = versionId === ''
      if (!settledByHand && sha256 !== service.versions[0]) simulation.truthful = false
      return `already published: ${judgeReplay(once.claim, present)}`
    }
  }
}

/** A person who is told of a doubt waits, looks into the shop, and says what is there, in one of two ways. */
function sayWhatIsThere(simulation: Simulation, claim: number): void {
  const { world, scheduler, github, service } = simulation
  if (!scheduler.isCalm() && !world.person) return
  scheduler.start(SOME_MINUTES + scheduler.below(SOME_MINUTES), async () => {
    const isThere = service.versions.length > 0
    if (scheduler.chance(0.5)) return github.settle(claim, isThere ? 'success' : 'failure')
    const deployments = github.open(openRun(PERSON, world, scheduler, () => undefined))
    const kind = isThere ? 'published' : 'not published'
    // It may be refused, or fail: then the next run is in doubt, and tells a person again.
    await settleByHand({ deployments, claimant: CLAIMANT }, kind).catch(() => undefined)
  })
}

function stepsOf(simulation: Simulation, run: SimulatedRun, present: Present): Steps {
  const { world, github } = simulation
  const job = `run ${run.number}`
  return {
    deployments: github.open(run),
    claimant: { ...present, job, fileName: 'plugin.zip', deadline: DEADLINE },
    reserve: RESERVE,
    lag: world.wait,
    stopwatch: run.stopwatch,
    sleep: ms => run.turn(ms),
    tell: () => undefined
  }
}

/** What is wrong with how a world ended; empty when every promise was kept. */
export function breachesOf(report: Report): string[] {
  const { versions, outcomes, excused, truthful, rerun, finally: last, finalVersions } = report
  const doubt = [...outcomes, rerun].some(
    outcome => outcome === 'in doubt' || outcome === 'unknown'
  )
  const faults: readonly (readonly [boolean, string])[] = [
    [versions > 1, `${versions} versions`],
    [finalVersions > 1, `${finalVersions} versions in the end`],
    [doubt && !excused, 'in doubt without a reason'],
    [
      rerun !== 'in doubt' && finalVersions !== 1,
      `${finalVersions} versions after the job ran again`
    ],
    [!/^(published|already published: .*)$/.test(last), `the last run ended with "${last}"`],
    [finalVersions !== 1, `${finalVersions} versions after a person looked`],
    [outcomes.includes('stuck'), 'a run never ended'],
    [!truthful, 'a run was told of another file than the one that is published']
  ]
  return faults.filter(([broken]) => broken).map(([, breach]) => breach)
}

export interface Tally {
  /** How many worlds broke a promise, and the first few of them, with what they broke. */
  readonly failures: number
  readonly broken: readonly string[]
  /** How often runs ended in which way; `again:` is the run after all the others. */
  readonly endings: ReadonlyMap<string, number>
}

/** Plays worlds one after another. */
export async function play(worlds: Iterable<World>): Promise<Tally> {
  const broken: string[] = []
  const endings = new Map<string, number>()
  const count = (ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1)
  let failures = 0
  for (const world of worlds) {
    const report = await simulate(world)
    for (const outcome of report.outcomes) count(outcome)
    count(`again: ${report.rerun}`)
    const breaches = breachesOf(report)
    if (breaches.length > 0 && ++failures <= 5) {
      broken.push(`${breaches.join(', ')} in ${JSON.stringify(world)}: ${JSON.stringify(report)}`)
    }
  }
  return { failures, broken, endings }
}
