// Owns what happens when several runs publish the same version at the same time.
import { describe, expect, jest, test } from '@jest/globals'
import type { Run } from '../support/runner.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { HISTORY, historiesOf, passTimeWhileWaiting, RECORD } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

const MINUTES = 60_000

function outcomesOf(runs: readonly Run[]): (string | undefined)[] {
  return runs.map(({ outputs }) => outputs.outcome).toSorted()
}

test('a release without `types` starts three runs, and all end green with one version', async () => {
  await using shop = await openShop()
  const runs = await Promise.all(
    ['created', 'published', 'released'].map((action, index) =>
      shop.publish({ action, runId: String(9_000_001 + index) })
    )
  )
  expect(outcomesOf(runs)).toEqual(['published', 'skipped', 'skipped'])
  expect(runs.map(({ conclusion }) => conclusion)).toEqual(['success', 'success', 'success'])
  expect(shop.service.notifications).toHaveLength(1)
  const [created, ...others] = runs
  expect(created?.outputs.reason).toBe('event-action')
  for (const name of ['version_id', 'id', 'sha256', 'size', 'file_name', 'title', 'changelog']) {
    const [one, other] = others.map(({ outputs }) => outputs[name])
    expect([name, one, one !== '']).toEqual([name, other, true])
  }
})

describe('three processes at the same moment', () => {
  test.each([
    ['lists that are up to date', 0, 'ordered'],
    ['lists that lag and are out of order', 9, 'shuffled']
  ] as const)('publish one version with %s', async (_, requests, mode) => {
    await using shop = await openShop({ github: { lag: { requests, mode, seed: 7 } } })
    const runs = await Promise.all(
      ['9000001', '9000002', '9000003'].map(runId => shop.publish({ runId }))
    )
    expect(outcomesOf(runs)).toEqual(['published', 'skipped', 'skipped'])
    expect(shop.service.versions).toHaveLength(1)
  })
})

test.each([
  ['different files: one publishes, the other is an error', 'another build', 'failed'],
  ['the same file: one publishes, the other is skipped', 'a build', 'skipped']
])('a matrix that publishes one target twice, by mistake, with %s', async (_, build, outcome) => {
  await using shop = await openShop()
  await shop.write('a/gallery.zip', 'a build')
  await shop.write('b/gallery.zip', build)
  const publishAs = (job: string) =>
    shop.publish({ inputs: { file: `${job}/*` }, env: { GITHUB_JOB: job } })
  const runs = await Promise.all([publishAs('a'), publishAs('b')])
  expect(outcomesOf(runs)).toEqual([outcome, 'published'].toSorted())
  expect(shop.service.versions).toHaveLength(1)
  const failed = runs.find(({ outputs }) => outputs.outcome === 'failed')
  if (failed) expect(failed.annotations[0]?.message).toMatch(/two jobs of one workflow/)
})

describe('a run that finds another one publishing', () => {
  /** A claim of a run that may be alive, in the place where this shop's first version would have it. */
  async function claimedBefore(shop: Shop, ...states: readonly string[]) {
    const refused = { kind: 'status', status: 422, on: RECORD } as const
    shop.github.misbehave(refused, refused)
    const run = await shop.publish()
    expect(run.outputs.reason).toBe('withheld')
    const [claim] = shop.github.deployments
    claim?.statuses.splice(0)
    for (const state of states) shop.github.addStatus(claim?.id ?? 0, { state })
  }

  test('waits for its deadline, and publishes when nothing can have been sent', async () => {
    await using shop = await openShop()
    await claimedBefore(shop)
    const run = await shop.publish({
      runId: '9000002',
      ...passTimeWhileWaiting(shop, 20 * MINUTES)
    })
    expect(run.log).toMatch(/Waiting for run 9000001, .*\(6\d\d s at most\)/)
    expect(run.outputs.outcome).toBe('published')
    expect(historiesOf(shop)).toEqual(['', 'inactive', 'in_progress success'])
  })

  test('with `auto`, takes a refusal after its claim for no missing permission', async () => {
    await using shop = await openShop({ inputs: { once: 'auto' } })
    await claimedBefore(shop)
    shop.github.misbehave({ kind: 'status', status: 403, on: { ...HISTORY, nth: 4 } })
    const run = await shop.publish({
      runId: '9000002',
      ...passTimeWhileWaiting(shop, 20 * MINUTES)
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect([shop.service.requests.length, shop.service.versions]).toEqual([1, []])
  })

  test.each(['auto', 'require'])('with `%s`, sends nothing where it may not claim', async once => {
    await using shop = await openShop({ inputs: { once } })
    await claimedBefore(shop, 'in_progress')
    shop.github.setPermissions({ deployments: 'read' })
    const run = await shop.publish({ runId: '9000002' })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(run.log).toContain('answered 403')
    expect(shop.service.requests).toHaveLength(1)
  })

  test('learns at its last look that it is published, and sends no last byte', async () => {
    await using shop = await openShop()
    const run = () => {
      const [{ id: _, statuses: __, ...own } = { id: 0, statuses: [] }] = shop.github.deployments
      shop.github.createDeployment({ ...own, auto_merge: false, required_contexts: [] })
      const description = '1.4.2 published as version 77'
      shop.github.addStatus(shop.github.deployments[1]?.id ?? 0, { state: 'success', description })
    }
    shop.github.misbehave({ kind: 'meanwhile', run, on: RECORD })
    const { outputs } = await shop.publish()
    expect(outputs).toMatchObject({ outcome: 'skipped', version_id: '77' })
    expect(historiesOf(shop)).toEqual(['in_progress failure', 'success'])
    expect(shop.service.requests.map(({ completed }) => completed)).toEqual([false])
  })
})
