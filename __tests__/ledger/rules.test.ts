// Tests of src/ledger/rules.ts: the states of claims, and what stands in a run's way.
import { describe, expect, test } from '@jest/globals'
import { parseDeployment, parseDeploymentStatus } from '../../src/github/deployment-answers.ts'
import {
  attachedPath,
  type ContentMatch,
  comparableName,
  compareContent,
  describeEnd,
  describeMark,
  describePublished,
  type PresentRun,
  parseClaim,
  parseStatus,
  payloadOf,
  publicationKeyOf,
  recordedVersionOf
} from '../../src/ledger/claim-format.ts'
import { type Claim, judge, LIFETIME_MS, type Status, stateOf } from '../../src/ledger/rules.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const SHA = 'ab12'.repeat(16)
const RUN = { runId: '1001', runAttempt: 1, job: 'publish' }
const OTHER = { runId: '1002', runAttempt: 1, job: 'publish' }

function statusOf(id: number, state: string, description = ''): Status {
  return {
    id,
    state,
    description,
    createdAt: NOW
  }
}

/** A claim with statuses of these states, oldest first. */
function claimOf(states: string, over: Partial<Claim> = {}): Claim {
  return {
    id: 1,
    createdAt: NOW,
    versionName: '1.4.2',
    tag: 'v1.4.2',
    claimant: {
      ...RUN,
      commit: 'c0ffee',
      title: 'Gallery',
      fileName: 'gallery.zip',
      filePath: 'dist/gallery.zip',
      sha256: SHA
    },
    statuses: states
      .split(' ')
      .filter(Boolean)
      .map((state, id) => statusOf(id, state)),
    ...over
  }
}

test.each([
  ['', 'idle'],
  ['in_progress', 'in progress'],
  ['in_progress success', 'published'],
  ['in_progress error', 'in doubt'],
  ['in_progress failure', 'failed'],
  ['in_progress error failure', 'failed'],
  ['failure error', 'in doubt'],
  ['in_progress error success failure', 'published']
])('a claim with the statuses "%s" is %s', (states, state) => {
  expect(stateOf(claimOf(states), NOW)).toBe(state)
})

test('a failure after every error is failed, though an in_progress that took effect late follows it', () => {
  expect(stateOf(claimOf('failure in_progress'), NOW)).toBe('failed')
  expect(stateOf(claimOf('error failure in_progress'), NOW + 2 * LIFETIME_MS)).toBe('failed')
})

test('the 15 minutes count from the first in_progress, however often it is written', () => {
  const early = { ...statusOf(1, 'in_progress'), createdAt: NOW - LIFETIME_MS }
  const claim = claimOf('', { statuses: [early, statusOf(2, 'in_progress')] })
  expect(stateOf(claim, NOW)).toBe('in doubt')
})

test('an in_progress is in doubt after 15 minutes, and at once when a later attempt of the job looks', () => {
  const claim = claimOf('in_progress')
  expect(stateOf(claim, NOW + LIFETIME_MS - 1)).toBe('in progress')
  expect(stateOf(claim, NOW + LIFETIME_MS)).toBe('in doubt')
  expect(stateOf(claim, NOW, { ...RUN, runAttempt: 2 })).toBe('in doubt')
  expect(stateOf(claim, NOW, { ...RUN, runAttempt: 2, job: 'other' })).toBe('in progress')
  expect(stateOf(claim, NOW, OTHER)).toBe('in progress')
})

