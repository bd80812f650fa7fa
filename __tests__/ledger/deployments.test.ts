// Tests the memory against the stand-in for GitHub: what it writes there, what it reads back, what it cannot.
import { describe, expect, test } from '@jest/globals'
import {
  type Api,
  environmentOf,
  keyOf,
  NoDeployments,
  openDeployments,
  openVersions,
  type Publication
} from '../../src/ledger/deployments.ts'
import { AnswerLost, type Deployments } from '../../src/ledger/steps.ts'
import { errorOf, type Opened, openBoth } from '../github/opened.ts'
import { claimOf } from './claims.ts'

const { claimant } = claimOf(1, '')
const publication: Publication = {
  ...{ baseUrl: 'https://shop.example.com/eu', product: 12, benefit: 34, versionName: '1.4.2' }
}

/** The memory of the publication, or of one that differs in these. */
function remember(
  { github }: Pick<Opened, 'github'>,
  over: Partial<Publication> = {}
): Deployments {
  return openDeployments(github, { ...publication, ...over }, 'v1.4.2')
}

const environment = 'shop.example.com/products/12/benefits/34'
const task = 'publish-version'
/** A deployment as others would ask for it. */
const base = { ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment, task }
const payload = { publication: keyOf(publication), run_attempt: 1, deadline_seconds: 60 }

describe('a publication', () => {
  test.each([
    ['the product', {}, 'shop.example.com/products/12'],
    ['the benefit', { benefit: 34 }, environment],
    ['a port', { baseUrl: 'http://127.0.0.1:8080' }, '127.0.0.1:8080/products/12'],
    ['no path', { baseUrl: 'https://shop.example.com/eu/v2' }, 'shop.example.com/products/12']
  ])('has an environment that names %s', (_, over, expected) => {
    const product = { baseUrl: 'https://shop.example.com', product: 12, versionName: '1.4.2' }
    expect(environmentOf({ ...product, ...over })).toBe(expected)
  })

  test('has a key that no other publication has', () => {
    const others: readonly Publication[] = [
      publication,
      { ...publication, baseUrl: 'https://shop.example.com' },
      { ...publication, product: 13 },
      { ...publication, benefit: 35 },
      { ...publication, versionName: '1.4.20' },
      { ...publication, versionName: '"1.4.2"' },
      { baseUrl: publication.baseUrl, product: 12, versionName: '1.4.2' }
    ]
    expect(new Set(others.map(keyOf)).size).toBe(others.length)
  })
})

describe('a claim', () => {
  test('is a deployment that merges nothing, waits for nothing and replaces nothing', async () => {
    await using opened = await openBoth()
    await remember(opened).create(claimant)
    expect(opened.standIn.requests[0]?.body).toEqual({
      ref: 'v1.4.2',
      task,
      environment,
      payload: {
        publication: keyOf(publication),
        nonce: 'nonce-1',
        run_id: '1001',
        run_attempt: 1,
        job: 'publish',
        commit: 'c0ffee',
        file_name: 'gallery-1.4.2.zip',
        deadline_seconds: 900
      },
      description: 'Version of product 12',
      auto_merge: false,
      required_contexts: [],
      production_environment: false
    })
  })

  test('is read back as it was written, with its history, oldest first', async () => {
    const start = Date.parse('2026-01-02T03:04:05Z')
    await using opened = await openBoth({ now: new Date(start), pace: 0 })
    const memory = remember(opened)
    const id = await memory.create(claimant)
    await memory.record(id, 'in_progress', 'sending')
    opened.standIn.clock.advance(60_000)
    const link = 'https://shop.example.com/d/1'
    expect((await memory.record(id, 'success', 'done', link)) - start).toBeGreaterThanOrEqual(
      60_000
    )
    const { claims, now } = await memory.list()
    expect(claims).toEqual([{ id, claimant, createdAt: expect.any(Number) }])
    expect(Math.abs((claims[0]?.createdAt ?? 0) - start)).toBeLessThan(30_000)
    expect(now - start).toBeGreaterThanOrEqual(60_000)
    const anId = expect.any(Number)
    expect(await memory.history(id)).toEqual({
      statuses: [
        { id: anId, state: 'in_progress', description: 'sending', environmentUrl: '' },
        { id: anId, state: 'success', description: 'done', environmentUrl: link }
      ],
      now: expect.any(Number)
    })
  })

  test('is found among those of other versions, on any page, with more than a page of statuses', async () => {
    await using opened = await openBoth()
    const memory = remember(opened)
    const id = await memory.create(claimant)
    const other = await remember(opened, { versionName: '1' }).create(claimant)
    await memory.record(id, 'success', 'done')
    await memory.record(other, 'failure', 'not this one')
    for (let count = 0; count < 120; count++) {
      opened.standIn.addStatus(id, { state: 'inactive' })
      await remember(opened, { versionName: `0.${count}` }).create(claimant)
    }
    opened.standIn.createDeployment({ ...base, payload: {}, task: 'deploy' })
    opened.standIn.createDeployment({ ...base, payload: {}, environment: 'production' })
    expect((await memory.list()).claims.map(claim => claim.id)).toEqual([id])
    const states = (await memory.history(id))?.statuses.map(({ state }) => state)
    expect(states).toEqual(['success', ...Array.from({ length: 120 }, () => 'inactive')])
  })

  test('counts once when a new deployment moves it from one page to the next', async () => {
    await using opened = await openBoth()
    const memory = remember(opened)
    const another = () => void opened.standIn.createDeployment({ ...base, payload })
    another()
    const id = await memory.create(claimant)
    for (let count = 0; count < 99; count++) another()
    opened.standIn.misbehave({ kind: 'meanwhile', run: another, on: { path: /[?&]page=1/ } })
    const ids = (await memory.list()).claims.map(claim => claim.id)
    expect([ids.includes(id), new Set(ids).size]).toEqual([true, ids.length])
  })

  test('is read from a payload that is given back as text, as older servers do', async () => {
    await using opened = await openBoth()
    opened.standIn.createDeployment({ ...base, payload: JSON.stringify(payload) })
    const { claims } = await remember(opened).list()
    expect(claims[0]?.claimant).toMatchObject({ runAttempt: 1, deadline: 60, job: '' })
  })
})

