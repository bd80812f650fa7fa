// Owns the misfortunes of one run of a simulated world, and a service on the virtual clock that it publishes to.
import type { Sender, Try } from '../../src/ledger/publish-once.ts'
import type { Stopwatch } from '../../src/ledger/snapshot.ts'
import type { Scheduler, World } from './world.ts'

/** One run of a world. */
export interface SimulatedRun {
  readonly number: number
  /** How it ended; `stuck` until then. */
  outcome: string
  /** How many of its uploads are held: neither finished nor withheld. */
  held: number
  /** Notes that a request of its failed or lost its answer, which excuses a doubt once it commits. */
  suffer(): void
  /** Steps back; rejects when the run is canceled, unless it is recording the end of its claim. */
  turn(ms: number, isEnding?: boolean): Promise<void>
  /** Ends it at once. */
  die(): Promise<never>
  isCutOff(): boolean
  isCancelled(): boolean
  stopwatch(): Stopwatch
  /** Notes that its `in_progress` is asked for. */
  commits(): void
  /** Whether anything befell it, from its `in_progress` on, that may leave a version in doubt. */
  isExcused(): boolean
}

/** In milliseconds. */
const LONGEST_SLEEP = 20 * 60_000
/** How long a run waits for the service's answer, in milliseconds: longer than any tail is on its way. */
const PATIENCE = 60_000
/** The same for a run that is canceled. */
const CANCELLED_PATIENCE = 5000
/** How long an upload takes at most that outlasts its claim, in milliseconds. */
const SLOWEST_UPLOAD = 1_800_000
/** How long a server keeps a request of which nothing comes, in milliseconds. */
const SERVER_PATIENCE = 120_000

/** Opens a run, which has no misfortunes once all is calm; `step` is called at each of its steps. */
export function openRun(
  number: number,
  world: World,
  scheduler: Scheduler,
  step: () => void
): SimulatedRun {
  const { chance, below, now, isCalm } = scheduler
  let cutUntil = 0
  /** How long its monotonic clock has stopped. */
  let stopped = 0
  let cancelled = false
  let committing = false
  let excused = false

  const suffer = () => {
    excused ||= committing
  }
  const refuseIfCancelled = (isEnding: boolean) => {
    if (cancelled && !isEnding) throw new Error('cancelled')
  }

  const run: SimulatedRun = {
    number,
    outcome: 'stuck',
    held: 0,
    suffer,
    async turn(ms, isEnding = false) {
      refuseIfCancelled(isEnding)
      if (isCalm()) return await scheduler.turn(ms)

      const slept = chance(world.sleep) ? below(LONGEST_SLEEP) : 0
      if (world.asleep !== 'runs on') stopped += slept
      await scheduler.turn(ms + slept)
      step()

      if (slept > 0) suffer()
      // It does not know that its deadline has passed until it has asked GitHub.
      excused ||= slept > 0 && world.asleep === 'is lost'
      if (chance(world.kill)) await run.die()
      if (chance(world.cut)) cutUntil = now() + below(60_000)
      if (chance(world.cancel)) {
        cancelled = true
        suffer()
      }
      refuseIfCancelled(isEnding)
    },
    die() {
      suffer()
      run.outcome = 'killed'
      return scheduler.vanish()
    },
    isCutOff: () => now() < cutUntil,
    isCancelled: () => cancelled,
    stopwatch() {
      const start = now()
      const before = stopped
      const atLeast = () => now() - start - (stopped - before)
      // A clock may be set while it is read: then it says too much, or nothing of a sleep.
      const error = !isCalm() && chance(0.01) ? below(60_000) : 0
      const atMost = () => (world.asleep === 'is lost' ? atLeast() : now() - start + error)
      return { atLeast, atMost }
    },
    commits: () => {
      committing = true
    },
    isExcused: () => excused
  }
  return run
}

/** A tail that is on its way. */
interface Sent {
  answer: 'none yet' | 'published' | 'refused'
}

/** A version that the service has. */
export interface Held {
  readonly versionName: string
  readonly sha256: string
  /** The number of the run that sent it; left out for a version that was uploaded by hand. */
  readonly run?: number
}

