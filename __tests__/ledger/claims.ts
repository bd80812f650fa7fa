// Owns claims for tests: a history in words becomes a claim with statuses.
import type { Claim, Claimant, ClaimState } from '../../src/ledger/ledger.ts'

export const NOW = Date.parse('2026-01-02T03:04:05Z')
/** In seconds. */
export const DEADLINE = 900
/** What an app writes on every deployment. */
export const DEPLOYED = 'Deployed to staging'
export const SMOKED = 'Smoke test failed'
export const SHA = 'ab12'.repeat(16)

/** What an app writes, by words for it in place of a state. */
const OF_APPS: Readonly<Record<string, Readonly<{ state: string; description: string }>>> = {
  deployed: { state: 'success', description: DEPLOYED },
  smoked: { state: 'failure', description: SMOKED }
}

/** A claim made just now, with statuses of these states, or of apps, oldest first. */
export function claimOf(id: number, states: string, over: Partial<Claimant> = {}): Claim {
  const own = { runId: '1001', runAttempt: 1, job: 'publish', commit: 'c0ffee', deadline: DEADLINE }
  const names = states.split(' ').filter(Boolean)
  return {
    id,
    createdAt: NOW,
    versionName: '1.4.2',
    tag: 'v1.4.2',
    claimant: {
      nonce: `nonce-${id}`,
      title: 'Gallery 1.4.2',
      fileName: 'gallery-1.4.2.zip',
      ...own,
      ...over
    },
    statuses: names.map((state, index) => {
      const told = OF_APPS[state] ?? { state, description: '' }
      return { id: id * 100 + index, ...told, environmentUrl: '' }
    })
  }
}

/** Histories that mean a state, as long as the deadline has not passed. */
export const WHEN: Readonly<Record<string, readonly string[]>> = {
  published: ['in_progress success', 'in_progress success inactive'],
  'in doubt': ['in_progress error', 'in_progress error inactive'],
  committed: ['in_progress'],
  claimed: [''],
  over: ['in_progress failure', 'inactive', 'failure']
} satisfies Record<ClaimState, readonly string[]>
