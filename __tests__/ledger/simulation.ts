// Several runs publish one version in a simulated world; then the job is run again with everything working.
import type { Claim } from '../../src/ledger/ledger.ts'
import { type Once, publishOnce } from '../../src/ledger/publish-once.ts'
import { judgeReplay, type Present, recordOf } from '../../src/ledger/record.ts'
import type { Deployments, Steps } from '../../src/ledger/steps.ts'
import { type Actor, openScheduler, type Scheduler } from './scheduler.ts'
import { openGitHub, type SimulatedGitHub } from './simulated-github.ts'
import { openService, type SimulatedService } from './simulated-service.ts'
import type { World } from './world.ts'

/** How a world ended. */
export interface Report {
  /** How many versions the service held when all runs were over. */
  readonly versions: number
  /** How each run ended. */
  readonly outcomes: readonly string[]
  /** Whether a run was killed, failed by GitHub or left without an answer from its `in_progress` on. */
  readonly excused: boolean
  /** How the job ended when it was run again: the last word on whether it may end in doubt. */
  readonly rerun: string
  /** Versions at the very end, after a person has settled what was in doubt. */
  readonly finally: string
  readonly finalVersions: number
  /** Whether every run that was told "already published" was told the digest of the very version. */
  readonly truthful: boolean
}

const DEADLINE = 900
const RESERVE = 360
const MOST_RERUNS = 8

/** What one run did, as far as the invariants ask. */
interface Diary {
  outcome: string
  /** Its `in_progress` was asked for. */
  committing: boolean
  doubtful: Claim | undefined
}

interface House {
  readonly world: World
  readonly scheduler: Scheduler
  readonly github: SimulatedGitHub
  readonly service: SimulatedService
  excused: boolean
  truthful: boolean
}

/** Plays one world to its end. */
export async function simulate(world: World): Promise<Report> {
  const diaries = new Map<Actor, Diary>()
  const scheduler = openScheduler(world.seed, (actor, pick) => {
    if (!house.calm && scheduler.chance(world.meddling)) house.github.meddle()
    if (house.calm || !dies(world, scheduler, pick)) return false
    const diary = diaries.get(actor)
    if (diary?.committing) house.excused = true
    if (diary) diary.outcome = 'killed'
    return true
  })
  const github = openGitHub(world, scheduler)
  const service = openService(world, scheduler)
  const house = { world, scheduler, github, service, excused: false, truthful: true, calm: false }
  for (let run = 0; run < world.runs; run++) start(house, diaries, run)
  await scheduler.play()
  const outcomes = [...diaries.values()].map(({ outcome }) => outcome)
  const versions = service.versions.length

  house.calm = true
  github.calmDown()
  service.calmDown()
  const reruns: string[] = []
  for (let rerun = 0; rerun < MOST_RERUNS; rerun++) {
    const diary = start(house, diaries, world.runs + rerun)
    await scheduler.play()
    reruns.push(diary.outcome)
    if (!diary.doubtful) break
    github.settle(diary.doubtful.id, service.versions.length > 0 ? 'success' : 'failure')
  }
  const { excused, truthful } = house
  return {
    ...{ versions, outcomes, excused, truthful },
    rerun: reruns[0] ?? '',
    finally: reruns.at(-1) ?? '',
    finalVersions: service.versions.length
  }
}

function dies({ kill, blow }: World, scheduler: Scheduler, pick: number): boolean {
  return scheduler.chance(kill) || (blow?.kind === 'kill' && blow.at === pick)
}

/** Lets a run begin. Each has a file of its own: builds are rarely reproducible. */
function start(house: House, diaries: Map<Actor, Diary>, run: number): Diary {
  const { world, scheduler } = house
  const diary: Diary = { outcome: 'stuck', committing: false, doubtful: undefined }
  const isRerun = run >= world.runs
  const present: Present = {
    runId: world.oneAttempt || isRerun ? '0' : String(run),
    runAttempt: isRerun ? 2 + run - world.runs : 1,
    commit: 'c0ffee',
    sha256: run.toString(16).padStart(64, '0')
  }
  const actor = scheduler.start(`run ${run}`, true, async me => {
    diary.outcome = await publish(house, me, diary, present)
  })
  diaries.set(actor, diary)
  return diary
}

async function publish(
  house: House,
  actor: Actor,
  diary: Diary,
  present: Present
): Promise<string> {
  const suffered = () => {
    if (diary.committing) house.excused = true
  }
  const steps = stepsOf(house, actor, diary, present)
  const attempt = house.service.open(actor, present.sha256, suffered)
  const pause = () => house.scheduler.turn(actor, 1000)
  try {
    const once = await publishOnce(steps, attempt, { tries: 4, pause })
    return judge(house, once, diary, present)
  } catch (error) {
    return `stopped: ${error instanceof Error ? error.message : String(error)}`
  }
}

function judge(house: House, once: Once<string>, diary: Diary, present: Present): string {
  switch (once.kind) {
    case 'tried':
      return once.result
    case 'in doubt':
      diary.doubtful = once.claim
      return 'in doubt'
    case 'replay': {
      const { versionId, sha256 } = recordOf(once.claim)
      // A person sees that there is a version, not from which of two doubtful claims it is.
      const settledByHand = versionId === ''
      if (!settledByHand && sha256 !== house.service.versions[0]) house.truthful = false
      return `already published: ${judgeReplay(once.claim, present)}`
    }
  }
}

function stepsOf(house: House, actor: Actor, diary: Diary, present: Present): Steps {
  const { world, scheduler, github } = house
  const suffered = () => {
    if (diary.committing) house.excused = true
  }
  const real = github.open(actor, suffered)
  const watched: Deployments = {
    ...real,
    record: (id, state, ...rest) => {
      if (state === 'in_progress') diary.committing = true
      return real.record(id, state, ...rest)
    }
  }
  let nonces = 0
  return {
    deployments: world.without ? impair(watched, world.without) : watched,
    claimant: { ...present, job: actor.name, fileName: 'plugin.zip', deadline: DEADLINE },
    reserve: RESERVE,
    versionName: '1.4.2',
    nonce: () => `${actor.name}-${nonces++}`,
    sleep: ms => scheduler.turn(actor, ms),
    tell: () => undefined
  }
}

/** A memory for steps that leave out a part of step 5. */
function impair(real: Deployments, without: 'last look' | 'own status shown'): Deployments {
  let committing: number | undefined
  const begun = { id: 1, state: 'in_progress', description: '', environmentUrl: '' }
  const believe = <T extends { readonly statuses: Claim['statuses'] }>(claim: T): T =>
    claim.statuses.length > 0 ? claim : { ...claim, statuses: [begun] }
  return {
    ...real,
    record: (id, state, ...rest) => {
      committing = state === 'in_progress' ? id : undefined
      return real.record(id, state, ...rest)
    },
    history: async id => {
      const history = await real.history(id)
      return without === 'own status shown' && id === committing ? believe(history) : history
    },
    look: async () => {
      const look = await real.look()
      const { claims } = look
      if (committing === undefined) return look
      if (without === 'last look')
        return { ...look, claims: claims.filter(({ id }) => id === committing) }
      return { ...look, claims: claims.map(it => (it.id === committing ? believe(it) : it)) }
    }
  }
}
