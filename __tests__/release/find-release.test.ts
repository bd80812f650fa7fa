// Tests of src/release/find-release.ts: which release is published, read from the event or from GitHub.
import { describe, expect, test } from '@jest/globals'
import { commitOf, readRelease } from '../../src/release/find-release.ts'
import { BY_ID, BY_TAG, down, find, missing, openReleases, raw, release } from './released.ts'

const LIST = '/releases'
const PUSH = { eventName: 'push', ref: 'refs/heads/main' }

describe('the release of the event', () => {
  test('is taken as it is, without asking GitHub', async () => {
    const { found, notices, asked } = await find({})
    expect(found).toEqual({ tag: 'v1.2.3', release, ownCommit: true, standIn: '' })
    expect([notices, asked]).toEqual([[], []])
  })

  test('is read again on a re-run', async () => {
    const answers = { [BY_ID]: { ...raw, body: '- Edited' } }
    const { found, asked } = await find({ runAttempt: 2, answers })
    expect(found).toMatchObject({ release: { notes: '- Edited' } })
    expect(asked).toEqual([`${BY_ID} 7`])
  })

  test.each([
    ['cannot be read', down, 'could not be read again (GitHub answered 502)'],
    ['is no release', { message: 'hello' }, 'something other than a release']
  ])('serves on a re-run when GitHub’s %s', async (_, answer, notice) => {
    const { found, notices } = await find({ runAttempt: 2, answers: { [BY_ID]: answer } })
    expect(found).toMatchObject({ release: { notes: '- New\r\n' } })
    expect(notices).toEqual([expect.stringContaining(notice)])
  })

  test('is refused on a re-run when it has another tag since', async () => {
    const answers = { [BY_ID]: { ...raw, tag_name: 'v1.3.0' } }
    const { found } = await find({ runAttempt: 2, answers })
    expect(found).toMatchObject({ kind: 'refused', reason: 'event' })
    expect(found).toHaveProperty(
      'message',
      expect.stringMatching(/had the tag v1\.2\.3 .* v1\.3\.0 now/)
    )
  })

  test('a mistake of ours is not taken for GitHub’s', async () => {
    const answers = { [BY_ID]: new TypeError('ours') }
    await expect(find({ runAttempt: 2, answers })).rejects.toThrow('ours')
  })

  test.each([
    ['draft', { draft: true }],
    ['prerelease', { prerelease: true }]
  ])('that became a %s since is not published', async (reason, change) => {
    const { found } = await find({ runAttempt: 2, answers: { [BY_ID]: { ...raw, ...change } } })
    expect(found).toMatchObject({ reason })
  })
})

describe('the release of a tag', () => {
  const tag = 'v1.2.3'
  test.each([
    ['the input', { ...PUSH, tag }, false],
    ['the input, on the tag itself', { eventName: 'push', tag }, true],
    ['the pushed tag', { eventName: 'push' }, true],
    ['the input, against the event’s release', { tag }, true]
  ])('by %s is read from GitHub', async (_, given, ownCommit) => {
    const { found, asked } = await find({ ...given, answers: { [BY_TAG]: raw } })
    expect(found).toMatchObject({ tag, ownCommit, release: { id: 7 } })
    expect(asked).toEqual([`${BY_TAG} ${tag}`])
  })

  test('may not be there', async () => {
    const answers = { [BY_TAG]: missing, [LIST]: [raw] }
    const { found } = await find({ ...PUSH, tag: 'v9', answers })
    expect(found).toEqual({ tag: 'v9', release: undefined, ownCommit: false, standIn: '' })
  })

  test('that cannot be read is not taken for missing', async () => {
    await expect(find({ ...PUSH, tag, answers: { [BY_TAG]: down } })).rejects.toBe(down)
  })

  test.each([
    ['by its tag', { [BY_TAG]: '<html>Welcome to the proxy</html>' }],
    ['among the drafts', { [BY_TAG]: missing, [LIST]: { message: 'hello' } }]
  ])('is not missing when GitHub answers 200 with something else, %s', async (_, answers) => {
    await expect(find({ ...PUSH, tag, answers })).rejects.toThrow(/answered/)
  })

  test('that is a draft is found in the list, and refused', async () => {
    const draft = { ...raw, id: 8, tag_name: 'v9', draft: true }
    const { found } = await find({ ...PUSH, tag: 'v9', answers: { [LIST]: [raw, draft] } })
    expect(found).toMatchObject({ kind: 'refused', reason: 'draft' })
  })

  test('passes the same gate', async () => {
    const given = { ...PUSH, tag, answers: { [BY_TAG]: { ...raw, prerelease: true } } }
    expect((await find(given)).found).toMatchObject({ kind: 'skip', reason: 'prerelease' })
    expect((await find({ ...given, prerelease: 'publish' })).found).toMatchObject({ tag })
  })
})

