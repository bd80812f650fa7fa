// Tests of src/ledger/publish-once.ts: the steps of one run, with a record that answers as each case needs it.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github-error.ts'
import { LIFETIME_MS } from '../../src/ledger/rules.ts'
import { type CalmRecord, CLAIMANT, openRecord } from './calm-record.ts'
import { publish } from './publishing.ts'

/** In milliseconds: the wait between the own `in_progress` and the last look. */
const WAIT = 6000

test('one run: a claim, its in_progress, the wait of 6 seconds, the last look, its success', async () => {
  const record = openRecord()

  const { result, tails, contacts } = await publish(record)

  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'published' },
    claim: { recorded: true }
  })
  expect(contacts).toBe(1)
  expect(tails).toBe(1)
  expect(record.written()).toEqual(['create', '10 in_progress', '10 success'])

  expect(record.since()).toBeGreaterThanOrEqual(WAIT)
  expect(record.since()).toBeLessThan(WAIT + 1000)
})

test('a new try after in_progress makes a new claim', async () => {
  const record = openRecord()

  const { result, contacts } = await publish(record, { retries: [true] })

  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'published' },
    claim: { id: 11 }
  })
  expect(contacts).toBe(1)
  expect(record.written()).toEqual([
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
  const { list, history } = record.ledger.deployments
  const hasGivenWay = () => record.written().includes('11 failure')
  record.ledger.deployments.list = async () => {
    const listed = await list()
    // It came first, shows only when this run has begun, and is gone from the list after that.
    const isListed = record.written().includes('11 in_progress') && !hasGivenWay()
    return { ...listed, claims: listed.claims.filter(({ id }) => isListed || id !== other) }
  }

  // Then its history is hidden once, shows it unchanged, and shows its end.
  let asked = 0
  record.ledger.deployments.history = async id => {
    if (id !== other || !hasGivenWay()) return history(id)

    asked++
    if (asked === 3) record.github.addStatus(other, 'success', 'publish-version: x')
    return asked === 1 ? undefined : history(id)
  }

  await publish(record)

  expect(asked).toBe(3)
  const firstWrites = record.written().slice(0, 3)
  expect(firstWrites).toEqual(['create', '11 in_progress', '11 failure'])
})

test('a write whose answer is lost is written again', async () => {
  const record = openRecord()
  const { create, record: write } = record.ledger.deployments

  // Every other answer is lost, from the first on; the write has its effect all the same.
  let answers = 0
  const hear = <T>(answer: T): T => {
    answers++
    if (answers % 2 === 1) throw new GitHubError('lost')
    return answer
  }
  record.ledger.deployments.create = async (...given) => hear(await create(...given))
  record.ledger.deployments.record = async (...given) => hear(await write(...given))

  const { result, tails } = await publish(record)

  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'published' },
    claim: { recorded: true }
  })
  expect(tails).toBe(1)
  expect(record.github.claims).toHaveLength(2)
})

test('a write that meets a rate limit is written again after the pause that GitHub asks for', async () => {
  /** In milliseconds. */
  const pause = 20_000
  const record = openRecord()
  const { create } = record.ledger.deployments

  let asked = 0
  record.ledger.deployments.create = async (...given) => {
    asked++
    if (asked > 1) return create(...given)
    throw new GitHubError('slow down', { status: 403, limited: true, pause })
  }

  const { tails } = await publish(record)

  expect(tails).toBe(1)
  expect(asked).toBe(2)
  expect(record.since()).toBeGreaterThanOrEqual(pause + WAIT)
})

/** The record of a run's second attempt, whose first one has left an `in_progress` of that job, as claim 10. */
function openSecondAttempt(job: string): CalmRecord {
  const record = openRecord()
  record.addClaim('in_progress', { runId: '1', job })
  record.ledger.claimant = { ...CLAIMANT, runAttempt: 2 }
  return record
}

test('an in_progress of an earlier attempt is waited for: it may still be sent', async () => {
  const record = openSecondAttempt(CLAIMANT.job)
  const log: string[] = []
  record.ledger.log = line => void log.push(line)

  const { result, contacts } = await publish(record)

  expect(result.kind).toBe('in doubt')
  expect(contacts).toBe(0)
  expect(record.written()).toEqual([])
  expect(record.since()).toBeGreaterThanOrEqual(LIFETIME_MS)

  // Once a minute, for what and until when.
  expect(new Set(log).size).toBe(1)
  expect(log[0]).toMatch(
    /^Waiting for run 1, which is publishing "1\.0", until 20\d\d-.* UTC at the latest\.$/
  )
  expect(log.length).toBeGreaterThan(12)
  expect(log.length).toBeLessThan(18)
})

