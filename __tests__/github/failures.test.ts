// Tests what the door to GitHub makes of a GitHub that is slow, silent, overloaded or broken.
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import type { GitHubFault } from '../../sandbox/github-faults.ts'
import { errorOf, openBoth } from './opened.ts'

const REPO = 'GET /repos/{owner}/{repo}'
const LIST = 'GET /repos/{owner}/{repo}/deployments'
const CREATE = 'POST /repos/{owner}/{repo}/deployments'
const plain = { ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment: 'shop/12' }

const limit = (headers: Readonly<Record<string, string>>, message = 'API rate limit exceeded') =>
  ({ kind: 'status', status: 403, headers, body: { message } }) as const
const inSeconds = (seconds: number) => String(Math.round(Date.now() / 1000) + seconds)

describe('a read', () => {
  test.each([
    ['500', { kind: 'status', status: 500 }],
    ['502 in HTML', { kind: 'html' }],
    ['503', { kind: 'status', status: 503 }],
    ['429', { kind: 'status', status: 429 }],
    ['a connection that breaks off', { kind: 'reset-before-processing' }],
    ['silence', { kind: 'silence' }]
  ] as const)('is tried again after %s, with growing pauses', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault, fault)
    const silences = fault.kind === 'silence' ? 2 : 0
    const { data } = await opened.open({ silences }).read(REPO)
    expect(data).toMatchObject({ full_name: 'acme/gallery' })
    expect(opened.standIn.requests).toHaveLength(3)
    expect(opened.pauses).toEqual([1000, 2000])
  })

  test('is given up after four tries', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave(...Array.from({ length: 9 }, (): GitHubFault => ({ kind: 'html' })))
    const error = await errorOf(opened.github.read(REPO))
    expect([error.status, error.denied, opened.standIn.requests.length]).toEqual([502, false, 4])
    expect(opened.pauses).toEqual([1000, 2000, 4000])
  })

  test.each([
    ['retry-after', { kind: 'secondary-limit', retryAfter: 7 }, 7000],
    ['retry-after on 503', { kind: 'status', status: 503, headers: { 'retry-after': '3' } }, 3000],
    [
      'the end of the hour',
      limit({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(30) }),
      30_000
    ],
    ['nothing', limit({}, 'You have exceeded a secondary rate limit.'), 60_000]
  ] as const)('waits out a short limit that names %s', async (_, fault, pause) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault)
    await opened.github.read(REPO)
    expect(opened.pauses).toHaveLength(1)
    expect(Math.abs((opened.pauses[0] ?? 0) - pause)).toBeLessThan(10_000)
    expect(opened.standIn.requests).toHaveLength(2)
  })

  test.each([
    ['by a minute and more', { kind: 'secondary-limit', retryAfter: 61 }],
    ['by a date', limit({ 'retry-after': 'Fri, 02 Jan 2099 03:04:05 GMT' })],
    [
      'until the hour is over',
      limit({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(1800) })
    ],
    ['until nobody knows when', limit({ 'x-ratelimit-remaining': '0' })]
  ] as const)('is not repeated when it is limited %s', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault)
    const error = await errorOf(opened.github.read(REPO))
    expect([error.status, error.denied, opened.pauses]).toEqual([403, false, []])
  })

  test('of the second page is repeated by itself', async () => {
    await using opened = await openBoth()
    for (let count = 0; count < 150; count++) opened.standIn.createDeployment(plain)
    opened.standIn.misbehave({ kind: 'status', status: 502, on: { path: /page=2/ } })
    expect((await opened.github.readAll(LIST)).items).toHaveLength(150)
    const pages = opened.standIn.requests.map(({ path }) => /[?&]page=(\d)/.exec(path)?.[1])
    expect(pages).toEqual(['1', '2', '2'])
  })

  test.each([
    ['HTML', { kind: 'html', status: 200 }],
    ['half of its JSON', { kind: 'odd-answer', shape: 'broken-json' }],
    ['an object', { kind: 'status', status: 200, body: { message: 'hello' } }],
    ['null', { kind: 'status', status: 200, body: null }]
  ] as const)('of a list fails when it is answered with %s', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.createDeployment(plain)
    opened.standIn.misbehave(fault)
    const error = await errorOf(opened.github.readAll(LIST))
    expect(error.message).toBe('listing the deployments: GitHub’s answer is not a list')
    expect(error.denied).toBe(false)
  })
})

describe('a write', () => {
  test.each([
    ['500', { kind: 'status', status: 500 }, 500],
    ['503 with retry-after', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }, 503],
    ['a rate limit', { kind: 'secondary-limit', retryAfter: 1 }, 403],
    ['a connection that breaks off', { kind: 'reset-after-processing' }, undefined],
    ['silence', { kind: 'silence' }, undefined]
  ] as const)('is not repeated by itself after %s', async (_, fault, status) => {
    await using opened = await openBoth()
    opened.standIn.misbehave(fault)
    const silences = fault.kind === 'silence' ? 1 : 0
    const error = await errorOf(opened.open({ silences }).write(CREATE, plain))
    expect([error.status, error.denied]).toEqual([status, false])
    expect([opened.standIn.requests.length, opened.pauses]).toEqual([1, []])
  })
})

test('a GitHub behind a proxy that closes after each answer, without a word, is read and written', async () => {
  await using opened = await openBoth()
  let accepted = 0
  // What was kept dies under the next request; a new connection answers once, with all that it has.
  const text = JSON.stringify([{ id: 1, filler: 'x'.repeat(200_000) }])
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  const server = createTcpServer(socket => {
    accepted += 1
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(answer)
      socket.once('data', () => socket.resetAndDestroy())
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const github = opened.open({ apiUrl: `http://127.0.0.1:${port}` })
  for (let time = 0; time < 3; time += 1) {
    expect((await github.readAll(LIST)).items).toHaveLength(1)
    expect((await github.write(CREATE, plain)).data).toMatchObject([{ id: 1 }])
  }
  expect([accepted, opened.pauses]).toEqual([6, []])
  github.close()
  server.close()
})

describe('the time of a call is limited', () => {
  test('when GitHub accepts it and says nothing', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'silence' })
    const error = await errorOf(opened.open({ patience: 100 }).write(CREATE, plain))
    expect(error.message).toMatch(/no .*within 0\.1 seconds/)
    expect(error.status).toBeUndefined()
  })

  test('as a whole, also when it is led from one address to the next', async () => {
    await using opened = await openBoth()
    const server = createServer((request, response) => {
      const step = Number(request.url?.at(-1))
      const answer = () => response.writeHead(307, { location: `/step${step + 1}` }).end()
      // Each step is in time, and all of them together are not.
      setTimeout(step < 3 ? answer : () => response.end('{}'), 200)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const github = opened.open({ apiUrl: `http://127.0.0.1:${port}`, patience: 350 })
      const error = await errorOf(github.write('POST /step0', {}))
      expect(error.message).toBe('POST /step0: no complete answer within 0.35 seconds')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