describe('a claim whose creation is not answered', () => {
  const create = { method: 'POST', path: /\/deployments$/ }

  test.each([
    ['a connection that breaks off before', { kind: 'reset-before-processing' }, 0],
    ['a connection that breaks off after', { kind: 'reset-after-processing' }, 1],
    ['silence after', { kind: 'silence', processed: true }, 1],
    ['502', { kind: 'status', status: 502 }, 0],
    ['502 after all', { kind: 'status', status: 502, processed: true }, 1],
    ['HTML', { kind: 'html', status: 200, processed: true }, 1],
    ['half of the answer', { kind: 'odd-answer', shape: 'broken-json' }, 1]
  ] as const)(
    'but by %s may have been created, and is not created again',
    async (_, fault, made) => {
      await using opened = await openBoth()
      opened.standIn.misbehave({ ...fault, on: create })
      const memory = remember({ github: opened.open({ patience: 1000 }) })
      await expect(memory.create(claimant)).rejects.toBeInstanceOf(AnswerLost)
      expect(opened.standIn.deployments).toHaveLength(made)
      expect(opened.standIn.requests).toHaveLength(1)
    }
  )

  test.each([403, 404, 409, 422])('but by %i was not created', async status => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'status', status, on: create })
    expect((await errorOf(remember(opened).create(claimant))).status).toBe(status)
  })
})

describe('the memory cannot be read', () => {
  test.each([
    ['no payload', { payload: null }],
    ['a payload that is encoded twice', { payload: JSON.stringify(JSON.stringify(payload)) }],
    ['a payload without a deadline', { payload: { ...payload, deadline_seconds: '60' } }],
    ['no date', { payload, created_at: null }],
    ['a date that is a number', { payload, created_at: 1_700_000_000 }],
    ['an id that is text', { payload, id: '7' }]
  ])('when a deployment of its environment has %s, and it is named', async (_, over) => {
    const item = { id: 7, created_at: '2026-01-02T03:04:05Z', ...over }
    const memory = openDeployments(apiOf([item], 0), publication, 'v1.4.2')
    await expect(memory.list()).rejects.toThrow(
      `Deployment 7 of the environment ${environment} cannot be`
    )
  })

  test('when a status has no state', async () => {
    const memory = openDeployments(apiOf([{ id: 7 }], 0), publication, 'v1.4.2')
    await expect(memory.history(12)).rejects.toThrow(
      'a status of deployment 12 has no id or no state'
    )
  })

  test.each([403, 500])(
    'when a history answers %i, which is no missing permission',
    async status => {
      await using opened = await openBoth()
      const id = await remember(opened).create(claimant)
      const fault = { kind: 'status', status, on: { path: /statuses/ } } as const
      opened.standIn.misbehave(fault, fault, fault, fault)
      const history = remember(opened).history(id)
      await expect(history).rejects.toThrow(`The history of deployment ${id} could not be read`)
      await expect(history).rejects.not.toHaveProperty('missingPermission')
    }
  )

  test('when an answer has no date, since no other clock will do', async () => {
    const memory = openDeployments(apiOf([], Number.NaN), publication, 'v1.4.2')
    await expect(memory.list()).rejects.toThrow('no date')
    await expect(memory.history(7)).rejects.toThrow('no date')
  })

  test('on a server without deployments, which is told from a passing 404', async () => {
    await using without = await openBoth({ hasDeployments: false })
    await expect(remember(without).list()).rejects.toBeInstanceOf(NoDeployments)
    await using gone = await openBoth()
    const all = { kind: 'status', status: 404 } as const
    gone.standIn.misbehave(all, all)
    expect((await errorOf(remember(gone).list())).status).toBe(404)
  })

  test('but a history that is not found is only not shown yet', async () => {
    await using opened = await openBoth()
    expect(await remember(opened).history(2_000_000_001)).toBeUndefined()
  })
})

/** A GitHub that has only this to say. */
function apiOf(items: readonly unknown[], now: number): Api {
  return {
    read: async () => ({ data: {}, now }),
    write: async () => ({ data: { id: 7 }, now }),
    readAll: async () => ({ items, now })
  }
}

test('all versions of a product are listed, the last claimed first, with one request', async () => {
  await using opened = await openBoth()
  const of = (over: object) => remember(opened, over).create(claimant)
  const first = await of({ versionName: '1.0' })
  await remember(opened).record(first, 'success', '')
  await of({ versionName: '1.1' })
  await of({ versionName: '9.9', baseUrl: 'https://shop.example.com/us' })
  await of({ versionName: '1.0' })
  const before = opened.standIn.requests.length
  const versions = await openVersions(opened.github, publication, claimant)
  expect(opened.standIn.requests).toHaveLength(before + 1)
  expect(versions.names).toEqual(['1.0', '1.1'])
  const states = ['1.0', '1.1', '9.9'].map(async it => (await versions.standing(it)).state)
  expect(await Promise.all(states)).toEqual(['published', 'claimed', 'none'])
  expect((await versions.newestPublished())?.id).toBe(first)
})
