// A record in memory, whose clock only sleeping moves.
import type { Deployments } from '../../src/ledger/deployments.ts'
import type { Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'

export const START = Date.parse('2026-01-02T03:04:05Z')
export const CLAIMANT: Claimant = {
  runId: '1',
  runAttempt: 1,
  job: 'a',
  commit: '',
  title: '',
  fileName: '',
  filePath: ''
}
export const DIGEST = { sha256: 'ab12'.repeat(16), size: 5 }

/** A record in memory, on a clock that only sleeping moves; `meanwhile` is called at each look. */
export function openRecord(meanwhile: (look: number) => void = () => undefined) {
  let now = START
  let looks = 0
  const claims: (ListedClaim & { statuses: Status[] })[] = []
  const calls: string[] = []
  const add = (id: number, state: string, description: string) => {
    const claim = claims.find(it => it.id === id)
    claim?.statuses.push({ id: claim.statuses.length, state, description, createdAt: now })
  }
  const create = (versionName: string, tag: string, claimant: Claimant) => {
    const id = 10 + claims.length
    claims.push({ id, createdAt: now, versionName, tag, claimant, statuses: [] })
    return id
  }
  const deployments: Deployments = {
    list: async () => {
      meanwhile(++looks)
      return { claims: claims.map(({ statuses: _, ...claim }) => claim), now }
    },
    history: async id => {
      const claim = claims.find(it => it.id === id)
      return claim && { statuses: [...claim.statuses], now }
    },
    create: async (versionName, tag, claimant) => {
      calls.push('create')
      return create(versionName, tag, claimant)
    },
    record: async (id, state, description) => {
      calls.push(`${id} ${state}`)
      add(id, state, description)
    }
  }
  /** Another run's claim on the version, with statuses of these states, oldest first. */
  const addClaim = (states: string, over: Partial<Claimant> = {}) => {
    const id = create('1.0', 'v1.0', { ...CLAIMANT, runId: '2', ...over })
    for (const state of states.split(' ').filter(Boolean))
      add(id, state, `publish-version: ${state}`)
    return id
  }
  const pass = async (ms: number) => {
    now += ms
  }
  const stopwatch = () => {
    const start = now
    return { atLeast: () => now - start, atMost: () => now - start }
  }
  const steps = {
    ...{ deployments, versionName: '1.0', tag: 'v1.0', claimant: CLAIMANT, stopwatch },
    ...{ sleep: pass, settlingPause: pass, log: () => undefined }
  }
  return { steps, claims, calls, add, addClaim, pass, since: () => now - START }
}

export type MemoryRecord = ReturnType<typeof openRecord>
