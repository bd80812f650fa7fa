// Tests what a person tells the memory, and the list of all versions, against the stand-in for GitHub.
import { expect, test } from '@jest/globals'
import { listVersions } from '../../src/ledger/deployments.ts'
import { standingOf } from '../../src/ledger/ledger.ts'
import { recordOf } from '../../src/ledger/record.ts'
import { settleByHand } from '../../src/ledger/settle.ts'
import { look } from '../../src/ledger/steps.ts'
import { type Opened, openBoth } from '../github/opened.ts'
import { claimOf, SHA } from './claims.ts'
import { historiesOf, publication, remember, run } from './remembering.ts'

const { claimant } = claimOf(1, '', { runId: '2000' })
const LATE = 3_600_000

/** A memory with claims of these histories, whose runs are long over unless they are said to live. */
async function rememberAll(opened: Opened, histories: readonly string[], age = LATE) {
  const memory = remember(opened)
  for (const history of histories) {
    const id = await memory.create(claimOf(1, '').claimant)
    for (const state of history.split(' ').filter(Boolean)) opened.standIn.addStatus(id, { state })
  }
  opened.standIn.clock.advance(age)
  return { deployments: memory, claimant, nonce: () => 'n' }
}

const file = { sha256: SHA, size: 5 }
const rows = [
  ['published', [], 'settled', ['in_progress success'], 'replay'],
  ['published', ['in_progress'], 'settled', ['in_progress success'], 'replay'],
  [
    'published',
    ['failure', 'in_progress error'],
    'settled',
    ['failure', 'in_progress error success'],
    'replay'
  ],
  ['published', ['in_progress success'], 'known', ['in_progress success'], 'replay'],
  ['not published', [], 'known', [], 'tried'],
  [
    'not published',
    ['in_progress', 'in_progress error'],
    'settled',
    ['in_progress failure', 'in_progress error failure'],
    'tried'
  ],
  ['not published', ['in_progress success'], 'contradicted', ['in_progress success'], 'replay']
] as const

test.each(rows)('%s, after [%j]: %s', async (kind, before, expected, after, next) => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, before)
  const found = kind === 'published' ? { kind, file } : { kind }
  expect((await settleByHand(steps, found, 'run 2000')).kind).toBe(expected)
  expect(historiesOf(opened)).toEqual(after)
  expect((await run(opened).once).kind).toBe(next)
})

test('a file at hand is recorded with what was published by hand', async () => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, [])
  await settleByHand(steps, { kind: 'published', file }, 'run 2000')
  const { claims } = await look(steps.deployments, claimant)
  expect(claims.map(claim => recordOf(claim).sha256)).toEqual([SHA])
})

test.each(['', 'in_progress'])('is refused while a run is publishing: "%s"', async history => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, [history], 0)
  for (const kind of ['published', 'not published'] as const) {
    expect(await settleByHand(steps, { kind }, 'run 2000')).toMatchObject({
      ...{ kind: 'busy', claim: { claimant: { runId: '1001' } } }
    })
  }
  expect(historiesOf(opened)).toEqual([history])
})

test('all versions of a product are listed, the last claimed first, with one request', async () => {
  await using opened = await openBoth()
  const of = (over: object) => remember(opened, over).create(claimant)
  const first = await of({ versionName: '1.0' })
  await remember(opened).record(first, 'success', '')
  await of({ versionName: '1.1' })
  await of({ versionName: '9.9', baseUrl: 'https://shop.example.com/us' })
  await of({ versionName: '1.0' })
  const before = opened.standIn.requests.length
  const { versions } = await listVersions(opened.github, publication)
  expect(opened.standIn.requests).toHaveLength(before + 1)
  expect(versions.map(({ versionName }) => versionName)).toEqual(['1.0', '1.1'])
  const states = versions.map(async it => standingOf(await look(it.deployments, claimant)).state)
  expect(await Promise.all(states)).toEqual(['published', 'claimed'])
})
