// Tests of src/release/find-release.ts: which release is published, by the event, a tag, or one that stands in.
import { describe, expect, test } from '@jest/globals'
import { commitOf } from '../../src/release/find-release.ts'
import { BY_ID, BY_TAG, down, find, missing, openReleases, raw, release } from './released.ts'

const LIST = '/releases'
const PUSH = { eventName: 'push', ref: 'refs/heads/main' }
const tag = 'v1.2.3'
const edited = { [BY_ID]: { ...raw, body: '- Edited' } }

describe('a release event', () => {
  test.each(['published', 'released', 'prereleased'])(
    '%s means its release, without asking GitHub',
    async action => {
      const { found, notices, asked } = await find({ payload: { action, release: raw } })
      expect(found).toEqual({ tag, release, ownCommit: true, standIn: '' })
      expect([notices, asked]).toEqual([[], []])
    }
  )

  test.each([...['created', 'edited', 'deleted', ''].map(action => ({ action })), null])(
    '%j is skipped, with the types to listen to',
    async payload => {
      const message = /action is "\w*".*`types: \[released\]`.*`types: \[published\]`/
      expect((await find({ payload })).found).toMatchObject({
        ...{ kind: 'skip', reason: 'event-action', message: expect.stringMatching(message) }
      })
    }
  )

  test('without a tag is refused', async () => {
    const payload = { action: 'released', release: { ...raw, tag_name: null } }
    expect((await find({ payload })).found).toMatchObject({ kind: 'refused', reason: 'event' })
  })

  test.each<[string, unknown, object]>([
    ['has its notes', edited[BY_ID], { release: { notes: '- Edited' } }],
    ['is a draft', { ...raw, draft: true }, { reason: 'draft' }],
    ['is a pre-release', { ...raw, prerelease: true }, { reason: 'prerelease' }],
    ['has another tag', { ...raw, tag_name: 'v2' }, { kind: 'refused', reason: 'event' }]
  ])('is read again on a re-run: now it %s', async (_, answer, expected) => {
    const { found, asked } = await find({ runAttempt: 2, answers: { [BY_ID]: answer } })
    expect(found).toMatchObject(expected)
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

  test('a mistake of ours is not taken for GitHub’s', async () => {
    const answers = { [BY_ID]: new TypeError('ours') }
    await expect(find({ runAttempt: 2, answers })).rejects.toThrow('ours')
  })
})

describe('the release of a tag', () => {
  test.each<[string, Parameters<typeof find>[0], boolean]>([
    ['the input', { ...PUSH, tag }, false],
    ['the input, on the tag itself', { eventName: 'push', tag }, true],
    ['the input, against the event’s release', { payload: { action: 'deleted' }, tag }, true],
    ['the pushed tag', { eventName: 'push' }, true]
  ])('by %s is read from GitHub', async (_, given, ownCommit) => {
    const { found, asked } = await find({ ...given, answers: { [BY_TAG]: raw } })
    expect(found).toMatchObject({ tag, ownCommit, release: { id: 7 } })
    expect(asked).toEqual([`${BY_TAG} ${tag}`])
  })

  test.each(['refs/heads/refs/tags/v1', 'refs/tags/', ''])(
    'cannot be known on %j, which says to set one',
    async ref => {
      const message = expect.stringMatching(/"push" on ".*" has no tag.*Set the input `tag`/)
      const { found } = await find({ eventName: 'push', ref })
      expect(found).toEqual({ kind: 'refused', reason: 'event', message })
    }
  )

  test('may not be there', async () => {
    const answers = { [BY_TAG]: missing, [LIST]: [raw] }
    const { found } = await find({ ...PUSH, tag: 'v9', answers })
    expect(found).toEqual({ tag: 'v9', release: undefined, ownCommit: false, standIn: '' })
  })

  test('that is a draft is found in the list, and refused', async () => {
    const draft = { ...raw, id: 8, tag_name: 'v9', draft: true }
    const { found } = await find({ ...PUSH, tag: 'v9', answers: { [LIST]: [raw, draft] } })
    expect(found).toMatchObject({ kind: 'refused', reason: 'draft' })
  })

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['it cannot be read', { [BY_TAG]: down }, /502/],
    [
      'GitHub answers 200 with a page',
      { [BY_TAG]: '<html>Welcome</html>' },
      /other than a release/
    ],
    ['the list is none', { [BY_TAG]: missing, [LIST]: { message: 'hello' } }, /no list/]
  ])('is not taken for missing when %s', async (_, answers, message) => {
    await expect(find({ ...PUSH, tag, answers })).rejects.toThrow(message)
  })
})

