// Owns what the tests of the memory look at: claims on GitHub, and interruptions at an exact moment.
import type { Matcher } from '../../sandbox/github-faults.ts'
import type { Interruption } from '../support/child.ts'
import type { Shop } from '../support/shop.ts'

/** The requests to GitHub that write, for faults. */
export const CREATE: Matcher = { method: 'POST', path: /\/deployments$/ }
export const RECORD: Matcher = { method: 'POST', path: /\/statuses$/ }

/** The states of every claim, oldest first: one text a claim. */
export function historiesOf({ github }: Shop): string[] {
  return github.deployments.map(({ statuses }) => statuses.map(({ state }) => state).join(' '))
}

/** How many requests that write reached GitHub. */
export function writesOf({ github }: Shop): number {
  return github.requests.filter(({ method }) => method === 'POST').length
}

/** Interrupts a run as soon as the condition holds. */
export function when(
  signal: Interruption['signal'],
  condition: (shop: Shop) => boolean,
  shop: Shop
): { readonly signal: Interruption } {
  return { signal: { signal, after: () => condition(shop) } }
}
