// Tests of src/publish/subject.ts on pull requests, where a plan may be asked for.
import { describe, expect, test } from '@jest/globals'
import { down } from './errands.ts'
import { BY_TAG, EVENT, find, raw } from './finding.ts'

describe('planning on a pull request', () => {
  const env = { ...EVENT, GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/7/merge' }
  const planning = { env, planning: true }
  const plan = (answer: unknown) => find({ ...planning, answers: { '/releases': answer } })

  test('takes the newest release, and calls it so', async () => {
    const found = await plan([raw, { ...raw, id: 6, tag_name: 'v1.2.2' }])
    expect(found).toMatchObject({
      subject: {
        ...{ tag: 'v1.2.3', ownCommit: false, release: { id: 7 } },
        standIn: expect.stringContaining('the newest release, v1.2.3, stand in')
      }
    })
  })

  test('passes over drafts, and takes a pre-release', async () => {
    const found = await plan([
      { ...raw, draft: true },
      null,
      { ...raw, prerelease: true, tag_name: 'v2-rc' }
    ])
    expect(found).toMatchObject({ subject: { tag: 'v2-rc' } })
  })

  test.each([
    ['there is none', []],
    ['there are drafts alone', [{ ...raw, draft: true }]]
  ])('says what to set when %s', async (_, answer) => {
    expect(await plan(answer)).toMatchObject({
      report: {
        ...{ outcome: 'failed', reason: 'event' },
        message: expect.stringContaining('Set `tag` and `changelog`')
      }
    })
  })

  test('an answer that is no list is an error', async () => {
    await expect(plan({ message: 'hello' })).rejects.toThrow(/no list/)
  })

  test('that GitHub does not answer fails', async () => {
    await expect(plan(down)).rejects.toBe(down)
  })

  test('takes the release of the input `tag`, without a stand-in', async () => {
    const found = await find({ ...planning, tag: 'v1.2.3', answers: { [BY_TAG]: raw } })
    expect(found).toMatchObject({ subject: { tag: 'v1.2.3', standIn: '' } })
  })
})
