// Tests of src/release/find-release.ts: which release is published, by the event or a tag.
import { describe, expect, test } from '@jest/globals'
import { type CommitQuestion, commitOf } from '../../src/release/checkout.ts'
import {
  BY_ID,
  BY_TAG,
  down,
  find,
  inTurn,
  missing,
  openReleases,
  type Question,
  raw,
  release
} from './released.ts'

const LIST = '/releases'
const COMMIT = '/commits/{ref}'
const PUSH = { eventName: 'push', ref: 'refs/heads/main' }
const tag = 'v1.2.3'
/** A tag without a release. */
const TAG_ALONE = {
  tag: 'v1',
  release: undefined,
  ownCommit: false
}

describe('a release event', () => {
  const listened = ['published', 'released', 'prereleased']

  test.each(listened)('%s means its release, as GitHub has it now', async action => {
    const now = { ...raw, body: '- Edited' }
    const { found, asked } = await find({
      payload: { action, release: raw },
      answers: { [BY_ID]: now }
    })

    expect(found).toEqual({
      tag,
      release: { ...release, notes: '- Edited' },
      ownCommit: true
    })
    expect(asked).toEqual([`${BY_ID} 7`])
  })

  const others = ['created', 'edited', 'deleted', '']
  const payloads = [...others.map(action => ({ action })), null]

  test.each(payloads)('%j is skipped, with the types to listen to', async payload => {
    const words = /action is "\w*".*`types: \[released\]`/
    const message = expect.stringMatching(words)
    const { found, asked } = await find({ payload })
    expect(found).toMatchObject({ reason: 'event-action', message })
    expect(asked).toEqual([])
  })

  test.each<[string, object, object]>([
    ['a draft again', { draft: true }, { reason: 'draft' }],
    ['a pre-release', { prerelease: true }, { reason: 'prerelease' }],
    ['of another tag', { tag_name: 'v2' }, { reason: 'event' }]
  ])('%s by now is not published', async (_, over, expected) => {
    const { found } = await find({ answers: { [BY_ID]: { ...raw, ...over } } })
    expect(found).toMatchObject(expected)
  })

  test('gone, after ten seconds of looking: both causes are said, with the lines of YAML', async () => {
    const { found, waited } = await find({ answers: {} })

    expect(found).toMatchObject({
      reason: 'event',
      message: expect.stringMatching(
        /deleted or made a draft again, or the job lacks a permission\..*\n {4}permissions:\n {6}contents: read$/
      )
    })
    expect(waited).toBe(10_000)
  })

  test('shown a moment later is published', async () => {
    const answers = { [BY_ID]: inTurn(missing, missing, raw) }
    const { found, waited } = await find({ answers })
    expect([found, waited]).toMatchObject([{ tag }, 4000])
  })

  test('gone is not sent as a bare tag where the step names the event’s tag', async () => {
    const answers = { [LIST]: [], [COMMIT]: { sha: 'beef' } }
    expect((await find({ answers, tag })).found).toMatchObject({ reason: 'event' })
  })

  test('shown as it was before it became final is looked for again', async () => {
    const answers = { [BY_ID]: inTurn({ ...raw, prerelease: true }, { ...raw, draft: true }, raw) }
    const { found, waited } = await find({ answers })
    expect([found, waited]).toMatchObject([{ tag }, 4000])
  })

  test.each([
    ['cannot be read', down, '502'],
    ['is no release', { message: 'hello' }, 'something other than a release']
  ])('that %s stops the run', async (_, answer, said) => {
    await expect(find({ answers: { [BY_ID]: answer } })).rejects.toThrow(said)
  })

  test('an error of our own is not taken for GitHub’s', async () => {
    const answers = { [BY_ID]: new TypeError('ours') }
    await expect(find({ answers })).rejects.toThrow('ours')
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

  test('may not be there yet: for `prerelease: only` it is looked for, and a tag alone is skipped', async () => {
    const only = { ...PUSH, tag, prerelease: 'only' } as const

    const late = { [BY_TAG]: inTurn(missing, { ...raw, prerelease: true }), [LIST]: [] }
    expect((await find({ ...only, answers: late })).found).toMatchObject({
      tag,
      release: { id: 7 }
    })

    const { found, waited } = await find({
      ...only,
      answers: { [LIST]: [raw], [COMMIT]: { sha: 'beef' } }
    })
    const message = expect.stringContaining('The tag v1.2.3 has no release')
    expect([found, waited]).toEqual([{ reason: 'not-prerelease', message }, 10_000])

    const none = await find({ ...only, answers: { [LIST]: [] } })
    expect(none.found).toMatchObject({ reason: 'event' })
  })

  test.each<[string, Question]>([
    ['its tag is there', { ...PUSH, answers: { [LIST]: [raw], [COMMIT]: { sha: 'beef' } } }],
    ['no tag is needed', { ...PUSH, needsTag: false }]
  ])('may not be there where %s, and is not waited for', async (_, given) => {
    const { found, waited } = await find({ ...given, tag: 'v1' })
    expect([found, waited]).toEqual([TAG_ALONE, 0])
  })

  test('may not be there where the tag started the run, which is not asked for', async () => {
    const { found, waited, asked } = await find({ eventName: 'push', answers: { [LIST]: [] } })
    expect([found, waited]).toEqual([{ tag, release: undefined, ownCommit: true }, 0])
    expect(asked).toEqual([`${BY_TAG} ${tag}`, LIST])
  })

  test('is looked for during 10 seconds where there is no such tag, which is an error', async () => {
    const late = { [BY_TAG]: inTurn(missing, raw), [LIST]: [] }
    expect((await find({ ...PUSH, tag, answers: late })).found).toMatchObject({
      release: { id: 7 }
    })

    const { found, waited } = await find({ ...PUSH, tag: 'v9', answers: { [LIST]: [raw] } })
    const message = expect.stringMatching(
      /^GitHub knows neither a release nor a tag "v9"\. .*A draft shows only to a job with `contents: write`; once it is published, that starts/
    )
    expect([found, waited]).toEqual([{ reason: 'event', message }, 10_000])
  })

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['it cannot be read', { [BY_TAG]: down }, /502/],
    ['GitHub answers 200 with a page', { [BY_TAG]: '<html>Hello' }, /other than a release/],
    ['the list is none', { [BY_TAG]: missing, [LIST]: { message: 'hello' } }, /no list/],
    ['its tag cannot be read', { [LIST]: [], [COMMIT]: down }, /502/]
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
      ownCommit: false
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

test.each<[string, Question, string]>([
  ['a release without a tag', { payload: { action: 'released' } }, 'Set the input `tag`'],
  ['a branch named like a tag', { ...PUSH, ref: 'refs/heads/refs/tags/v1' }, 'Set the input `tag`'],
  ['an empty tag', { eventName: 'push', ref: 'refs/tags/' }, '"push" on "refs/tags/" has no tag'],
  ['no ref at all', { eventName: 'push', ref: '' }, 'Set the input `tag`']
])('%s is refused', async (_, given, text) => {
  const message = expect.stringContaining(text)
  expect((await find(given)).found).toEqual({ reason: 'event', message })
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

const SELF_STYLED =
  'v1.5.0-beta.1|v1.5.0-rc1|v2.0.0-alpha|v1.5.0-SNAPSHOT|v1.5.0-dev|1.5.0-prerelease'.split('|')
const FINAL =
  'v1.4.2|1.4.2-1.20.4|1.4.2-hotfix.1|1.4.2-mc1.21-rc1|2.1+1.21-pre1|v2026.11|v1.4.2-development'.split(
    '|'
  )

test.each([
  ...SELF_STYLED.map(name => [name, 'unmarked-prerelease'] as const),
  ...FINAL.map(name => [name, undefined] as const)
])('a version may call itself a pre-release: %s, %s', async (name, reason) => {
  const answers = { [BY_TAG]: { ...raw, tag_name: name } }
  const expected = reason ? { reason } : { tag: name }
  expect((await find({ ...PUSH, tag: name, answers })).found).toMatchObject(expected)
})

/** Asks for the commit of a tag, in a run of the commit c0ffee. */
async function findCommit(given: Partial<CommitQuestion> & { readonly answers: object }) {
  const { answers, tagged = { ...TAG_ALONE, ownCommit: true }, ...others } = given
  const { api, asked } = openReleases({ ...answers })
  let waited = 0
  const commit = await commitOf({
    tagged,
    sha: 'c0ffee',
    api,
    sleep: async ms => {
      waited += ms
    },
    ...others
  })
  return { commit, waited, asked }
}

test.each<[string, unknown, string, number]>([
  ['the run’s own', { sha: 'c0ffee' }, 'c0ffee', 0],
  [
    'the new one where GitHub shows the old one first',
    inTurn({ sha: 'c0ffed' }, { sha: 'c0ffee' }),
    'c0ffee',
    2000
  ],
  ['the tag’s where it was moved', { sha: 'beef' }, 'beef', 10_000],
  ['the run’s own where the tag is gone', missing, 'c0ffee', 10_000]
])('the commit of the tag that started the run is %s', async (_, answer, expected, wait) => {
  const { commit, waited } = await findCommit({ answers: { [COMMIT]: answer } })
  expect([commit, waited]).toEqual([expected, wait])
})

test.each([
  ['the one that it names', { sha: 'beef' }, 'beef'],
  ['empty when there is no such tag', missing, '']
])('the commit of any other tag is %s, without waiting', async (_, answer, expected) => {
  const found = await findCommit({ tagged: TAG_ALONE, answers: { [COMMIT]: answer } })
  expect(found).toEqual({ commit: expected, waited: 0, asked: [`${COMMIT} tags/v1`] })
})

test('a GitHub that cannot say which commit it is stops the run', async () => {
  await expect(findCommit({ tagged: TAG_ALONE, answers: { [COMMIT]: down } })).rejects.toBe(down)
})