describe('on a pull request that can do no harm', () => {
  const request = { eventName: 'pull_request', ref: 'refs/pull/7/merge', harmless: true }
  const plan = (answer: unknown) => find({ ...request, answers: { [LIST]: answer } })

  test('the newest release stands in, and is called so', async () => {
    const { found } = await plan([raw, { ...raw, id: 6, tag_name: 'v1.2.2' }])
    expect(found).toMatchObject({ tag: 'v1.2.3', ownCommit: false, release: { id: 7 } })
    expect(found).toHaveProperty(
      'standIn',
      expect.stringContaining('newest release, v1.2.3, stand in')
    )
  })

  test('drafts are passed over, pre-releases are not', async () => {
    const older = { ...raw, prerelease: true, tag_name: 'v2-rc' }
    expect((await plan([{ ...raw, draft: true }, null, older])).found).toMatchObject({
      tag: 'v2-rc'
    })
  })

  test.each([
    ['there is none', []],
    ['there are drafts alone', [{ ...raw, draft: true }]]
  ])('what to set is said when %s', async (_, answer) => {
    const { found } = await plan(answer)
    expect(found).toMatchObject({ kind: 'refused', reason: 'event' })
    expect(found).toHaveProperty('message', expect.stringContaining('Set `tag` and `changelog`'))
  })

  test('an answer that is no list is an error, and so is none', async () => {
    await expect(plan({ message: 'hello' })).rejects.toThrow(/other than a list/)
    await expect(plan(down)).rejects.toBe(down)
  })

  test('the release of the input `tag` is no stand-in', async () => {
    const { found } = await find({ ...request, tag: 'v1.2.3', answers: { [BY_TAG]: raw } })
    expect(found).toMatchObject({ tag: 'v1.2.3', standIn: '' })
  })
})

test('a release is read as it is now, with the files that were attached since', async () => {
  const assets = [{ id: 5, name: 'a.zip', size: 9, state: 'open', digest: null }]
  const { api } = openReleases({ [BY_ID]: { ...raw, immutable: true, assets } })
  expect(await readRelease(7, api)).toMatchObject({
    immutable: true,
    assets: [{ id: 5, name: 'a.zip', state: 'open' }]
  })
})

describe('the commit', () => {
  const subject = { tag: 'v1', release: undefined, ownCommit: false, standIn: '' }
  const commit = (answer: unknown, ownCommit = false) => {
    const { api, asked } = openReleases({ '/commits/{ref}': answer })
    return commitOf({ ...subject, ownCommit }, 'c0ffee', api).then(found => ({ found, asked }))
  }

  test('is the run’s own on its own tag', async () => {
    expect(await commit({ sha: 'beef' }, true)).toEqual({ found: 'c0ffee', asked: [] })
  })

  test('is the tag’s otherwise', async () => {
    const asked = ['/commits/{ref} tags/v1']
    expect(await commit({ sha: 'beef' })).toEqual({ found: 'beef', asked })
  })

  test.each([
    ['cannot be read', down],
    ['has no id', { sha: null }],
    ['is nothing', null]
  ])('is empty when it %s', async (_, answer) => {
    expect((await commit(answer)).found).toBe('')
  })
})
