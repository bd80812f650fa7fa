/** Owns how late GitHub's lists are: from which request on a new deployment shows. */

export interface Lag {
  /** A list knows a deployment only after so many further requests. */
  readonly requests: number
  /** `ordered`: in the order of creation; `shuffled`: each after a number of its own, up to that. */
  readonly mode: 'ordered' | 'shuffled'
  readonly seed: number
}

/** The first request that sees what was created in request number `now`. */
export type Sight = (now: number, previous: number) => number

/** Makes the rule of a lag; the same seed gives the same order. */
export function sightOf({ requests, mode, seed }: Lag): Sight {
  const random = randomOf(seed)
  return (now, previous) => {
    if (mode === 'ordered') return Math.max(previous, now + 1 + requests)
    return now + 1 + Math.floor(random() * (requests + 1))
  }
}

// Mulberry32: https://github.com/cprosche/mulberry32
function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
