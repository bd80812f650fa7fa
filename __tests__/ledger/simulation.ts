// Plays a simulated world: several runs publish one version, or two; then each job is run again, and everything works.
import { recordedVersionOf } from '../../src/ledger/claim-format.ts'
import { type PublishOnceEnd, publishOnce } from '../../src/ledger/publish-once.ts'
import { type Claim, type Claimant, settledAt } from '../../src/ledger/rules.ts'
import { compareContent, type PresentRun } from '../../src/ledger/same-content.ts'
import type { Report, Story } from './promises.ts'
import { mark, uploadByHand } from './simulated-person.ts'
import { SimulatedRun } from './simulated-run.ts'
import type { Arrived, Tail } from './simulated-service.ts'
import {
  ledgerOf,
  openWorld,
  type Simulation,
  type Slip,
  sentOf,
  sleepsUnseen,
  tailsOf
} from './simulation-state.ts'
import { BOUND, type World } from './world.ts'

/** Each claim may be in doubt by itself, and a mark is refused while another claim lives. */
const MOST_RERUNS = 16
/** In milliseconds: how long a person takes to look, and to mark. */
const SOME_MINUTES = 180_000
/** The higher one first: the reruns go by this order, so that a doubt about it stops nothing for ever. */
const NAMES = ['1.4.3', '1.4.2']

/** Plays one world to its end, and reports how it ended. */
export async function simulate(world: World): Promise<Report> {
  const simulation = openWorld(world)
  const { scheduler, runs } = simulation
  const names = NAMES.slice(-world.versions)

  for (let run = 0; run < world.runs; run++) {
    const versionName = names[run % names.length] ?? ''
    start(simulation, versionName, scheduler.below(world.spread + 1))
  }
  if (world.uploader) uploadByHand(simulation, names[0] ?? '')
  await scheduler.play()

  // Both are asked for before the reruns add to them.
  const outcomes = runs.map(({ outcome }) => outcome)
  const excused = isExcused(simulation)

  scheduler.calmDown()
  const stories: Story[] = []
  let took: number | undefined
  for (const name of names) {
    const sentBefore = sentOf(simulation, name).length
    const reruns = await rerun(simulation, name)
    stories.push(storyOf(simulation, name, sentBefore, reruns))
    took ??= reruns[0]?.took
  }

  return {
    outcomes,
    excused,
    truthful: simulation.truthful,
    stories,
    marks: simulation.marks,
    falls: isFalling(simulation),
    took: took ?? 0,
    leaks: runs.some(({ held, outcome }) => held !== 0 && outcome !== 'killed')
  }
}

/** Whether anything happened so far that may leave a version in doubt. */
function isExcused({ world, runs }: Simulation): boolean {
  return world.app > 0 || runs.some(run => run.isExcused())
}

/** How a job ended that was run again. */
interface Rerun {
  readonly outcome: string
  /** In milliseconds. */
  readonly took: number
}

/** Runs the job of a version again, until a person has lifted every doubt. */
async function rerun(simulation: Simulation, name: string): Promise<Rerun[]> {
  const { scheduler } = simulation
  const reruns: Rerun[] = []
  let outcome: string
  do {
    const begun = scheduler.now()
    const run = start(simulation, name, 0)
    await scheduler.play()

    outcome = run.outcome
    reruns.push({ outcome, took: scheduler.now() - begun })
  } while (outcome === 'in doubt' && reruns.length < MOST_RERUNS)
  return reruns
}

function storyOf(
  simulation: Simulation,
  name: string,
  sentBefore: number,
  reruns: readonly Rerun[]
): Story {
  const { service, promised, corrected } = simulation
  return {
    versions: sentBefore,
    rerun: reruns[0]?.outcome ?? '',
    finally: reruns.at(-1)?.outcome ?? '',
    finalVersions: sentOf(simulation, name).length,
    isThere: service.digestsOf(name).length > 0,
    isBroken: tailsOf(simulation, name) > (promised.get(name) ?? Infinity),
    hasSlip: corrected.has(name),
    isBlind: hasSentLate(simulation, name)
  }
}

/** Whether a run sent its last bytes after it could see a correction: it looked later, and each look reads all claims. */
function hasSentLate({ service, corrected, world }: Simulation, name: string): boolean {
  if (sleepsUnseen(world)) return false

  const since = corrected.get(name) ?? Infinity
  return service.tails.some(({ versionName, at }) => versionName === name && at > since)
}

/**
 * Whether a lower version came after a higher one. A lower one that was in doubt before does not hold a higher one
 * back, or that would wait for a person; what is on its way then may come last. Nor does a higher one hold anything back
 * as long as a person says, by a slip, that it is not there.
 */
function isFalling({ world, service, github, slips }: Simulation): boolean {
  const [higherName] = NAMES
  const about = slips.filter(({ versionName }) => versionName === higherName)
  const isMisled = ({ at }: Tail) => about.some(({ from, to }) => at >= from && at <= to)
  if (sleepsUnseen(world) && about.length > 0) return false

  const placeOf = ({ sha256 }: Arrived) =>
    service.versions.findIndex(version => version.sha256 === sha256)
  const arrived = service.tails.filter(tail => placeOf(tail) >= 0)
  const higher = arrived.filter(({ versionName }) => versionName === higherName)
  const lower = arrived.filter(({ versionName }) => versionName === NAMES[1])

  return higher.some(above =>
    lower.some(
      below =>
        placeOf(below) > placeOf(above) &&
        github.doubtedSince(below.run) > above.at &&
        !isMisled(below)
    )
  )
}

