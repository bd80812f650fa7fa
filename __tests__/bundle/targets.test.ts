// Tests of several targets in one step, through the bundle: order, partial failures, re-runs.
import { expect, test } from '@jest/globals'
import { FILE, openShop, summaryOf } from '../support/shop.ts'

const BENEFITS = [34, 35, 36, 37, 38, 39, 40, 41, 42]
const PRODUCTS = [
  {
    id: 12,
    yours: true,
    benefits: BENEFITS.map(id => ({ id, optionId: 1, name: `Edition ${id}` }))
  },
  { id: 13, yours: false, benefits: [] }
]
const TEN = ['- product: 12', ...BENEFITS.map(id => `- benefit: ${id}`)].join('\n')

const outcomesOf = (versions = '[]') =>
  JSON.parse(versions).map(({ outcome }: { outcome: string }) => outcome)

test('ten targets, of which three fail in three ways, over three runs: ten notifications', async () => {
  await using shop = await openShop({ service: { products: PRODUCTS }, inputs: { targets: TEN } })
  const healthy = { kind: 'slow-answer', ms: 1 } as const
  shop.service.misbehave(
    healthy,
    {
      kind: 'answer',
      status: 422,
      body: { message: 'Bad title', errors: { title: ['Too dull.'] } },
      stored: false
    },
    healthy,
    { kind: 'answer', status: 500, body: { message: 'Server Error' }, stored: false },
    healthy,
    healthy,
    { kind: 'answer', status: 403, body: { message: 'Forbidden' }, stored: false }
  )
  const first = await shop.publish()
  expect(outcomesOf(first.outputs.versions)).toEqual([
    ...['published', 'failed', 'published', 'unknown', 'published', 'published', 'failed'],
    ...['published', 'published', 'published']
  ])
  expect(first.outputs.outcome).toBe('unknown')
  expect(first.conclusion).toBe('failure')
  expect(shop.service.notifications).toHaveLength(7)

  const second = await shop.publish({ attempt: 2 })
  expect(outcomesOf(second.outputs.versions)).toEqual([
    ...['skipped', 'published', 'skipped', 'unknown', 'skipped', 'skipped', 'published'],
    ...['skipped', 'skipped', 'skipped']
  ])
  expect(second.outputs.reason).toBe('in-doubt')
  expect(shop.service.notifications).toHaveLength(9)

  // A person has looked: it is not there.
  const path = /repos\/acme\/gallery\/deployments\/(\d+)\/statuses -f state=failure/.exec(
    second.log
  )
  shop.github.addStatus(Number(path?.[1]), { state: 'failure', auto_inactive: false })
  const third = await shop.publish({ attempt: 3 })
  expect(outcomesOf(third.outputs.versions)).toEqual([
    ...['skipped', 'skipped', 'skipped', 'published', 'skipped', 'skipped', 'skipped'],
    ...['skipped', 'skipped', 'skipped']
  ])
  expect(third.outputs.outcome).toBe('published')
  expect(third.conclusion).toBe('success')
  expect(shop.service.notifications).toHaveLength(10)
  expect(new Set(shop.service.versions.map(({ record }) => record.purchase_benefit_id)).size).toBe(
    10
  )
}, 60_000)

test('the single outputs are those of the first target, the outcome is the worst', async () => {
  await using shop = await openShop({ inputs: { targets: '- product: 12\n- product: 13' } })
  const run = await shop.publish()
  const versions = JSON.parse(run.outputs.versions ?? '[]')
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', product_id: '12' })
  expect(versions).toMatchObject([
    { outcome: 'published', product_id: '12', sha256: shop.sha256 },
    { outcome: 'failed', reason: 'rejected', version_id: null }
  ])
  expect(run.log).toMatch(/▸ .*product 12.*\n[\s\S]*▸ .*product 13/)
  expect(run.annotations).toMatchObject([{ title: 'Not published: product 13, version 1.4.2' }])
})

test('the summary begins with an overview, and names each target', async () => {
  await using shop = await openShop({ inputs: { targets: '- benefit: 34\n- product: 13' } })
  const text = summaryOf(await shop.publish())
  expect(text.match(/^(#+ |\| |<details>).*/gm)).toEqual([
    '## ❌ 1 published, 1 failed',
    '| Outcome | Product | Version | Version id | File |',
    '| ✅ published | 12, benefit 34 (Gallery for studios) | Gallery 1.4.2 | 1001 | dist/gallery-1.4.2.zip |',
    '| ❌ failed (rejected) | 13 | Gallery 1.4.2 |  | dist/gallery-1.4.2.zip |',
    '<details><summary>✅ Published: product 12, benefit 34 (Gallery for studios)</summary>',
    '<details><summary>Changelog</summary>',
    '## What is new',
    '### ❌ Not published: product 13',
    '<details><summary>Changelog</summary>',
    '## What is new'
  ])
})

test('faults of all targets come together, and nothing is sent', async () => {
  const targets =
    '- product: 12\n  file: nothing/*.zip\n- product: 12\n  benefit: 34\n  changelog-file: NONE.md\n- product: 12\n  benefit: 34'
  await using shop = await openShop({ inputs: { targets, once: 'off' } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations.map(({ title }) => title)).toEqual([
    'Not published',
    'entry 3 (line 6)',
    'entry 1 (line 1), file',
    'entry 2 (line 3), changelog-file'
  ])
  expect(run.log).toContain(
    'is the same publication as entry 2 (line 3): product 12, benefit 34, version "1.4.2"'
  )
  expect(shop.service.requests).toEqual([])
})

test.each([
  ['is skipped', 'edited', 'skipped'],
  ['fails before any target', 'released', 'failed']
])('a run that %s has an object for each target, too', async (_, action, outcome) => {
  const targets = '- product: 12\n  file: no.zip\n- benefit: 34'
  await using shop = await openShop({ service: { products: PRODUCTS }, inputs: { targets } })
  const run = await shop.publish({ action })
  expect(outcomesOf(run.outputs.versions)).toEqual([outcome, outcome])
})

test('a cancel ends the current target and the rest, with the true outcome of each', async () => {
  await using shop = await openShop({
    service: { products: PRODUCTS },
    inputs: { targets: '- product: 12\n- benefit: 34\n- benefit: 35' }
  })
  // More than a connection takes while nobody reads, so that the second can never be sent completely.
  await shop.write(FILE, Buffer.alloc(16 * 1024 * 1024, 'a'))
  shop.service.misbehave({ kind: 'slow-answer', ms: 1 }, { kind: 'silence-after-headers' })
  const run = await shop.publish({
    signal: { after: () => shop.service.requests.length === 2, signal: 'SIGINT' }
  })
  expect(outcomesOf(run.outputs.versions)).toEqual(['published', 'failed', 'failed'])
  expect(run.outputs.reason).toBe('cancelled')
  expect(shop.service.versions).toHaveLength(1)
  expect(shop.github.deployments.map(({ statuses }) => statuses.at(-1)?.state)).toEqual([
    'success',
    'failure'
  ])
})
