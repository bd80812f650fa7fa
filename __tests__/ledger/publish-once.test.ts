// Owns the steps of one run against a record that answers as each case needs it.
import { expect, test } from '@jest/globals'
import { AnswerLost, type Deployments } from '../../src/ledger/deployments.ts'
import { type Ending, publishOnce, type Try } from '../../src/ledger/publish-once.ts'
import { describeEnd } from '../../src/ledger/record.ts'
import type { ListedClaim, Status } from '../../src/ledger/rules.ts'

const START = Date.parse('2026-01-02T03:04:05Z')
const CLAIMANT = { runId: '1', runAttempt: 1, job: 'a', commit: '', title: '', fileName: '' }
const DIGEST = { sha256: 'ab12'.repeat(16), size: 5 }

/** A record in memory, on a clock that only sleeping moves; `meanwhile` is called at each look. */
function openRecord(meanwhile: (look: number) => void = () => undefined) {
  let now = START
  let looks = 0
  const claims: (ListedClaim & { statuses: Status[] })[] = []
  const calls: string[] = []
  const add = (id: number, state: string, description: string) => {
    const claim = claims.find(it => it.id === id)
    claim?.statuses.push({ id: claim.statuses.length, state, description, createdAt: now })
  }
  const create = (versionName: string, tag: string, claimant: typeof CLAIMANT) => {
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
  return { steps, claims, calls, add, create, pass, since: () => now - START }
}

type Record = ReturnType<typeof openRecord>

const end = (state: Ending['state'], text: string): Try<string> => ({
  result: state,
  ending: { state, text }
})

/** Publishes with a request that asks for the commit point; gives the end, and whether the tail went. */
async function publish({ steps }: Record, retries: readonly boolean[] = []) {
  let [tails, contacts, tries] = [0, 0, 0]
  const result = await publishOnce(steps, {
    firstContact: async () => {
      contacts++
    },
    attempt: async commit => {
      try {
        await commit(DIGEST)
      } catch (error) {
        return end('failure', String(error))
      }
      if (retries[tries++]) return { ...end('failure', '503'), waitToRetry: async () => true }
      tails++
      return end('success', '34')
    }
  })
  return { result, tails, contacts }
}

test('one run: a claim, its in_progress, the wait of 6 seconds, the last look, its success', async () => {
  const record = openRecord()
  const { result, tails, contacts } = await publish(record)
  expect(result).toMatchObject({ kind: 'tried', result: 'success', recorded: true })
  expect([tails, contacts, record.calls]).toEqual([
    1,
    1,
    ['create', '10 in_progress', '10 success']
  ])
  expect(record.since()).toBeGreaterThanOrEqual(6000)
  expect(record.since()).toBeLessThan(7000)
})

test('the wait counts from when the list shows the own claim, too', async () => {
  const record = openRecord()
  const { list } = record.steps.deployments
  let firstListed = Number.POSITIVE_INFINITY
  record.steps.deployments.list = async () => {
    const listed = await list()
    if (record.since() < 3000) return { ...listed, claims: [] }
    firstListed = Math.min(firstListed, record.since())
    return listed
  }
  const { tails } = await publish(record)
  expect([tails, firstListed >= 3000]).toEqual([1, true])
  expect(record.since() - firstListed).toBeGreaterThanOrEqual(6000)
})

test('the own claim’s state must be in progress, not the status be there', async () => {
  const lift = describeEnd('not published', 'a person has lifted it')
  const record = openRecord(look => {
    const own = record.claims.at(-1)
    const isBegun = own?.statuses.some(({ state }) => state === 'in_progress')
    if (look > 1 && isBegun) record.add(own?.id ?? 0, 'failure', lift)
  })
  const { result, tails } = await publish(record)
  expect([result.kind, tails]).toEqual(['withheld', 0])
})

test('a new try after in_progress makes a new claim', async () => {
  const record = openRecord()
  const { result } = await publish(record, [true])
  expect(result).toMatchObject({ kind: 'tried', result: 'success', claim: 11 })
  expect(record.calls).toEqual([
    ...['create', '10 in_progress', '10 failure'],
    ...['create', '11 in_progress', '11 success']
  ])
})

test('who withholds waits for the claim that it met, not for its absence from a list', async () => {
  const other = { ...CLAIMANT, runId: '2' }
  const record = openRecord(look => {
    if (look !== 2) return
    // Another run, which came first, shows only now, and is gone from the list after that.
    record.claims.unshift({
      ...{ id: 5, createdAt: START, versionName: '1.0', tag: 'v1.0', claimant: other },
      statuses: [{ id: 0, state: 'in_progress', description: '', createdAt: START }]
    })
  })
  const { list, history } = record.steps.deployments
  record.steps.deployments.list = async () => {
    const listed = await list()
    const isGone = record.calls.includes('10 failure')
    return { ...listed, claims: listed.claims.filter(({ id }) => !(isGone && id === 5)) }
  }
  let asked = 0
  record.steps.deployments.history = async id => {
    if (id === 5 && record.calls.includes('10 failure') && ++asked === 3) {
      record.claims[0]?.statuses.push({
        id: 1,
        state: 'success',
        description: '',
        createdAt: START
      })
    }
    return history(id)
  }
  await publish(record)
  expect(asked).toBe(3)
  expect(record.calls.slice(0, 3)).toEqual(['create', '10 in_progress', '10 failure'])
})

test('no look counts when the own in_progress is older than two minutes', async () => {
  const record = openRecord(look => {
    if (look > 1) void record.pass(130_000)
  })
  const { result, tails } = await publish(record)
  expect([result.kind, tails]).toEqual(['withheld', 0])
})

test('a write whose answer is lost is written again', async () => {
  const record = openRecord()
  const { create, record: write } = record.steps.deployments
  let lost = 0
  const lose = <T>(given: T): T => {
    if (lost++ % 2 === 0) throw new AnswerLost('lost')
    return given
  }
  record.steps.deployments.create = async (...given) => lose(await create(...given))
  record.steps.deployments.record = async (...given) => lose(await write(...given))
  const { result, tails } = await publish(record)
  expect(result).toMatchObject({ kind: 'tried', result: 'success', recorded: true })
  expect([tails, record.claims.length]).toEqual([1, 2])
})

test('a failure that cannot be written is tried for two minutes, and nothing is sent beside it', async () => {
  const record = openRecord()
  const { record: write } = record.steps.deployments
  record.steps.deployments.record = async (id, state, text) => {
    if (state === 'failure') throw new AnswerLost('lost')
    return write(id, state, text)
  }
  const { result, tails } = await publish(record, [true])
  expect(result).toMatchObject({ kind: 'tried', result: 'failure', recorded: false })
  expect(tails).toBe(0)
  expect(record.since()).toBeGreaterThan(100_000)
})
