// Owns the proof that the stand-in's deployments are as GitHub has them.
import { describe, expect, test } from '@jest/globals'
import { call, deploy, first, github, ids, plain, repo, repository, restart } from './calling.ts'

describe('deployments', () => {
  test('are created, and listed newest first by filter and page', async () => {
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
    expect((await call(`${first}/statuses`)).status).toBe(403)
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
    await restart({ lag: { requests: 2, mode: 'ordered', seed: 1 } })
    await deploy()
    expect([await ids(), await ids(), await ids()]).toEqual([[], [], [1]])
    await restart({ lag: { requests: 6, mode: 'shuffled', seed: 7 } })
    await deploy()
    for (let count = 0; count < 4; count += 1) await deploy()
    const seen = []
    for (let count = 0; count < 7; count += 1) seen.push((await ids()).length)
    expect(seen).toEqual(seen.toSorted())
    expect([seen[0] !== 5, seen.at(-1)]).toEqual([true, 5])
  })
})
