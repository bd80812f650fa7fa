// Tests what a person tells the memory, and the list of all versions, against the stand-in for GitHub.
import { expect, test } from '@jest/globals'
import { openVersions } from '../../src/ledger/deployments.ts'
import { describeSending, recordOf } from '../../src/ledger/record.ts'
import { settleByHand } from '../../src/ledger/settle.ts'
import { type Opened, openBoth } from '../github/opened.ts'
import { claimOf, SHA } from './claims.ts'
import { historiesOf, publication, remember, run } from './remembering.ts'

const { claimant } = claimOf(1, '', { runId: '2000', fileName: 'by-hand.zip' })
const file = { sha256: SHA, size: 5 }
const other = { sha256: 'cd'.repeat(32), size: 6 }

/** A memory with claims of these histories on the file, so many milliseconds ago. */
async function rememberAll(opened: Opened, histories: readonly string[], age = 3_600_000) {
  const memory = remember(opened)
  for (const history of histories) {
    const id = await memory.create(claimOf(1, '').claimant)
    for (const state of history.split(' ').filter(Boolean)) {
      const description = state === 'in_progress' ? describeSending(file) : ''
      opened.standIn.addStatus(id, { state, description })
    }
  }
  opened.standIn.clock.advance(age)
  return { deployments: memory, claimant, nonce: () => 'n' }
}

const doubt = 'in_progress error'
const done = 'in_progress success'
test.each([
  ['published', file, [], 'settled', [done]],
  ['published', undefined, [], 'settled', ['success']],
  ['published', undefined, ['in_progress'], 'settled', [done]],
  ['published', file, ['failure', doubt], 'settled', ['failure', `${doubt} success`]],
  ['published', other, [doubt], 'settled', [doubt, done]],
  ['published', file, [done], 'known', [done]],
  ['not published', undefined, [], 'known', []],
  ['not published', undefined, [doubt, doubt], 'settled', Array(2).fill(`${doubt} failure`)],
  ['not published', undefined, [done], 'contradicted', [done]]
] as const)('%s, with the file %j, after %j: %s', async (kind, found, before, expected, after) => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, before)
  expect((await settleByHand(steps, { kind, file: found }, 'run 2000')).kind).toBe(expected)
  expect(historiesOf(opened)).toEqual(after)
  const next = kind === 'published' || expected === 'contradicted' ? 'replay' : 'tried'
  expect((await run(opened).once).kind).toBe(next)
})

test.each([
  ['the file that is in doubt keeps its claim', file, file, 'gallery-1.4.2.zip'],
  ['another file is recorded, with its name', other, other, 'by-hand.zip'],
  ['without a file, it is the one in doubt', undefined, file, 'gallery-1.4.2.zip']
])('%s', async (_, given, { sha256, size }, fileName) => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, [doubt])
  await settleByHand(steps, { kind: 'published', file: given }, 'run 2000')
  const once = await run(opened).once
  if (once.kind !== 'replay') throw new Error(once.kind)
  expect(recordOf(once.claim)).toMatchObject({ sha256, size: String(size), fileName })
})

test.each(['', 'in_progress'])('is refused while a run is publishing: "%s"', async history => {
  await using opened = await openBoth()
  const steps = await rememberAll(opened, [history], 0)
  for (const kind of ['published', 'not published'] as const) {
    const busy = { kind: 'busy', claim: { claimant: { runId: '1001' } } }
    expect(await settleByHand(steps, { kind }, 'run 2000')).toMatchObject(busy)
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
  const versions = await openVersions(opened.github, publication, claimant)
  expect(opened.standIn.requests).toHaveLength(before + 1)
  expect(versions.names).toEqual(['1.0', '1.1'])
  const states = ['1.0', '1.1', '9.9'].map(async it => (await versions.standing(it)).state)
  expect(await Promise.all(states)).toEqual(['published', 'claimed', 'none'])
  expect((await versions.newestPublished())?.id).toBe(first)
})
