// Tests of src/ledger/mark-version.ts: which marks a person may make, and what is recorded then.
import { expect, test } from '@jest/globals'
import { markVersion } from '../../src/ledger/mark-version.ts'
import { LIFETIME_MS } from '../../src/ledger/rules.ts'
import { DIGEST, openRecord } from './calm-record.ts'
import { START } from './world.ts'

const { sha256 } = DIGEST

test('every claim in doubt gets the mark, no other one does, and the mark waits for the lag', async () => {
  const record = openRecord()
  const doubtful = record.addClaim('in_progress error')
  const late = record.addClaim('in_progress')
  record.addClaim('')
  record.addClaim('in_progress failure')
  await record.scheduler.turn(LIFETIME_MS)

  const end = await markVersion(record.ledger, 'not published')

  expect(end).toMatchObject({ kind: 'marked', settled: [{ id: doubtful }, { id: late }] })
  expect(record.written()).toEqual([`${doubtful} failure`, `${late} failure`])
  expect(record.since()).toBeGreaterThanOrEqual(LIFETIME_MS + 6000)
  expect(record.github.claims[0]?.statuses.at(-1)?.description).toBe(
    'publish-version: marked not published by run 1'
  )
})

test('a version that was uploaded by hand gets a claim of its own, with the digest of its file', async () => {
  const record = openRecord()
  record.addClaim('')

  const claimant = { ...record.ledger.claimant, sha256 }
  const end = await markVersion({ ...record.ledger, claimant }, 'published')

  expect(end).toEqual({ kind: 'marked', settled: [] })
  expect(record.written()).toEqual(['create', '11 success'])
  expect(record.github.claims[1]?.statuses[0]?.description).toBe(
    `publish-version: marked published by run 1 sha256:${sha256}`
  )
})

test.each([
  ['published', 'in_progress success', 0, { kind: 'known' }],
  ['not published', 'in_progress success', 0, { kind: 'published' }],
  ['published', 'in_progress', 0, { kind: 'busy', until: START + LIFETIME_MS }],
  ['not published', 'in_progress', 0, { kind: 'busy', until: START + LIFETIME_MS }],
  [
    'not published',
    'in_progress error',
    LIFETIME_MS - 1,
    { kind: 'busy', until: START + LIFETIME_MS }
  ],
  ['not published', '', LIFETIME_MS, { kind: 'nothing' }],
  ['not published', 'in_progress failure', LIFETIME_MS, { kind: 'known' }]
] as const)('%s is refused, or known, after "%s" and %i ms', async (mark, states, ms, end) => {
  const record = openRecord()
  record.addClaim(states)
  await record.scheduler.turn(ms)

  expect(await markVersion(record.ledger, mark)).toMatchObject(end)
  expect(record.written()).toEqual([])
})

test('a mark is refused until 15 minutes after the last in_progress', async () => {
  const record = openRecord()
  const id = record.addClaim('in_progress')
  await record.scheduler.turn(600_000)

  record.github.addStatus(id, 'in_progress', 'publish-version: sending')
  record.github.addStatus(id, 'error', 'publish-version: unknown')
  const until = START + 600_000 + LIFETIME_MS

  expect(await markVersion(record.ledger, 'not published')).toMatchObject({ kind: 'busy', until })
})

test.each([
  ['in_progress', 'published'],
  ['in_progress success', 'published'],
  ['in_progress error', 'published'],
  ['in_progress success', 'not published']
] as const)(
  'a run that shows "%s" once a version is marked %s has overtaken the mark',
  async (states, mark) => {
    const record = openRecord(look => {
      if (look === 2) record.addClaim(states)
    })
    record.addClaim('in_progress error')
    await record.scheduler.turn(LIFETIME_MS)

    const end = await markVersion(record.ledger, mark)

    expect(end).toMatchObject({ kind: 'overtaken', claim: { id: 11 } })
  }
)

test('a run that sent nothing meanwhile has not overtaken it', async () => {
  const record = openRecord(look => {
    if (look !== 2) return
    record.addClaim('')
    record.addClaim('in_progress failure')
  })
  record.addClaim('in_progress error')

  expect(await markVersion(record.ledger, 'published')).toMatchObject({ kind: 'marked' })
})
