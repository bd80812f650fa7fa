// Tests of several targets in one step, through the bundle: order, partial failures, re-runs.
import { expect, test } from '@jest/globals'
import { LARGE } from '../support/archives.ts'
import { onPosix } from '../support/platform.ts'
import { FILE, openShop, summaryOf } from '../support/shop.ts'

const BENEFITS = [34, 35, 36, 37]
const products = [
  { id: 12, yours: true, benefits: BENEFITS.map(id => ({ id, optionId: 1, name: `No. ${id}` })) },
  { id: 13, yours: false, benefits: [] }
]
const FIVE = ['- product: 12', ...BENEFITS.map(id => `- benefit: ${id}`)].join('\n')

const outcomesOf = (versions = '[]'): string =>
  JSON.parse(versions)
    .map(({ outcome }: { outcome: string }) => outcome)
    .join()

const refused = (status: number, body: object) =>
  ({ kind: 'answer', status, body, stored: false }) as const

test('five targets, of which three fail in three ways, over three runs: five notifications', async () => {
  await using shop = await openShop({ service: { products }, inputs: { targets: FIVE } })
  shop.service.misbehave(
    { kind: 'slow-answer', ms: 1 },
    refused(422, { message: 'Bad title', errors: { title: ['Too dull.'] } }),
    refused(500, { message: 'Server Error' }),
    refused(403, { message: 'Forbidden' })
  )
  const first = await shop.publish()
  expect(outcomesOf(first.outputs.versions)).toBe('published,failed,unknown,failed,published')
  expect(first.outputs.outcome).toBe('unknown')
  expect(shop.service.notifications).toHaveLength(2)
  const second = await shop.publish({ attempt: 2 })
  expect(outcomesOf(second.outputs.versions)).toBe('skipped,published,unknown,published,skipped')
  expect(second.outputs.reason).toBe('in-doubt')
  expect(shop.service.notifications).toHaveLength(4)
  // A person has looked: it is not there.
  const [, id] = /gallery\/deployments\/(\d+)\/statuses -f state=failure/.exec(second.log) ?? []
  shop.github.addStatus(Number(id), { state: 'failure', auto_inactive: false })
  const third = await shop.publish({ attempt: 3 })
  expect(outcomesOf(third.outputs.versions)).toBe('skipped,skipped,published,skipped,skipped')
  expect(shop.service.notifications).toHaveLength(5)
  const published = shop.service.versions.map(({ record }) => record.purchase_benefit_id)
  expect(new Set(published).size).toBe(5)
}, 60_000)

test('the single outputs are those of the first target, the outcome is the worst', async () => {
  await using shop = await openShop({ inputs: { targets: '- benefit: 34\n- product: 13' } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', product_id: '12' })
  expect(JSON.parse(run.outputs.versions ?? '[]')).toMatchObject([
    { outcome: 'published', product_id: '12', sha256: shop.sha256 },
    { outcome: 'failed', reason: 'rejected', version_id: null }
  ])
  expect(run.log).toMatch(/▸ .*product 12, benefit 34.*\n[\s\S]*▸ .*product 13/)
  expect(run.annotations).toMatchObject([{ title: 'Not published: product 13, version 1.4.2' }])
  expect(summaryOf(run).match(/^(#+ [❌✅]|\| |<details><summary>✅).*/gm)).toEqual([
    '## ❌ 1 published, 1 failed: Gallery 1.4.2',
    '| Outcome | Product | Version | Version id | File |',
    '| ✅ published | 12, benefit 34 (Gallery for studios) | Gallery 1.4.2 | 1001 | dist/gallery-1.4.2.zip |',
    '| ❌ failed (rejected) | 13 | Gallery 1.4.2 |  | dist/gallery-1.4.2.zip |',
    '<details><summary>✅ Published: product 12, benefit 34 (Gallery for studios)</summary>',
    '### ❌ Not published: product 13'
  ])
})

test('faults of all targets come together, and nothing is sent', async () => {
  const targets = `
- file: nothing/*.zip
- benefit: 34
  changelog-file: NONE.md
- benefit: 34
- product: x`
  await using shop = await openShop({ inputs: { targets, once: 'off' } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  const places = ['entry 4, product', 'entry 3', 'entry 1, file', 'entry 2, changelog-file']
  expect(run.annotations.map(({ title }) => title)).toEqual(['Not published', ...places])
  const same = 'the same version as entry 2: product 12, benefit 34, version "1.4.2"'
  expect(run.log).toContain(`would publish ${same}`)
  expect(shop.service.requests).toEqual([])
})

test('a run that ends before any target has an object for each, too', async () => {
  await using shop = await openShop({ inputs: { targets: '- product: 12\n- benefit: 34' } })
  const run = await shop.publish({ action: 'edited' })
  expect(outcomesOf(run.outputs.versions)).toBe('skipped,skipped')
})

onPosix('a signal, not on Windows, ends all, with the true outcome of each target', async () => {
  const targets = '- product: 12\n- benefit: 34\n- benefit: 35'
  await using shop = await openShop({ service: { products }, inputs: { targets } })
  // More than a connection takes while nobody reads, so that the second can never be sent completely.
  await shop.write(FILE, Buffer.alloc(LARGE, 'a'))
  shop.service.misbehave({ kind: 'slow-answer', ms: 1 }, { kind: 'silence-after-headers' })
  const after = () => shop.service.requests.length === 2
  const run = await shop.publish({ signal: { after, signal: 'SIGINT' } })
  expect(outcomesOf(run.outputs.versions)).toBe('published,failed,failed')
  expect(run.outputs.reason).toBe('cancelled')
  expect(shop.service.versions).toHaveLength(1)
  expect(shop.histories()).toEqual(['in_progress success', 'failure'])
})
