// Owns what befalls one run of a simulated world: it is killed, cancelled, cut off, or its machine sleeps.
import type { Scheduler } from './scheduler.ts'
import type { World } from './world.ts'

export interface SimulatedRun {
  readonly number: number
  outcome: string
  hasClaimed: boolean
  /** Steps back; rejects when the run is cancelled, unless it settles its claim. */
  turn(ms: number, settles?: boolean): Promise<void>
  die(): Promise<never>
  isCutOff(): boolean
  isCancelled(): boolean
  stopwatch(): () => number
  /** Its `in_progress` is asked for. */
  commits(): void
  /** A request of its failed or lost its answer. */
  suffer(): void
  /** Whether it met what may leave a version in doubt: from its `in_progress` on, it did not go its way. */
  isExcused(): boolean
}

const LONGEST_SLEEP = 20 * 60_000

/** Lets nothing befall a run once all is calm; `step` is called at each of its steps. */
export function openRun(
  number: number,
  world: World,
  { chance, below, now, isCalm, ...scheduler }: Scheduler,
  step: () => void
): SimulatedRun {
  let cutUntil = 0
  let cancelled = false
  let committing = false
  let excused = false
  const suffer = () => {
    excused ||= committing
  }
  const demand = (settles: boolean) => {
    if (cancelled && !settles) throw new Error('cancelled')
  }
  const run: SimulatedRun = {
    number,
    outcome: 'stuck',
    hasClaimed: false,
    async turn(ms, settles = false) {
      demand(settles)
      if (isCalm()) return await scheduler.turn(ms)
      const sleeps = chance(world.sleep)
      await scheduler.turn(sleeps ? ms + below(LONGEST_SLEEP) : ms)
      step()
      if (sleeps) suffer()
      if (chance(world.kill)) await run.die()
      if (chance(world.cut)) cutUntil = now() + below(60_000)
      if (chance(world.cancel)) {
        cancelled = true
        suffer()
      }
      demand(settles)
    },
    die() {
      suffer()
      run.outcome = 'killed'
      return scheduler.vanish()
    },
    isCutOff: () => now() < cutUntil,
    isCancelled: () => cancelled,
    stopwatch: () => {
      const start = now()
      // A clock may be set while it is read: then it says too much.
      const error = !isCalm() && chance(0.01) ? below(60_000) : 0
      return () => now() - start + error
    },
    commits: () => {
      committing = true
    },
    suffer,
    isExcused: () => excused
  }
  return run
}
