// Owns what befalls one run of a simulated world, and a service on the virtual clock that it publishes to.
import type { Sender, Try } from '../../src/ledger/publish-once.ts'
import type { Stopwatch } from '../../src/ledger/snapshot.ts'
import type { Scheduler, World } from './world.ts'

export type SimulatedRun = ReturnType<typeof openRun>

const LONGEST_SLEEP = 20 * 60_000
/** How long a run waits for the service's answer: longer than any tail is on its way. */
const PATIENCE = 60_000
/** How long a server keeps a request of which nothing comes. */
const SERVER_PATIENCE = 120_000

/** Lets nothing befall a run once all is calm; `step` is called at each of its steps. */
export function openRun(number: number, world: World, scheduler: Scheduler, step: () => void) {
  const { chance, below, now, isCalm } = scheduler
  let cutUntil = 0
  /** How long its monotonic clock has stopped. */
  let stopped = 0
  let cancelled = false
  let committing = false
  let excused = false
  /** A request of its failed or lost its answer. */
  const suffer = () => {
    excused ||= committing
  }
  const demand = (settles: boolean) => {
    if (cancelled && !settles) throw new Error('cancelled')
  }
  const run = {
    number,
    outcome: 'stuck',
    /** How many of its uploads are held: neither finished nor withheld. */
    held: 0,
    suffer,
    /** Steps back; rejects when the run is cancelled, unless it settles its claim. */
    async turn(ms: number, settles = false): Promise<void> {
      demand(settles)
      if (isCalm()) return await scheduler.turn(ms)
      const slept = chance(world.sleep) ? below(LONGEST_SLEEP) : 0
      if (world.asleep !== 'runs on') stopped += slept
      await scheduler.turn(ms + slept)
      step()
      if (slept > 0) suffer()
      // Nothing tells it that its deadline has passed, until it has asked GitHub.
      excused ||= slept > 0 && world.asleep === 'is lost'
      if (chance(world.kill)) await run.die()
      if (chance(world.cut)) cutUntil = now() + below(60_000)
      if (chance(world.cancel)) {
        cancelled = true
        suffer()
      }
      demand(settles)
    },
    die(): Promise<never> {
      suffer()
      run.outcome = 'killed'
      return scheduler.vanish()
    },
    isCutOff: () => now() < cutUntil,
    isCancelled: () => cancelled,
    stopwatch: (): Stopwatch => {
      const [start, before] = [now(), stopped]
      const atLeast = () => now() - start - (stopped - before)
      // A clock may be set while it is read: then it says too much, or nothing of a sleep.
      const error = !isCalm() && chance(0.01) ? below(60_000) : 0
      const atMost = () => (world.asleep === 'is lost' ? atLeast() : now() - start + error)
      return { atLeast, atMost }
    },
    /** Its `in_progress` is asked for. */
    commits: () => {
      committing = true
    },
    /** Whether it met what may leave a version in doubt: from its `in_progress` on, it did not go its way. */
    isExcused: () => excused
  }
  return run
}

interface Sent {
  answer: 'none yet' | 'published' | 'refused'
}

/** A version that the service holds; `run` is undefined for one that was uploaded by hand. */
export type Held = Readonly<{ versionName: string; sha256: string; run?: number }>
/** A version whose tail a run has sent, when, and not in vain. */
export type Tail = Held & Readonly<{ run: number; at: number }>

/** Opens an empty service: a version exists from the moment that the tail arrives, in its order. */
export function openService(world: World, scheduler: Scheduler) {
  const { below, chance, isCalm, now } = scheduler
  const versions: Held[] = []
  const tails: Tail[] = []
  const unfortunate = (p: number) => !isCalm() && chance(p)

  /** The tail is on its way: it arrives whatever becomes of the run. */
  const release = (held: Tail): Sent => {
    const sent: Sent = { answer: 'none yet' }
    const refuses = unfortunate(world.refusal)
    if (!refuses) tails.push(held)
    scheduler.start(below(world.transit), async () => {
      if (!refuses) versions.push(held)
      sent.answer = refuses ? 'refused' : 'published'
    })
    return sent
  }

  /** How a run sends the file with this digest as that version. */
  const open = (run: SimulatedRun, versionName: string, sha256: string): Sender<string> => {
    let tried = 0
    const again = async () => {
      const isRepeated = ++tried < 4
      if (isRepeated) await scheduler.turn(1000)
      return isRepeated
    }
    const startUpload: Sender<string>['startUpload'] = async () => {
      try {
        await run.turn(
          below(unfortunate(world.slowUpload) ? 1_800_000 : world.latency * 4 + world.upload)
        )
        if (unfortunate(world.failure)) return { ...notPublished('reset'), waitToRetry: again }
      } catch (error) {
        return notPublished(error instanceof Error ? error.message : '')
      }
      const idle = now()
      run.held += 1
      return {
        kind: 'held',
        digest: { sha256, size: 5 },
        ended: NEVER,
        finish: () => finish(idle),
        withhold: async cause => {
          run.held -= 1
          return notPublished(cause.message)
        }
      }
    }
    const finish = async (idle: number): Promise<Try<string>> => {
      run.held -= 1
      if (unfortunate(world.kill)) await run.die()
      // The connection is gone when the tail comes, and nobody says so.
      if (now() - idle > SERVER_PATIENCE) return UNKNOWN
      const sent = release({ versionName, sha256, run: run.number, at: now() })
      // What the service will answer, the run may never hear.
      const patience = unfortunate(world.lostServiceAnswer) ? below(6000) : PATIENCE
      if (patience < PATIENCE) run.suffer()
      for (let waited = 0; sent.answer === 'none yet'; waited += 1000) {
        if (waited >= (run.isCancelled() ? 5000 : patience)) return UNKNOWN
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
    return { startUpload, firstContact: () => run.turn(below(world.latency)) }
  }
  /** The digest of each version of that name, in the order of their coming. */
  const digestsOf = (versionName: string) =>
    versions.filter(held => held.versionName === versionName).map(({ sha256 }) => sha256)
  return { versions, tails, open, digestsOf }
}

const NEVER = new AbortController().signal
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
