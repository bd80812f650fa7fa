// Tests of src/publish/plan.ts: what publishing would do, by what the memory holds.
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github.ts'
import { keyOf } from '../../src/ledger/deployments.ts'
import { planTarget } from '../../src/publish/plan.ts'
import { prepare } from '../../src/publish/prepare.ts'
import { packed } from '../support/archives.ts'
import { silenceDebug } from '../support/folders.ts'
import { down, NOW, openTestRun, type RunOptions } from './running.ts'

silenceDebug()

const ZIP = packed('the bytes of an archive')
const SHA = createHash('sha256').update(ZIP).digest('hex')
const PUBLICATION = keyOf({
  baseUrl: 'https://shop.example.com',
  product: 12,
  versionName: '1.2.3'
})

/** Deployments on GitHub: one with these states, oldest first. */
function memory(states: readonly string[], over: { sha256?: string; age?: number } = {}) {
  const { sha256 = SHA, age = 10 } = over
  const payload = {
    ...{ publication: PUBLICATION, nonce: 'n', run_id: '123', run_attempt: 1 },
    ...{ job: 'publish', commit: 'c0ffee', file_name: 'app.zip', deadline_seconds: 600 }
  }
  const created_at = new Date(NOW - age * 1000).toISOString()
  const description: Readonly<Record<string, string>> = {
    in_progress: `sha256:${sha256}, ${ZIP.length} bytes`,
    success: '1.2.3 published as version 7'
  }
  const statuses = states.map((state, id) => {
    return { id, state, description: description[state] ?? '', environment_url: '', created_at }
  })
  return {
    '/deployments': [{ id: 99, task: 'publish-version', created_at, payload, statuses_url: '' }],
    '/deployments/{deployment_id}/statuses': statuses
  }
}

async function preview(options: RunOptions, standsIn = false, commit = 'c0ffee') {
  const opened = await openTestRun({ files: { 'dist/app.zip': ZIP }, ...options })
  const tagged = { tag: 'v1.2.3', release: undefined, standIn: '', ownCommit: true }
  const { planned, dispose } = await prepare(opened.run, tagged)
  const [target] = planned
  if (!target) throw new Error('there is no target')
  try {
    const report = await planTarget(opened.run, target, commit, standsIn)
    return { ...report, asked: opened.asked }
  } finally {
    await dispose()
  }
}

const inputs = { mode: 'plan', changelog: '- New' }
const forbidden = new GitHubError('Resource not accessible by integration', 403, true, undefined)

test('a stand-in that is published says nothing of the release to come', async () => {
  const { message } = await preview({ inputs, answers: memory(['success']) }, true)
  expect(message).toMatch(/the next will be a version of its own/)
})

describe('what the memory would decide', () => {
  const say = async (answers: RunOptions['answers'] = {}, commit?: string) =>
    (await preview({ inputs, answers }, false, commit)).message

  test.each<[string, ReturnType<typeof memory>, RegExp]>([
    [
      'a publication of these bytes',
      memory(['in_progress', 'success']),
      /already as version 7: nothing would be sent/
    ],
    ['one settled by hand', memory(['success']), /already( as version 7)?: nothing would be sent/],
    ['one without an end', memory(['in_progress', 'error']), /^Nobody knows .* run 123 sent it/],
    ['one that took too long', memory(['in_progress'], { age: 700 }), /^Nobody knows/],
    ['a run that sends', memory(['in_progress']), /^Run 123 is sending it: publishing would wait/],
    ['a run that prepares', memory([]), /^Run 123 is about to send it: publishing would wait/],
    ['a run that failed', memory(['in_progress', 'failure']), /^It is not published yet/],
    ['a run that is long gone', memory([], { age: 700 }), /^It is not published yet/]
  ])('with %s', async (_, answers, expected) => {
    expect(await say(answers)).toMatch(expected)
  })

  test('with other bytes of the same commit, from another run', async () => {
    const answers = memory(['in_progress', 'success'], { sha256: 'cd'.repeat(32) })
    expect(await say(answers)).toMatch(/nothing would be sent/)
  })

  test('with other bytes of another commit', async () => {
    const answers = memory(['in_progress', 'success'], { sha256: 'cd'.repeat(32) })
    expect(await say(answers, 'beef')).toBe(
      'It is published already as version 7, with other content: publishing would fail.'
    )
  })

  test('is not asked with `once: off`', async () => {
    const { message, asked } = await preview({ inputs: { ...inputs, once: 'off' } })
    expect(message).toBe('It would be published, without a memory (`once: off`).')
    expect(asked).toEqual([])
  })

  test.each([
    ['it is forbidden', forbidden, '(the job may not read deployments)'],
    ['GitHub fails', down, '(GitHub answered 502)']
  ])('is not known when %s', async (_, answer, text) => {
    const message = await say({ '/deployments': answer })
    expect(message).toContain('could not be read')
    expect(message).toContain(text)
  })

  test('is not known when a claim’s history cannot be read', async () => {
    const answers = { ...memory([]), '/deployments/{deployment_id}/statuses': down }
    expect(await say(answers)).toMatch(/could not be read.*GitHub answered 502/)
  })

  test('is nothing to tell of a run that was cancelled', async () => {
    const cancelled = AbortSignal.abort()
    const asking = preview({ inputs, cancelled, answers: { '/deployments': down } })
    await expect(asking).rejects.toBe(down)
  })
})
