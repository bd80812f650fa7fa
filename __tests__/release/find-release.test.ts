// Tests of src/release/find-release.ts: which release is published, by the event, a tag, or one that stands in.
import { describe, expect, test } from '@jest/globals'
import { commitOf } from '../../src/release/checkout.ts'
import {
  BY_ID,
  BY_TAG,
  down,
  find,
  missing,
  openReleases,
  type Question,
  raw,
  release
} from './released.ts'

const LIST = '/releases'
const PUSH = { eventName: 'push', ref: 'refs/heads/main' }
const tag = 'v1.2.3'
/** A tag without a release. */
const TAG_ALONE = {
  tag: 'v1',
  release: undefined,
  ownCommit: false,
  standsIn: false
}

describe('a release event', () => {
  const listened = ['published', 'released', 'prereleased']

  test.each(listened)('%s means its release, without asking GitHub', async action => {
    const { found, notices, asked } = await find({ payload: { action, release: raw } })

    expect(found).toEqual({
      tag,
      release,
      ownCommit: true,
      standsIn: false
    })
    expect([notices, asked]).toEqual([[], []])
  })

  const others = ['created', 'edited', 'deleted', '']
  const payloads = [...others.map(action => ({ action })), null]

  test.each(payloads)('%j is skipped, with the types to listen to', async payload => {
    const words = /action is "\w*".*`types: \[released\]`/
    const message = expect.stringMatching(words)
    const { found } = await find({ payload })
    expect(found).toMatchObject({ reason: 'event-action', message })
  })

  test.each<[string, unknown, object]>([
    ['has its notes', { ...raw, body: '- Edited' }, { release: { notes: '- Edited' } }],
    ['is a draft', { ...raw, draft: true }, { reason: 'draft' }],
    ['is a pre-release', { ...raw, prerelease: true }, { reason: 'prerelease' }],
    ['has another tag', { ...raw, tag_name: 'v2' }, { reason: 'event' }]
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

  test('an error of our own is not taken for GitHub’s', async () => {
    const answers = { [BY_ID]: new TypeError('ours') }
    await expect(find({ runAttempt: 2, answers })).rejects.toThrow('ours')
  })
})

describe('the release of a tag', () => {
  test.each<[string, Question, boolean]>([
    ['the input', { ...PUSH, tag }, false],
    ['the input, on the tag itself', { eventName: 'push', tag }, true],
    ['the input, against the event’s release', { payload: { action: 'deleted' }, tag }, true],
    ['the pushed tag', { eventName: 'push' }, true]
  ])('by %s is read from GitHub', async (_, given, ownCommit) => {
    const { found, asked } = await find({ ...given, answers: { [BY_TAG]: raw } })

    expect(found).toMatchObject({ tag, ownCommit, release: { id: 7 } })
    expect(asked).toEqual([`${BY_TAG} ${tag}`])
  })

  test('may not be there', async () => {
    const { found } = await find({ ...PUSH, tag: 'v9', answers: { [LIST]: [raw] } })
    expect(found).toEqual({ ...TAG_ALONE, tag: 'v9' })
  })

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['it cannot be read', { [BY_TAG]: down }, /502/],
    ['GitHub answers 200 with a page', { [BY_TAG]: '<html>Hello' }, /other than a release/],
    ['the list is none', { [BY_TAG]: missing, [LIST]: { message: 'hello' } }, /no list/]
  ])('is not taken for missing when %s', async (_, answers, message) => {
    await expect(find({ ...PUSH, tag, answers })).rejects.toThrow(message)
  })
})

describe('a draft', () => {
  const draft = {
    ...raw,
    id: 8,
    draft: true,
    html_url: 'https://github.com/o/r/untagged-8'
  }
  const other = {
    ...draft,
    id: 9,
    name: 'Autumn',
    html_url: 'https://github.com/o/r/untagged-9'
  }
  const foreign = { ...draft, tag_name: 'v9' }
  const list = (...all: readonly object[]) => ({ [LIST]: [foreign, ...all, { ...raw, id: 6 }] })

  test('is planned when its tag is given', async () => {
    const { found, asked } = await find({ ...PUSH, tag, takesDrafts: true, answers: list(draft) })

    expect(found).toMatchObject({
      tag,
      release: { id: 8, draft: true },
      ownCommit: false,
      standsIn: false
    })
    expect(asked).toEqual([`${BY_TAG} ${tag}`, LIST])
  })

  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['another', list(draft, other), ['2 releases', draft.html_url, other.html_url]],
    ['many', list(...Array.from({ length: 12 }, (_, id) => ({ ...draft, id }))), ['12 releases']],
    ['a release', { [BY_TAG]: raw, ...list(draft) }, ['2 releases', raw.html_url, draft.html_url]]
  ])('together with %s of its tag is not planned: both are listed', async (_, answers, said) => {
    const { found } = await find({ ...PUSH, tag, takesDrafts: true, answers })

    expect(found).toMatchObject({ reason: 'draft' })
    const message = 'message' in found ? found.message : ''
    for (const text of said) {
      expect(message).toContain(text)
    }
  })

  test('that a changing list repeats, or still shows after its publication, counts once', async () => {
    const plan = (answers: object) =>
      find({ ...PUSH, tag, takesDrafts: true, answers: { ...answers } })

    expect((await plan(list(draft, draft))).found).toMatchObject({ release: { draft: true } })

    const published = await plan({ [BY_TAG]: { ...raw, id: 8 }, ...list(draft) })
    expect(published.found).toMatchObject({ release: { id: 8, draft: false } })
  })

  test('is not published, and the advice is to publish it on GitHub; a release of the same tag is published', async () => {
    const { found } = await find({ ...PUSH, tag, answers: list(draft, other) })

    const message = expect.stringMatching(
      /^The release v1\.2\.3 is a draft\. Publish the release on GitHub first/
    )
    expect(found).toEqual({ reason: 'draft', message })

    const published = await find({ ...PUSH, tag, answers: { [BY_TAG]: raw, ...list(draft) } })
    expect(published).toMatchObject({ found: { release: { id: 7 } }, asked: [`${BY_TAG} ${tag}`] })
  })

  test.each(['skip', 'only'] as const)('counts as a pre-release for `%s`', async prerelease => {
    const marked = list({ ...draft, prerelease: true })

    const { found } = await find({
      ...PUSH,
      tag,
      prerelease,
      takesDrafts: true,
      answers: marked
    })
    expect(found).toMatchObject(prerelease === 'only' ? { tag } : { reason: 'prerelease' })
  })
})

