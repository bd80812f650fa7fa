// Tests what a claim's statuses remember of a version, and what that means for a run with a file of its own.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Claim } from '../../src/ledger/ledger.ts'
import {
  describePublished,
  describeSending,
  judgeReplay,
  recordOf,
  describe as shorten
} from '../../src/ledger/record.ts'
import { claimOf, SHA } from './claims.ts'

const sending = {
  state: 'in_progress',
  description: describeSending({ sha256: SHA, size: 5_000_000_000 })
}

type Told = Pick<Claim['statuses'][number], 'state' | 'description'>

function claimTold(...told: readonly Told[]): Claim {
  const environmentUrl = 'https://shop.example.com/d/1'
  const statuses = told.map((status, id) => ({ id, environmentUrl, ...status }))
  return { ...claimOf(7, ''), statuses }
}

function published(versionName: string, versionId: string) {
  const description = describePublished(versionName, versionId)
  return claimTold(sending, { state: 'success', description })
}

describe('other bytes than those that are published', () => {
  const present = { runId: '1001', runAttempt: 1, commit: 'c0ffee', sha256: 'cd34'.repeat(16) }

  test.each([
    ['in a later attempt, of a tag that moved', { runAttempt: 2, commit: 'beef' }, 'rebuilt'],
    ['in another run on the same commit', { runId: '1002' }, 'rebuilt'],
    ['under act, which gives every run the same id', { isAct: true }, 'rebuilt'],
    ['under act, on another commit', { isAct: true, commit: 'beef' }, 'different'],
    ['in the same attempt', {}, 'different'],
    ['in an earlier attempt', { runAttempt: 0 }, 'different'],
    ['on another commit', { runId: '1002', commit: 'beef' }, 'different'],
    ['on a commit that is not known', { runId: '1002', commit: '' }, 'different']
  ] as const)('%s', (_, over, verdict) => {
    expect(judgeReplay(published('1.4.2', '812'), { ...present, ...over })).toBe(verdict)
  })

  test('are taken for the same when no digest is recorded', () => {
    expect(judgeReplay(claimOf(7, 'success'), present)).toBe('same')
  })
})

describe('the record of a claim', () => {
  test('holds what the two descriptions and the link say', () => {
    expect(recordOf(published('1.4.2', '812'))).toEqual({
      ...{ versionId: '812', sha256: SHA, size: '5000000000', fileName: 'gallery-1.4.2.zip' },
      downloadUrl: 'https://shop.example.com/d/1'
    })
  })

  test.each<[string, Told]>([
    ['a digest of something else', { ...sending, description: `docs of sha256:${SHA}, 5 bytes` }],
    ['a digest of part of it', { ...sending, description: `sha256:${SHA}, 5 bytes and more` }],
    ['a digest in another state', { ...sending, state: 'queued' }],
    ['a version of a dependency', { state: 'success', description: 'published as version 9 of x' }],
    ['a version in another state', { state: 'failure', description: 'published as version 9' }]
  ])('does not hold another tool’s words: %s', (_, status) => {
    const { sha256, size, versionId, downloadUrl } = recordOf(claimTold(status))
    expect([sha256, size, versionId, downloadUrl]).toEqual(['', '', '', ''])
  })

  test('is read back for any version name, in 140 characters, none of them cut in two', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    const like = fc.constantFrom('1.0 published as version 9', 'published as version 9')
    fc.assert(
      fc.property(fc.oneof(text, like), fc.bigInt(), (name, id) => {
        const claim = published(name, String(id))
        expect(recordOf(claim).versionId).toBe(String(id))
        const { description = '' } = claim.statuses[1] ?? {}
        expect([description.length <= 140, description.isWellFormed()]).toEqual([true, true])
      })
    )
    expect(shorten('r'.repeat(140))).toBe('r'.repeat(140))
    expect(shorten('r'.repeat(141))).toBe(`${'r'.repeat(139)}…`)
  })
})
