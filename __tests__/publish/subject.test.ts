// Tests of src/publish/subject.ts: which release is published, read from the event or from GitHub.
import { describe, expect, test } from '@jest/globals'
import { commitOf } from '../../src/publish/subject.ts'
import { contextOf } from '../../src/runner/context.ts'
import { down, missing, openFake } from './errands.ts'
import { BY_ID, BY_TAG, EVENT, find, PUSH, raw } from './finding.ts'

const COMMIT = '/commits/{ref}'

describe('the release of the event', () => {
  test('is taken as it is, without asking GitHub', async () => {
    const found = await find({})
    expect(found).toMatchObject({
      subject: { tag: 'v1.2.3', ownCommit: true, release: { id: 7, notes: '- New' } },
      notices: [],
      asked: []
    })
  })

  test('is read afresh on a re-run', async () => {
    const answers = { [BY_ID]: { ...raw, body: '- Edited' } }
    const found = await find({ env: { ...EVENT, GITHUB_RUN_ATTEMPT: '2' }, answers })
    expect(found).toMatchObject({ subject: { release: { notes: '- Edited' } }, notices: [] })
    expect(found.asked).toEqual([`${BY_ID} 7`])
  })

  test.each([
    ['cannot be read', down, 'could not be read again (GitHub answered 502)'],
    ['is no release', { message: 'hello' }, 'holds no release']
  ])('serves on a re-run when GitHub’s %s', async (_, answer, notice) => {
    const env = { ...EVENT, GITHUB_RUN_ATTEMPT: '2' }
    const found = await find({ env, answers: { [BY_ID]: answer } })
    expect(found).toMatchObject({ subject: { release: { notes: '- New' } } })
    expect(found.notices).toEqual([expect.stringContaining(notice)])
    expect(found.notices[0]).toMatch(/^notice: /)
  })

  test('is refused on a re-run when its tag is another since', async () => {
    const env = { ...EVENT, GITHUB_RUN_ATTEMPT: '2' }
    const found = await find({ env, answers: { [BY_ID]: { ...raw, tag_name: 'v1.3.0' } } })
    expect(found).toMatchObject({ report: { outcome: 'failed', reason: 'event' } })
    expect(JSON.stringify(found)).toMatch(/had the tag v1\.2\.3 when .* has v1\.3\.0 now/)
  })

  test('a mistake of ours is not taken for GitHub’s', async () => {
    const env = { ...EVENT, GITHUB_RUN_ATTEMPT: '2' }
    const finding = find({ env, answers: { [BY_ID]: new TypeError('ours') } })
    await expect(finding).rejects.toThrow('ours')
  })

  test('that became a draft or a pre-release since is not published', async () => {
    const env = { ...EVENT, GITHUB_RUN_ATTEMPT: '2' }
    for (const [change, reason] of [
      [{ draft: true }, 'draft'],
      [{ prerelease: true }, 'prerelease']
    ] as const) {
      const found = await find({ env, answers: { [BY_ID]: { ...raw, ...change } } })
      expect(found).toMatchObject({ report: { reason } })
    }
  })
})

describe('the release of a tag', () => {
  test.each([
    ['the input', { env: PUSH, tag: 'v1.2.3' }, false],
    [
      'the input, on the tag itself',
      { env: { ...EVENT, GITHUB_EVENT_NAME: 'push' }, tag: 'v1.2.3' },
      true
    ],
    ['the pushed tag', { env: { ...EVENT, GITHUB_EVENT_NAME: 'push' } }, true],
    ['the input, against the event’s release', { tag: 'v1.2.3' }, true]
  ])('by %s is read from GitHub', async (_, given, ownCommit) => {
    const found = await find({ ...given, answers: { [BY_TAG]: raw } })
    expect(found).toMatchObject({ subject: { tag: 'v1.2.3', ownCommit, release: { id: 7 } } })
    expect(found.asked).toEqual([`${BY_TAG} v1.2.3`])
  })

  test('may not be there', async () => {
    const found = await find({
      env: PUSH,
      tag: 'v9',
      answers: { [BY_TAG]: missing, '/releases': [raw] }
    })
    expect(found).toMatchObject({ subject: { tag: 'v9', release: undefined, ownCommit: false } })
  })

  test('that cannot be read is not taken for missing', async () => {
    const finding = find({ env: PUSH, tag: 'v9', answers: { [BY_TAG]: down } })
    await expect(finding).rejects.toBe(down)
  })

  test.each([
    ['by its tag', { [BY_TAG]: '<html>Welcome to the proxy</html>' }],
    ['among the drafts', { [BY_TAG]: missing, '/releases': { message: 'hello' } }]
  ])(
    'that an answer of 200 without a release stands for, %s, is not taken for missing',
    async (_, answers) => {
      const finding = find({ env: PUSH, tag: 'v9', answers })
      await expect(finding).rejects.toThrow(/answered/)
    }
  )

  test('that is a draft is found in the list of releases, and refused', async () => {
    const answers = {
      [BY_TAG]: missing,
      '/releases': [raw, { ...raw, id: 8, tag_name: 'v9', draft: true }]
    }
    const found = await find({ env: PUSH, tag: 'v9', answers })
    expect(found).toMatchObject({ report: { outcome: 'failed', reason: 'draft' } })
  })

  test('passes the same gate', async () => {
    const answers = { [BY_TAG]: { ...raw, prerelease: true } }
    const given = { env: PUSH, tag: 'v1.2.3', answers }
    expect(await find(given)).toMatchObject({
      report: { outcome: 'skipped', reason: 'prerelease' }
    })
    expect(await find({ ...given, prerelease: 'publish' })).toHaveProperty('subject')
  })
})

describe('no release', () => {
  test.each([
    [
      'an action that publishes nothing',
      { payload: { action: 'edited' } },
      'skipped',
      'event-action'
    ],
    ['an event without a tag', { env: PUSH }, 'failed', 'event'],
    ['a pull request', { env: { ...EVENT, GITHUB_EVENT_NAME: 'pull_request' } }, 'failed', 'event'],
    [
      'a release for pre-releases alone',
      { prerelease: 'only' as const },
      'skipped',
      'not-prerelease'
    ]
  ])('%s ends the run', async (_, given, outcome, reason) => {
    const found = await find(given)
    expect(found).toMatchObject({ report: { outcome, reason }, asked: [] })
  })

  test('a draft is refused', async () => {
    const payload = { action: 'published', release: { ...raw, draft: true } }
    expect(await find({ payload })).toMatchObject({
      report: { outcome: 'failed', reason: 'draft' }
    })
  })
})

describe('the commit', () => {
  const context = contextOf(EVENT, '/')
  const subject = { tag: 'v1', release: undefined, ownCommit: false, standIn: '' }

  test('is the run’s own on its own tag', async () => {
    const { github, asked } = openFake({})
    expect(await commitOf({ ...subject, ownCommit: true }, context, github)).toBe('c0ffee')
    expect(asked).toEqual([])
  })

  test('is the tag’s otherwise', async () => {
    const { github, asked } = openFake({ [COMMIT]: { sha: 'beef' } })
    expect(await commitOf(subject, context, github)).toBe('beef')
    expect(asked).toEqual([`${COMMIT} tags/v1`])
  })

  test.each([
    ['GitHub fails', down],
    ['there is no such tag', missing],
    ['the answer is strange', { sha: 1 }],
    ['the answer is nothing', null]
  ])('is not known when %s', async (_, answer) => {
    const { github } = openFake({ [COMMIT]: answer })
    expect(await commitOf(subject, context, github)).toBe('')
  })
})