test('an in_progress of another job of an earlier attempt is waited for: it may still be sent', async () => {
  const record = openSecondAttempt('b')

  const { result, contacts } = await publish(record)

  expect(result.kind).toBe('in doubt')
  expect(contacts).toBe(0)
  expect(record.written()).toEqual([])
  expect(record.since()).toBeGreaterThanOrEqual(LIFETIME_MS)
})

test.each([
  ['success', 'published'],
  ['error', 'in doubt'],
  ['failure', 'tried']
])('another run that is sending is waited for; after its %s: %s', async (state, kind) => {
  /** In milliseconds: when the other run ends. */
  const otherEnds = 60_000
  const record = openRecord()
  const id = record.addClaim('in_progress')

  record.scheduler.start(otherEnds, async () => {
    record.github.addStatus(id, state, 'publish-version: x')
  })

  const { result, contacts } = await publish(record)

  expect(result.kind).toBe(kind)
  expect(contacts).toBe(kind === 'tried' ? 1 : 0)
  expect(record.since()).toBeGreaterThan(otherEnds)
  expect(record.since()).toBeLessThan(otherEnds + 40_000)
})

test.each([
  ['a minute, by a 503', 60_000, { status: 503 }],
  ['ten seconds, by a refusal', 10_000, { status: 403, denied: true }],
  ['ten minutes, by a lost answer', 600_000, {}]
])('a run that waits for another waits on while GitHub fails for %s', async (_, ms, details) => {
  /** In milliseconds: when GitHub begins to fail. */
  const fails = 20_000
  const record = openRecord()
  const id = record.addClaim('in_progress')
  record.scheduler.start(fails, async () => {
    record.github.addStatus(id, 'success', 'publish-version: x')
  })

  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async asked => {
    const isFailing = record.since() > fails && record.since() < fails + ms
    if (isFailing) throw new GitHubError('GitHub fails', details)
    return history(asked)
  }

  const { result } = await publish(record)

  expect(result.kind).toBe('published')
  expect(record.since()).toBeGreaterThan(fails + ms)
})

test('a run that waits gives up once the other is dead, and GitHub still fails', async () => {
  const record = openRecord()
  record.addClaim('in_progress')
  let looks = 0
  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    looks += 1
    if (looks > 1) throw new GitHubError('GitHub fails')
    return history(id)
  }

  await expect(publish(record)).rejects.toThrow('GitHub fails')
  expect(record.since()).toBeGreaterThanOrEqual(LIFETIME_MS)
  expect(record.since()).toBeLessThan(LIFETIME_MS + 60_000)
})

test('a refusal ends a wait after 15 seconds', async () => {
  const record = openRecord()
  record.addClaim('in_progress')
  let asked = 0
  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    asked += 1
    if (asked > 1) throw new GitHubError('GitHub refuses', { status: 401, denied: true })
    return history(id)
  }

  await expect(publish(record)).rejects.toThrow('GitHub refuses')
  expect(record.since()).toBeGreaterThanOrEqual(15_000)
  expect(record.since()).toBeLessThan(30_000)
})

test('a run that waits for 15 minutes asks GitHub 100 times or fewer', async () => {
  const record = openRecord()
  record.addClaim('in_progress')
  let asked = 0
  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    asked += 1
    return history(id)
  }

  expect((await publish(record)).result.kind).toBe('in doubt')
  expect(asked).toBeGreaterThan(30)
  expect(asked).toBeLessThanOrEqual(100)
})

test('a run that has given way five times gives up', async () => {
  const record = openRecord(() => {
    // As soon as its own claim is in progress, there is another one.
    const last = record.github.claims.at(-1)
    const isOwn = last?.claimant.runId === CLAIMANT.runId
    if (isOwn && last?.statuses.length === 1) record.addClaim('in_progress')
  })

  const { sleep } = record.ledger
  record.ledger.sleep = async ms => {
    await sleep(ms)
    const [own, other] = record.github.claims.slice(-2)
    // Each of the others ends once this one has given way.
    const isOtherLeft = own?.statuses.length === 2 && other?.statuses.length === 1
    if (isOtherLeft) record.github.addStatus(other.id, 'failure', 'publish-version: x')
  }

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('withheld')
  expect(tails).toBe(0)
  // Five of its own, and five of others.
  expect(record.github.claims).toHaveLength(10)
})

test('an older claim whose history is hidden stops the run', async () => {
  const record = openRecord()
  record.addClaim('in_progress success')
  await record.scheduler.turn(7000)
  record.ledger.deployments.history = async () => undefined

  await expect(publish(record)).rejects.toThrow('did not show the statuses of deployment 10')
  expect(record.written()).toEqual([])
})
