// Several runs publish one version, or two, in a simulated world; then each job is run again with everything working.
import {
  isSameContent,
  type Mark,
  type PresentRun,
  recordedVersionOf
} from '../../src/ledger/claim-format.ts'
import { markVersion } from '../../src/ledger/mark-version.ts'
import { type PublishOnceEnd, publishOnce } from '../../src/ledger/publish-once.ts'
import { type Claim, type Claimant, type Rank, settledAt } from '../../src/ledger/rules.ts'
import type { Report, Story } from './promises.ts'
import { SimulatedGitHub } from './simulated-github.ts'
import { SimulatedRun } from './simulated-run.ts'
import { type Held, SimulatedService } from './simulated-service.ts'
import { BOUND, openScheduler, type Scheduler, type World } from './world.ts'

/** Each claim may be in doubt by itself, and a mark is refused while another claim lives. */
const MOST_RERUNS = 16
/** The number of the runs in which a person marks. */
const PERSON = 99
/** In milliseconds: how long a person takes to look, and to mark. */
const SOME_MINUTES = 180_000
/** The higher one first: the reruns go by this order, so that a doubt about it stops nothing for ever. */
const NAMES = ['1.4.3', '1.4.2']

/** A world while it is played. */
interface Simulation {
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
}

function openWorld(world: World): Simulation {
  const scheduler = openScheduler(world.seed, 100)
  return {
    world,
    scheduler,
    github: new SimulatedGitHub(world, scheduler),
    service: new SimulatedService(world, scheduler),
    runs: [],
    marks: [],
    truthful: true,
    promised: new Map(),
    corrected: new Map()
  }
}

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

  const outcomes = runs.map(({ outcome }) => outcome)
  const isMarked = world.kind === 'attempts' || world.app > 0
  const excused = isMarked || runs.some(run => run.isExcused())

  scheduler.calmDown()
  const begun = scheduler.now()
  let took = 0
  const stories: Story[] = []
  for (const name of names) {
    const sentBefore = sentOf(simulation, name).length
    const reruns: string[] = []
    do {
      const run = start(simulation, name, 0)
      await scheduler.play()
      reruns.push(run.outcome)
      took ||= scheduler.now() - begun
    } while (reruns.at(-1) === 'in doubt' && reruns.length < MOST_RERUNS)
    stories.push(storyOf(simulation, name, sentBefore, reruns))
  }

  return {
    outcomes,
    excused,
    truthful: simulation.truthful,
    stories,
    marks: simulation.marks,
    falls: isFalling(simulation),
    took,
    leaks: runs.some(({ held, outcome }) => held !== 0 && outcome !== 'killed')
  }
}

function storyOf(
  simulation: Simulation,
  name: string,
  sentBefore: number,
  reruns: readonly string[]
): Story {
  const { service, promised, corrected } = simulation
  return {
    versions: sentBefore,
    rerun: reruns[0] ?? '',
    finally: reruns.at(-1) ?? '',
    finalVersions: sentOf(simulation, name).length,
    isThere: service.digestsOf(name).length > 0,
    isBroken: tailsOf(simulation, name) > (promised.get(name) ?? Infinity),
    hasSlip: corrected.has(name),
    isBlind: hasSentLate(simulation, name)
  }
}

/** The versions of that name that came from runs. */
function sentOf({ service }: Simulation, name: string): Held[] {
  return service.versions.filter(held => held.versionName === name && held.run !== undefined)
}

/** How often runs have sent the last bytes of that version. */
function tailsOf({ service }: Simulation, name: string): number {
  return service.tails.filter(({ versionName }) => versionName === name).length
}

/** Whether a run sent its last bytes after it could see a correction: it looked later, and each look reads all claims. */
function hasSentLate({ service, corrected, world }: Simulation, name: string): boolean {
  // Nothing stops a machine that slept, unseen by any clock, between its last look and the tail.
  if (world.sleep > 0 && world.asleep === 'is lost') return false
  const since = corrected.get(name) ?? Infinity
  return service.tails.some(({ versionName, at }) => versionName === name && at > since)
}

/**
 * Whether a lower version came after a higher one. A lower one that was in doubt before does not hold a higher one
 * back, or that would wait for a person; what is on its way then may come last.
 */
function isFalling({ service, github }: Simulation): boolean {
  const placeOf = ({ sha256 }: Held) => service.versions.findIndex(held => held.sha256 === sha256)
  const arrived = service.tails.filter(tail => placeOf(tail) >= 0)
  const higher = arrived.filter(({ versionName }) => versionName === NAMES[0])
  const lower = arrived.filter(({ versionName }) => versionName === NAMES[1])

  return higher.some(above =>
    lower.some(
      below => placeOf(below) > placeOf(above) && github.doubtedSince(below.run) > above.at
    )
  )
}

