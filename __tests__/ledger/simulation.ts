// Several runs publish one version, or two, in a simulated world; then each job is run again with everything working.
// Owns what must hold in every world, too, and the counting of how they end.

import { isSameContent, type Mark, recordedVersionOf } from '../../src/ledger/claim-format.ts'
import { markVersion } from '../../src/ledger/mark-version.ts'
import { type PublishOnceEnd, publishOnce } from '../../src/ledger/publish-once.ts'
import { type Claim, type Rank, settledAt } from '../../src/ledger/rules.ts'
import { openGitHub } from './simulated-github.ts'
import { type Held, openRun, openService, type SimulatedRun } from './simulated-run.ts'
import { BOUND, openScheduler, type World } from './world.ts'

type PresentRun = Parameters<typeof isSameContent>[1]

/** Each claim may be in doubt by itself, and settling is refused while another one lives. */
const MOST_RERUNS = 16
/** The runs in which a person marks. */
const PERSON = 99
/** In milliseconds: how long a person takes to look, and to say so. */
const SOME_MINUTES = 180_000
/** The higher one first: the reruns go by this order, so that a doubt about it stops nothing for ever. */
const NAMES = ['1.4.3', '1.4.2']

type Simulation = ReturnType<typeof openWorld>

function openWorld(world: World) {
  const scheduler = openScheduler(world.seed, 100)
  const runs: SimulatedRun[] = []
  const [github, service] = [openGitHub(world, scheduler), openService(world, scheduler)]
  return {
    ...{ world, scheduler, github, service, runs },
    /** How each of a person's marks ended. */
    settlings: [] as string[],
    /** Whether every run that was told "already published" was told the digest of the very version. */
    truthful: true,
    /** The versions of which a mark said that no run will send them, with how often runs had sent it until then. */
    promised: new Map<string, number>(),
    /** The versions that a person lifted by a slip, with when all runs could see the correction. */
    corrected: new Map<string, number>()
  }
}

/** Plays one world to its end, and tells how that was. */
export async function simulate(world: World) {
  const simulation = openWorld(world)
  const { scheduler, service, runs, promised, corrected } = simulation
  const names = NAMES.slice(-world.versions)
  for (let run = 0; run < world.runs; run++) {
    const versionName = names[run % names.length] ?? ''
    start(simulation, versionName, scheduler.below(world.spread + 1))
  }
  if (world.settler) uploadByHand(simulation, names[0] ?? '')
  await scheduler.play()
  const outcomes = runs.map(({ outcome }) => outcome)
  // Whether anything befell a run from its `in_progress` on that may leave a version in doubt.
  const isMarked = world.kind === 'attempts' || world.app > 0
  const excused = isMarked || runs.some(run => run.isExcused())

  scheduler.calmDown()
  const begun = scheduler.now()
  let took = 0
  const stories = []
  for (const name of names) {
    const versions = sentOf(simulation, name).length
    const reruns: string[] = []
    do {
      const run = start(simulation, name, 0)
      await scheduler.play()
      reruns.push(run.outcome)
      took ||= scheduler.now() - begun
    } while (reruns.at(-1) === 'in doubt' && reruns.length < MOST_RERUNS)
    const sent = sentOf(simulation, name)
    stories.push({
      versions,
      /** How the job ended when it was run again: the last word on whether it may end in doubt. */
      rerun: reruns[0] ?? '',
      /** At the very end, after a person has settled what was in doubt. */
      finally: reruns.at(-1) ?? '',
      finalVersions: sent.length,
      isThere: service.digestsOf(name).length > 0,
      /** Whether runs have sent it after a mark said that none will. */
      isBroken: tailsOf(simulation, name) > (promised.get(name) ?? Infinity),
      /** A person has let it be sent again, by a slip. */
      hasSlip: corrected.has(name),
      /** Whether a run has sent it although it could see that a slip was corrected. */
      isBlind: hasSentLate(simulation, name)
    })
  }
  return {
    ...{ outcomes, excused, truthful: simulation.truthful, stories },
    settlings: simulation.settlings,
    /** Whether a run has sent a lower version after a higher one. */
    falls: isFalling(simulation),
    /** How long the first rerun took, in milliseconds. */
    took,
    /** Whether a run that lived to its end has left an upload held. */
    leaks: runs.some(({ held, outcome }) => held !== 0 && outcome !== 'killed')
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
  const came = ({ sha256 }: Held) => service.versions.findIndex(held => held.sha256 === sha256)
  const [higher, lower] = [NAMES[0], NAMES[1]].map(name =>
    service.tails.filter(held => held.versionName === name && came(held) >= 0)
  )
  return (higher ?? []).some(above =>
    (lower ?? []).some(
      below => came(below) > came(above) && github.doubtedSince(below.run) > above.at
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
  const run = openRun(number, world, scheduler, step)
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
) {
  const { service } = simulation
  const steps = { ...stepsOf(simulation, run, versionName), claimant: claimantOf(present) }
  const sender = service.open(run, versionName, present.sha256)
  try {
    return judge(simulation, versionName, await publishOnce(steps, sender), present)
  } catch (error) {
    return `stopped: ${error instanceof Error ? error.message : String(error)}`
  }
}

function claimantOf(present: PresentRun) {
  return { ...present, title: '', fileName: 'plugin.zip' }
}

function stepsOf({ github }: Simulation, run: SimulatedRun, versionName: string) {
  return {
    deployments: github.open(run),
    ...{ versionName, tag: `v${versionName}`, stopwatch: run.stopwatch },
    rankOf: (other: string): Rank => (other > versionName ? 'higher' : 'lower'),
    sleep: (milliseconds: number) => run.turn(milliseconds),
    settlingPause: (milliseconds: number) => run.turn(milliseconds, true),
    log: () => undefined
  }
}

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
      const settledByHand = versionId === ''
      const isRight = sentOf(simulation, versionName).some(held => held.sha256 === sha256)
      if (!settledByHand && !isRight) simulation.truthful = false
      return `already published: ${isSameContent(once.claim, present) ? 'same' : 'different'}`
    }
  }
}

