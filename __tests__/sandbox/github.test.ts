/** Owns the proof that the stand-in for GitHub keeps GitHub's rules. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { release, releaseEvent } from '../../sandbox/release.ts'

const repository = { owner: 'acme', name: 'plugin', private: true }
const repo = '/repos/acme/plugin'
const options = { token: 't', repository, now: new Date('2026-01-02T03:04:05.678Z') }
const zip = Buffer.from('zip bytes')

let github: GitHub

beforeEach(() => start({}))
afterEach(() => github.close())

async function start(others: Partial<GitHubOptions>) {
  github = await startGitHub({ ...options, ...others })
  github.addRelease(
    release(
      { tag: 'release/v1', repository, assets: [{ name: 'plugin.zip', content: zip }, null] },
      github.places
    ),
    { contents: { 'plugin.zip': zip }, bodyHtml: '<p>Notes</p>' }
  )
}

async function restart(others: Partial<GitHubOptions>) {
  await github.close()
  await start(others)
}

async function call(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(path.startsWith('http') ? path : github.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer t', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  })
  const text = await answer.text()
  const value: unknown = /^[[{"]/.test(text) ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body: value, list: listOf(value) }
}

type Item = { readonly [name in 'id' | 'state' | 'tag_name']?: unknown }

function listOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : []
}

const plain = {
  ref: 'release/v1',
  auto_merge: false,
  required_contexts: [],
  environment: 'shop/12'
}

function deploy(others: object = {}) {
  return call(`${repo}/deployments`, { production_environment: false, ...plain, ...others })
}

async function ids(query = '') {
  return (await call(`${repo}/deployments${query}`)).list.map(({ id }) => Number(id) % 1000)
}

const first = `${repo}/deployments/2000000001`

describe('reading', () => {
  test('needs the token, a user agent, and an address that exists', async () => {
    const bad = await call(repo, undefined, { authorization: 'token other' })
    expect([bad.status, bad.body]).toMatchObject([401, { message: 'Bad credentials' }])
    const paths = [repo, `/api/v3${repo}`, '/repos/acme/other', `${repo}/nothing`]
    const answers = await Promise.all(paths.map(path => call(path)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404])
    expect(answers[0]?.body).toMatchObject({ full_name: 'acme/plugin', private: true })
    expect(answers[0]?.headers.get('date')).toMatch(/^Fri, 02 Jan 2026 03:04:0/)
  })

  test('finds a release by tag, by id, as the latest and in the list, but no draft', async () => {
    const { id } = release({ tag: 'release/v1', repository })
    github.addRelease(release({ tag: 'v3', repository, draft: true }))
    github.addRelease(release({ tag: 'v2', repository, prerelease: true }))
    const paths = ['tags/release/v1', 'tags/release%2Fv1', String(id), 'latest', 'tags/v3']
    const found = await Promise.all(paths.map(path => call(`${repo}/releases/${path}`)))
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404])
    expect(found[3]?.body).toMatchObject({ id, tag_name: 'release/v1', assets: [{}, null] })
    expect(found[3]?.body).not.toHaveProperty('body_html')
    const tags = async () => (await call(`${repo}/releases?per_page=2`)).list.map(it => it.tag_name)
    expect(await tags()).toEqual(['v2', 'release/v1'])
    github.setPermissions({ contents: 'write' })
    expect(await tags()).toEqual(['v2', 'v3'])
  })

  test('renders the notes when asked to', async () => {
    const accept = 'application/vnd.github.full+json'
    const { body } = await call(`${repo}/releases/latest`, undefined, { accept })
    expect(body).toMatchObject({ body_html: '<p>Notes</p>', body: 'Notes of release/v1' })
  })

  test('gives the commit of a tag', async () => {
    const commit = 'a'.repeat(40)
    github.addTag('v9', commit, true)
    const ref = await call(`${repo}/git/ref/tags/v9`)
    expect(ref.body).toMatchObject({ ref: 'refs/tags/v9', object: { type: 'tag' } })
    expect((await call(`${repo}/commits/v9`)).body).toMatchObject({ sha: commit })
    const accept = 'application/vnd.github.sha'
    expect((await call(`${repo}/commits/tags/v9`, undefined, { accept })).body).toBe(commit)
    expect((await call(`${repo}/commits/v8`)).status).toBe(422)
    expect((await call(`${repo}/git/ref/tags/v8`)).status).toBe(404)
  })

  test('gives an attached file here, or sends elsewhere, where a credential is refused', async () => {
    const accept = 'application/octet-stream'
    const [asset] = release({
      tag: 'release/v1',
      repository,
      assets: [{ name: 'plugin.zip' }]
    }).assets
    const path = `${repo}/releases/assets/${asset?.id}`
    expect((await call(path)).body).toMatchObject({ name: 'plugin.zip', size: zip.length })
    expect((await call(path, undefined, { accept })).body).toBe('zip bytes')
    await restart({ redirectsAssets: true })
    const headers = { accept, authorization: 'Bearer t' }
    const answer = await fetch(github.url + path, { redirect: 'manual', headers })
    const elsewhere = answer.headers.get('location') ?? ''
    expect([answer.status, elsewhere.startsWith(github.url)]).toEqual([302, false])
    expect((await fetch(elsewhere)).status).toBe(200)
    expect((await call(elsewhere)).status).toBe(400)
    expect(github.storageRequests.map(it => it.headers.authorization)).toEqual([
      undefined,
      'Bearer t'
    ])
  })
})

describe('deployments', () => {
  test('are created, listed newest first by filter and page, and shown', async () => {
    const payload = { key: 'a', nested: [1] }
    const made = await deploy({ payload, task: 'publish-version', description: 'Claim' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      id: 2_000_000_001,
      sha: github.commitOf('release/v1'),
      ref: 'release/v1',
      task: 'publish-version',
      environment: 'shop/12',
      payload,
      production_environment: false,
      created_at: expect.stringMatching(/^2026-01-02T03:04:\d\dZ$/)
    })
    await deploy({ payload: 'text' })
    await deploy({ environment: 'other' })
    expect((await call(`${repo}/deployments/2000000002`)).body).toMatchObject({ payload: 'text' })
    expect(await ids('?environment=shop/12')).toEqual([2, 1])
    expect(await ids('?environment=shop/12&task=publish-version&ref=release%2Fv1')).toEqual([1])
    const page = await call(`/api/v3${repo}/deployments?per_page=1&page=2&ref=release/v1`)
    expect(page.list).toHaveLength(1)
    const link = page.headers.get('link') ?? ''
    expect([...link.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)).toEqual([
      'prev',
      'next',
      'last',
      'first'
    ])
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? ''
    expect(next).toContain('/api/v3/repos')
    expect((await call(next)).list).toMatchObject([{ id: 2_000_000_001 }])
  })

  test.each([
    ['no ref', { ref: undefined }, 422],
    ['an unknown ref', { ref: 'v404' }, 422],
    ['automatic merging', { auto_merge: undefined }, 409],
    ['required contexts by default', { required_contexts: undefined }, 409],
    ['a payload that is a number', { payload: 7 }, 422],
    ['a long environment', { environment: 'e'.repeat(256) }, 422]
  ])('are refused with %s', async (_, others, status) => {
    expect([(await deploy(others)).status, github.deployments]).toEqual([status, []])
  })

  test('need permission', async () => {
    await deploy()
    github.setPermissions({ deployments: 'read' })
    const refused = await deploy()
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { message: 'Resource not accessible by integration' }
    ])
    expect((await call(`${first}/statuses`, { state: 'success' })).status).toBe(403)
    expect(await ids()).toEqual([1])
    github.setPermissions({ deployments: 'none' })
    expect((await call(first)).status).toBe(403)
    await restart({ permissions: { deployments: 'none' }, hidesForbidden: true })
    expect((await deploy()).status).toBe(404)
    await restart({
      permissions: { deployments: 'none' },
      repository: { ...repository, private: false }
    })
    expect([await ids(), (await deploy()).status]).toEqual([[], 403])
  })

  test('have statuses, newest first', async () => {
    await deploy()
    for (const state of ['queued', 'pending', 'in_progress', 'error', 'failure', 'inactive']) {
      expect((await call(`${first}/statuses`, { state })).status).toBe(201)
    }
    const done = {
      state: 'success',
      description: 'd'.repeat(140),
      environment_url: 'https://a.b/c'
    }
    github.clock.advance(60_000)
    expect((await call(`${first}/statuses`, done)).body).toMatchObject({
      ...done,
      environment: 'shop/12',
      created_at: expect.stringMatching(/^2026-01-02T03:05:/)
    })
    const { list } = await call(`${first}/statuses?per_page=2`)
    expect(list.map(({ state }) => state)).toEqual(['success', 'inactive'])
    expect(list[0]?.id).toBeGreaterThan(Number(list[1]?.id))
    expect((await call(`${repo}/deployments/7/statuses`)).status).toBe(404)
    expect((await call(`${repo}/deployments/7/statuses`, { state: 'error' })).status).toBe(404)
  })

  test.each([
    ['an unknown state', { state: 'done' }],
    ['no state', {}],
    ['a long description', { state: 'success', description: 'd'.repeat(141) }],
    ['an address that is no web address', { state: 'success', environment_url: 'ftp://a.b/' }]
  ])('have no status with %s', async (_, status) => {
    await deploy()
    expect((await call(`${first}/statuses`, status)).status).toBe(422)
    expect(github.deployments[0]?.statuses).toEqual([])
  })

  test('of the same environment become inactive with a success, unless told otherwise', async () => {
    for (const others of [{}, { production_environment: true }, { environment: 'other' }, {}, {}]) {
      github.createDeployment({ ...plain, ...others })
    }
    const succeed = (id: number, others = {}) =>
      github.addStatus(2_000_000_000 + id, { state: 'success', ...others })
    for (const id of [1, 2, 3, 4]) succeed(id, { auto_inactive: false })
    const states = () => github.deployments.map(({ statuses }) => statuses.at(-1)?.state)
    expect(states()).toEqual(['success', 'success', 'success', 'success', undefined])
    succeed(5)
    expect(states()).toEqual(['inactive', 'success', 'success', 'inactive', 'success'])
  })

  test('show in lists only after the lag', async () => {
    github.setLag({ requests: 2, mode: 'ordered', seed: 1 })
    await deploy()
    expect([await ids(), await ids(), await ids()]).toEqual([[], [], [1]])
    expect((await call(first)).status).toBe(200)
    github.setLag({ requests: 6, mode: 'shuffled', seed: 7 })
    for (let count = 0; count < 4; count += 1) await deploy()
    const seen = []
    for (let count = 0; count < 7; count += 1) seen.push((await ids()).length)
    expect(seen).toEqual(seen.toSorted())
    expect([seen[0] !== 5, seen.at(-1)]).toEqual([true, 5])
  })
})

describe('faults', () => {
  const create = { method: 'POST', path: /\/deployments$/ }

  test.each([
    ['lost before', { kind: 'reset-before-processing' }, 0],
    ['lost after', { kind: 'reset-after-processing' }, 1],
    ['answered by 502 for nothing', { kind: 'status', status: 502 }, 0],
    ['answered by 502 after all', { kind: 'status', status: 502, processed: true }, 1],
    ['limited', { kind: 'secondary-limit', retryAfter: 3 }, 0],
    ['answered in HTML', { kind: 'html' }, 0],
    ['answered in half', { kind: 'broken-json' }, 1],
    ['late', { kind: 'slow', ms: 50 }, 1]
  ] as const)('a creation that is %s', async (_, fault, count) => {
    github.misbehave({ ...fault, on: create })
    expect((await call(repo)).status).toBe(200)
    const text = await call(`${repo}/deployments`, plain).then(
      ({ status, headers }) => `${status} ${headers.get('retry-after') ?? ''}`.trim(),
      error => (error instanceof SyntaxError ? 'syntax' : 'lost')
    )
    expect(github.deployments).toHaveLength(count)
    const expected = { status: '502', html: '502', slow: '201', 'broken-json': 'syntax' }
    const others = { 'secondary-limit': '403 3', ...expected }
    expect(text).toBe(Object.entries(others).find(([kind]) => kind === fault.kind)?.[1] ?? 'lost')
    expect((await deploy()).status).toBe(201)
  })

  test('hit the nth request, can be silent, and let others act meanwhile', async () => {
    const run = () => void github.createDeployment(plain)
    github.misbehave({ kind: 'meanwhile', run, on: { path: /deployments\?page=1/, nth: 2 } })
    expect([await ids('?page=1'), await ids('?page=1')]).toEqual([[], []])
    expect(await ids()).toEqual([1])
    github.misbehave({ kind: 'silence', processed: true, on: create })
    const signal = AbortSignal.timeout(100)
    const headers = { authorization: 'token t' }
    const body = JSON.stringify(plain)
    const sent = fetch(`${github.url}${repo}/deployments`, {
      method: 'POST',
      headers,
      body,
      signal
    })
    await expect(sent).rejects.toThrow()
    expect(github.deployments).toHaveLength(2)
    expect(github.requests.at(-1)).toMatchObject({ method: 'POST', body: plain })
  })

  test('a body that is no JSON is refused', async () => {
    expect((await call(`${repo}/deployments`, '{')).status).toBe(400)
  })
})

test('a release event holds the release, the repository and the sender', () => {
  const released = release({ tag: 'v1', name: null, body: null, author: null, repository })
  expect(releaseEvent(released, 'published', repository)).toMatchObject({
    action: 'published',
    release: { tag_name: 'v1', name: null, body: null, author: null, assets: [] },
    repository: { full_name: 'acme/plugin', private: true, default_branch: 'main' },
    sender: { login: 'octocat' }
  })
})
