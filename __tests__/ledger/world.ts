// The misfortunes of a simulated world, the sampling of worlds, and whose step is next on their virtual clock.

/** Small, fast and seeded (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** GitHub's assumed limit, in milliseconds: what it shows to one, it shows to all after that. */
export const BOUND = 6000

/**
 * When something that was written shows. `together`: to all at once, the writer included. `staggered`: first to nobody,
 * then to each reader at a time of its own. `each`: to each at a time of its own, and to the writer at once.
 * `flickering`: decided anew at each read, so that it may be gone again.
 */
export type Sight = 'together' | 'staggered' | 'each' | 'flickering'

/** One blow at an exact place, after so many requests to GitHub: for going through all places. */
export interface Blow {
  readonly kind: 'kill' | 'failure' | 'lost answer'
  readonly at: number
}

/** Everything that a world is made of. Times are in milliseconds, chances from 0 to 1. */
export interface World {
  readonly seed: number
  readonly sight: Sight
  /** How many runs there are. */
  readonly runs: number
  /**
   * Runs on one commit; jobs of one attempt, each with a file of its own; attempts of one run; steps of one job that run
   * side by side, so that nothing tells them apart but their claims.
   */
  readonly kind: 'runs' | 'jobs' | 'attempts' | 'steps'
  /** The runs begin within this time. */
  readonly spread: number
  /** How long a request to GitHub takes at most. */
  readonly latency: number
  /** How long it takes at most until something written shows. */
  readonly lag: number
  /** How long the runs wait for that; undefined for as long as at the real GitHub. */
  readonly wait: number | undefined
  /** A run takes its `in_progress` for shown as soon as GitHub has answered: not what the real one does. */
  readonly trusting: boolean
  /** Chance at a step that a run is killed. */
  readonly kill: number
  /** Chance at a step that it is canceled. */
  readonly cancel: number
  /** Chance at a step that it is cut off from GitHub. */
  readonly cut: number
  /** Chance at a step that its machine sleeps. */
  readonly sleep: number
  /** Chance that a request to GitHub fails. */
  readonly failure: number
  /** Chance that its answer is lost. */
  readonly lostAnswer: number
  /** Chance that a request whose answer is lost has its effect later. */
  readonly lateEffect: number
  /** Chance at a step that another tool marks a deployment as an `error`. */
  readonly meddling: number
  /** A person looks, and marks what is in doubt, while others run. */
  readonly person: boolean
  /** Chance that an upload outlasts the claim. */
  readonly slowUpload: number
  /** Chance that the service refuses. */
  readonly refusal: number
  /** Chance that the service's answer is lost. */
  readonly lostServiceAnswer: number
  /** How far the `Date` of an answer may be off, before or after: each of GitHub's nodes has its own clock. */
  readonly skew: number
  /** While a machine sleeps, its monotonic clock runs on, or stops; then the other clock may be set back, too. */
  readonly asleep: 'runs on' | 'stops' | 'is lost'
  /** Somebody uploads a version by hand while others run, and says so. */
  readonly uploader: boolean
  /** How many versions of one product the runs publish: of two, the lower one must not come last. */
  readonly versions: number
  /** How long an upload takes at most, in addition to four times the latency. */
  readonly upload: number
  /** How long the tail is on its way to the service at most. */
  readonly transit: number
  /** Chance that a request to GitHub takes up to half a minute. */
  readonly slowRequest: number
  /** Chance at a step that an app marks a deployment as a success, and as a failure. */
  readonly app: number
  /** Chance that a person pastes "not published" by a slip, starts a run, and then pastes "published". */
  readonly slip: number
  readonly blow?: Blow
}

/** Chooses one of these. */
type Pick = <T>(...choices: readonly [T, ...T[]]) => T

/**
 * Makes a world by choices, in an order that must stay as it is: a seed stands for its choices one after another. How
 * much of what goes wrong is chosen, too, so that some worlds are nearly calm.
 */
