// Tests of src/runner/context.ts: what the environment says, and the credentials in it.
import { describe, expect, test } from '@jest/globals'
import { contextOf, proxySecrets } from '../../src/runner/context.ts'

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
    expect(contextOf(env, '/here')).toEqual({
      eventName: 'release',
      ref: 'refs/tags/v1',
      repository: 'o/r',
      apiUrl: 'https://ghe.example/api/v3',
      serverUrl: 'https://ghe.example',
      runId: '123',
      runAttempt: 2,
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
      workspace: '/here',
      temp: '',
      eventName: ''
    })
  })
})

describe('a proxy’s password', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  test.each([
    ['plain', 'http://me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]],
    ['encoded', 'http://me:p%40ss@proxy', ['p%40ss', 'p@ss', base64('me:p@ss')]],
    ['not encoded as it should be', 'http://me:a b@proxy', ['a%20b', 'a b', base64('me:a b')]],
    ['with a per cent sign that encodes nothing', 'http://me:5%@p', ['5%', base64('me:5%')]],
    ['with an @ in it', 'http://me:a@b@proxy', ['a%40b', 'a@b', base64('me:a@b')]],
    ['without a user', 'http://:s3cret@proxy', ['s3cret', base64(':s3cret')]],
    ['without a scheme', 'me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]]
  ])('is masked when it is %s', (_, address, secrets) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
      expect(proxySecrets({ [name]: address }).toSorted()).toEqual(secrets.toSorted())
    }
  })

  test.each([
    ['no proxy', {}],
    ['an empty one', { HTTPS_PROXY: '' }],
    ['one without a password', { HTTPS_PROXY: 'http://me@proxy:8080' }],
    ['one without credentials', { HTTPS_PROXY: 'http://proxy:8080', NO_PROXY: 'a:b@c' }],
    ['a text that is no address', { HTTPS_PROXY: 'http://[:x@' }]
  ])('%s has none', (_, env) => {
    expect(proxySecrets(env)).toEqual([])
  })

  test('each proxy has its own', () => {
    const env = { HTTPS_PROXY: 'http://a:one@p', http_proxy: 'http://a:two@p' }
    expect(proxySecrets(env)).toEqual(expect.arrayContaining(['one', 'two']))
  })
})
