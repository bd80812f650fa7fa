// Tests one run's steps against the stand-in for GitHub, with each thing going wrong in its turn.
import { describe, expect, test } from '@jest/globals'
import type { Matcher } from '../../sandbox/github-faults.ts'
import { openBoth } from '../github/opened.ts'
import { claimOf } from './claims.ts'
import { historiesOf, PUBLISHED, remember, run } from './remembering.ts'

const CREATE: Matcher = { method: 'POST', path: /\/deployments$/ }
const WRITE: Matcher = { method: 'POST', path: /statuses$/ }
const LIST: Matcher = { method: 'GET', path: /deployments\?/ }
const lost = { result: 'lost', ending: { kind: 'failure', reason: 'reset' } } as const
const unknown = { result: 'unknown', ending: { kind: 'unknown', reason: 'no answer' } } as const

describe('a run', () => {
  test('publishes with three writes, and leaves its claim as a success', async () => {
    await using opened = await openBoth()
    const { once, sent } = run(opened)
    expect(await once).toMatchObject({ kind: 'tried', result: 'published', recorded: true })
    expect(sent()).toBe(1)
    expect(historiesOf(opened)).toEqual(['in_progress success'])
    expect(opened.standIn.requests.filter(({ method }) => method === 'POST')).toHaveLength(3)
    expect(opened.standIn.deployments[0]?.statuses.at(-1)).toMatchObject({
      description: '1.4.2 published as version 812',
      environment_url: 'https://shop.example.com/d/1'
    })
  })

  test('that comes later sends nothing, and writes nothing', async () => {
    await using opened = await openBoth()
    await run(opened).once
    const writes = opened.standIn.requests.filter(({ method }) => method === 'POST').length
    const { once, sent } = run(opened, { runId: '1002' })
    expect(await once).toMatchObject({ kind: 'replay', claim: { claimant: { runId: '1001' } } })
    expect(sent()).toBe(0)
    expect(opened.standIn.requests.filter(({ method }) => method === 'POST')).toHaveLength(writes)
  })

  test('side by side with another: one publishes, and both know', async () => {
    await using opened = await openBoth()
    const runs = ['1001', '1002', '1003'].map(runId => run(opened, { runId }))
    const ends = await Promise.all(runs.map(({ once }) => once))
    expect(ends.map(({ kind }) => kind).toSorted()).toEqual(['replay', 'replay', 'tried'])
    expect(runs.reduce((sum, { sent }) => sum + sent(), 0)).toBe(1)
  })

  test('waits for lists that lag', async () => {
    await using opened = await openBoth({ lag: { requests: 4, mode: 'ordered', seed: 1 } })
    const { once } = run(opened)
    expect(await once).toMatchObject({ kind: 'tried', result: 'published' })
  })

  test('stops when its claim does not show within 15 seconds, and ends the claim', async () => {
    await using opened = await openBoth({ lag: { requests: 9999, mode: 'ordered', seed: 1 } })
    const start = opened.standIn.clock.now().getTime()
    const { once, sent } = run(opened)
    await expect(once).rejects.toThrow('did not show up')
    expect([sent(), historiesOf(opened)]).toEqual([0, ['failure']])
    const waited = opened.standIn.clock.now().getTime() - start
    expect(Math.round(waited / 1000)).toBeGreaterThanOrEqual(15)
  })
})

describe('a claim whose answer is lost', () => {
  test.each([
    ['a connection that breaks off', { kind: 'reset-after-processing' }],
    ['a 502', { kind: 'status', status: 502, processed: true }],
    ['silence', { kind: 'silence', processed: true }],
    ['HTML', { kind: 'html', status: 200, processed: true }]
  ] as const)('by %s is found again by its nonce, and not created twice', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ ...fault, on: CREATE })
    const { once } = run(opened, { patience: 300 })
    expect(await once).toMatchObject({ kind: 'tried', result: 'published' })
    expect(historiesOf(opened)).toEqual(['in_progress success'])
  })

  test('and that was never created stops the run', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'reset-before-processing', on: CREATE })
    const { once, sent } = run(opened)
    await expect(once).rejects.toThrow('did not answer')
    expect([sent(), historiesOf(opened)]).toEqual([0, []])
  })
})

