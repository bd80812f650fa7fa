// Tests what a run does about its own claim when GitHub does not answer its writes, against a memory on a clock of its own.
import { expect, test } from '@jest/globals'
import { type Claim, stateOf } from '../../src/ledger/ledger.ts'
import { publishOnce } from '../../src/ledger/publish-once.ts'
import type { Deployments, RecordedState, Steps } from '../../src/ledger/steps.ts'
import { claimOf, NOW, SHA } from './claims.ts'

const OTHER = claimOf(1, '', { runId: '1002' })

/** What becomes of a write: it is lost, or it gets no answer, and takes effect so many milliseconds later. */
type Fate = 'lost' | number

interface Scene {
  /** For the writes of each state, one after another; none left is well. */
  readonly fates: Readonly<Partial<Record<RecordedState, Fate[]>>>
  /** Shows only once the run has claimed; its run fails after half a minute. */
  readonly other?: Claim
  /** The run is cancelled when a write gets no answer. */
  readonly cancels?: boolean
}

/** Publishes in a scene, and tells of each write of the run when it took effect, in seconds. */
async function play({ fates, other, cancels = false }: Scene) {
  const claims: Claim[] = []
  const written: string[] = []
  const late: { readonly at: number; add(): void }[] = []
  let clock = NOW
  let isCancelled = false
  let sent = 0
  const add = (id: number, state: string) => {
    const at = claims.findIndex(claim => claim.id === id)
    const [claim] = claims.splice(at, 1)
    if (!claim) return
    const status = { id: written.length, state, description: '', environmentUrl: '' }
    claims.splice(at, 0, { ...claim, statuses: [...claim.statuses, status] })
    if (id !== OTHER.id) written.push(`${id} ${state}`)
  }
  const pass = (ms: number) => {
    clock += ms
    for (const { at, add: happen } of late.splice(0)) {
      if (at <= clock) happen()
      else late.push({ at, add: happen })
    }
    const isOver = clock > NOW + 30_000 && claims[0]?.id === OTHER.id
    if (isOver && claims[0]?.statuses.length === 0) add(OTHER.id, 'failure')
  }
  const demand = () => {
    if (isCancelled) throw new Error('cancelled')
  }
  const deployments: Deployments = {
    versionName: OTHER.versionName,
    list: async () => {
      demand()
      pass(100)
      return { claims, now: clock }
    },
    history: async id => {
      demand()
      pass(100)
      return { statuses: claims.find(claim => claim.id === id)?.statuses ?? [], now: clock }
    },
    create: async claimant => {
      pass(100)
      if (other && claims.length === 0) claims.push(other)
      const id = 10 + claims.length
      claims.push({ ...claimOf(id, ''), createdAt: clock, claimant })
      return id
    },
    record: async (id, state) => {
      const fate = fates[state]?.shift()
      pass(100)
      if (fate === undefined) return add(id, state)
      if (fate !== 'lost') late.push({ at: clock + fate, add: () => add(id, state) })
      isCancelled ||= cancels
      throw new Error('no answer')
    }
  }
  const steps: Steps = {
    ...{ deployments, claimant: claimOf(10, '').claimant, failed: new Map() },
    ...{ reserve: 360, lag: 6000, tell: () => undefined },
    stopwatch: () => {
      const start = clock
      return { atLeast: () => clock - start, atMost: () => clock - start }
    },
    sleep: async ms => {
      demand()
      pass(ms)
    },
    settlingPause: async ms => pass(ms)
  }
  const end = await publishOnce(steps, async commit => {
    try {
      await commit({ sha256: SHA, size: 5 })
    } catch (error) {
      return { result: String(error), ending: { state: 'failure', text: '' } }
    }
    sent++
    return { result: 'sent', ending: { state: 'success', text: '' } }
  }).catch(String)
  const took = clock - NOW
  pass(60_000)
  const states = claims.map(claim => stateOf(claim, clock)).join(' ')
  return { end, sent, written: written.join(', '), states, took }
}

test('a run that could not end its claim ends it before it claims again, and does not wait for itself', async () => {
  const { sent, written } = await play({ other: OTHER, fates: { inactive: ['lost', 'lost'] } })
  expect([sent, written]).toEqual([1, '11 inactive, 12 in_progress, 12 success'])
})

test('a run that cannot end its claim says so, and claims no other', async () => {
  const lost = Array.from({ length: 9 }, (): Fate => 'lost')
  const { end, sent, written } = await play({ other: OTHER, fates: { inactive: lost } })
  expect([sent, written]).toEqual([0, ''])
  expect(end).toContain('earlier deployment could not be marked as inactive')
})

test.each<[string, Scene]>([
  ['when the run is cancelled', { fates: { in_progress: [400] }, cancels: true }],
  ['of a slow GitHub', { fates: { in_progress: ['lost', 2000] } }],
  ['that had to be repeated', { fates: { in_progress: [1500, 'lost'] } }]
])(
  'an `in_progress` that takes effect after the `failure`, %s, leaves no doubt',
  async (_, scene) => {
    const { sent, states, written, took } = await play(scene)
    expect([sent, states]).toEqual([0, 'over'])
    expect(written).toMatch(/failure$/)
    // A cancelled run has 7 seconds.
    if (scene.cancels) expect(took).toBeLessThan(6000)
  }
)

test('an `in_progress` that is answered takes one `failure`', async () => {
  const { sent, written } = await play({ fates: {} })
  expect([sent, written]).toEqual([1, '10 in_progress, 10 success'])
})
