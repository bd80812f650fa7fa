// The misfortunes of one run of a simulated world.
import type { Stopwatch } from '../../src/ledger/ledger.ts'
import type { Scheduler, World } from './world.ts'

/** In milliseconds. */
const LONGEST_SLEEP = 20 * 60_000
/** In milliseconds: while GitHub is missing for less than this, no run gives up recording how its claim ended. */
const SHORT_OUTAGE = 15_000

/** One run of a world, which has no misfortunes once all is calm. */
export class SimulatedRun {
  readonly number: number
  /** How it ended; `stuck` until then. */
  outcome = 'stuck'
  /** How many of its uploads are held: neither finished nor withheld. */
  held = 0
  readonly #world: World
  readonly #scheduler: Scheduler
  readonly #step: () => void
  #cutUntil = 0
  /** Since when no request to GitHub was answered; undefined after one that was. */
  #missingSince: number | undefined
  /** How long its monotonic clock has stopped, in milliseconds. */
  #stopped = 0
  #isCancelled = false
  #isCommitting = false
  #isExcused = false

  /** `step` is called at each of its steps. */
  constructor(number: number, world: World, scheduler: Scheduler, step: () => void) {
    this.number = number
    this.#world = world
    this.#scheduler = scheduler
    this.#step = step
  }

  /** Notes what excuses a doubt once it commits. */
  suffer(): void {
    this.#isExcused ||= this.#isCommitting
  }

  /** Notes that GitHub has answered. */
  hears(): void {
    this.#missingSince = undefined
  }

  /** Notes that a request to GitHub failed, or lost its answer. A long outage excuses a doubt, and no short one does. */
  misses(): void {
    const now = this.#scheduler.now()
    this.#missingSince ??= now
    if (now - this.#missingSince >= SHORT_OUTAGE) this.suffer()
  }

  /** Gives the turn away; rejects when the run is canceled, unless it is recording the end of its claim. */
  async turn(ms: number, isEnding = false): Promise<void> {
    const { below, chance, isCalm, now } = this.#scheduler
    const world = this.#world
    this.#refuseIfCancelled(isEnding)
    if (isCalm()) return await this.#scheduler.turn(ms)

    const slept = chance(world.sleep) ? below(LONGEST_SLEEP) : 0
    if (world.asleep !== 'runs on') this.#stopped += slept
    await this.#scheduler.turn(ms + slept)
    this.#step()

    if (slept > 0) this.suffer()
    // It does not know that its deadline has passed until it has asked GitHub.
    this.#isExcused ||= slept > 0 && world.asleep === 'is lost'
    if (chance(world.kill)) await this.die()
    if (chance(world.cut)) this.#cutUntil = now() + below(60_000)
    if (chance(world.cancel)) {
      this.#isCancelled = true
      this.suffer()
    }
    this.#refuseIfCancelled(isEnding)
  }

  /** Ends it at once. */
  die(): Promise<never> {
    this.suffer()
    this.outcome = 'killed'
    return this.#scheduler.vanish()
  }

  /** Whether it is cut off from GitHub. */
  isCutOff(): boolean {
    return this.#scheduler.now() < this.#cutUntil
  }

  isCancelled(): boolean {
    return this.#isCancelled
  }

  stopwatch(): Stopwatch {
    const { below, chance, isCalm, now } = this.#scheduler
    const start = now()
    const before = this.#stopped
    const atLeast = () => now() - start - (this.#stopped - before)

    // A clock may be set while it is read: then it says too much, or nothing of a sleep.
    const error = !isCalm() && chance(0.01) ? below(60_000) : 0
    const isSleepLost = this.#world.asleep === 'is lost'
    const atMost = () => (isSleepLost ? atLeast() : now() - start + error)
    return { atLeast, atMost }
  }

  /** Notes that its `in_progress` is asked for. */
  commits(): void {
    this.#isCommitting = true
  }

  /** Whether anything befell it, from its `in_progress` on, that may leave a version in doubt. */
  isExcused(): boolean {
    return this.#isExcused
  }

  #refuseIfCancelled(isEnding: boolean): void {
    if (this.#isCancelled && !isEnding) throw new Error('cancelled')
  }
}
