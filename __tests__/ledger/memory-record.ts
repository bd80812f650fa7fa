// A record in memory, whose clock stands still but for sleeping.
import type { Deployments } from '../../src/ledger/deployments.ts'
import type { Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'
import type { Steps } from '../../src/ledger/snapshot.ts'

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

/** A claim with its statuses, oldest first. */
interface StoredClaim extends ListedClaim {
  readonly statuses: Status[]
}

/** A test may change whose run it is. */
interface RecordSteps extends Steps {
  claimant: Claimant
}

/** A record in memory, and what a run needs to work with it. */
export interface MemoryRecord {
  readonly steps: RecordSteps
  /** Every claim, oldest first. */
  readonly claims: readonly StoredClaim[]
  /** Each write: `create`, or such as `10 success`. */
  readonly calls: string[]
  /** Adds a status to any claim. */
  add(id: number, state: string, description: string): void
  /** Adds another run's claim on the version, with statuses of these states, oldest first; returns its id. */
  addClaim(states: string, over?: Partial<Claimant>): number
  /** Moves the clock on, by milliseconds. */
  pass(ms: number): Promise<void>
  /** How long ago the record was opened, in milliseconds. */
  since(): number
}

/** Opens an empty record; `meanwhile` is called at each look, with its number from 1 on. */
export function openRecord(meanwhile: (look: number) => void = () => undefined): MemoryRecord {
  let now = START
  let looks = 0
  const claims: StoredClaim[] = []
  const calls: string[] = []

  const add: MemoryRecord['add'] = (id, state, description) => {
    const claim = claims.find(it => it.id === id)
    claim?.statuses.push({
      id: claim.statuses.length,
      state,
      description,
      createdAt: now
    })
  }
  const create = (versionName: string, tag: string, claimant: Claimant) => {
    const id = 10 + claims.length
    claims.push({
      id,
      createdAt: now,
      versionName,
      tag,
      claimant,
      statuses: []
    })
    return id
  }
  const addClaim: MemoryRecord['addClaim'] = (states, over = {}) => {
    const id = create('1.0', 'v1.0', { ...CLAIMANT, runId: '2', ...over })
    for (const state of states.split(' ').filter(Boolean)) {
      add(id, state, `publish-version: ${state}`)
    }
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

  const pass = async (ms: number) => {
    now += ms
  }
  const steps: Steps = {
    deployments,
    versionName: '1.0',
    tag: 'v1.0',
    claimant: CLAIMANT,
    stopwatch: () => {
      const start = now
      return { atLeast: () => now - start, atMost: () => now - start }
    },
    sleep: pass,
    settlingPause: pass,
    log: () => undefined
  }
  return {
    steps,
    claims,
    calls,
    add,
    addClaim,
    pass,
    since: () => now - START
  }
}