function make(seed: number, pick: Pick): World {
  const sight = pick<Sight>('together', 'staggered', 'each', 'each', 'flickering')
  const isHidden = sight === 'together' || sight === 'staggered'
  const chance = (...choices: readonly [number, ...number[]]): number => pick(...choices)
  return {
    seed,
    sight,
    runs: chance(2, 2, 2, 3, 4),
    kind: pick<World['kind']>('runs', 'jobs', 'attempts', 'attempts', 'steps', 'steps'),
    spread: chance(0, 500, 3000, 12_000, 60_000),
    latency: chance(30, 200, 1000),
    lag: isHidden ? chance(0, 5000, 40_000) : chance(300, 2000, BOUND),
    wait: BOUND,
    trusting: false,
    kill: chance(0, 0, 0.01, 0.03),
    cancel: chance(0, 0, 0, 0.02),
    cut: chance(0, 0, 0, 0.03),
    sleep: chance(0, 0, 0, 0.03),
    failure: chance(0, 0, 0.01, 0.05),
    lostAnswer: chance(0, 0, 0.01, 0.05),
    lateEffect: chance(0, 0.5),
    meddling: chance(0, 0, 0.04),
    person: pick<boolean>(false, false, true),
    slowUpload: chance(0, 0, 0.2),
    refusal: chance(0, 0, 0.3),
    lostServiceAnswer: chance(0, 0, 0.3),
    skew: chance(0, 0, 2000, 60_000),
    asleep: pick<World['asleep']>('runs on', 'stops', 'is lost'),
    uploader: pick<boolean>(false, false, true),
    versions: chance(1, 1, 2),
    upload: chance(0, 0, 20_000),
    transit: chance(3000, 3000, 45_000),
    slowRequest: chance(0, 0, 0.03),
    app: chance(0, 0, 0, 0.03),
    slip: chance(0, 0, 0, 0.5)
  }
}

/** A world without misfortunes. */
export const CALM: World = { ...make(1, first => first), latency: 500 }

/** The world of a seed. */
export function sample(seed: number): World {
  const next = random(seed ^ 0x5eed)
  return make(seed, (...choices) => choices[Math.floor(next() * choices.length)] ?? choices[0])
}

/** Milliseconds since 1970: when every world begins. */
export const START = 1_700_000_000_000

/** Says whose step is next on a world's clock. One moves at a time: until its next turn, its end, or its vanishing. */
export interface Scheduler {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  /** True with that probability. */
  chance(p: number): boolean
  /** Milliseconds since 1970, by the world's only clock. */
  now(): number
  /** Lets something begin after so many milliseconds. */
  start(ms: number, body: () => Promise<void>): void
  /** Gives the turn away; resolves when the clock has come so far and it is picked. */
  turn(ms: number): Promise<void>
  /** The caller never moves again. */
  vanish(): Promise<never>
  /** Picks one after the other until all have ended or vanished. */
  play(): Promise<void>
  /** From now on nothing goes wrong, and lists are up to date. */
  calmDown(): void
  isCalm(): boolean
}

/** Something that waits for its turn. */
interface Turn {
  /** Its turn is not before that time. */
  readonly at: number
  resume(): void
}

/** Makes a world's scheduler: the same seed gives the same history. Between two steps up to `pace` ms pass. */
export function openScheduler(seed: number, pace: number): Scheduler {
  const next = random(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const waiting: Turn[] = []
  let clock = START
  let end = () => {}
  let calm = false

  const proceed = () => {
    // If nobody is ready, the clock goes on to the earliest turn.
    let earliest = waiting[0]
    if (!earliest) return end()
    for (const turn of waiting) {
      if (turn.at < earliest.at) earliest = turn
    }
    clock = Math.max(clock, earliest.at)

    // One of those that are ready is picked.
    let ready = 0
    for (const turn of waiting) {
      if (turn.at <= clock) ready++
    }
    let left = below(ready)
    const at = waiting.findIndex(turn => turn.at <= clock && left-- === 0)
    const [chosen] = waiting.splice(at, 1)

    clock += below(pace)
    chosen?.resume()
  }

  return {
    below,
    chance: p => p > 0 && next() < p,
    now: () => clock,
    start: (ms, body) => {
      waiting.push({ at: clock + ms, resume: () => void body().then(proceed) })
    },
    turn: ms =>
      new Promise<void>(resume => {
        waiting.push({ at: clock + ms, resume })
        proceed()
      }),
    vanish: () => {
      proceed()
      return new Promise<never>(() => {})
    },
    play: () =>
      new Promise<void>(resolve => {
        end = resolve
        proceed()
      }),
    calmDown: () => {
      calm = true
    },
    isCalm: () => calm
  }
}
