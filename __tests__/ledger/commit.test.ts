// Tests the commit point against the stand-in for GitHub: what withholds the tail, and what becomes of the claim.
import { describe, expect, test } from '@jest/globals'
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { openBoth } from '../github/opened.ts'
import { historiesOf, PUBLISHED, run } from './remembering.ts'

const WRITE: Matcher = { method: 'POST', path: /statuses$/ }
const unknown = { result: 'unknown', ending: { kind: 'unknown', reason: 'no answer' } } as const

describe('before the tail', () => {
  const faults: readonly (readonly [string, GitHubFault])[] = [
    ['fails', { kind: 'status', status: 500 }],
    ['is limited', { kind: 'secondary-limit', retryAfter: 1 }],
    ['loses its answer', { kind: 'reset-after-processing' }]
  ]

  test.each(faults)('an `in_progress` that %s withholds it', async (_, fault) => {
    await using opened = await openBoth()
    opened.standIn.misbehave({ ...fault, on: WRITE })
    const { once, sent } = run(opened)
    expect(await once).toMatchObject({ kind: 'tried', result: 'withheld', recorded: true })
    expect(sent()).toBe(0)
    expect(historiesOf(opened)[0]).toMatch(/^(in_progress )?failure$/)
    expect(await run(opened).once).toMatchObject({ result: 'published' })
  })

  test.each([
    ['published it', 'success', 'replay'],
    ['may have published it', 'error', 'in doubt']
  ] as const)('the last look finds that another run %s', async (_, state, kind) => {
    await using opened = await openBoth()
    const other = { runId: '1002', answers: [unknown] }
    const beforeTail = () => {
      const [own] = opened.standIn.deployments
      const { statuses: __, ...copy } = own ?? { statuses: [] }
      opened.standIn.createDeployment({ ...copy, auto_merge: false, required_contexts: [] })
      opened.standIn.addStatus(opened.standIn.deployments.at(-1)?.id ?? 0, { state })
    }
    const { once, sent } = run(opened, { beforeTail })
    expect((await once).kind).toBe(kind)
    expect([sent(), historiesOf(opened)[0]]).toEqual([0, 'in_progress failure'])
    expect((await run(opened, other).once).kind).toBe(kind)
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

  test('a run that took longer than its claim allows sends nothing, and says nothing of a doubt', async () => {
    await using opened = await openBoth()
    const beforeTail = () => opened.standIn.clock.advance(540_000)
    const { once, sent } = run(opened, { beforeTail })
    expect(await once).toMatchObject({ result: 'withheld' })
    expect([sent(), historiesOf(opened)]).toEqual([0, ['failure']])
  })

  test('a run whose time runs out while it records sends nothing', async () => {
    await using opened = await openBoth()
    const runOut = () => opened.standIn.clock.advance(541_000)
    opened.standIn.misbehave({ kind: 'meanwhile', run: runOut, on: WRITE })
    const { once, sent } = run(opened)
    expect(await once).toMatchObject({ result: 'withheld' })
    expect([sent(), historiesOf(opened)]).toEqual([0, ['in_progress failure']])
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
})
