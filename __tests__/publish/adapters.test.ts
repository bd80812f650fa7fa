// Tests of src/publish/adapters.ts: what a run asks GitHub about its repository.
import { expect, test } from '@jest/globals'
import { startGitHub } from '../../sandbox/github.ts'
import { openRun } from '../../src/publish/adapters.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { inputsOf, openTestRun } from './running.ts'

const token = 'github-token-that-opens-nothing'

/** Asks twice at once, and once more; gives the answers, and the paths that GitHub was asked for. */
async function askThrice(payload: unknown, isPrivate: boolean, given = token) {
  const github = await startGitHub({
    ...{ token, repository: { owner: 'acme', name: 'gallery', private: isPrivate } }
  })
  try {
    const { run: opened } = await openTestRun()
    const env = { GITHUB_REPOSITORY: 'acme/gallery', GITHUB_API_URL: github.url }
    const context = contextOf(env, '')
    const runner = { ...opened.runner, context, payload: () => Promise.resolve(payload) }
    const run = openRun({ ...opened, runner }, await inputsOf({ 'github-token': given }))
    const answers = await Promise.all([run.isPrivate(), run.isPrivate()])
    answers.push(await run.isPrivate())
    run.github.close()
    return { answers, asked: github.requests.map(({ path }) => path) }
  } finally {
    await github.close()
  }
}

test.each([true, false])(
  'all targets get one answer whether it is private: %j',
  async isPrivate => {
    const { answers, asked } = await askThrice({ repository: {} }, isPrivate)
    expect(answers).toEqual([isPrivate, isPrivate, isPrivate])
    expect(asked).toEqual(['/repos/acme/gallery'])
  }
)

test('the event is believed without asking; nobody knows it where GitHub refuses', async () => {
  const told = await askThrice({ repository: { private: true } }, false)
  expect(told).toEqual({ answers: [true, true, true], asked: [] })
  const { answers, asked } = await askThrice({}, false, 'another-token')
  expect([answers, asked.length]).toEqual([[undefined, undefined, undefined], 1])
})
