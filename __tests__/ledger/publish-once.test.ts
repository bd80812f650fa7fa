// Owns the steps of one run against a record that answers as each case needs it.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github-error.ts'
import { describeEnd } from '../../src/ledger/claim-format.ts'
import { LIFETIME } from '../../src/ledger/rules.ts'
import { CLAIMANT, openRecord, START } from './memory-record.ts'
import { publish } from './publishing.ts'

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

test('the wait ends when the tail can no longer be sent, and the end of the upload is recorded', async () => {
  const record = openRecord()
  const gone = new AbortController()
  record.steps.sleep = async (ms: number, until?: AbortSignal) => {
    gone.abort()
    if (until?.aborted) throw new Error('the connection is gone')
    await record.pass(ms)
  }

  const { result, tails, causes } = await publish(record, { ended: gone.signal })

  expect([tails, causes.map(({ message }) => message)]).toEqual([0, ['the connection is gone']])
  expect(result).toMatchObject({ kind: 'tried', result: 'failure', recorded: true })
  expect(record.calls).toEqual(['create', '10 in_progress', '10 failure'])
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

test('the own claim must be in progress: that its status is there is not enough', async () => {
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

  const { result, contacts } = await publish(record, { retries: [true] })

  expect(result).toMatchObject({ kind: 'tried', result: 'success', claimId: 11 })
  expect(contacts).toBe(1)
  expect(record.calls).toEqual([
    'create',
    '10 in_progress',
    '10 failure',
    'create',
    '11 in_progress',
    '11 success'
  ])
})

test('a run that withholds waits for the end of the other claim, not for its absence from a list', async () => {
  const record = openRecord()
  const other = record.addClaim('in_progress')
  const { list, history } = record.steps.deployments
  const hasGivenWay = () => record.calls.includes('11 failure')
  record.steps.deployments.list = async () => {
    const listed = await list()
    // It came first, shows only when this run has begun, and is gone from the list after that.
    const isListed = record.calls.includes('11 in_progress') && !hasGivenWay()
    return { ...listed, claims: listed.claims.filter(({ id }) => isListed || id !== other) }
  }

  let asked = 0
  record.steps.deployments.history = async id => {
    if (id !== other || !hasGivenWay()) return history(id)
    if (++asked === 3) record.add(other, 'success', 'publish-version: x')
    return asked === 1 ? undefined : history(id)
  }

  await publish(record)

  expect(asked).toBe(3)
  expect(record.calls.slice(0, 3)).toEqual(['create', '11 in_progress', '11 failure'])
})

test('no look counts when the own in_progress is older than two minutes', async () => {
  const record = openRecord(look => {
    if (look > 1) void record.pass(130_000)
  })

  const { result, tails } = await publish(record)

  expect([result.kind, tails]).toEqual(['withheld', 0])
})

test('a look that was asked for more than 30 seconds ago is not the last one', async () => {
  let last = 0
  const record = openRecord(() => {
    if (record.since() < 6000) return
    last++
    if (last === 1) void record.pass(31_000)
    if (last === 2) record.add(10, 'failure', describeEnd('not published', 'lifted'))
  })

  const { tails } = await publish(record)

  expect([tails, record.calls.slice(0, 3)]).toEqual([1, ['create', '10 in_progress', '10 failure']])
})

test('a run whose own claim is gone from the list withholds', async () => {
  const record = openRecord()
  const { list } = record.steps.deployments
  record.steps.deployments.list = async () => {
    const listed = await list()
    return record.since() >= 6000 ? { ...listed, claims: [] } : listed
  }

  const { result, tails } = await publish(record)

  expect([result.kind, tails]).toEqual(['tried', 0])
})

test('a write whose answer is lost is written again', async () => {
  const record = openRecord()
  const { create, record: write } = record.steps.deployments

  let lost = 0
  const lose = <T>(given: T): T => {
    if (lost++ % 2 === 0) throw new GitHubError('lost')
    return given
  }
  record.steps.deployments.create = async (...given) => lose(await create(...given))
  record.steps.deployments.record = async (...given) => lose(await write(...given))

  const { result, tails } = await publish(record)

  expect(result).toMatchObject({ kind: 'tried', result: 'success', recorded: true })
  expect([tails, record.claims.length]).toEqual([1, 2])
})

test('a failure that cannot be written is tried for two minutes, and nothing is sent meanwhile', async () => {
  const record = openRecord()

  const { record: write } = record.steps.deployments
  record.steps.deployments.record = async (id, state, text) => {
    if (state === 'failure') throw new GitHubError('lost')
    return write(id, state, text)
  }

  const { result, tails } = await publish(record, { retries: [true] })

  expect(result).toMatchObject({ kind: 'tried', result: 'failure', recorded: false })
  expect(tails).toBe(0)
  expect(record.since()).toBeGreaterThan(100_000)
})

test('an in_progress of an earlier attempt of the same job is marked, and stops the run', async () => {
  const jobs = [
    ['a', true],
    ['b', false]
  ] as const
  for (const [job, isMarked] of jobs) {
    const record = openRecord()
    const id = record.addClaim('in_progress', { runId: '1', job })
    record.steps.claimant = { ...CLAIMANT, runAttempt: 2 }

    const { result, contacts } = await publish(record)

    expect([result.kind, contacts]).toEqual(['in doubt', 0])
    expect(record.calls).toEqual(isMarked ? [`${id} error`] : [])
    // A claim of another job may still be sent: it is waited for.
    expect(record.since() >= LIFETIME).toBe(!isMarked)
  }
})

test.each([
  ['success', 'published'],
  ['error', 'in doubt'],
  ['failure', 'tried']
])('another run that is sending is waited for; after its %s: %s', async (state, kind) => {
  const record = openRecord()
  const id = record.addClaim('in_progress')

  const { sleep } = record.steps
  record.steps.sleep = async ms => {
    await sleep(ms)
    if (record.since() > 60_000 && record.claims[0]?.statuses.length === 1) {
      record.add(id, state, 'publish-version: x')
    }
  }

  const { result, contacts } = await publish(record)

  expect([result.kind, contacts]).toEqual([kind, kind === 'tried' ? 1 : 0])
  expect(record.since()).toBeGreaterThan(60_000)
  expect(record.since()).toBeLessThan(100_000)
})

test('of two that send, the one with the lowest id waits for the other to give way', async () => {
  let other = 0
  const record = openRecord(look => {
    if (look === 2) other = record.addClaim('in_progress')
    if (record.since() > 14_000 && other > 0) record.add(other, 'failure', 'publish-version: x')
  })

  const { result, tails } = await publish(record)

  expect([result.kind, tails]).toEqual(['tried', 1])
  expect(record.since()).toBeGreaterThan(14_000)
  expect(record.since()).toBeLessThan(17_000)
})

test('one that does not give way in 30 seconds is not waited for any longer', async () => {
  const record = openRecord(look => {
    if (look === 2) record.addClaim('in_progress')
  })

  const { result, tails } = await publish(record)

  expect([result.kind, tails]).toEqual(['in doubt', 0])
  const gaveUp = (record.claims[0]?.statuses.at(-1)?.createdAt ?? 0) - START
  expect([gaveUp > 35_000, gaveUp < 45_000]).toEqual([true, true])
  expect(record.calls.slice(0, 3)).toEqual(['create', '10 in_progress', '10 failure'])
})

test('a run that has given way five times gives up', async () => {
  const record = openRecord(() => {
    const last = record.claims.at(-1)
    if (last?.claimant.runId === '1' && last.statuses.length === 1) record.addClaim('in_progress')
  })

  const { sleep } = record.steps
  record.steps.sleep = async ms => {
    await sleep(ms)
    const [own, other] = record.claims.slice(-2)
    // Each of the others ends once this one has given way.
    const isLeft = own?.statuses.length === 2 && other?.statuses.length === 1
    if (isLeft) record.add(other.id, 'failure', 'publish-version: x')
  }

  const { result, tails } = await publish(record)

  expect([result.kind, tails, record.claims.length]).toEqual(['withheld', 0, 10])
})

test('an older claim whose history is hidden stops the run', async () => {
  const record = openRecord()
  record.addClaim('in_progress success')
  await record.pass(16_000)
  record.steps.deployments.history = async () => undefined
  await expect(publish(record)).rejects.toThrow('did not show the statuses of deployment 10')
  expect(record.calls).toEqual([])
})

test('an in_progress that does not show in 15 seconds is given up', async () => {
  const record = openRecord()

  const { history } = record.steps.deployments
  record.steps.deployments.history = async id => {
    const read = await history(id)
    return read && { ...read, statuses: [] }
  }

  const { tails } = await publish(record)

  expect([tails, record.calls]).toEqual([0, ['create', '10 in_progress', '10 failure']])
  expect(record.since()).toBeGreaterThan(15_000)
  expect(record.since()).toBeLessThan(35_000)
})

test('once the time of a canceled run is over, its end is not tried again', async () => {
  const record = openRecord()
  const { record: write } = record.steps.deployments
  let tries = 0

  record.steps.deployments.record = async (id, state, text) => {
    if (state !== 'success') return write(id, state, text)
    tries++
    throw new GitHubError('lost')
  }
  record.steps.settlingPause = () => Promise.reject(new Error('cancelled'))

  const { result, tails } = await publish(record)

  expect(result).toMatchObject({ kind: 'tried', result: 'success', recorded: false })
  expect([tails, tries]).toEqual([1, 1])
})