/** Lets a run begin. Each has a file of its own: builds are rarely reproducible. */
function start(simulation: Simulation, versionName: string, ms: number): SimulatedRun {
  const { world, scheduler, github, runs } = simulation
  const number = runs.length
  const step = () => {
    if (scheduler.chance(world.meddling)) github.meddle('error', 'Cleaned up')
    if (scheduler.chance(world.app)) github.meddle('success', 'Deployed to staging')
    if (scheduler.chance(world.app)) github.meddle('failure', 'Smoke test failed')
  }
  const run = new SimulatedRun(number, world, scheduler, step)
  runs.push(run)

  const isRerun = number >= world.runs
  const present: PresentRun = {
    isAct: false,
    job: world.kind === 'jobs' && !isRerun ? `job ${number}` : 'publish',
    runId: world.kind !== 'runs' || isRerun ? versionName : String(number),
    runAttempt: world.kind === 'attempts' || isRerun ? 2 + number : 1,
    commit: 'c0ffee',
    filePath: 'dist/plugin.zip',
    sha256: number.toString(16).padStart(64, '0')
  }

  scheduler.start(ms, async () => {
    run.outcome = await publish(simulation, run, versionName, present)
  })
  return run
}

async function publish(
  simulation: Simulation,
  run: SimulatedRun,
  versionName: string,
  present: PresentRun
): Promise<string> {
  const { service } = simulation
  const steps = { ...stepsOf(simulation, run, versionName), claimant: claimantOf(present) }
  const sender = service.open(run, versionName, present.sha256)
  try {
    return judge(simulation, versionName, await publishOnce(steps, sender), present)
  } catch (error) {
    return `stopped: ${error instanceof Error ? error.message : String(error)}`
  }
}

function claimantOf(present: PresentRun): Claimant {
  return { ...present, title: '', fileName: 'plugin.zip' }
}

/** The steps of a run, but for whose it is. */
function stepsOf({ github }: Simulation, run: SimulatedRun, versionName: string) {
  return {
    deployments: github.open(run),
    versionName,
    tag: `v${versionName}`,
    stopwatch: () => run.stopwatch(),
    rankOf: (other: string): Rank => (other > versionName ? 'higher' : 'lower'),
    sleep: (milliseconds: number) => run.turn(milliseconds),
    settlingPause: (milliseconds: number) => run.turn(milliseconds, true),
    log: () => undefined
  }
}

/** The word for how a run ended. A person may act on it. */
function judge(
  simulation: Simulation,
  versionName: string,
  once: PublishOnceEnd<string>,
  present: PresentRun
): string {
  switch (once.kind) {
    case 'tried':
      return once.result
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
      const isRight = sentOf(simulation, versionName).some(held => held.sha256 === sha256)
      if (!isMarkedByHand && !isRight) simulation.truthful = false
      return `already published: ${isSameContent(once.claim, present) ? 'same' : 'different'}`
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
  const { world, scheduler, github, corrected } = simulation
  github.paste(claim.id, false)
  start(simulation, versionName, scheduler.below(3000))
  await scheduler.turn(scheduler.below(60_000))

  github.paste(claim.id, true)
  const shown = scheduler.now() + Math.max(world.lag, BOUND) + BOUND
  if (!corrected.has(versionName)) corrected.set(versionName, shown + OLDEST_LOOK + SHORT_STEP)
}

/** A person uploads the version while runs may be about to, if it is not there, and says so a little later. */
function uploadByHand(simulation: Simulation, versionName: string): void {
  const { world, scheduler, service } = simulation
  scheduler.start(scheduler.below(world.spread + 20_000), async () => {
    if (service.digestsOf(versionName).length > 0) return

    service.versions.push({ versionName, sha256: 'by hand' })
    await scheduler.turn(scheduler.below(10_000))
    await mark(simulation, versionName, 'published')
  })
}

/** A person marks the version by a run. */
async function mark(simulation: Simulation, versionName: string, kind: Mark): Promise<void> {
  const { world, scheduler, promised } = simulation

  // A person's look at the shop is true for a while, but not after a sleep.
  const person = new SimulatedRun(PERSON, { ...world, sleep: 0 }, scheduler, () => undefined)
  const claimant: Claimant = {
    runId: 'mark',
    runAttempt: 1,
    job: 'mark',
    commit: 'c0ffee',
    title: '',
    fileName: '',
    filePath: ''
  }
  const { deployments, ...others } = stepsOf(simulation, person, versionName)

  // How often it was sent before the first write of the mark.
  let sentBefore: number | undefined
  const record: typeof deployments.record = (...given) => {
    sentBefore ??= tailsOf(simulation, versionName)
    return deployments.record(...given)
  }
  const steps = { ...others, deployments: { ...deployments, record }, claimant }
  const end = await markVersion(steps, kind).catch(() => undefined)
  simulation.marks.push(`mark: ${end?.kind ?? 'failed'}`)

  // An attempt that lives on after GitHub has ended it is in doubt: there, a person has to wait for minutes first. And
  // nothing stops a machine that slept, unseen by any clock, between its last look and the tail.
  const sleepsUnseen = world.sleep > 0 && world.asleep === 'is lost'
  const isCertain = world.kind !== 'attempts' && !sleepsUnseen
  const isPromised = isCertain && (end?.kind === 'marked' || end?.kind === 'known')
  if (kind === 'published' && isPromised && !promised.has(versionName)) {
    // A run that sends from the first write on has overtaken the mark, which has to say so.
    promised.set(versionName, sentBefore ?? tailsOf(simulation, versionName))
  }
}