describe('the claims in a run’s way', () => {
  const at = (claims: readonly Claim[], others: readonly [Claim, 'higher' | 'lower'][] = []) =>
    judge({ claims, others: others.map(([claim, rank]) => ({ ...claim, rank })), now: NOW }, OTHER)
  const higher = claimOf('in_progress success', { id: 7, versionName: '2.0.0' })
  const doubtful = claimOf('in_progress error', { id: 8, versionName: '3.0.0' })
  const sent = claimOf('in_progress', { id: 9, versionName: '1.0.0' })

  test('an idle claim stops no run, and a failed one does not, either', () => {
    expect(at([claimOf(''), claimOf('in_progress failure')])).toEqual({ kind: 'clear' })
  })

  test('published comes before in doubt, in doubt before a higher version, and that before in progress', () => {
    const published = claimOf('success', { id: 2 })
    const doubt = claimOf('error', { id: 3 })
    expect(at([doubt, published], [[higher, 'higher']])).toMatchObject({ kind: 'published' })
    expect(at([doubt], [[higher, 'higher']])).toMatchObject({ kind: 'in doubt' })
    expect(at([claimOf('in_progress')], [[higher, 'higher']])).toMatchObject({ kind: 'higher' })
  })

  test('of higher versions, a published one is named before one in doubt', () => {
    const others: [Claim, 'higher'][] = [doubtful, higher].map(claim => [claim, 'higher'])
    const claim = { versionName: '2.0.0' }
    expect(at([], others)).toMatchObject({ kind: 'higher', state: 'published', claim })
  })

  test('a lower version is waited for only while it is in progress', () => {
    expect(at([], [[sent, 'lower']])).toMatchObject({ kind: 'in progress', rank: 'lower' })
    expect(at([], [[doubtful, 'lower']])).toEqual({ kind: 'clear' })
  })

  test('a run’s own earlier claims never stop it', () => {
    const own = claimOf('in_progress', { id: 5 })
    expect(judge({ claims: [own], others: [], now: NOW }, RUN, [5, 6])).toEqual({ kind: 'clear' })
    expect(judge({ claims: [own], others: [], now: NOW }, RUN, [])).toMatchObject({
      kind: 'in progress'
    })
  })
})

