// Owns the virtual clock and whose step is next: everything that happens in a simulated world happens here.

// Under Jest, every look at a global is slow.
const { floor, imul, max, min } = Math
const { POSITIVE_INFINITY } = Number

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

/** What goes on beside others: a run, which can be killed, or something on its way, which cannot. */
export interface Actor {
  readonly name: string
  readonly mortal: boolean
  alive: boolean
}

interface Turn {
  readonly actor: Actor
  readonly at: number
  resume(): void
}

export interface Scheduler {
  readonly next: () => number
  chance(p: number): boolean
  /** A whole number from 0 to below the limit. */
  below(limit: number): number
  /** Milliseconds since 1970, by the world's only clock. */
  now(): number
  start(name: string, mortal: boolean, body: (actor: Actor) => Promise<void>): Actor
  /** Steps back: resolves when the clock has come so far and the actor is picked, or never. */
  turn(actor: Actor, ms: number): Promise<void>
  /** Picks one actor after the other until all have ended or were killed. */
  play(): Promise<void>
}

/** Called with each mortal actor that is picked, and the number of its pick in this world: true kills it. */
export type Reaper = (actor: Actor, pick: number) => boolean

const START = 1_700_000_000_000

/** Makes a world's scheduler: the same seed gives the same history. */
export function openScheduler(seed: number, reaper: Reaper): Scheduler {
  const next = random(seed)
  const below = (limit: number) => floor(next() * limit)
  const actors = new Set<Actor>()
  let waiting: Turn[] = []
  let clock = START
  let picks = 0
  // One actor moves at a time; it ends its move with a turn, or with its end.
  let moved: () => void = () => undefined

  const pick = (): Turn | undefined => {
    const earliest = waiting.reduce((least, { at }) => min(least, at), POSITIVE_INFINITY)
    clock = max(clock, earliest)
    const ready = waiting.filter(({ at }) => at <= clock)
    const chosen = ready[below(ready.length)]
    waiting = waiting.filter(turn => turn !== chosen)
    clock += below(300)
    return chosen
  }
  const move = (turn: Turn) =>
    new Promise<void>(resolve => {
      moved = resolve
      turn.resume()
    })
  return {
    next,
    below,
    chance: p => next() < p,
    now: () => clock,
    start(name, mortal, body) {
      const actor = { name, mortal, alive: true }
      actors.add(actor)
      waiting.push({
        ...{ actor, at: clock },
        resume: () => {
          void body(actor).finally(() => {
            actors.delete(actor)
            moved()
          })
        }
      })
      return actor
    },
    turn: (actor, ms) =>
      new Promise<void>(resume => {
        waiting.push({ actor, at: clock + ms, resume })
        moved()
      }),
    async play() {
      while (actors.size > 0) {
        const turn = pick()
        if (!turn) throw new Error(`nobody is waiting, and ${actors.size} have not ended`)
        const { actor } = turn
        if (actor.mortal && reaper(actor, picks++)) {
          actor.alive = false
          actors.delete(actor)
        } else await move(turn)
      }
    }
  }
}
