// Tests of src/ledger/record-end.ts: how long a run tries to record how its claim ended, and after which pauses.
import { expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github-error.ts'
import type { RecordedState } from '../../src/ledger/deployments.ts'
import { type CalmRecord, openRecord } from './calm-record.ts'
import { publish } from './publishing.ts'

/** The states that say for certain what became of a version. */
const DECIDED = [
  ['success', 'published'],
  ['failure', 'not published']
] as const

/** The tries to write one state, in milliseconds since the first. */
interface Tries {
  readonly at: number[]
}

/** Has GitHub fail at the writes of a state, for so many milliseconds from the first on. */
function failAt(
  record: CalmRecord,
  failing: RecordedState,
  ms: number,
  details: ConstructorParameters<typeof GitHubError>[1] = {}
): Tries {
  const { record: write } = record.ledger.deployments
  const at: number[] = []
  let first: number | undefined
  record.ledger.deployments.record = async (id, state, text) => {
    if (state !== failing) return write(id, state, text)

    first ??= record.since()
    at.push(record.since() - first)
    if (record.since() - first < ms) throw new GitHubError('GitHub fails', details)
    return write(id, state, text)
  }
  return { at }
}

/** Withholds, as the record cannot be looked at a last time. */
function loseLastLook(record: CalmRecord): void {
  record.ledger.sleep = async () => {
    throw new Error('the connection is gone')
  }
}

test.each([1, 12, 60, 110])(
  'a success is recorded after an outage of %i seconds: the next run is not in doubt',
  async seconds => {
    const record = openRecord()
    failAt(record, 'success', seconds * 1000)
    const log: string[] = []
    record.ledger.log = line => void log.push(line)

    const { result } = await publish(record)

    expect(result).toMatchObject({
      kind: 'tried',
      result: { certainty: 'published' },
      claim: { recorded: true }
    })
    // A run that waits says why.
    expect(log).toEqual(['How this ended is not recorded yet: GitHub fails. Trying again.'])
    expect((await publish(record)).result.kind).toBe('published')
  }
)

test('a failure is recorded after an outage of 110 seconds: the next run publishes', async () => {
  const record = openRecord()
  failAt(record, 'failure', 110_000)

  const { result, tails } = await publish(record, { retries: [true] })

  expect(result).toMatchObject({ kind: 'tried', result: { certainty: 'published' } })
  expect(tails).toBe(1)
})

test.each(DECIDED)(
  'a %s that cannot be written is tried for two minutes, and no longer; nothing is sent meanwhile',
  async (state, certainty) => {
    const record = openRecord()
    const { at } = failAt(record, state, Number.POSITIVE_INFINITY)

    const { result, tails } = await publish(record, { retries: [state === 'failure'] })

    expect(result).toMatchObject({
      kind: 'tried',
      result: { certainty },
      claim: { recorded: false }
    })
    expect(tails).toBe(state === 'failure' ? 0 : 1)
    expect(at.at(-1)).toBe(120_000)
    expect(at.length).toBeLessThan(15)
  }
)

test('an unknown end is tried for ten seconds: its claim comes to be in doubt by itself', async () => {
  const record = openRecord()
  loseLastLook(record)
  const { at } = failAt(record, 'error', Number.POSITIVE_INFINITY)

  const { result } = await publish(record, { isDoubtful: true })

  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'unknown' },
    claim: { recorded: false }
  })
  expect(at.at(-1)).toBe(10_000)
})

test('a refusal may pass within the two minutes, too', async () => {
  const record = openRecord()
  failAt(record, 'success', 110_000, { status: 401, denied: true })

  expect((await publish(record)).result).toMatchObject({ claim: { recorded: true } })
})

test.each([
  ['a limit of 90 seconds', 90_000, [0, 90_000]],
  ['a limit of an hour, which does not fit', 3_600_000, [0, 120_000]]
])('%s is waited for as far as it fits', async (_, asked, tries) => {
  const record = openRecord()
  const limit = { status: 403, limited: true, asked }
  const { at } = failAt(record, 'success', asked, limit)

  const { result } = await publish(record)

  expect(at).toEqual(tries)
  expect(result).toMatchObject({
    result: { certainty: 'published' },
    claim: { recorded: asked === 90_000 }
  })
})

test('once the time of a canceled run is over, its end is not tried again', async () => {
  const record = openRecord()
  const { at } = failAt(record, 'success', Number.POSITIVE_INFINITY)
  record.ledger.settlingPause = () => Promise.reject(new Error('cancelled'))

  const { result, tails } = await publish(record)

  expect(result).toMatchObject({
    kind: 'tried',
    result: { certainty: 'published' },
    claim: { recorded: false }
  })
  expect(tails).toBe(1)
  expect(at).toEqual([0])
})
