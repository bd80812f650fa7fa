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
  await expect(once).rejects.toThrow(/kept claiming .* run 1002; a `concurrency` group/)
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
})
