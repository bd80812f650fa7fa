// Tests of src/github/github.ts: its requests, where the token goes, and how it copes with a GitHub that is slow,
// silent, overloaded or broken.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { GitHubFault } from '../../sandbox/github-faults.ts'
import { listenOn } from '../../sandbox/listener.ts'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'
import { openPeer } from '../http/peers.ts'
import { errorOf, openBoth, TOKEN } from './opened.ts'

const REPO = 'GET /repos/{owner}/{repo}'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const BY_TAG = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
const plain = {
  ref: 'v1.4.2',
  auto_merge: false,
  required_contexts: [],
  environment: 'shop/12'
}

const answer = (status: number, headers: Readonly<Record<string, string>> = {}, message = 'No.') =>
  ({ kind: 'status', status, headers, body: { message } }) as const

const NOW = new Date('2026-01-02T03:04:05Z')
/** Half a minute later, as GitHub says it. */
const RESET = String(NOW.getTime() / 1000 + 30)
const SOON = new Date(NOW.getTime() + 30_000).toUTCString()
const hourly = (reset: Readonly<Record<string, string>>) =>
  answer(403, { 'x-ratelimit-remaining': '0', ...reset }, 'API rate limit exceeded')

describe('a call', () => {
  test('reads a release with GitHub’s time, and sends the token and the user agent', async () => {
    await using opened = await openBoth({ now: NOW })
    const reply = await opened.github.read(BY_TAG, { tag: 'v1.4.2' })

    expect(reply.data).toMatchObject({ tag_name: 'v1.4.2', draft: false })
    expect(reply.now - NOW.getTime()).toBeLessThan(60_000)
    expect(reply.now).toBeGreaterThanOrEqual(NOW.getTime())
    expect(opened.standIn.requests[0]?.headers).toMatchObject({
      authorization: `token ${TOKEN}`,
      'user-agent': expect.stringMatching(/^publish-version\/\d/),
      accept: expect.stringContaining('application/vnd.github')
    })
  })

  test('puts a tag with a slash into the path as one name', async () => {
    await using opened = await openBoth()
    const error = await errorOf(opened.github.read(BY_TAG, { tag: 'plugin/v1 #2' }))

    expect(error.status).toBe(404)
    expect(opened.standIn.requests[0]?.path).toMatch(/tags\/plugin%2Fv1%20%232$/)
  })

  test('reads every page of a list, also below the base path of an Enterprise Server', async () => {
    await using opened = await openBoth()
    const github = opened.open({ apiUrl: `${opened.standIn.url}/api/v3` })

    await github.write(CREATE, plain)
    for (let count = 0; count < 249; count++) {
      opened.standIn.createDeployment(plain)
    }
    opened.standIn.misbehave({ kind: 'status', status: 502, on: { path: /page=2/ } })

    const { items } = await github.readAll(LIST, { environment: 'shop/12' })
    expect(new Set(items.map(item => JSON.stringify(item))).size).toBe(250)

    // A page that failed is asked for again by itself.
    const pages = opened.standIn.requests.map(({ path }) => /[?&]page=(\d)/.exec(path)?.[1])
    expect(pages).toEqual([undefined, '1', '2', '2', '3'])
  })

  test('ends when the run is canceled, and is not tried again', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'silence' })
    const call = errorOf(opened.github.read(REPO))
    while (opened.standIn.requests.length === 0) await sleep(5)

    opened.cancelling.abort()
    expect((await call).message).toMatch(/canceled/)
    expect([opened.standIn.requests.length, opened.pauses]).toEqual([1, []])
  })
})

test.each<[string, string, number | undefined]>([
  ['a stand-in on this machine', '300', 300],
  ['one that says it in other words', '0.3 s', undefined],
  ['one that says nothing', '', undefined]
])('how late the lists are is believed of %s', async (_, said, lag) => {
  await using opened = await openBoth({ hidesLag: true })
  opened.standIn.misbehave({
    kind: 'status',
    status: 200,
    headers: said === '' ? {} : { 'x-list-lag': said },
    body: []
  })

  const { lag: believed } = await opened.github.readAll(LIST)

  expect(believed).toBe(lag)
})

test('how late the lists are is not believed of another machine', async () => {
  await using opened = await openBoth()
  const away: Connect = (_, options) => connect(opened.standIn.url, options)
  const github = opened.open({ apiUrl: 'http://github.example', connect: away })
  expect(await github.readAll(LIST)).toMatchObject({ items: [], lag: undefined })
})

