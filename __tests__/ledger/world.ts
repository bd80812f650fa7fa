// Owns what a simulated world is made of, the sampling of worlds, and whose step is next on their virtual clock.

// Under Jest, every look at a global is slow.
const { floor, imul, max } = Math
const Later = Promise

/** Small, fast and seeded (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = imul(state ^ (state >>> 15), 1 | state)
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** What GitHub is assumed to keep, in milliseconds: what it shows to one, it then shows to all. */
export const BOUND = 6000

type Pick = <T>(...choices: readonly [T, ...T[]]) => T

/** How much of what goes wrong is drawn, too, so that some worlds are nearly calm. Times are in milliseconds. */
function make(seed: number, pick: Pick) {
  /**
   * What is written shows to all at once, the writer included; first to nobody, then to each reader at a time of its
   * own; to each at a time of its own, and to the writer at once; or at each read anew, so that it may be gone again.
   */
  const sights = ['together', 'staggered', 'each', 'each', 'flickering'] as const
  const sight = pick<(typeof sights)[number]>(...sights)
  const isHidden = sight === 'together' || sight === 'staggered'
  const chance = (...choices: readonly [number, ...number[]]): number => pick(...choices)
  return {
    ...{ seed, sight, runs: chance(2, 2, 2, 3, 4) },
    /** Runs on one commit; jobs of one attempt, each with a file of its own; attempts of one run. */
    kind: pick<'runs' | 'jobs' | 'attempts'>('runs', 'jobs', 'attempts', 'attempts'),
    /** The runs begin within this time. */
    spread: chance(0, 500, 3000, 12_000, 60_000),
    /** How long a request to GitHub takes at most. */
    latency: chance(30, 200, 1000),
    /** How long it takes at most until something written shows, and how long the runs wait for that. */
    lag: isHidden ? chance(0, 5000, 40_000) : chance(300, 2000, BOUND),
    wait: BOUND,
    /** A run takes its `in_progress` for shown as soon as GitHub has answered: not what the real one does. */
    trusting: false as boolean,
    /** Chances at a step: a run is killed, cancelled, cut off from GitHub, or its machine sleeps. */
    kill: chance(0, 0, 0.01, 0.03),
    cancel: chance(0, 0, 0, 0.02),
    cut: chance(0, 0, 0, 0.03),
    sleep: chance(0, 0, 0, 0.03),
    /** Chances that a request to GitHub fails, or loses its answer; and has its effect later then. */
    failure: chance(0, 0, 0.01, 0.05),
    lostAnswer: chance(0, 0, 0.01, 0.05),
    lateEffect: chance(0, 0.5),
    /** Chance at a step that another tool marks a deployment `inactive`. */
    meddling: chance(0, 0, 0.04),
    /** A person looks, and marks what is in doubt, while others run. */
    person: pick<boolean>(false, false, true),
    /** Chances that an upload outlasts the claim, that the service refuses, or that its answer is lost. */
    slowUpload: chance(0, 0, 0.2),
    refusal: chance(0, 0, 0.3),
    lostServiceAnswer: chance(0, 0, 0.3),
    /** How far the `Date` of an answer may be off, either way: each of GitHub's nodes has its own clock. */
    skew: chance(0, 0, 2000, 60_000),
    /** While a machine sleeps, its monotonic clock runs on, or stops; then the other clock may be set back, too. */
    asleep: pick<'runs on' | 'stops' | 'is lost'>('runs on', 'stops', 'is lost'),
    /** Somebody uploads a version by hand while others run, and says so. */
    settler: pick<boolean>(false, false, true),
    /** The runs publish two versions of one product, the lower of which must not come last. */
    versions: chance(1, 1, 2),
    /** How long an upload takes at most, beside four times the latency. */
    upload: chance(0, 0, 20_000),
    /** How long the tail is on its way to the service at most. */
    transit: chance(3000, 3000, 45_000),
    /** Chance that a request to GitHub takes up to half a minute. */
    slowRequest: chance(0, 0, 0.03),
    /** Chance at a step that an app marks a deployment as a success, or as a failure. */
    app: chance(0, 0, 0, 0.03),
    /** Chance that a person pastes "not published" by a slip, starts a run, and then pastes "published". */
    slip: chance(0, 0, 0, 0.5)
  }
}

/** One blow at an exact place, after so many requests to GitHub: for going through all places. */
export interface Blow {
  readonly kind: 'kill' | 'failure' | 'lost answer'
  readonly at: number
}

export type World = Readonly<ReturnType<typeof make>> & { readonly blow?: Blow }

/** A world without misfortunes. */
export const CALM: World = { ...make(1, first => first), latency: 500 }

/** The world of a seed. */
export function sample(seed: number): World {
  const next = random(seed ^ 0x5eed)
  return make(seed, (...choices) => choices[floor(next() * choices.length)] ?? choices[0])
}

const START = 1_700_000_000_000

export type Scheduler = Readonly<ReturnType<typeof openScheduler>>

/** Makes a world's scheduler: the same seed gives the same history. Between two steps up to `pace` ms pass. */
export function openScheduler(seed: number, pace: number) {
  const next = random(seed)
  const below = (limit: number) => floor(next() * limit)
  const waiting: { readonly at: number; resume(): void }[] = []
  let clock = START
  let end = () => {}
  let calm = false

  /** One moves at a time: it ends its move with a turn, with its end, or by vanishing. */
  const proceed = () => {
    let [earliest] = waiting
    if (!earliest) return end()
    for (const turn of waiting) if (turn.at < earliest.at) earliest = turn
    clock = max(clock, earliest.at)
    let ready = 0
    for (const turn of waiting) if (turn.at <= clock) ready++
    let left = below(ready)
    const at = waiting.findIndex(turn => turn.at <= clock && left-- === 0)
    const [chosen] = waiting.splice(at, 1)
    clock += below(pace)
    chosen?.resume()
  }
  return {
    /** A whole number from 0 to below the limit. */
    below,
    chance: (p: number) => p > 0 && next() < p,
    /** Milliseconds since 1970, by the world's only clock. */
    now: () => clock,
    /** Lets something begin after so many milliseconds. */
    start: (ms: number, body: () => Promise<void>) => {
      waiting.push({ at: clock + ms, resume: () => void body().then(proceed) })
    },
    /** Steps back: resolves when the clock has come so far and it is picked. */
    turn: (ms: number) =>
      new Later<void>(resume => {
        waiting.push({ at: clock + ms, resume })
        proceed()
      }),
    /** The one who calls this never moves again. */
    vanish: () => {
      proceed()
      return new Later<never>(() => {})
    },
    /** Picks one after the other until all have ended or vanished. */
    play: () =>
      new Later<void>(resolve => {
        end = resolve
        proceed()
      }),
    /** From now on nothing goes wrong, and lists are up to date. */
    calmDown: () => {
      calm = true
    },
    isCalm: () => calm
  }
}
