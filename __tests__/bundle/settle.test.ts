// Tests of `mode: settle` through the bundle: a person tells the memory what is true of a version.
import { expect, test } from '@jest/globals'
import { FILE, openShop, type Shop } from '../support/shop.ts'
import { historiesOf } from './remembered.ts'

const BY_HAND = { name: 'workflow_dispatch', payload: {} }
const SETTLED = { outcome: 'settled', reason: '' }

/** Settles v1.4.2 without a token of the shop. */
function settle(shop: Shop, as: string, inputs = {}) {
  const own = { mode: 'settle', 'settle-as': as, token: '', file: '', tag: 'v1.4.2' }
  return shop.publish({ event: BY_HAND, inputs: { ...own, ...inputs }, runId: '9000007' })
}

test('a version that was uploaded by hand is not sent; its file may be recorded with it', async () => {
  await using shop = await openShop()
  const run = await settle(shop, 'published', { file: FILE })
  expect(run.outputs).toMatchObject({ ...SETTLED, sha256: shop.sha256 })
  expect(run.summary).toContain('Recorded, nothing sent')
  expect(historiesOf(shop)).toEqual(['in_progress success'])
  expect((await shop.publish()).outputs.reason).toBe('already-published')
  expect(shop.service.requests).toEqual([])
})

test('a version in doubt that is not in the shop is published by the next run', async () => {
  await using shop = await openShop()
  shop.service.misbehave({ kind: 'reset-after-body', stored: false })
  expect((await shop.publish()).outputs.outcome).toBe('unknown')
  expect((await settle(shop, 'not-published')).outputs).toMatchObject(SETTLED)
  expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
  expect(shop.service.versions).toHaveLength(1)
})