describe('before the tail', () => {
  const unknown = { result: 'unknown', ending: { kind: 'unknown', reason: 'no answer' } } as const

  test.each([
    ['published it', 'success', 'replay'],
    ['may have published it', 'error', 'in doubt']
  ] as const)('the last look finds that another run %s', async (_, state, kind) => {
    await using opened = await openBoth()
    const beforeTail = () => {
      const [own] = opened.standIn.deployments
      const { statuses: __, ...copy } = own ?? { statuses: [] }
      opened.standIn.createDeployment({ ...copy, auto_merge: false, required_contexts: [] })
      opened.standIn.addStatus(opened.standIn.deployments.at(-1)?.id ?? 0, { state })
    }
    const { once, sent } = run(opened, { beforeTail })
    expect((await once).kind).toBe(kind)
    expect([sent(), historiesOf(opened)[0]]).toEqual([0, 'in_progress failure'])
  })

  test('another tool wrote on the own claim: it is given up for a new one', async () => {
    await using opened = await openBoth()
    let meddled = false
    const beforeTail = () => {
      if (meddled) return
      meddled = true
      opened.standIn.addStatus(opened.standIn.deployments[0]?.id ?? 0, { state: 'inactive' })
    }
    const { once, sent } = run(opened, { beforeTail })
    expect(await once).toMatchObject({ result: 'published' })
    expect(sent()).toBe(1)
    expect(historiesOf(opened)).toEqual(['inactive in_progress failure', 'in_progress success'])
  })

  test.each([
    ['that it is published stands', PUBLISHED, 'published', 'success'],
    ['that nobody can read leaves it in doubt', unknown, 'unknown', 'error']
  ])('an early answer %s, whatever withheld the tail', async (_, early, result, state) => {
    await using opened = await openBoth()
    const beforeTail = () => {
      opened.standIn.addStatus(opened.standIn.deployments[0]?.id ?? 0, { state: 'inactive' })
    }
    expect(await run(opened, { beforeTail, early }).once).toMatchObject({ kind: 'tried', result })
    expect(historiesOf(opened)).toEqual([`inactive in_progress ${state}`])
  })

  test('a connection that is lost while GitHub is asked is tried again, with a new claim', async () => {
    await using opened = await openBoth()
    const early = { ...lost, again: {} }
    const fault = { kind: 'status', status: 500, on: WRITE } as const
    opened.standIn.misbehave(fault, fault)
    expect(await run(opened, { early }).once).toMatchObject({ result: 'published' })
    expect(historiesOf(opened)).toEqual(['failure', 'in_progress success'])
  })

  test('and GitHub gone before the next claim: the failure stands, and the user is told why', async () => {
    await using opened = await openBoth()
    const early = { ...lost, again: {} }
    const down = { kind: 'status', status: 503 } as const
    // The look before the claim and the one after it; with the third, all fail.
    const lists = Array.from({ length: 9 }, () => ({ ...down, on: { ...LIST, nth: 3 } }))
    opened.standIn.misbehave({ ...down, on: WRITE }, { ...down, on: WRITE }, ...lists)
    const { once, told } = run(opened, { early })
    expect(await once).toMatchObject({ result: 'lost', recorded: true })
    expect(told.at(-1)).toMatch(/^This is not tried again: .* answered 503/)
  })
})

describe('an earlier attempt of the same run', () => {
  test.each([
    ['is over at once when it only claimed', '', 'tried'],
    ['is in doubt at once when it may have sent its tail', 'in_progress', 'in doubt']
  ])('%s', async (_, states, kind) => {
    await using opened = await openBoth()
    const id = await remember(opened).create(claimOf(1, '').claimant)
    if (states !== '') await remember(opened).record(id, 'in_progress', '')
    const { once, told } = run(opened, { runAttempt: 2 })
    expect([(await once).kind, told]).toEqual([kind, []])
  })
})

test('a run that gives way again and again says so in the end, and sends nothing', async () => {
  await using opened = await openBoth()
  const memory = remember(opened)
  const others: number[] = []
  const first = async () => {
    for (const id of others.splice(0)) await memory.record(id, 'failure', 'nothing was sent')
  }
  const { once, sent } = run(opened, {
    beforeClaim: async () => {
      others.push(await memory.create(claimOf(1, '', { runId: '1002' }).claimant))
    },
    whileWaiting: first
  })
  expect(await once).toMatchObject({
    ...{ kind: 'crowded out', claim: { claimant: { runId: '1002' } } }
  })
  expect([sent(), historiesOf(opened)[1]]).toEqual([0, 'inactive'])
})

describe('after the tail', () => {
  test.each([
    ['a failure', lost, 'in_progress failure'],
    ['an unknown end', unknown, 'in_progress error']
  ])(
    '%s that GitHub does not take at first is written down at the second try',
    async (_, end, history) => {
      await using opened = await openBoth()
      opened.standIn.misbehave({ kind: 'status', status: 502, on: { ...WRITE, nth: 2 } })
      expect(await run(opened, { answers: [end] }).once).toMatchObject({ recorded: true })
      expect(historiesOf(opened)[0]).toBe(history)
    }
  )

  test('an unknown end is an error, and stops the next run', async () => {
    await using opened = await openBoth()
    expect(await run(opened, { answers: [unknown] }).once).toMatchObject({ result: 'unknown' })
    expect(historiesOf(opened)).toEqual(['in_progress error'])
    const { once, sent } = run(opened)
    expect([(await once).kind, sent()]).toEqual(['in doubt', 0])
  })

  test('a success that cannot be written with its link is written without', async () => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ kind: 'status', status: 422, on: { ...WRITE, nth: 2 } })
    expect(await run(opened).once).toMatchObject({ result: 'published', recorded: true })
    expect(opened.standIn.deployments[0]?.statuses.at(-1)?.environment_url).toBe('')
  })
})
