// Asks GitHub again for a while, since its answers may lag behind what has just happened.
import type { GitHub } from '../github/github.ts'

/** How late GitHub may show what has just happened. */
const LAG_MS = 10_000
const PAUSE_MS = 2_000

/** GitHub, which says how late it may be if it is simulated, and the clock of the run. */
export interface Patience {
  readonly api: Pick<GitHub, 'lag'>
  sleep(ms: number): Promise<void>
}

/** Looks until what is seen is enough, for ten seconds at most; returns what was seen last. Throws what `look` throws. */
export async function lookAgain<T>(
  look: () => Promise<T>,
  isEnough: (found: T) => boolean,
  { api, sleep }: Patience
): Promise<T> {
  let found = await look()
  for (let waited = 0; !isEnough(found) && waited < (api.lag ?? LAG_MS); waited += PAUSE_MS) {
    await sleep(PAUSE_MS)
    found = await look()
  }
  return found
}