test('an answer without a body is not quoted', async () => {
  await using opened = await openBoth()
  opened.standIn.misbehave({ kind: 'status', status: 502, body: '' })

  const { message } = await errorOf(opened.github.write(CREATE, plain))
  expect(message).toBe('POST /deployments: GitHub answered 502')
})

describe('a missing permission', () => {
  test.each([
    ['403', false],
    ['404', true]
  ])('is no fault when GitHub answers %s', async (status, hidesForbidden) => {
    await using opened = await openBoth({ hidesForbidden, permissions: { deployments: 'none' } })

    for (const call of [opened.github.readAll(LIST), opened.github.write(CREATE, plain)]) {
      const error = await errorOf(call)
      expect([error.denied, String(error.status)]).toEqual([true, status])
      expect(error.message).toContain(`GitHub answered ${status} and says "`)
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

  test.each<[string, GitHubFault, boolean]>([
    ['a wrong token', answer(401, {}, 'Bad credentials'), true],
    ['a rate limit', { kind: 'secondary-limit', retryAfter: 600 }, false],
    ['the end of this hour’s requests', hourly({ 'x-ratelimit-reset': '4102444800' }), false],
    ['abuse detection', answer(403, {}, 'You have triggered an abuse detection mechanism.'), false],
    ['a passing 404', answer(404, {}, 'Not Found'), true]
  ])('is not what %s means', async (_, fault, denied) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault)

    const error = await errorOf(opened.github.write(CREATE, plain))
    expect([error.denied, error.missingPermission]).toEqual([denied, false])
    expect(error.status).toBeDefined()
  })
})

describe('a redirect', () => {
  const moved = (status: number, location: string) => answer(status, { location })

  test.each([301, 302, 307, 308])('with %i of a renamed repository is followed', async status => {
    await using opened = await openBoth()
    const github = opened.open({ name: 'old-name' })

    const { url } = opened.standIn
    opened.standIn.misbehave(moved(status, `${url}/repos/acme/gallery`))
    expect((await github.read(REPO)).data).toMatchObject({ name: 'gallery' })

    opened.standIn.misbehave(moved(307, '/repos/acme/gallery/deployments'))
    await github.write(CREATE, plain)
    expect(opened.standIn.deployments).toMatchObject([{ environment: 'shop/12' }])
  })

  test('to another origin is not followed, so the token goes nowhere else', async () => {
    await using opened = await openBoth()
    await using elsewhere = await openBoth()
    const { url, requests } = elsewhere.standIn

    const calls = [
      () => opened.github.read(REPO),
      () => opened.github.readAll(LIST),
      () => opened.github.write(CREATE, plain)
    ]
    for (const call of calls) {
      opened.standIn.misbehave(moved(307, `${url}/repos/acme/gallery`))
      const error = await errorOf(call())
      expect(error.message).toContain(`GitHub answered 307 and points to ${url}, where`)
      expect([error.denied, error.status]).toEqual([false, 307])
    }
    expect(requests).toEqual([])
  })

  test('that never ends is given up', async () => {
    await using opened = await openBoth()
    const loop = moved(302, '/repos/acme/gallery')
    opened.standIn.misbehave(...Array.from({ length: 20 }, () => loop))

    expect((await errorOf(opened.github.read(REPO))).status).toBe(302)
    expect(opened.standIn.requests).toHaveLength(6)
  })
})

describe('a read', () => {
  test.each<[string, GitHubFault, number | undefined]>([
    ['500', answer(500), 500],
    ['502 in HTML', { kind: 'html' }, 502],
    ['429', answer(429), 429],
    ['a connection that breaks off', { kind: 'reset-before-processing' }, undefined],
    ['silence', { kind: 'silence' }, undefined]
  ])('is tried again after %s, with growing pauses, four times at most', async (...row) => {
    const [, fault, status] = row
    await using opened = await openBoth()
    const github = opened.open({ patience: 200 })

    opened.standIn.misbehave(fault, fault)
    expect((await github.read(REPO)).data).toMatchObject({ full_name: 'acme/gallery' })
    expect([opened.standIn.requests.length, opened.pauses]).toEqual([3, [1000, 2000]])
    expect(opened.logged).toEqual([])

    opened.standIn.misbehave(fault, fault, fault, fault, fault)
    const error = await errorOf(github.read(REPO))
    expect([error.status, error.denied]).toEqual([status, false])
    expect(opened.pauses.slice(2)).toEqual([1000, 2000, 4000])
  })

  test.each<[string, GitHubFault, number | undefined]>([
    ['by seconds', { kind: 'secondary-limit', retryAfter: 7 }, 7000],
    ['by a date on 503', answer(503, { 'retry-after': SOON }), 30_000],
    ['until the hour is over', hourly({ 'x-ratelimit-reset': RESET }), 30_000],
    ['by nonsense', answer(403, { 'retry-after': '-1e9, x' }), 60_000],
    ['without a word', answer(403, {}, 'You have exceeded a secondary rate limit.'), 60_000],
    ['by more than a minute', { kind: 'secondary-limit', retryAfter: 61 }, undefined],
    ['for half an hour', hourly({ 'x-ratelimit-reset': `${Number(RESET) + 1800}` }), undefined],
    ['until nobody knows when', hourly({}), undefined]
  ])('that is limited %s waits for a minute at most', async (_, fault, pause) => {
    await using opened = await openBoth({ now: NOW })
    opened.standIn.misbehave(fault)

    if (pause === undefined) {
      const error = await errorOf(opened.github.read(REPO))
      expect([error.status, error.denied, opened.pauses]).toEqual([403, false, []])
      expect(error.message).not.toContain('NaN')
      return
    }

    await opened.github.read(REPO)

    expect(opened.pauses).toHaveLength(1)
    expect(Math.abs((opened.pauses[0] ?? 0) - pause)).toBeLessThan(10_000)

    const why = 'status' in fault && fault.status === 503 ? 'asks for a pause' : '’s rate limit'
    const [logged = '', ...others] = opened.logged.map(text => text.replace(/^GitHub ?/, ''))
    expect([logged.split(':')[0], others]).toEqual([why, []])
    expect(logged).toMatch(/: waiting \d+ seconds \(GET \//)
  })

  test.each<[string, GitHubFault]>([
    ['HTML', { kind: 'html', status: 200 }],
    ['half of its JSON', { kind: 'odd-answer', shape: 'broken-json' }],
    ['null', { kind: 'status', status: 200, body: null }]
  ])('of a list fails when it is answered with %s', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.createDeployment(plain)
    opened.standIn.misbehave(fault)

    const error = await errorOf(opened.github.readAll(LIST))
    expect(error.message).toBe('GET /deployments: GitHub’s answer is not a list')
    expect(error.denied).toBe(false)
  })
})

test.each<[string, GitHubFault, number | undefined]>([
  ['500', answer(500), 500],
  ['503 with retry-after', answer(503, { 'retry-after': '1' }), 503],
  ['a rate limit', { kind: 'secondary-limit', retryAfter: 1 }, 403],
  ['a connection that breaks off', { kind: 'reset-after-processing' }, undefined],
  ['silence', { kind: 'silence' }, undefined]
])('a write is not repeated by itself after %s', async (_, fault, status) => {
  await using opened = await openBoth()
  opened.standIn.misbehave(fault)

  const error = await errorOf(opened.open({ patience: 300 }).write(CREATE, plain))

  expect([error.status, error.denied]).toEqual([status, false])
  if (fault.kind === 'silence') expect(error.message).toMatch(/no .*within 0\.3 seconds/)
  expect([opened.standIn.requests.length, opened.pauses]).toEqual([1, []])
})

test('a GitHub behind a proxy that closes after each answer, without a word, is read and written', async () => {
  await using opened = await openBoth()
  // The connection that was kept dies under the next request; a new connection answers once, with all that it has.
  const text = JSON.stringify([{ id: 1, filler: 'x'.repeat(200_000) }])
  const headers = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
  await using peer = await openPeer(socket => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n${text}`)
      socket.once('data', () => socket.resetAndDestroy())
    })
  })

  const github = opened.open({ apiUrl: peer.origin })
  for (let time = 0; time < 3; time += 1) {
    expect((await github.readAll(LIST)).items).toHaveLength(1)
    expect((await github.write(CREATE, plain)).data).toMatchObject([{ id: 1 }])
  }

  expect([peer.accepted, opened.pauses]).toEqual([6, []])
})

test('the time of a call is limited as a whole, also when it is led from one address to the next', async () => {
  await using opened = await openBoth()
  const server = createServer((request, response) => {
    const step = Number(request.url?.at(-1))
    const next = () => response.writeHead(307, { location: `/step${step + 1}` }).end()
    // Each step is in time, and all of them together are not.
    setTimeout(step < 3 ? next : () => response.end('{}'), 200)
  })

  const github = opened.open({ apiUrl: `http://${await listenOn(server)}`, patience: 350 })
  const error = await errorOf(github.write('POST /step0', {}))

  expect(error.message).toBe('POST /step0: no complete answer within 0.35 seconds')
  server.closeAllConnections()
  server.close()
})
