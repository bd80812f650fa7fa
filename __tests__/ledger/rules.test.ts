// Tests of src/ledger/rules.ts: the states of claims, and what stands in a run's way.
import { describe, expect, test } from '@jest/globals'
import { parseDeployment, parseDeploymentStatus } from '../../src/github/deployment-answers.ts'
import {
  comparableName,
  describeEnd,
  describeMark,
  describePublished,
  parseClaim,
  parseStatus,
  payloadOf,
  publicationKeyOf,
  recordedVersionOf
} from '../../src/ledger/claim-format.ts'
import { type Claim, judge, LIFETIME_MS, type Status, stateOf } from '../../src/ledger/rules.ts'
import {
  type ContentMatch,
  compareContent,
  type PresentRun
} from '../../src/ledger/same-content.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const SHA = 'ab12'.repeat(16)
const RUN = { runId: '1001', runAttempt: 1, job: 'publish' }

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
      fileSource: 'workspace',
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

test('an in_progress is in doubt after 15 minutes, whoever looks', () => {
  const claim = claimOf('in_progress')
  expect(stateOf(claim, NOW + LIFETIME_MS - 1)).toBe('in progress')
  expect(stateOf(claim, NOW + LIFETIME_MS)).toBe('in doubt')
})

describe('the claims in a run’s way', () => {
  const at = (claims: readonly Claim[], others: readonly [Claim, 'higher' | 'lower'][] = []) =>
    judge({ claims, others: others.map(([claim, rank]) => ({ ...claim, rank })), now: NOW })
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

  test('a run leaves out its present claim alone: an earlier one of its own has to have ended', () => {
    const own = claimOf('in_progress', { id: 5 })
    const look = { claims: [own], others: [], now: NOW }
    expect(judge(look, 5)).toEqual({ kind: 'clear' })
    expect(judge(look, 6)).toMatchObject({ kind: 'in progress', claim: { id: 5 } })
    expect(judge(look)).toMatchObject({ kind: 'in progress' })
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

  test('a version’s name is compared in NFC, once the characters that nobody can see are gone', () => {
    expect(comparableName('1.0.0-e\u0301')).toBe('1.0.0-\u00e9')
    expect(comparableName('1.\u200b0\ufeff')).toBe('1.0')
    expect(comparableName('1.0.0-e\u034f\u0301')).toBe('1.0.0-\u00e9')
  })

  test('a key is compared as it was written, and its version’s name is normalized after that', () => {
    const written = keyed(publicationKeyOf(product, 'e\u034f\u0301'))
    const claim = parseClaim(parseDeployment({ ...DEPLOYMENT, ...written }), product)
    expect(claim?.versionName).toBe('\u00e9')
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
    ['a run id with a query', keyed(KEY, { run_id: '41?evil=1' })],
    ['a run id with a line of its own', keyed(KEY, { run_id: '41\n::error::evil' })],
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
    const payload = payloadOf(product, { versionName: '1', tag: 'v1.0', claimant })
    expect(parseClaim(parseDeployment({ ...DEPLOYMENT, payload }), product)).toMatchObject({
      id: 4,
      // The ref of a mark may be a commit.
      tag: 'v1.0',
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
    file_path: 'dist/gallery.zip',
    source: 'workspace'
  }

  test.each([
    ['without a format', {}, ''],
    ['of this format', { format: 1, sha256: SHA, files: [{ name: 'a.zip' }] }, SHA],
    ['with another digest', { format: 1, sha256: `sha512:${SHA}` }, '']
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

  test.each([
    ['in another form', { publications: [KEY] }],
    ['that reads', OLD_PAYLOAD]
  ])(
    'a claim of a higher format, %s, stops the run, and nobody is asked to delete it',
    (_, over) => {
      const payload = { ...over, format: 2 }
      expect(() => parseClaim(parseDeployment({ ...DEPLOYMENT, payload }), product)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('written by a newer version of this action'),
          advice: 'Use the newer version here, too.'
        })
      )
    }
  )

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
    ['published as 1e999 sha256:', ''],
    ['published as 0x7 sha256:', ''],
    ['published as 9007199254740993 sha256:', '9007199254740993'],
    ['published as -7 sha256:', '-7']
  ])('an id that somebody wrote is a number, or none: "%s"', (said, versionId) => {
    const statuses = [statusOf(1, 'success', `publish-version: ${said}${SHA}`)]
    expect(recordedVersionOf(claimOf('', { statuses })).versionId).toBe(versionId)
  })

  const published = [statusOf(2, 'success', describePublished('34', SHA))]
  const present: PresentRun = {
    ...RUN,
    commit: 'c0ffee',
    fileSource: 'workspace',
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

  test.each([
    ['attached to a release, then and now', 'release', 'release'],
    ['attached then', 'release', 'workspace'],
    ['attached now', 'workspace', 'release'],
    ['of no recorded source', undefined, 'workspace']
  ] as const)('only a file of the workspace is built again: not one %s', (_, then, fileSource) => {
    const { claimant } = claimOf('')
    const claim = claimOf('', { statuses: published, claimant: { ...claimant, fileSource: then } })
    expect(compareContent(claim, { ...present, ...elsewhere, fileSource })).toBe('different')
  })

  test.each([
    ['by a run', [describePublished('34', SHA)], ''],
    ['by a person', [describeMark('published', '77', SHA)], '77'],
    [
      'by a person, and by a run',
      [describeMark('published', '77'), describePublished('34', SHA)],
      ''
    ]
  ])('who says that it is published: %s', (_, said, markedBy) => {
    const statuses = said.map((text, id) => statusOf(id, 'success', text))
    expect(recordedVersionOf(claimOf('', { statuses })).markedBy).toBe(markedBy)
  })
})
