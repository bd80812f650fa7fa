// Several runs publish one version in a simulated world; then the job is run again with everything working.
// Owns what must hold in every world, too, and the counting of how they end.
import { type Once, publishOnce, publishWithoutMemory } from '../../src/ledger/publish-once.ts'
import { judgeReplay, type Present, recordOf } from '../../src/ledger/record.ts'
import { settleByHand } from '../../src/ledger/settle.ts'
import { Forbidden, openGitHub } from './simulated-github.ts'
import { openRun, openService, type SimulatedRun } from './simulated-run.ts'
import { openScheduler, type World } from './world.ts'

/** In seconds: of a claim, and what is kept of it for the answer. */
const [DEADLINE, RESERVE] = [900, 360]
const MOST_RERUNS = 8
/** The run in which a person settles. */
const PERSON = 99
const CLAIMANT = {
  ...{ runId: 'settle', runAttempt: 1, job: 'settle', commit: 'c0ffee' },
  ...{ fileName: '', deadline: DEADLINE }
}
/** What the action tells a person to wait for at least, in milliseconds. */
const SOME_MINUTES = 180_000

type Simulation = ReturnType<typeof openWorld>

function openWorld(world: World) {
  const scheduler = openScheduler(world.seed, 100)
  const runs: SimulatedRun[] = []
  const [github, service] = [openGitHub(world, scheduler), openService(world, scheduler)]
  return {
    ...{ world, scheduler, github, service, runs },
    /** Whether every run that was told "already published" was told the digest of the very version. */
    truthful: true
  }
}

/** Plays one world to its end, and tells how that was. */
export async function simulate(world: World) {
  const simulation = openWorld(world)
  const { scheduler, service, runs } = simulation
  for (let run = 0; run < world.runs; run++) start(simulation, scheduler.below(world.spread + 1))
  await scheduler.play()
  const outcomes = runs.map(({ outcome }) => outcome)
  // Whether anything befell a run from its `in_progress` on that may leave a version in doubt.
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
    /** How the job ended when it was run again: the last word on whether it may end in doubt. */
    rerun: reruns[0] ?? '',
    /** How long that took, in milliseconds. */
    took,
    /** At the very end, after a person has settled what was in doubt. */
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

async function publish(simulation: Simulation, run: SimulatedRun, present: Present) {
  const { github, service, world } = simulation
  const job = `run ${run.number}`
  const steps = {
    deployments: github.open(run),
    claimant: { ...present, job, fileName: 'plugin.zip', deadline: DEADLINE },
    ...{ reserve: RESERVE, lag: world.wait, stopwatch: run.stopwatch },
    sleep: (milliseconds: number) => run.turn(milliseconds),
    tell: () => undefined
  }
  const attempt = service.open(run, present.sha256)
  try {
    return judge(simulation, await publishOnce(steps, attempt), present)
  } catch (error) {
    if (world.auto && error instanceof Forbidden) {
      await publishWithoutMemory(attempt)
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
function sayWhatIsThere({ world, scheduler, github, service }: Simulation, claim: number): void {
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

/** What is wrong with how a world ended; empty when every promise was kept. */
function breachesOf(report: Awaited<ReturnType<typeof simulate>>): string[] {
  const { versions, outcomes, excused, truthful, rerun, finally: last, finalVersions } = report
  const doubt = [...outcomes, rerun].some(it => it === 'in doubt' || it === 'unknown')
  const isLost = rerun !== 'in doubt' && finalVersions !== 1
  const faults: readonly (readonly [boolean, string])[] = [
    [versions > 1, `${versions} versions`],
    [finalVersions > 1, `${finalVersions} versions in the end`],
    [doubt && !excused, 'in doubt without a reason'],
    [isLost, `${finalVersions} versions after the job ran again`],
    [!/^(published|already published: .*)$/.test(last), `the last run ended with "${last}"`],
    [finalVersions !== 1, `${finalVersions} versions after a person looked`],
    [outcomes.includes('stuck'), 'a run never ended'],
    [!truthful, 'a run was told of another file than the one that is published']
  ]
  return faults.filter(([broken]) => broken).map(([, breach]) => breach)
}

/**
 * Plays worlds one after another: how many broke a promise, the first few of them with what they broke, and
 * how often runs ended in which way; `again:` is the run after all the others.
 */
export async function play(worlds: Iterable<World>) {
  const broken: string[] = []
  const endings = new Map<string, number>()
  let failures = 0
  for (const world of worlds) {
    const report = await simulate(world)
    for (const ending of [...report.outcomes, `again: ${report.rerun}`]) {
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
    }
    const breaches = breachesOf(report)
    if (breaches.length > 0 && ++failures <= 5) {
      broken.push(`${breaches.join(', ')} in ${JSON.stringify(world)}: ${JSON.stringify(report)}`)
    }
  }
  return { failures, broken, endings }
}
