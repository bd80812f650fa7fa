// Tests of src/runner/context.ts: what the environment says about the run.
import { describe, expect, test } from '@jest/globals'
import { contextOf } from '../../src/runner/context.ts'

describe('the context', () => {
  test('holds what the runner says', () => {
    const env = {
      GITHUB_EVENT_NAME: 'release',
      GITHUB_REF: 'refs/tags/v1',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_API_URL: 'https://ghe.example/api/v3',
      GITHUB_SERVER_URL: 'https://ghe.example',
      GITHUB_RUN_ID: '123',
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_JOB: 'publish',
      GITHUB_SHA: 'abc',
      GITHUB_WORKSPACE: '/work',
      RUNNER_TEMP: '/temp'
    }
    expect(contextOf(env, '/here')).toMatchObject({
      eventName: 'release',
      ref: 'refs/tags/v1',
      repository: 'o/r',
      apiUrl: 'https://ghe.example/api/v3',
      serverUrl: 'https://ghe.example',
      runId: '123',
      runAttempt: 2,
      isAct: false,
      job: 'publish',
      sha: 'abc',
      workspace: '/work',
      temp: '/temp'
    })
  })

  test.each([
    ['absent', {}],
    [
      'empty',
      { GITHUB_API_URL: '', GITHUB_RUN_ATTEMPT: '', GITHUB_WORKSPACE: '', RUNNER_TEMP: '' }
    ],
    ['no number', { GITHUB_RUN_ATTEMPT: 'x' }]
  ])('has defaults for what is %s', (_, env) => {
    expect(contextOf(env, '/here')).toMatchObject({
      apiUrl: 'https://api.github.com',
      serverUrl: 'https://github.com',
      runAttempt: 1,
      isAct: false,
      workspace: '/here',
      temp: '',
      eventName: ''
    })
  })
})
