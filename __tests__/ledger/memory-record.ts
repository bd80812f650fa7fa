// A record in memory, whose clock stands still but for sleeping.
import type { Deployments } from '../../src/ledger/deployments.ts'
import type { Ledger, Stopwatch } from '../../src/ledger/ledger.ts'
import type { Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'

export const START = Date.parse('2026-01-02T03:04:05Z')
export const CLAIMANT: Claimant = {
  runId: '1',
  runAttempt: 1,
  job: 'a',
  commit: '',
  title: '',
  fileName: '',
  filePath: '',
  sha256: ''
}
export const DIGEST = { sha256: 'ab12'.repeat(16), size: 5 }

/** A claim with its statuses, oldest first. */
interface StoredClaim extends ListedClaim {
  readonly statuses: Status[]
}

/** A test may change whose run it is. */
interface MemoryLedger extends Ledger {
  claimant: Claimant
}

/** A record in memory, and its ledger, for a run that works with it. */
export class MemoryRecord {
  /** The view of a run of the version `1.0`. */
  readonly ledger: MemoryLedger
  /** Each write: `create`, or such as `10 success`. */
  readonly calls: string[] = []
  readonly #claims: StoredClaim[] = []
  readonly #meanwhile: (look: number) => void
  #now = START
  #looks = 0

  /** `openRecord` makes it. */
  constructor(meanwhile: (look: number) => void) {
    this.#meanwhile = meanwhile
    this.ledger = {
      deployments: this.#openDeployments(),
      versionName: '1.0',
      tag: 'v1.0',
      claimant: CLAIMANT,
      stopwatch: () => this.#startStopwatch(),
      sleep: ms => this.pass(ms),
      settlingPause: ms => this.pass(ms),
      log: () => undefined
    }
  }

  /** Every claim, oldest first. */
  get claims(): readonly StoredClaim[] {
    return this.#claims
  }

  /** Adds a status to any claim. */
  add(id: number, state: string, description: string): void {
    const claim = this.#find(id)
    claim?.statuses.push({
      id: claim.statuses.length,
      state,
      description,
      createdAt: this.#now
    })
  }

  /** Adds another run's claim on the version, with statuses of these states, oldest first; returns its id. */
  addClaim(states: string, over: Partial<Claimant> = {}): number {
    const id = this.#create('1.0', 'v1.0', { ...CLAIMANT, runId: '2', ...over })
    for (const state of states.split(' ').filter(Boolean)) {
      this.add(id, state, `publish-version: ${state}`)
    }
    return id
  }

  /** Moves the clock on, by milliseconds. */
  async pass(ms: number): Promise<void> {
    this.#now += ms
  }

  /** How long ago the record was opened, in milliseconds. */
  since(): number {
    return this.#now - START
  }

  #openDeployments(): Deployments {
    return {
      list: async () => {
        this.#meanwhile(++this.#looks)
        const claims = this.#claims.map(({ statuses: _, ...claim }) => claim)
        return { claims, now: this.#now }
      },
      history: async id => {
        const claim = this.#find(id)
        return claim && { statuses: [...claim.statuses], now: this.#now }
      },
      create: async (versionName, tag, claimant) => {
        this.calls.push('create')
        return { id: this.#create(versionName, tag, claimant), answeredAt: this.#now }
      },
      record: async (id, state, description) => {
        this.calls.push(`${id} ${state}`)
        this.add(id, state, description)
      }
    }
  }

  #create(versionName: string, tag: string, claimant: Claimant): number {
    const id = 10 + this.#claims.length
    this.#claims.push({
      id,
      createdAt: this.#now,
      versionName,
      tag,
      claimant,
      statuses: []
    })
    return id
  }

  #find(id: number): StoredClaim | undefined {
    return this.#claims.find(claim => claim.id === id)
  }

  #startStopwatch(): Stopwatch {
    const start = this.#now
    const elapsed = () => this.#now - start
    return { atLeast: elapsed, atMost: elapsed }
  }
}

/** Opens an empty record; `meanwhile` is called at each look, with its number from 1 on. */
export function openRecord(meanwhile: (look: number) => void = () => undefined): MemoryRecord {
  return new MemoryRecord(meanwhile)
}
