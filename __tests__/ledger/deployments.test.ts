// Tests the memory against the stand-in for GitHub: what it writes there, and what it reads back.
import { describe, expect, test } from '@jest/globals'
import { environmentOf, keyOf, type Publication } from '../../src/ledger/deployments.ts'
import { openBoth } from '../github/opened.ts'
import { claimant, environment, publication, remember } from './deployed.ts'

describe('a publication', () => {
  test.each([
    ['the product', {}, 'shop.example.com/products/12'],
    ['the benefit', { benefit: 34 }, environment],
    ['a port', { baseUrl: 'http://127.0.0.1:8080' }, '127.0.0.1:8080/products/12'],
    ['no path', { baseUrl: 'https://shop.example.com/eu/v2' }, 'shop.example.com/products/12']
  ])('has an environment that names %s', (_, over, expected) => {
    const base = { baseUrl: 'https://shop.example.com', product: 12, versionName: '1.4.2' }
    expect(environmentOf({ ...base, ...over })).toBe(expected)
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
      task: 'publish-version',
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
    await using opened = await openBoth({ now: new Date('2026-01-02T03:04:05Z') })
    const memory = remember(opened)
    const id = await memory.create(claimant)
    await memory.record(id, 'in_progress', 'sending')
    opened.standIn.clock.advance(60_000)
    await memory.record(id, 'success', 'done', 'https://shop.example.com/d/1')
    const { claims, now } = await memory.look()
    const at = Date.parse('2026-01-02T03:04:05Z')
    expect(claims).toEqual([
      {
        ...{ id, claimant },
        createdAt: expect.any(Number),
        statuses: [
          {
            id: expect.any(Number),
            state: 'in_progress',
            description: 'sending',
            environmentUrl: ''
          },
          {
            ...{ id: expect.any(Number), state: 'success', description: 'done' },
            environmentUrl: 'https://shop.example.com/d/1'
          }
        ]
      }
    ])
    expect(Math.abs((claims[0]?.createdAt ?? 0) - at)).toBeLessThan(30_000)
    expect(now - at).toBeGreaterThanOrEqual(59_000)
    expect(await memory.history(id)).toEqual({
      statuses: claims[0]?.statuses,
      now: expect.any(Number)
    })
  })

  test('leaves the statuses of other deployments alone', async () => {
    await using opened = await openBoth()
    const memory = remember(opened)
    const [first, second] = [await memory.create(claimant), await memory.create(claimant)]
    await memory.record(first, 'success', 'done')
    await memory.record(second, 'success', 'done')
    const { claims } = await memory.look()
    expect(claims.map(({ statuses }) => statuses.map(({ state }) => state))).toEqual([
      ['success'],
      ['success']
    ])
  })

  test('is found among others, whose payload is a string, an object or nothing', async () => {
    await using opened = await openBoth()
    const base = { ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment }
    const ours = { publication: keyOf(publication), nonce: 'n', deadline_seconds: 60 }
    const task = 'publish-version'
    for (const deployment of [
      { ...base, task, payload: JSON.stringify(ours) },
      { ...base, task, payload: '{"publication": broken' },
      { ...base, task, payload: 'null' },
      { ...base, task, payload: {} },
      { ...base, task },
      { ...base, task, payload: { ...ours, publication: keyOf({ ...publication, product: 13 }) } },
      { ...base, payload: ours },
      { ...base, task, payload: ours, environment: 'production' },
      { ...base, task, payload: ours }
    ]) {
      opened.standIn.createDeployment(deployment)
    }
    const { claims } = await remember(opened).look()
    expect(claims.map(({ id }) => id % 1000)).toEqual([1, 9])
    expect(claims[0]?.claimant).toMatchObject({ nonce: 'n', deadline: 60, runAttempt: 0, job: '' })
  })

  test('is found among more than a page of others, with more than a page of statuses', async () => {
    await using opened = await openBoth()
    const memory = remember(opened)
    const id = await memory.create(claimant)
    await memory.record(id, 'success', 'done')
    for (let count = 0; count < 120; count++) {
      opened.standIn.addStatus(id, { state: 'inactive' })
      await remember(opened, { versionName: `0.${count}` }).create(claimant)
    }
    const { claims } = await memory.look()
    expect(claims.map(claim => claim.id)).toEqual([id])
    expect(claims[0]?.statuses.map(({ state }) => state)).toEqual([
      'success',
      ...Array.from({ length: 120 }, () => 'inactive')
    ])
  })

  test('counts once when a new deployment moves it from one page to the next', async () => {
    await using opened = await openBoth()
    const memory = remember(opened)
    const task = 'publish-version'
    const base = { ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment, task }
    const another = () => void opened.standIn.createDeployment(base)
    another()
    const id = await memory.create(claimant)
    for (let count = 0; count < 99; count++) another()
    opened.standIn.misbehave({ kind: 'meanwhile', run: another, on: { path: /[?&]page=1/ } })
    expect((await memory.look()).claims.map(claim => claim.id)).toEqual([id])
  })
})
