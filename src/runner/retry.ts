// Tries again what throws, and looks again for what is not there yet: how often, and after which pauses. The tries of an
// upload are counted in `shop-sender.ts`: there, the answer decides whether another try may follow.

/** When a failed try is repeated, and how often. */
export interface RetryPolicy {
  /**
   * The pause in milliseconds after a try that failed; undefined to give up. `tried`: the tries so far, from 1. A policy
   * that logs the wait does so here.
   */
  pauseAfter(error: unknown, tried: number): number | undefined
  /** Rejects to give up: in a run that is canceled, say. */
  sleep(ms: number): Promise<void>
}

/** Tries until it succeeds, or until the policy gives up: then throws the last error, or what `sleep` rejected with. */
export async function retry<T>(
  attempt: () => Promise<T>,
  { pauseAfter, sleep }: RetryPolicy
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      const pause = pauseAfter(error, tried)
      if (pause === undefined) throw error
      await sleep(pause)
    }
  }
}

/** How often to look for something that comes by itself. */
export interface PollPolicy {
  /** The pause in milliseconds before the next look; undefined to give up. `looked`: the looks so far, from 1. */
  pauseAfter(looked: number): number | undefined
  sleep(ms: number): Promise<void>
}

/** Looks until there is something to return; undefined when the policy gives up. Throws what a look throws. */
export async function poll<T>(
  look: () => Promise<T | undefined>,
  { pauseAfter, sleep }: PollPolicy
): Promise<T | undefined> {
  for (let looked = 1; ; looked++) {
    const found = await look()
    if (found !== undefined) return found

    const pause = pauseAfter(looked)
    if (pause === undefined) return undefined
    await sleep(pause)
  }
}

/**
 * A pause that grows with each try, in milliseconds.
 * @param first The first one.
 * @param factor By which it grows.
 * @param most It grows no longer than this.
 * @param tried How many tries there were, from 1.
 */
export function growing(first: number, factor: number, most: number, tried: number): number {
  return Math.min(first * factor ** (tried - 1), most)
}