/** A version whose tail a run has sent, which the service takes. */
export interface Tail extends Held {
  readonly run: number
  /** When it was sent. */
  readonly at: number
}

/** The service of a world. */
export interface SimulatedService {
  /** The versions that it has, in the order of their arrival. */
  readonly versions: Held[]
  readonly tails: readonly Tail[]
  /** Opens the sender of a run's version; its file has that digest. */
  open(run: SimulatedRun, versionName: string, sha256: string): Sender<string>
  /** The digest of each version of that name, in the order of their arrival. */
  digestsOf(versionName: string): string[]
}

/** Opens an empty service: a version exists from the moment that its tail arrives. */
export function openService(world: World, scheduler: Scheduler): SimulatedService {
  const { below, chance, isCalm, now } = scheduler
  const versions: Held[] = []
  const tails: Tail[] = []
  const isUnfortunate = (p: number) => !isCalm() && chance(p)

  /** Sends the tail: it arrives whatever becomes of the run. */
  const release = (held: Tail): Sent => {
    const sent: Sent = { answer: 'none yet' }
    const refuses = isUnfortunate(world.refusal)
    if (!refuses) tails.push(held)

    scheduler.start(below(world.transit), async () => {
      if (!refuses) versions.push(held)
      sent.answer = refuses ? 'refused' : 'published'
    })
    return sent
  }

  const open: SimulatedService['open'] = (run, versionName, sha256) => {
    let tried = 0
    const waitToRetry: Sender<string>['waitToRetry'] = async ({ result }) => {
      if (result !== RESET.result) return false

      tried += 1
      if (tried === TRIES) return false
      await scheduler.turn(1000)
      return true
    }

    const startUpload: Sender<string>['startUpload'] = async () => {
      try {
        const isSlow = isUnfortunate(world.slowUpload)
        await run.turn(below(isSlow ? SLOWEST_UPLOAD : world.latency * 4 + world.upload))
        if (isUnfortunate(world.failure)) return RESET
      } catch (error) {
        return notPublished(error instanceof Error ? error.message : '')
      }

      const idleSince = now()
      run.held += 1
      return {
        kind: 'held',
        digest: { sha256, size: 5 },
        ended: NEVER,
        finish: () => finish(idleSince),
        withhold: async cause => {
          run.held -= 1
          return notPublished(cause.message)
        }
      }
    }

    const finish = async (idleSince: number): Promise<Try<string>> => {
      run.held -= 1
      if (isUnfortunate(world.kill)) await run.die()
      // The connection is gone when the tail comes, without a sign of it.
      if (now() - idleSince > SERVER_PATIENCE) return UNKNOWN

      const sent = release({ versionName, sha256, run: run.number, at: now() })
      // The run may never hear the service's answer.
      const patience = isUnfortunate(world.lostServiceAnswer) ? below(6000) : PATIENCE
      if (patience < PATIENCE) run.suffer()
      for (let waited = 0; sent.answer === 'none yet'; waited += 1000) {
        if (waited >= (run.isCancelled() ? CANCELLED_PATIENCE : patience)) return UNKNOWN
        await run.turn(1000, true)
      }

      if (patience < PATIENCE) return UNKNOWN
      if (sent.answer === 'refused') return notPublished('429')
      return {
        kind: 'ended',
        result: 'published',
        ending: { state: 'success', text: '812' }
      }
    }
    return {
      firstContact: () => run.turn(below(world.latency)),
      startUpload,
      waitToRetry
    }
  }

  const digestsOf = (versionName: string) =>
    versions.filter(held => held.versionName === versionName).map(({ sha256 }) => sha256)
  return {
    versions,
    tails,
    open,
    digestsOf
  }
}

const NEVER = new AbortController().signal
const TRIES = 4
/** The one end after which another try may help. */
const RESET = notPublished('reset')
const UNKNOWN: Try<string> = {
  kind: 'ended',
  result: 'unknown',
  ending: { state: 'error', text: 'reset' }
}

function notPublished(reason: string): Try<string> {
  return {
    kind: 'ended',
    result: `not published: ${reason}`,
    ending: { state: 'failure', text: reason }
  }
}