describe('the payload and the statuses of a deployment', () => {
  const product = { baseUrl: 'https://shop.example.com', route: { product: 12 } }

  const keyed = (publication: string, over = {}) => {
    return { payload: { publication, run_attempt: 1, ...over } }
  }
  const KEY = publicationKeyOf(product, '1')
  const DEPLOYMENT = {
    id: 4,
    created_at: '2026-01-02T03:04:05Z',
    ref: 'v1'
  }

  test('a version’s name is compared in NFC, without zero-width characters', () => {
    expect(comparableName('1.0.0-e\u0301')).toBe('1.0.0-\u00e9')
    expect(comparableName('1.\u200b0\ufeff')).toBe('1.0')
    expect(publicationKeyOf(product, '1.0\u2060')).toBe(publicationKeyOf(product, '1.0'))
  })

  test('a status of another tool is not read; one of ours without a date is an error', () => {
    const status = {
      id: 3,
      state: 'success',
      description: 'Deployed',
      created_at: '2026-01-02T03:04:05Z'
    }
    expect(parseStatus(parseDeploymentStatus(status), 1)).toBeUndefined()

    const ours = { ...status, description: describePublished('34', SHA) }
    expect(parseStatus(parseDeploymentStatus(ours), 1)).toMatchObject({
      id: 3,
      state: 'success',
      createdAt: NOW
    })
    expect(() => parseStatus(parseDeploymentStatus({ ...ours, created_at: '' }), 1)).toThrow(
      'without an id or a date'
    )
  })

  test.each([
    ['no payload', {}],
    ['a key of another shop', keyed('["https://a.b",12,null,"1"]')],
    ['a key of another product', keyed('["https://shop.example.com",13,null,"1"]')],
    ['a run id that leads elsewhere', keyed(KEY, { run_id: '../../evil' })],
    ['half an attempt', keyed(KEY, { run_attempt: 1.5 })],
    ['a date that no clock shows', { ...keyed(KEY), created_at: '+275760-09-13T00:00:00Z' }]
  ])('%s is an error that names the deployment', (_, over) => {
    const value = { ...DEPLOYMENT, ...over }
    expect(() => parseClaim(parseDeployment(value), product)).toThrow(
      'Deployment 4 of the environment'
    )
  })

  test('a claim on another base URL of the same host is left out', () => {
    const elsewhere = keyed('["https://shop.example.com/eu",12,null,"1"]')
    expect(parseClaim(parseDeployment({ ...DEPLOYMENT, ...elsewhere }), product)).toBeUndefined()

    const { claimant } = claimOf('')
    const payload = payloadOf(product, '1', claimant)
    expect(parseClaim(parseDeployment({ ...DEPLOYMENT, payload }), product)).toMatchObject({
      id: 4,
      tag: 'v1',
      versionName: '1',
      claimant
    })
  })

  /** A claim of the first version of this action, which named no format and no digest. */
  const OLD_PAYLOAD = {
    publication: '["https://shop.example.com",12,null,"1.4.2"]',
    run_id: '1001',
    run_attempt: 1,
    job: 'publish',
    commit: 'c0ffee',
    title: 'Gallery',
    file_name: 'gallery.zip',
    file_path: 'dist/gallery.zip'
  }

  test.each([
    ['without a format', {}, ''],
    ['of this format', { format: 1, sha256: SHA }, SHA],
    ['of a higher format', { format: 7, sha256: SHA, files: [{ name: 'a.zip' }] }, SHA],
    ['with another digest', { format: 7, sha256: `sha512:${SHA}` }, '']
  ])('a claim %s is read by the fields that are known', (_, over, sha256) => {
    const claim = parseClaim(
      parseDeployment({ ...DEPLOYMENT, payload: { ...OLD_PAYLOAD, ...over } }),
      product
    )
    expect(claim).toMatchObject({
      versionName: '1.4.2',
      claimant: { ...claimOf('').claimant, sha256 }
    })
  })

  test('a claim of a higher format without them is a newer version’s, and nobody is asked to delete it', () => {
    const payload = { format: 2, publications: [KEY] }
    expect(() => parseClaim(parseDeployment({ ...DEPLOYMENT, payload }), product)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('written by a newer version of this action'),
        advice: 'Use the newer version here, too.'
      })
    )
  })

  test('a description fits 140 characters, and is cut nowhere but in its reason', () => {
    const long = describeEnd('not published', `😀${'x'.repeat(300)}`)
    expect(long.length).toBeLessThanOrEqual(140)
    expect(long).toMatch(/^publish-version: not published \(😀x.*…\)$/u)

    expect(describeMark('published', '9'.repeat(12), SHA)).toHaveLength(
      'publish-version: marked published by run '.length + 12 + 1 + 7 + 64
    )
  })

  test('the digest and the id are read back', () => {
    const statuses = [
      statusOf(1, 'in_progress', `publish-version: sending sha256:${SHA} 5 bytes`),
      statusOf(2, 'success', describePublished('34', SHA))
    ]
    expect(recordedVersionOf(claimOf('', { statuses }))).toMatchObject({
      versionId: '34',
      sha256: SHA,
      size: 5
    })
  })

  test.each([
    ['published as 007 sha256:', ''],
    ['published as 12.5 sha256:', ''],
    ['published as -7 sha256:', '-7']
  ])('an id that somebody wrote is a number, or none: "%s"', (said, versionId) => {
    const statuses = [statusOf(1, 'success', `publish-version: ${said}${SHA}`)]
    expect(recordedVersionOf(claimOf('', { statuses })).versionId).toBe(versionId)
  })

  const published = [statusOf(2, 'success', describePublished('34', SHA))]
  const present: PresentRun = {
    ...RUN,
    commit: 'c0ffee',
    filePath: 'dist/gallery.zip',
    sha256: 'other'
  }
  const later = { runAttempt: 2 }
  const elsewhere = { runId: '7' }

  test.each<[string, Partial<PresentRun>, ContentMatch]>([
    ['the same bytes', { sha256: SHA }, 'same'],
    ['the same attempt', {}, 'different'],
    ['a later attempt of the job', later, 'rebuilt'],
    ['another run on the same commit', elsewhere, 'rebuilt'],
    ['another job of a later attempt', { ...later, job: 'pro' }, 'different'],
    ['another path in a later attempt', { ...later, filePath: 'pro/gallery.zip' }, 'different'],
    ['another path in another run', { ...elsewhere, filePath: 'pro/gallery.zip' }, 'different'],
    ['another commit in a later attempt', { ...later, commit: 'beef' }, 'different'],
    ['no commit in a later attempt', { ...later, commit: '' }, 'different'],
    ['another commit in another run', { ...elsewhere, commit: 'beef' }, 'different']
  ])('the content of a published version, compared with %s', (_, given, expected) => {
    const claim = claimOf('', { statuses: published })
    expect(compareContent(claim, { ...present, ...given })).toBe(expected)
  })

  test('a file that is attached to a release is replaced, and not built again', () => {
    const filePath = attachedPath('gallery.zip', 'v1.4.2')
    const { claimant } = claimOf('')
    const claim = claimOf('', {
      tag: 'v1.4.2',
      statuses: published,
      claimant: { ...claimant, filePath }
    })
    expect(compareContent(claim, { ...present, ...elsewhere, filePath })).toBe('different')
  })

  test('a claim of a version without the path of its file is compared by the rest', () => {
    const { claimant } = claimOf('')
    const claim = claimOf('', { statuses: published, claimant: { ...claimant, filePath: '' } })
    expect(compareContent(claim, { ...present, ...later })).toBe('rebuilt')
  })
})