/** A person who is told of a doubt waits, looks into the shop, and says what is there, in one of two ways. */
function sayWhatIsThere(simulation: Simulation, versionName: string, claim: Claim): void {
  const { world, scheduler, github, service } = simulation
  if (!scheduler.isCalm() && !world.person) return
  // From then on, as the message says; a clock of GitHub's may be off.
  const wait = Math.max(0, settledAt(claim) - scheduler.now()) + world.skew
  scheduler.start(wait + scheduler.below(SOME_MINUTES), async () => {
    const isThere = service.digestsOf(versionName).length > 0
    if (isThere && scheduler.chance(world.slip)) return slip(simulation, versionName, claim)
    if (scheduler.chance(0.5)) return github.paste(claim.id, isThere)
    // It may be refused, or fail: then the next run is in doubt, and tells a person again.
    await mark(simulation, versionName, isThere ? 'published' : 'not published')
  })
}

/** How long the last look may be ago when the tail goes, and a step takes. */
const OLDEST_LOOK = 30_000
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

async function mark(simulation: Simulation, versionName: string, kind: Mark): Promise<void> {
  const { world, scheduler, promised } = simulation
  // What a person saw in the shop is true for a while, but not after a sleep.
  const person = openRun(PERSON, { ...world, sleep: 0 }, scheduler, () => undefined)
  const present = { runId: 'mark', runAttempt: 1, job: 'mark', commit: 'c0ffee' }
  const claimant = { ...present, title: '', fileName: '', filePath: '' }
  const { deployments, ...others } = stepsOf(simulation, person, versionName)
  let sentBefore: number | undefined
  const record: typeof deployments.record = (...given) => {
    sentBefore ??= tailsOf(simulation, versionName)
    return deployments.record(...given)
  }
  const steps = { ...others, deployments: { ...deployments, record }, claimant }
  const settled = await markVersion(steps, kind).catch(() => undefined)
  simulation.settlings.push(`mark: ${settled?.kind ?? 'failed'}`)
  // An attempt that lives on after GitHub has ended it is in doubt: there, a person has to wait for minutes first. And
  // nothing stops a machine that slept, unseen by any clock, between its last look and the tail.
  const sleepsUnseen = world.sleep > 0 && world.asleep === 'is lost'
  const isCertain = world.kind !== 'attempts' && !sleepsUnseen
  const isPromised = isCertain && (settled?.kind === 'marked' || settled?.kind === 'known')
  if (kind === 'published' && isPromised && !promised.has(versionName)) {
    // Whoever sends from its first write on has overtaken it, and the mark has to say so.
    promised.set(versionName, sentBefore ?? tailsOf(simulation, versionName))
  }
}

/** What is wrong with how a world ended; empty when every promise was kept. */
function breachesOf(report: Awaited<ReturnType<typeof simulate>>): string[] {
  const { outcomes, excused, truthful, stories, falls, leaks } = report
  const faults: (readonly [boolean, string])[] = [
    [outcomes.includes('stuck'), 'a run never ended'],
    [!truthful, 'a run was told of another file than the one that is published'],
    [falls, 'a lower version came last'],
    [leaks, 'an upload is left held']
  ]
  for (const story of stories) {
    const { versions, rerun, finally: last, finalVersions, isThere, hasSlip } = story
    const doubt = [...outcomes, rerun].some(it => it === 'in doubt' || it === 'unknown')
    const isMissing = !isThere && last !== 'lower'
    faults.push(
      [versions > 1 && !hasSlip, `${versions} versions`],
      [finalVersions > 1 && !hasSlip, `${finalVersions} versions in the end`],
      [story.isBlind, 'a run has sent what a person had corrected'],
      [story.isBroken && !hasSlip, 'a run has sent what a mark said that none will'],
      [doubt && !excused, 'in doubt without a reason'],
      [isMissing && rerun !== 'in doubt', 'no version after the job ran again'],
      [
        !/^(published|already published: .*|lower)$/.test(last),
        `the last run ended with "${last}"`
      ],
      [isMissing, 'no version after a person looked']
    )
  }
  return faults.filter(([broken]) => broken).map(([, breach]) => breach)
}

export interface Played {
  /** How many worlds broke a promise. */
  readonly failures: number
  /** The first few of them, with what they broke. */
  readonly broken: readonly string[]
  /** How often runs ended in which way; `again:` is the run after all the others. */
  readonly endings: ReadonlyMap<string, number>
}

/** Plays worlds one after another. */
export async function play(worlds: Iterable<World>): Promise<Played> {
  const broken: string[] = []
  const endings = new Map<string, number>()
  let failures = 0
  for (const world of worlds) {
    const report = await simulate(world)
    const reruns = report.stories.map(({ rerun }) => `again: ${rerun}`)
    for (const ending of [...report.outcomes, ...reruns, ...report.settlings]) {
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
    }
    const breaches = breachesOf(report)
    if (breaches.length > 0 && ++failures <= 5) {
      broken.push(`${breaches.join(', ')} in ${JSON.stringify(world)}: ${JSON.stringify(report)}`)
    }
  }
  return { failures, broken, endings }
}