describe('on a pull request', () => {
  const ref = 'refs/pull/7/merge'
  const plan = (answer: unknown) =>
    find({ eventName: 'pull_request', ref, harmless: true, answers: { [LIST]: answer } })

  test.each(['pull_request', 'pull_request_target'])(
    'nothing is published, even with the input `tag`: %s',
    async eventName => {
      const message = expect.stringContaining(eventName)
      const { found } = await find({ eventName, ref, tag })
      expect(found).toEqual({ kind: 'refused', reason: 'event', message })
    }
  )

  test('that can do no harm the newest release stands in, which is no draft', async () => {
    const drafts = [{ ...raw, draft: true, tag_name: 'v9' }, null]
    const { found } = await plan([...drafts, { ...raw, prerelease: true }, { ...raw, id: 6 }])
    expect(found).toMatchObject({
      ...{ tag, ownCommit: false, release: { id: 7 } },
      standIn: expect.stringContaining('newest release, v1.2.3, in place')
    })
  })

  test('that can do no harm the input `tag` is no stand-in', async () => {
    const given = { eventName: 'pull_request', ref, harmless: true, tag }
    expect((await find({ ...given, answers: { [BY_TAG]: raw } })).found).toMatchObject({
      ...{ tag, standIn: '' }
    })
  })

  test('what to set is said when there is none', async () => {
    const message = expect.stringContaining('Set `tag` and `changelog`')
    const { found } = await plan([{ ...raw, draft: true }])
    expect(found).toEqual({ kind: 'refused', reason: 'event', message })
  })

  test('an answer that is no list is an error, and so is none', async () => {
    await expect(plan({ message: 'hello' })).rejects.toThrow('no list')
    await expect(plan(down)).rejects.toBe(down)
  })
})

test.each([
  ['a release by default', false, 'skip', undefined],
  ['a release beside pre-releases', false, 'publish', undefined],
  ['a release where only pre-releases are wanted', false, 'only', 'not-prerelease'],
  ['a pre-release by default', true, 'skip', 'prerelease'],
  ['a pre-release when asked to', true, 'publish', undefined],
  ['a pre-release where nothing else is wanted', true, 'only', undefined]
] as const)('%s', async (_, isMarked, prerelease, reason) => {
  const gate = (draft: boolean) => {
    const answers = { [BY_TAG]: { ...raw, prerelease: isMarked, draft } }
    return find({ ...PUSH, tag, prerelease, answers })
  }
  const message = expect.stringContaining(tag)
  expect((await gate(false)).found).toMatchObject(
    reason ? { kind: 'skip', reason, message } : { tag }
  )
  expect((await gate(true)).found).toMatchObject({ kind: 'refused', reason: 'draft' })
})

test.each<[string, unknown, boolean, string, string[]]>([
  ['the run’s own on its own tag', { sha: 'beef' }, true, 'c0ffee', []],
  ['the tag’s otherwise', { sha: 'beef' }, false, 'beef', ['/commits/{ref} tags/v1']],
  ['empty when it cannot be read', down, false, '', ['/commits/{ref} tags/v1']]
])('the commit is %s', async (_, answer, ownCommit, commit, expected) => {
  const { api, asked } = openReleases({ '/commits/{ref}': answer })
  const tagged = { tag: 'v1', release: undefined, ownCommit, standIn: '' }
  expect(await commitOf(tagged, 'c0ffee', api)).toBe(commit)
  expect(asked).toEqual(expected)
})
