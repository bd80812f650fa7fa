// Tests of plan mode, through the bundle: everything is shown, nothing is sent or written.
import { expect, test } from '@jest/globals'
import { NOTES, openShop, type Shop } from '../support/shop.ts'

const inputs = { mode: 'plan', token: '' }
const proposed = {
  event: { name: 'pull_request', payload: { action: 'opened', repository: { private: true } } },
  env: { GITHUB_REF: 'refs/pull/7/merge' }
}

function nothingHappened(shop: Shop) {
  expect(shop.service.requests).toEqual([])
  expect(shop.github.requests.filter(({ method }) => method !== 'GET')).toEqual([])
}

test('a plan needs no token, and shows the release, the file and the texts', async () => {
  await using shop = await openShop({ inputs })
  const run = await shop.publish()
  const size = String(shop.zip.length)
  expect(run.outputs).toMatchObject({ outcome: 'planned', reason: '', sha256: shop.sha256, size })
  expect(run.log).toContain('It is not published yet; publishing would send it.')
  expect(run.log).toContain('Version "1.4.2" of product 12')
  expect(run.summary).toContain(NOTES)
  expect(run.summary).toContain(shop.sha256)
  nothingHappened(shop)
})

test('on a pull request the newest release stands in, and a wrong pattern fails', async () => {
  await using shop = await openShop({ inputs })
  const run = await shop.publish(proposed)
  expect(run.outputs.outcome).toBe('planned')
  expect(run.log).toContain('newest release, v1.4.2, in place')
  const wrong = await shop.publish({ ...proposed, inputs: { file: 'build/*.zip' } })
  expect(wrong.outputs).toMatchObject({ outcome: 'failed', reason: 'no-file' })
  nothingHappened(shop)
})

test('what is published already is said so', async () => {
  await using shop = await openShop()
  await shop.publish()
  const run = await shop.publish({ inputs, attempt: 2 })
  expect(run.log).toContain('It is published already as version 1001: nothing would be sent.')
  expect(run.outputs.outcome).toBe('planned')
})
