// Tests of dist/: the words for an upload that failed agree with what the service then really has.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { LARGE, packed } from '../support/archives.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'

const CONTENT = packed(Buffer.alloc(LARGE, 'large '))

async function publish(shop: Shop, fault: Fault) {
  shop.service.misbehave(fault)
  const run = await shop.publish()

  const { outcome, reason } = run.outputs
  const message = run.annotations.at(-1)?.message ?? ''
  return {
    end: [outcome, reason, shop.service.versions.length],
    message,
    run
  }
}

test('a reset before the tail is tried again: every byte arrives once, and the digest is an output', async () => {
  await using shop = await openShop()
  await shop.write(FILE, CONTENT)

  const { end, run } = await publish(shop, { kind: 'reset-in-body', bytes: 1_000_000 })
  expect(end).toEqual(['published', '', 1])
  expect(run.log).toContain('Trying again (2 of 4)')

  const [version] = shop.service.versions
  expect(run.outputs).toMatchObject({ size: String(CONTENT.length), sha256: version?.sha256 })
  expect((await version?.bytes())?.equals(CONTENT)).toBe(true)

  // Nobody who saw a part of one try knows the boundary of the next.
  const types = shop.service.requests.map(({ headers }) => headers['content-type'])
  expect(new Set(types).size).toBe(2)
}, 30_000)

test('a 413 when only the last bytes are left is reported as it is, and not tried again', async () => {
  await using shop = await openShop()
  await shop.write(FILE, CONTENT)

  const { end, message } = await publish(shop, {
    kind: 'early-answer',
    status: 413,
    bytes: CONTENT.length,
    close: 'fin'
  })

  expect([end, shop.service.requests.length]).toEqual([['failed', 'rejected', 0], 1])
  expect(message).toMatch(/larger than the shop accepts/)
  expect(shop.histories()).toHaveLength(1)
})
