// Owns what a simulated world is made of, and the sampling of worlds.
import { random } from './scheduler.ts'

/** One blow at an exact place, for going through all places one after another. */
export interface Blow {
  readonly kind: 'kill' | 'failure' | 'lost answer'
  /** Kills: so many picks of runs before it. The others: so many requests to GitHub. */
  readonly at: number
}

export interface World {
  readonly seed: number
  readonly runs: number
  /** Whether the runs are jobs of one attempt, each with a file of its own; else they are runs on one commit. */
  readonly oneAttempt: boolean
  /** Up to so many requests until something written shows: deployments and statuses alike. */
  readonly lag: number
  /** Whether what was written first also shows first. */
  readonly lagInOrder: boolean
  /** Chance that a run is killed at a step. */
  readonly kill: number
  /** Chances that a request to GitHub fails, or loses its answer. */
  readonly failure: number
  readonly lostAnswer: number
  /** Of the requests whose answer is lost, those that have their effect later, up to a minute. */
  readonly lateEffect: number
  /** Chance at a step that another tool marks a deployment `inactive`. */
  readonly meddling: number
  /** Chances that an upload takes longer than the claim allows, that the service refuses, or that its answer is lost. */
  readonly slowUpload: number
  readonly refusal: number
  readonly lostServiceAnswer: number
  readonly blow?: Blow
  /** Leaves out a part of step 5, to show that the simulation finds what it looks for. */
  readonly without?: 'last look' | 'own status shown'
}

/** A world without misfortunes. */
export const CALM: World = {
  seed: 1,
  runs: 2,
  oneAttempt: false,
  lag: 0,
  lagInOrder: true,
  kill: 0,
  failure: 0,
  lostAnswer: 0,
  lateEffect: 0,
  meddling: 0,
  slowUpload: 0,
  refusal: 0,
  lostServiceAnswer: 0
}

/** The world of a seed: how much of what goes wrong in it is drawn, too, so that some worlds are nearly calm. */
export function sample(seed: number): World {
  const next = random(seed ^ 0x5eed)
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(next() * choices.length)] ?? choices[0]
  return {
    seed,
    runs: pick(2, 2, 3, 3, 4, 5),
    oneAttempt: pick(false, true),
    lag: pick(0, 2, 8, 20, 40),
    lagInOrder: pick(true, false),
    kill: pick(0, 0, 0.01, 0.03),
    failure: pick(0, 0, 0.01, 0.05),
    lostAnswer: pick(0, 0, 0.01, 0.05),
    lateEffect: pick(0, 0.5),
    meddling: pick(0, 0, 0.02),
    slowUpload: pick(0, 0, 0.2),
    refusal: pick(0, 0, 0.3),
    lostServiceAnswer: pick(0, 0, 0.3)
  }
}
