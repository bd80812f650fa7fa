// Tests of sandbox/github.ts: the stand-in for GitHub keeps GitHub's rules, and misbehaves as it is asked to.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'

const repository = {
  owner: 'acme',
  name: 'plugin',
  private: true
}
const repo = '/repos/acme/plugin'
const zip = Buffer.from('zip bytes')

/** The stand-in that runs now: every test has its own. */
let github: GitHub

beforeEach(() => start({}))
afterEach(() => github.close())

async function start(others: Partial<GitHubOptions>) {
  github = await startGitHub({
    token: 't',
    repository,
    now: new Date('2026-01-02T03:04:05.678Z'),
    ...others
  })

  const assets = [{ name: 'plugin.zip', content: zip }, null]
  const extras = { contents: { 'plugin.zip': zip } }
  github.addRelease(release({ tag: 'release/v1', repository, assets }, github.places), extras)
}

async function restart(others: Partial<GitHubOptions>) {
  await github.close()
  await start(others)
}

interface Called {
  readonly status: number
  readonly headers: Headers
  /** Parsed, if it is JSON. */
  readonly body: unknown
  /** The items of the body, if it is a list; otherwise none. */
  readonly list: readonly Record<string, unknown>[]
}

/** One request, with the right token. */
async function call(
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
): Promise<Called> {
  const url = path.startsWith('http') ? path : github.url + path
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer t', ...headers },
    ...(body === undefined ? {} : { body: sent })
  })

  const text = await answer.text()
  const value: unknown = /^[[{"]/.test(text) ? JSON.parse(text) : text
  return {
    status: answer.status,
    headers: answer.headers,
    body: value,
    list: Array.isArray(value) ? value.map(item => Object(item)) : []
  }
}

const plain = {
  ref: 'release/v1',
  environment: 'shop/12',
  auto_merge: false,
  required_contexts: []
}

const deploy = (others: object = {}) =>
  call(`${repo}/deployments`, { production_environment: false, ...plain, ...others })

/** The last digits of the ids that are listed. */
const ids = async (query = '') =>
  (await call(`${repo}/deployments${query}`)).list.map(({ id }) => Number(id) % 1000)

const first = `${repo}/deployments/2000000001`

test('a release is found by its tag, by its id and in the list; a draft and its files are not', async () => {
  const { id } = release({ tag: 'release/v1', repository })
  const draft = release({
    tag: 'v3',
    repository,
    draft: true,
    assets: [{ name: 'a.zip' }]
  })
  github.addRelease(draft)
  github.addRelease(release({ tag: 'v2', repository, prerelease: true }))

  const paths = ['tags/release/v1', 'tags/release%2Fv1', String(id), 'tags/v3']
  const found = await Promise.all(paths.map(path => call(`${repo}/releases/${path}`)))
  expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 404])

  const tags = async () => (await call(`${repo}/releases?per_page=2`)).list.map(it => it.tag_name)
  const attached = `${repo}/releases/assets/${draft.assets[0]?.id}`
  const see = async () => [await tags(), (await call(attached)).status]
  expect(await see()).toEqual([['v2', 'release/v1'], 404])

  github.setPermissions({ contents: 'write' })
  expect(await see()).toEqual([['v2', 'v3'], 200])
})

test('deployments are created, and listed newest first by filter and page', async () => {
  await deploy({ task: 'publish-version' })
  await deploy({ payload: 'text' })
  await deploy({ environment: 'other' })
  expect(await ids('?environment=shop/12')).toEqual([2, 1])
  expect(await ids('?environment=shop/12&task=publish-version&ref=release%2Fv1')).toEqual([1])
  expect(await ids('?per_page=2&page=2')).toEqual([1])
})

test.each([
  ['an unknown ref', { ref: 'v404' }, 422],
  ['automatic merging', { auto_merge: undefined }, 409],
  ['required contexts by default', { required_contexts: undefined }, 409],
  ['a payload that is a number', { payload: 7 }, 422],
  ['a long environment', { environment: 'e'.repeat(256) }, 422]
])('deployments are refused with %s', async (_, others, expected) => {
  expect([(await deploy(others)).status, github.deployments]).toEqual([expected, []])
  expect((await call(`${repo}/deployments`, '{')).status).toBe(400)
})

test('deployments need permission', async () => {
  await deploy()
  github.setPermissions({ deployments: 'read' })

  const { status, body } = await deploy()
  expect([status, body]).toMatchObject([403, { message: expect.stringMatching(/not accessible/) }])
  expect((await call(`${first}/statuses`, { state: 'success' })).status).toBe(403)
  expect(await ids()).toEqual([1])

  const permissions = { deployments: 'none' } as const
  await restart({ permissions, hidesForbidden: true })
  expect((await deploy()).status).toBe(404)
})

test('deployments have statuses, newest first; some are refused', async () => {
  await deploy()
  const add = (status: object) => call(`${first}/statuses`, status)

  for (const state of ['in_progress', 'success']) {
    expect((await add({ state, description: 'd'.repeat(140) })).status).toBe(201)
  }

  const long = { state: 'success', description: 'd'.repeat(141) }
  for (const wrong of [{ state: 'done' }, long]) {
    expect((await add(wrong)).status).toBe(422)
  }

  const { list } = await call(`${first}/statuses`)
  expect(list.map(({ state }) => state)).toEqual(['success', 'in_progress'])
})

test('deployments and their statuses show only after the lag, which a header names', async () => {
  await restart({ lag: { ms: 60_000, mode: 'ordered', seed: 1 } })
  await deploy()
  expect(await ids()).toEqual([])
  github.clock.advance(60_000)
  github.addStatus(2_000_000_001, { state: 'success' })
  const { list, headers } = await call(`${first}/statuses`)

  expect([list, headers.get('x-list-lag'), await ids()]).toEqual([[], '60000', [1]])

  await restart({ hidesLag: true })
  expect((await call(repo)).headers.get('x-list-lag')).toBeNull()
})

const create = { method: 'POST', path: /\/deployments$/ }

test.each([
  ['lost before', { kind: 'reset-before-processing' }, 0, /fetch failed/],
  ['answered by 502 after all', { kind: 'status', status: 502, processed: true }, 1, /^502 /],
  ['answered in HTML', { kind: 'html' }, 0, /^502 /],
  ['answered in half', { kind: 'odd-answer', shape: 'broken-json' }, 1, /JSON/]
] as const)('a creation can be %s', async (_, fault, count, expected) => {
  github.misbehave({ ...fault, on: create })
  expect((await call(repo)).status).toBe(200)

  // The fault hits this one.
  const heard = await call(`${repo}/deployments`, plain).then(
    ({ status, headers }) => `${status} ${headers.get('retry-after') ?? ''}`,
    String
  )

  expect(heard).toMatch(expected)
  expect(github.deployments).toHaveLength(count)

  expect((await deploy()).status).toBe(201)
})
