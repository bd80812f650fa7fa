// Tests of `mode: audit` through the bundle: whether every release reached the shop.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

test('a release that never reached the shop fails a scheduled audit, and nothing is written', async () => {
  await using shop = await openShop()
  await shop.publish()
  const before = shop.github.requests.length
  const audit = () => {
    const inputs = { mode: 'audit', token: '', file: '' }
    return shop.publish({ event: { name: 'schedule', payload: {} }, inputs, runId: '9000009' })
  }
  expect((await audit()).outputs).toMatchObject({ outcome: 'audited', reason: '' })
  shop.addRelease({ tag: 'v1.4.3' })
  const run = await audit()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'missing' })
  const message = run.annotations[0]?.message
  expect(message).toMatch(/v1\.4\.3 \(missing\).*without any record: v1\.4\.3\. .*deleted/s)
  expect(run.summary).toMatch(/v1.*4.*2.*published/)
  const asked = shop.github.requests.slice(before)
  expect(asked.every(({ method }) => method === 'GET')).toBe(true)
})
