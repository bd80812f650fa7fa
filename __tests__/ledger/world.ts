// Owns what a simulated world is made of, and the sampling of worlds.
import { random } from './scheduler.ts'

/** One blow at an exact place, for going through all places one after another. */
export interface Blow {
  readonly kind: 'kill' | 'failure' | 'lost answer'
  /** So many requests to GitHub come before it. */
  readonly at: number
}

export interface World {
  readonly seed: number
  readonly runs: number
  /** Runs on one commit; jobs of one attempt, each with a file of its own; attempts of one run. */
  readonly kind: 'runs' | 'jobs' | 'attempts'
  /** The runs begin within so many milliseconds. */
  readonly spread: number
  /** How long a request to GitHub takes at most. */
  readonly latency: number
  /** Up to so many milliseconds until something written shows … */
  readonly lag: number
  /**
   * … to all at once, the writer included; or to each reader at a time of its own, and to the writer at
   * once; or at each read anew, so that what a reader has seen may be gone at its next read.
   */
  readonly sight: 'together' | 'each' | 'flickering'
  /** How long the runs wait for what others may not see yet. */
  readonly wait: number
  /** Chance that a run is killed at a step, that it is cancelled, or cut off from GitHub for up to a minute. */
  readonly kill: number
  readonly cancel: number
  readonly cut: number
  /** Chance that a run's machine sleeps at a step, for up to 20 minutes. */
  readonly sleep: number
  /** Chances that a request to GitHub fails, or loses its answer. */
  readonly failure: number
  readonly lostAnswer: number
  /** Of the requests whose answer is lost, those that have their effect later, up to a minute. */
  readonly lateEffect: number
  /** Chance at a step that another tool marks a deployment `inactive`. */
  readonly meddling: number
  /** A person settles what is in doubt while others run, and runs the job again. */
  readonly person: boolean
  /** With a missing permission, it is published without the memory. */
  readonly auto: boolean
  /** Chances that an upload takes longer than the claim allows, that the service refuses, or that its answer is lost. */
  readonly slowUpload: number
  readonly refusal: number
  readonly lostServiceAnswer: number
  readonly blow?: Blow
}

/** What GitHub is assumed to keep, in milliseconds: what it shows to one, it then shows to all. */
export const BOUND = 6000

/** A world without misfortunes. */
export const CALM: World = {
  seed: 1,
  runs: 2,
  kind: 'runs',
  spread: 0,
  latency: 500,
  lag: 0,
  sight: 'together',
  wait: BOUND,
  kill: 0,
  cancel: 0,
  cut: 0,
  sleep: 0,
  failure: 0,
  lostAnswer: 0,
  lateEffect: 0,
  meddling: 0,
  person: false,
  auto: false,
  slowUpload: 0,
  refusal: 0,
  lostServiceAnswer: 0
}

/** The world of a seed: how much of what goes wrong in it is drawn, too, so that some worlds are nearly calm. */
export function sample(seed: number): World {
  const next = random(seed ^ 0x5eed)
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(next() * choices.length)] ?? choices[0]
  const sight = pick<World['sight']>('together', 'each', 'each', 'flickering')
  return {
    ...CALM,
    seed,
    sight,
    runs: pick(2, 2, 2, 3, 4),
    kind: pick<World['kind']>('runs', 'jobs', 'attempts', 'attempts'),
    spread: pick(0, 500, 3000, 12_000, 60_000),
    latency: pick(30, 200, 1000),
    lag: sight === 'together' ? pick(0, 5000, 40_000) : pick(300, 2000, BOUND),
    kill: pick(0, 0, 0.01, 0.03),
    cancel: pick(0, 0, 0, 0.02),
    cut: pick(0, 0, 0, 0.03),
    sleep: pick(0, 0, 0, 0.03),
    failure: pick(0, 0, 0.01, 0.05),
    lostAnswer: pick(0, 0, 0.01, 0.05),
    lateEffect: pick(0, 0.5),
    meddling: pick(0, 0, 0.04),
    person: pick(false, false, true),
    auto: pick(false, false, true),
    slowUpload: pick(0, 0, 0.2),
    refusal: pick(0, 0, 0.3),
    lostServiceAnswer: pick(0, 0, 0.3)
  }
}