const PULL = { eventName: 'pull_request', ref: 'refs/pull/7/merge' }

test.each<[string, Question, string]>([
  ['a release without a tag', { payload: { action: 'released' } }, 'Set the input `tag`'],
  ['a branch named like a tag', { ...PUSH, ref: 'refs/heads/refs/tags/v1' }, 'Set the input `tag`'],
  ['an empty tag', { eventName: 'push', ref: 'refs/tags/' }, '"push" on "refs/tags/" has no tag'],
  ['no ref at all', { eventName: 'push', ref: '' }, 'Set the input `tag`'],
  [
    'a pull request, even with a tag',
    { ...PULL, tag },
    'Runs on a pull_request event publish nothing'
  ]
])('%s is refused', async (_, given, text) => {
  const message = expect.stringContaining(text)
  expect((await find(given)).found).toEqual({ reason: 'event', message })
})

describe('on a pull request that can do no harm', () => {
  const plan = (answer: unknown) =>
    find({ ...PULL, mayRunOnPullRequest: true, answers: { [LIST]: answer } })

  test('the newest release stands in, which is no draft', async () => {
    const none = [{ ...raw, draft: true, tag_name: 'v9' }, null]
    const releases = [...none, { ...raw, prerelease: true }, { ...raw, id: 6 }]

    const { found, asked } = await plan(releases)
    expect(asked).toEqual([`${LIST} 100`])
    expect(found).toMatchObject({
      tag,
      ownCommit: false,
      release: { id: 7 },
      standsIn: true
    })

    const message = expect.stringContaining('Set `tag` and `changelog`')
    expect((await plan([{ ...raw, draft: true }])).found).toEqual({ reason: 'event', message })
  })

  test('an answer that is no list is an error, and no answer is one, too', async () => {
    await expect(plan({ message: 'hello' })).rejects.toThrow('something other than releases')
    await expect(plan(down)).rejects.toBe(down)
  })
})

test.each([
  ['a release by default', false, 'skip', undefined],
  ['a release where pre-releases are published, too', false, 'publish', undefined],
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
  const expected = reason ? { reason, message } : { tag }
  expect((await gate(false)).found).toMatchObject(expected)
  expect((await gate(true)).found).toMatchObject({ reason: 'draft' })
})

test.each([
  {
    name: 'the run’s own on its own tag',
    ownCommit: true,
    answer: { sha: 'beef' },
    requests: [],
    commit: 'c0ffee'
  },
  {
    name: 'the tag’s otherwise',
    ownCommit: false,
    answer: { sha: 'beef' },
    requests: ['/commits/{ref} tags/v1'],
    commit: 'beef'
  },
  {
    name: 'empty when there is no such tag',
    ownCommit: false,
    answer: missing,
    requests: ['/commits/{ref} tags/v1'],
    commit: ''
  }
])('the commit is $name', async ({ ownCommit, answer, requests, commit }) => {
  const { api, asked } = openReleases({ '/commits/{ref}': answer })

  expect(await commitOf({ ...TAG_ALONE, ownCommit }, 'c0ffee', api)).toBe(commit)
  expect(asked).toEqual(requests)
})

test('the commit is read by Gitea’s own route where there is no other', async () => {
  const { api } = openReleases({ '/tags/{tag}': { name: 'v1', commit: { sha: 'beef' } } })
  expect(await commitOf(TAG_ALONE, 'c0ffee', { ...api, isGitHub: false })).toBe('beef')
  expect(await commitOf(TAG_ALONE, 'c0ffee', api)).toBe('')
})

test('a GitHub that cannot say which commit it is stops the run', async () => {
  const { api } = openReleases({ '/commits/{ref}': down })
  await expect(commitOf(TAG_ALONE, 'c0ffee', api)).rejects.toBe(down)
})
