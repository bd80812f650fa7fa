// Tests of several processes that publish the same version at the same time.
import { expect, jest, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

test('a release without `types` starts three runs: all end green, with one version and its outputs', async () => {
  await using shop = await openShop()
  const runs = await Promise.all(
    ['created', 'published', 'released'].map((action, index) =>
      shop.publish({ action, runId: String(9_000_001 + index) })
    )
  )
  const [created, ...others] = runs
  const outcomes = others.map(({ outputs }) => outputs.outcome).toSorted()
  expect([created?.outputs.reason, ...outcomes]).toEqual(['event-action', 'published', 'skipped'])
  expect(runs.map(({ conclusion }) => conclusion)).toEqual(['success', 'success', 'success'])
  expect(shop.service.notifications).toHaveLength(1)
  for (const name of ['version_id', 'id', 'sha256', 'size', 'file_name', 'title', 'changelog']) {
    const [one, other] = others.map(({ outputs }) => outputs[name])
    expect([name, one, one !== '']).toEqual([name, other, true])
  }
})

test('three runs publish one version, with lists that lag and are out of order', async () => {
  await using shop = await openShop({ github: { lag: { requests: 9, mode: 'shuffled', seed: 7 } } })
  const runs = await Promise.all(
    ['9000001', '9000002', '9000003'].map(runId => shop.publish({ runId }))
  )
  const outcomes = runs.map(({ outputs }) => outputs.outcome).toSorted()
  expect(outcomes).toEqual(['published', 'skipped', 'skipped'])
  expect(shop.service.versions).toHaveLength(1)
})

test('a matrix that publishes two files as one version, by mistake: one is an error', async () => {
  await using shop = await openShop()
  const runs = await Promise.all(
    ['a', 'b'].map(async job => {
      await shop.write(`${job}/gallery.zip`, `the build of ${job}`)
      return shop.publish({ inputs: { file: `${job}/*` }, env: { GITHUB_JOB: job } })
    })
  )
  const outcomes = runs.map(({ outputs }) => outputs.outcome).toSorted()
  expect([...outcomes, shop.service.versions.length]).toEqual(['failed', 'published', 1])
  const failed = runs.find(({ outputs }) => outputs.outcome === 'failed')
  expect(failed?.annotations[0]?.message).toMatch(/two jobs of one workflow/)
})