/** Lets a run begin. Each has a file of its own: builds are rarely reproducible. */
function start(simulation: Simulation, versionName: string, ms: number): SimulatedRun {
  const { world, scheduler, runs } = simulation
  const number = runs.length
  const run = new SimulatedRun(number, world, scheduler, () => meddle(simulation))
  runs.push(run)

  const present = presentRunOf(world, number, versionName)
  scheduler.start(ms, async () => {
    run.outcome = await publish(simulation, run, versionName, present)
  })
  return run
}

/** Other tools write on deployments, whatever their states mean to us. */
function meddle({ world, scheduler, github }: Simulation): void {
  if (scheduler.chance(world.meddling)) github.meddle('error', 'Cleaned up')
  if (scheduler.chance(world.app)) github.meddle('success', 'Deployed to staging')
  if (scheduler.chance(world.app)) github.meddle('failure', 'Smoke test failed')
}

/** The run of that number, as GitHub names it. A rerun is a later attempt, with the job's usual name. */
function presentRunOf({ kind, runs }: World, number: number, versionName: string): PresentRun {
  const isRerun = number >= runs
  const isLaterAttempt = kind === 'attempts' || isRerun
  const hasOwnJob = kind === 'jobs' && !isRerun
  const hasOwnRun = kind === 'runs' && !isRerun
  return {
    job: hasOwnJob ? `job ${number}` : 'publish',
    runId: hasOwnRun ? String(number) : versionName,
    runAttempt: isLaterAttempt ? 2 + number : 1,
    commit: 'c0ffee',
    fileSource: 'workspace',
    filePath: 'dist/plugin.zip',
    sha256: number.toString(16).padStart(64, '0')
  }
}

async function publish(
  simulation: Simulation,
  run: SimulatedRun,
  versionName: string,
  present: PresentRun
): Promise<string> {
  const { service } = simulation
  const ledger = { ...ledgerOf(simulation, run, versionName), claimant: claimantOf(present) }
  const sender = service.open(run, versionName, present.sha256)
  try {
    return judge(simulation, versionName, await publishOnce(ledger, sender), present)
  } catch (error) {
    return `stopped: ${error instanceof Error ? error.message : String(error)}`
  }
}

function claimantOf(present: PresentRun): Claimant {
  return { ...present, title: '', fileName: 'plugin.zip' }
}

/** The word for how a run ended. A person may act on it. */
function judge(
  simulation: Simulation,
  versionName: string,
  once: PublishOnceEnd,
  present: PresentRun
): string {
  switch (once.kind) {
    case 'tried': {
      const { certainty } = once.result
      return certainty === 'not published' ? `${certainty}: ${once.result.why}` : certainty
    }
    case 'higher':
      if (once.state === 'in doubt') sayWhatIsThere(simulation, once.claim.versionName, once.claim)
      return 'lower'
    case 'withheld':
      return once.kind
    case 'in doubt':
      sayWhatIsThere(simulation, versionName, once.claim)
      return once.kind
    case 'published': {
      const { versionId, sha256 } = recordedVersionOf(once.claim)
      // A person sees that there is a version, not from which of two doubtful claims it is.
      const isMarkedByHand = versionId === ''
      const isRight = sentOf(simulation, versionName).some(version => version.sha256 === sha256)
      if (!isMarkedByHand && !isRight) simulation.truthful = false
      return `already published: ${compareContent(once.claim, present)}`
    }
  }
}

/** A person who reads of a doubt waits, looks into the shop, and marks what is there: by pasting, or by a run. */
function sayWhatIsThere(simulation: Simulation, versionName: string, claim: Claim): void {
  const { world, scheduler, github, service } = simulation
  if (!scheduler.isCalm() && !world.person) return

  // From then on, as the message says; a clock of GitHub's may be off.
  const wait = Math.max(0, settledAt(claim) - scheduler.now()) + world.skew
  scheduler.start(wait + scheduler.below(SOME_MINUTES), async () => {
    const isThere = service.digestsOf(versionName).length > 0
    if (isThere && scheduler.chance(world.slip)) return slip(simulation, versionName, claim)

    if (scheduler.chance(0.5)) return github.paste(claim.id, isThere)
    // The mark may be refused, or fail: then the next run is in doubt, and says so again.
    await mark(simulation, versionName, isThere ? 'published' : 'not published')
  })
}

/** In milliseconds: how long ago the last look may be when the tail goes. */
const OLDEST_LOOK = 30_000
/** In milliseconds: how long a step takes. */
const SHORT_STEP = 1000

/** A person lifts the doubt about a version that is there, starts a run, sees the slip and corrects it. */
async function slip(simulation: Simulation, versionName: string, claim: Claim): Promise<void> {
  const { world, scheduler, github, corrected, slips } = simulation
  const made: Slip = { versionName, from: scheduler.now(), to: Infinity }
  slips.push(made)

  github.paste(claim.id, false)
  start(simulation, versionName, scheduler.below(3000))
  await scheduler.turn(scheduler.below(60_000))

  github.paste(claim.id, true)
  const shown = scheduler.now() + Math.max(world.lag, BOUND) + BOUND
  made.to = shown + OLDEST_LOOK + SHORT_STEP
  if (!corrected.has(versionName)) corrected.set(versionName, made.to)
}
