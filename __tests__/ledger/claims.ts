// Owns claims for tests: a history in words becomes a claim with statuses.
import type { Claim, Claimant, ClaimState, Status } from '../../src/ledger/ledger.ts'

export const NOW = Date.parse('2026-01-02T03:04:05Z')
/** In seconds. */
export const DEADLINE = 900
export const SHA = 'ab12'.repeat(16)

/** A claim made just now, with statuses of these states, oldest first. */
export function claimOf(id: number, states: string, claimant: Partial<Claimant> = {}): Claim {
  const names = states === '' ? [] : states.split(' ')
  return {
    id,
    createdAt: NOW,
    claimant: {
      nonce: `nonce-${id}`,
      runId: '1001',
      runAttempt: 1,
      job: 'publish',
      commit: 'c0ffee',
      fileName: 'gallery-1.4.2.zip',
      deadline: DEADLINE,
      ...claimant
    },
    statuses: names.map((state, index) => ({
      id: id * 100 + index,
      state,
      description: '',
      environmentUrl: ''
    }))
  }
}

/** The same claim with these statuses, given by state and description. */
export function withStatuses(
  claim: Claim,
  ...statuses: readonly (Pick<Status, 'state' | 'description'> & Partial<Status>)[]
): Claim {
  return {
    ...claim,
    statuses: statuses.map((status, id) => ({ id, environmentUrl: '', ...status }))
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
