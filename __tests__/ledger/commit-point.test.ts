// Tests of src/ledger/commit-point.ts: whether a tail may go, with a record that answers as each case needs it.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github-error.ts'
import { describeEnd } from '../../src/ledger/claim-format.ts'
import { openRecord } from './calm-record.ts'
import { publish } from './publishing.ts'
import { START } from './world.ts'

/** In milliseconds: the wait between the own `in_progress` and the last look. */
const WAIT = 6000
/** What a run writes first that withholds its tail. */
const WITHHELD_WRITES = ['create', '10 in_progress', '10 failure']

test('the wait ends when the tail can no longer be sent, and the end of the upload is recorded', async () => {
  const record = openRecord()
  const gone = new AbortController()
  record.ledger.sleep = async (ms: number, until?: AbortSignal) => {
    gone.abort()
    if (until?.aborted) throw new Error('the connection is gone')
    await record.scheduler.turn(ms)
  }

  const { result, tails, causes } = await publish(record, { ended: gone.signal })

  expect(tails).toBe(0)
  expect(causes.map(({ message }) => message)).toEqual(['the connection is gone'])
  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'not published' },
    claim: { recorded: true }
  })
  expect(record.written()).toEqual(WITHHELD_WRITES)
})

test('a run that withholds what is in doubt all the same records that, and no time to look that is too early', async () => {
  const record = openRecord()
  record.ledger.sleep = async () => {
    throw new Error('the connection is gone')
  }

  const { result, tails } = await publish(record, {
    uploadTakes: 120_000,
    isDoubtful: true
  })

  expect(tails).toBe(0)
  const states = record.github.claims[0]?.statuses.map(({ state }) => state)
  expect(states).toEqual(['in_progress', 'error'])
  expect(result).toMatchObject({ result: { certainty: 'unknown' }, claim: { recorded: true } })
  // No look has shown the claim: a person waits for 15 minutes from now on.
  expect(result).toHaveProperty('claim.settled', undefined)
})

test('the wait counts from when the list shows the own claim, too', async () => {
  /** In milliseconds: when the list first shows a claim. */
  const listedAfter = 3000
  const record = openRecord()
  const { list } = record.ledger.deployments
  let firstListed = Number.POSITIVE_INFINITY

  record.ledger.deployments.list = async () => {
    const listed = await list()
    if (record.since() < listedAfter) return { ...listed, claims: [] }

    firstListed = Math.min(firstListed, record.since())
    return listed
  }

  const { tails } = await publish(record)

  expect(tails).toBe(1)
  expect(firstListed).toBeGreaterThanOrEqual(listedAfter)
  expect(record.since() - firstListed).toBeGreaterThanOrEqual(WAIT)
})

test('the own claim must be in progress: that its status is there is not enough', async () => {
  const lift = describeEnd('not published', 'a person has lifted it')
  const record = openRecord(look => {
    const own = record.github.claims.at(-1)
    const isBegun = own?.statuses.some(({ state }) => state === 'in_progress')
    if (look > 1 && isBegun) record.github.addStatus(own?.id ?? 0, 'failure', lift)
  })

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('withheld')
  expect(tails).toBe(0)
})

test('no look counts when the own in_progress is older than two minutes', async () => {
  const record = openRecord(async look => {
    if (look > 1) await record.scheduler.turn(130_000)
  })

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('withheld')
  expect(tails).toBe(0)
})

test('the date of the last answer of a look says how old the own in_progress is', async () => {
  const record = openRecord()
  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    const found = await history(id)
    const isLast = record.since() >= WAIT
    return found && isLast ? { ...found, now: found.now + 130_000 } : found
  }

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('withheld')
  expect(tails).toBe(0)
})

test('a look that was asked for more than 30 seconds ago is not the last one', async () => {
  // Once the wait is over, the first look takes too long. The second one sees that a person has lifted the claim.
  const lift = describeEnd('not published', 'a person has lifted it')
  let lastLooks = 0
  const record = openRecord(async () => {
    if (record.since() < WAIT) return

    lastLooks++
    if (lastLooks === 1) await record.scheduler.turn(31_000)
    if (lastLooks === 2) record.github.addStatus(10, 'failure', lift)
  })

  const { tails } = await publish(record)

  expect(tails).toBe(1)
  expect(record.written().slice(0, 3)).toEqual(WITHHELD_WRITES)
})

test('a run whose own claim is gone from the list withholds', async () => {
  const record = openRecord()
  const { list } = record.ledger.deployments
  record.ledger.deployments.list = async () => {
    const listed = await list()
    return record.since() >= WAIT ? { ...listed, claims: [] } : listed
  }

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('tried')
  expect(tails).toBe(0)
})

test('of two that send, the one with the lowest id waits for the other to give way', async () => {
  /** In milliseconds: when the other run gives way. */
  const otherGivesWay = 14_000
  const record = openRecord(look => {
    if (look !== 2) return

    const other = record.addClaim('in_progress')
    record.scheduler.start(otherGivesWay, async () => {
      record.github.addStatus(other, 'failure', 'publish-version: x')
    })
  })

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('tried')
  expect(tails).toBe(1)
  expect(record.since()).toBeGreaterThan(otherGivesWay)
  expect(record.since()).toBeLessThan(otherGivesWay + 3000)
})

test('one that does not give way in 30 seconds is not waited for any longer', async () => {
  const record = openRecord(look => {
    if (look === 2) record.addClaim('in_progress')
  })

  const { result, tails } = await publish(record)

  expect(result.kind).toBe('in doubt')
  expect(tails).toBe(0)
  expect(record.written().slice(0, 3)).toEqual(WITHHELD_WRITES)

  // Its `in_progress` has to show first; then it waits for the others, and for them to give way.
  const gaveUp = (record.github.claims[0]?.statuses.at(-1)?.createdAt ?? 0) - START
  expect(gaveUp).toBeGreaterThan(35_000)
  expect(gaveUp).toBeLessThan(45_000)
})

test('an in_progress that does not show in 15 seconds is given up', async () => {
  const record = openRecord()

  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    const read = await history(id)
    return read && { ...read, statuses: [] }
  }

  const { tails } = await publish(record)

  expect(tails).toBe(0)
  expect(record.written()).toEqual(WITHHELD_WRITES)
  expect(record.since()).toBeGreaterThan(15_000)
  expect(record.since()).toBeLessThan(35_000)
})

test.each([
  [12, 1],
  [60, 1],
  [100, 0]
])(
  'while GitHub fails for %i seconds, the last look goes on: %i is sent',
  async (seconds, sent) => {
    const record = openRecord(() => {
      const since = record.since()
      if (since > WAIT && since < WAIT + seconds * 1000) throw new GitHubError('GitHub fails')
    })

    const { tails } = await publish(record)

    expect(tails).toBe(sent)
  }
)

test('another claim that is listed, and whose history does not show, is GitHub’s failure', async () => {
  let other = 0
  const record = openRecord(async look => {
    if (look > 1) return
    other = record.addClaim('in_progress')
    await record.scheduler.turn(3000)
  })
  const { history } = record.ledger.deployments
  record.ledger.deployments.history = async id => {
    const isHidden = id === other && record.since() < 40_000
    return isHidden ? undefined : history(id)
  }

  const { tails } = await publish(record)

  // It shows as in progress by then, and the claim with the higher id gives way.
  expect(tails).toBe(0)
})
