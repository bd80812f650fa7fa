// Tests the door to GitHub: what is asked, what comes back, as whom, and where the token goes.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { startGitHub } from '../../sandbox/github.ts'
import { errorOf, openBoth, REPOSITORY, TOKEN } from './opened.ts'

const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const BY_TAG = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
const plain = { ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment: 'shop/12' }

describe('a call', () => {
  test('reads a release, and gives GitHub’s time with it', async () => {
    const now = new Date('2026-01-02T03:04:05Z')
    await using opened = await openBoth({ now })
    const reply = await opened.github.read(BY_TAG, { tag: 'v1.4.2' })
    expect(reply.data).toMatchObject({ tag_name: 'v1.4.2', draft: false })
    expect(reply.now).toBeGreaterThanOrEqual(now.getTime())
    expect(reply.now).toBeLessThan(now.getTime() + 60_000)
  })

  test('says who asks, and by which version of the API it is answered', async () => {
    await using opened = await openBoth()
    await opened.github.read('GET /repos/{owner}/{repo}')
    const [request] = opened.standIn.requests
    expect(request?.headers).toMatchObject({
      authorization: `token ${TOKEN}`,
      'user-agent': expect.stringMatching(/^test\/1\b/),
      accept: expect.stringContaining('application/vnd.github')
    })
  })

  test('finds the API of a GitHub Enterprise Server below its base path', async () => {
    await using opened = await openBoth()
    const github = opened.open({ apiUrl: `${opened.standIn.url}/api/v3` })
    await github.write(CREATE, plain)
    const { items } = await github.readAll(LIST, { environment: 'shop/12' })
    expect(items).toMatchObject([{ environment: 'shop/12' }])
    // Pages, too, come from below it.
    for (let count = 0; count < 100; count++) opened.standIn.createDeployment(plain)
    expect((await github.readAll(LIST)).items).toHaveLength(101)
  })

  test('puts a tag with a slash into the path as one name', async () => {
    await using opened = await openBoth()
    const error = await errorOf(opened.github.read(BY_TAG, { tag: 'plugin/v1 #2' }))
    expect(error.status).toBe(404)
    expect(opened.standIn.requests[0]?.path).toMatch(/tags\/plugin%2Fv1%20%232$/)
  })

  test('reads every page of a list', async () => {
    await using opened = await openBoth()
    for (let count = 0; count < 250; count++) opened.standIn.createDeployment(plain)
    const { items } = await opened.github.readAll(LIST, { environment: 'shop/12' })
    expect(new Set(items.map(item => JSON.stringify(item))).size).toBe(250)
    expect(opened.standIn.requests).toHaveLength(3)
  })

  test('ends when the run is cancelled, and is not tried again', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'silence' })
    const call = errorOf(opened.github.read('GET /repos/{owner}/{repo}'))
    while (opened.standIn.requests.length === 0) await sleep(5)
    opened.cancelling.abort()
    expect((await call).message).toMatch(/cancelled/)
    expect([opened.standIn.requests.length, opened.pauses]).toEqual([1, []])
  })
})

describe('a missing permission', () => {
  test.each([
    ['403', false],
    ['404', true]
  ])('is told from a fault when GitHub answers %s', async (status, hidesForbidden) => {
    await using opened = await openBoth({ hidesForbidden, permissions: { deployments: 'none' } })
    for (const call of [opened.github.readAll(LIST), opened.github.write(CREATE, plain)]) {
      const error = await errorOf(call)
      expect([error.denied, String(error.status)]).toEqual([true, status])
      expect(error.message).toContain(`GitHub answered ${status}: `)
      expect(error.message).not.toContain('{owner}')
      expect(error.missingPermission).toBe(status === '403')
    }
    expect(opened.pauses).toEqual([])
  })

  test('is what an empty token means, without a request', async () => {
    await using opened = await openBoth()
    const error = await errorOf(opened.open({ token: '' }).readAll(LIST))
    expect([error.denied, error.message]).toEqual([true, 'the input `github-token` is empty'])
    expect([opened.standIn.requests, opened.pauses]).toEqual([[], []])
  })

  test.each([
    ['a wrong token', { kind: 'status', status: 401, body: { message: 'Bad credentials' } }],
    ['a rate limit', { kind: 'secondary-limit', retryAfter: 600 }],
    [
      'a rate limit without a header',
      {
        kind: 'status',
        status: 403,
        body: { message: 'You have exceeded a secondary rate limit.' }
      }
    ],
    [
      'the end of this hour’s requests',
      {
        kind: 'status',
        status: 403,
        body: { message: 'API rate limit exceeded' },
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' }
      }
    ],
    ['a request that GitHub does not understand', { kind: 'status', status: 422 }]
  ] as const)('is not what %s means', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault)
    const error = await errorOf(opened.github.write(CREATE, plain))
    expect([error.denied, error.status !== undefined]).toEqual([false, true])
  })
})

test.each([
  ['abuse detection', 403, 'You have triggered an abuse detection mechanism.'],
  ['a passing 404', 404, 'Not Found'],
  ['a blocked repository', 403, 'Repository access blocked']
])('%s is no missing permission', async (_, status, message) => {
  await using opened = await openBoth()
  opened.standIn.misbehave({ kind: 'status', status, body: { message } })
  expect((await errorOf(opened.github.write(CREATE, plain))).missingPermission).toBe(false)
})

describe('a redirect', () => {
  const moved = (status: number, location: string) =>
    ({ kind: 'status', status, headers: { location }, body: '' }) as const

  test.each([301, 302, 307, 308])('with %i of a renamed repository is followed', async status => {
    await using opened = await openBoth()
    const github = opened.open({ name: 'old-name' })
    const { url } = opened.standIn
    opened.standIn.misbehave(moved(status, `${url}/repos/acme/gallery`))
    expect((await github.read('GET /repos/{owner}/{repo}')).data).toMatchObject({ name: 'gallery' })
    opened.standIn.misbehave(moved(307, '/repos/acme/gallery/deployments'))
    await github.write(CREATE, plain)
    expect(opened.standIn.deployments).toMatchObject([{ environment: 'shop/12' }])
  })

  test('to another origin is not followed, so the token goes nowhere else', async () => {
    await using opened = await openBoth()
    const elsewhere = await startGitHub({ token: TOKEN, repository: REPOSITORY })
    try {
      for (const call of [
        () => opened.github.read('GET /repos/{owner}/{repo}'),
        () => opened.github.readAll(LIST),
        () => opened.github.write(CREATE, plain)
      ]) {
        opened.standIn.misbehave(moved(307, `${elsewhere.url}/repos/acme/gallery`))
        const error = await errorOf(call())
        expect(error.message).toContain(`GitHub answered 307 and points to ${elsewhere.url}, where`)
        expect([error.denied, error.status]).toEqual([false, 307])
      }
      expect(elsewhere.requests).toEqual([])
    } finally {
      await elsewhere.close()
    }
  })

  test('that never ends is given up', async () => {
    await using opened = await openBoth()
    const loop = moved(302, '/repos/acme/gallery')
    opened.standIn.misbehave(...Array.from({ length: 20 }, () => loop))
    expect((await errorOf(opened.github.read('GET /repos/{owner}/{repo}'))).status).toBe(302)
    expect(opened.standIn.requests).toHaveLength(6)
  })
})
