// Owns the virtual clock and whose step is next: everything that happens in a simulated world happens here.

// Under Jest, every look at a global is slow.
const { floor, imul, max } = Math
const Later = Promise

/** Small, fast and seeded (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = imul(state ^ (state >>> 15), 1 | state)
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Turn {
  readonly at: number
  resume(): void
}

export interface Scheduler {
  chance(p: number): boolean
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  /** Milliseconds since 1970, by the world's only clock. */
  now(): number
  /** Lets something begin after so many milliseconds. */
  start(ms: number, body: () => Promise<void>): void
  /** Steps back: resolves when the clock has come so far and it is picked. */
  turn(ms: number): Promise<void>
  /** The one who calls this never moves again. */
  vanish(): Promise<never>
  /** Picks one after the other until all have ended or vanished. */
  play(): Promise<void>
  /** From now on nothing goes wrong, and lists are up to date. */
  calmDown(): void
  isCalm(): boolean
}

const START = 1_700_000_000_000

/** Makes a world's scheduler: the same seed gives the same history. Between two steps up to `pace` ms pass. */
export function openScheduler(seed: number, pace: number): Scheduler {
  const next = random(seed)
  const below = (limit: number) => floor(next() * limit)
  const waiting: Turn[] = []
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
    below,
    chance: p => p > 0 && next() < p,
    now: () => clock,
    start: (ms, body) => {
      waiting.push({ at: clock + ms, resume: () => void body().then(proceed) })
    },
    turn: ms =>
      new Later(resume => {
        waiting.push({ at: clock + ms, resume })
        proceed()
      }),
    vanish: () => {
      proceed()
      return new Later(() => {})
    },
    play: () =>
      new Later(resolve => {
        end = resolve
        proceed()
      }),
    calmDown: () => {
      calm = true
    },
    isCalm: () => calm
  }
}
