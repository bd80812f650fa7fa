// Tests what a claim's statuses remember of a version, and what that means for a run with a file of its own.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Status } from '../../src/ledger/ledger.ts'
import {
  describePublished,
  describeReason,
  describeSending,
  judgeReplay,
  recordOf
} from '../../src/ledger/record.ts'
import { claimOf, SHA, withStatuses } from './claims.ts'

const OTHER = 'cd34'.repeat(16)
const sending = { state: 'in_progress', description: describeSending(SHA, 5_000_000_000) }

function published(versionName: string, versionId: string, environmentUrl = '') {
  const description = describePublished(versionName, versionId)
  return withStatuses(claimOf(7, ''), sending, { state: 'success', description, environmentUrl })
}

describe('a version that is published already', () => {
  const claim = published('1.4.2', '812')
  const present = { runId: '1001', runAttempt: 1, commit: 'c0ffee', sha256: OTHER }

  test.each([
    ['the same bytes, in the same attempt', { sha256: SHA }, 'same'],
    ['the same bytes, on another commit', { runId: '1002', commit: 'beef', sha256: SHA }, 'same'],
    ['other bytes, in a later attempt', { runAttempt: 2 }, 'rebuilt'],
    [
      'other bytes, in a later attempt, of a tag that moved',
      { runAttempt: 2, commit: 'beef' },
      'rebuilt'
    ],
    ['other bytes, in another run on the same commit', { runId: '1002' }, 'rebuilt'],
    ['other bytes, in the same attempt', {}, 'different'],
    ['other bytes, in an earlier attempt', { runAttempt: 0 }, 'different'],
    ['other bytes, on another commit', { runId: '1002', commit: 'beef' }, 'different'],
    ['other bytes, on a commit that is not known', { runId: '1002', commit: '' }, 'different']
  ] as const)('meets %s', (_, over, verdict) => {
    expect(judgeReplay(claim, { ...present, ...over })).toBe(verdict)
  })

  test('is not taken for a rebuild when neither commit is known', () => {
    const unknown = { ...claim, claimant: { ...claim.claimant, commit: '' } }
    expect(judgeReplay(unknown, { ...present, runId: '1002', commit: '' })).toBe('different')
  })

  test('is taken at its word when its digest is not recorded', () => {
    expect(judgeReplay(claimOf(7, 'success'), present)).toBe('same')
  })
})

describe('the record of a claim', () => {
  test('holds what the two descriptions and the link say', () => {
    expect(recordOf(published('1.4.2', '812', 'https://shop.example.com/d/1'))).toEqual({
      versionId: '812',
      sha256: SHA,
      size: '5000000000',
      fileName: 'gallery-1.4.2.zip',
      downloadUrl: 'https://shop.example.com/d/1'
    })
  })

  test('is empty but for the file name when a person settled a claim of somebody else’s', () => {
    const empty = { versionId: '', sha256: '', size: '', downloadUrl: '' }
    expect(recordOf(claimOf(7, 'in_progress success'))).toEqual({
      ...empty,
      fileName: 'gallery-1.4.2.zip'
    })
  })

  test('keeps the digest when a person settled it, and takes no other tool’s link', () => {
    const foreign = { description: 'Deployed', environmentUrl: 'https://preview.example.com' }
    const claim = withStatuses(claimOf(7, ''), sending, { state: 'success', ...foreign })
    expect(recordOf(claim)).toMatchObject({ versionId: '', sha256: SHA, downloadUrl: '' })
    const both = withStatuses(claim, ...claim.statuses, {
      ...{ state: 'success', description: '1.4.2 published as version 812' },
      environmentUrl: 'https://shop.example.com/d/1'
    })
    expect(recordOf(both)).toMatchObject({
      ...{ versionId: '812', downloadUrl: 'https://shop.example.com/d/1' }
    })
  })

  test.each<[string, Pick<Status, 'state' | 'description'>]>([
    ['a digest of something else', { ...sending, description: `docs of sha256:${SHA}, 5 bytes` }],
    ['a digest of part of it', { ...sending, description: `sha256:${SHA}, 5 bytes and more` }],
    ['a digest in another state', { ...sending, state: 'queued' }],
    ['a version of a dependency', { state: 'success', description: 'published as version 9 of x' }],
    ['a version in another state', { state: 'failure', description: 'published as version 9' }]
  ])('does not hold another tool’s words: %s', (_, status) => {
    const { sha256, size, versionId } = recordOf(withStatuses(claimOf(7, ''), status))
    expect([sha256, size, versionId]).toEqual(['', '', ''])
  })

  test.each([
    ['a name that looks like a record', '1.0 published as version 9', '812'],
    ['a name that is one', 'published as version 9', '10'],
    ['a negative id', '1.4.2', '-5'],
    ['an id too large for a number', '1.4.2', '123456789012345678901'],
    ['an empty name', '', '812']
  ])('is read back for %s', (_, name, id) => {
    expect(recordOf(published(name, id)).versionId).toBe(id)
  })

  test('is read back for any version name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.bigInt(), (name, id) => {
        const claim = published(name, String(id))
        expect(recordOf(claim).versionId).toBe(String(id))
        const [, success] = claim.statuses
        expect(success?.description.length).toBeLessThanOrEqual(140)
        expect(success?.description.isWellFormed()).toBe(true)
      })
    )
  })
})

describe('a description', () => {
  test('is what GitHub’s page shows', () => {
    expect(describePublished('1.4.2', '812')).toBe('1.4.2 published as version 812')
    expect(describeSending(SHA, 5)).toBe(`sha256:${SHA}, 5 bytes`)
  })

  test('has 140 characters at most, also with an id of hundreds of digits', () => {
    expect(describePublished('1.4.2', '9'.repeat(300))).toMatch(/^… published as version 9+…$/)
    expect(describePublished('1.4.2', '9'.repeat(300))).toHaveLength(140)
  })

  test.each([
    ['letters', 'v'.repeat(200), 113],
    ['letters of two UTF-16 units', '𝒱'.repeat(200), 56],
    ['emoji of several code points', '👩🏽‍🚀'.repeat(50), 56]
  ])('cuts a long version name of %s short, between characters', (_, name, kept) => {
    const text = describePublished(name, '812')
    expect(text.length).toBeLessThanOrEqual(140)
    expect(text).toMatch(/… published as version 812$/)
    const shown = text.slice(0, text.indexOf('…'))
    expect(name.startsWith(shown)).toBe(true)
    expect([...shown].length).toBeGreaterThanOrEqual(kept - 30)
    expect(shown.isWellFormed()).toBe(true)
  })

  test('that just fits is not cut', () => {
    const end = ' published as version 812'
    const name = 'v'.repeat(140 - end.length)
    expect(describePublished(name, '812')).toBe(`${name}${end}`)
    expect(describePublished(`${name}v`, '812')).toBe(`${name.slice(1)}…${end}`)
    expect(describeReason('r'.repeat(140))).toBe('r'.repeat(140))
    expect(describeReason('r'.repeat(141))).toBe(`${'r'.repeat(139)}…`)
  })
})
