// Owns approval, on dist/: what a person approved is published once; anything else is not.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { FILE, openShop, type PublishOptions, type Shop, summaryOf } from '../support/shop.ts'

/** Plans, and gives both forms of approval. */
async function planned(shop: Shop) {
  const run = await shop.publish({ inputs: { mode: 'plan', token: '' } })
  const { plan = '', plan_digest: digest = '' } = run.outputs
  expect(summaryOf(run)).toContain(digest)
  expect(run.log).toContain(digest)
  expect(shop.service.requests).toEqual([])
  return { plan, digest }
}

const publish = (shop: Shop, approved: string, options: PublishOptions = {}) =>
  shop.publish({ ...options, inputs: { ...options.inputs, 'approved-plan': approved } })

describe.each(['plan', 'digest'] as const)('with the %s', form => {
  test('what was planned is published, and once', async () => {
    await using shop = await openShop()
    const approved = (await planned(shop))[form]
    expect((await publish(shop, approved)).outputs).toMatchObject({ outcome: 'published' })
    const again = await publish(shop, approved, { attempt: 2 })
    expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
    expect(shop.service.versions).toHaveLength(1)
  })

  test.each<[string, string, (shop: Shop) => Promise<PublishOptions> | PublishOptions]>([
    [
      'one byte of the file',
      'sha256',
      async shop => {
        const changed = Buffer.from(shop.zip)
        // In the time of the first entry: an archive as before, and other bytes.
        changed[11] = (changed[11] ?? 0) ^ 1
        await writeFile(join(shop.workspace, FILE), changed)
        return {}
      }
    ],
    ['a note', 'changelog_sha256', shop => ({ event: shop.event({ body: 'Other notes.' }) })],
    ['the product', 'product', () => ({ inputs: { benefit: '34' } })]
  ])('a change of %s is refused, and nothing is sent', async (_, part, change) => {
    await using shop = await openShop()
    const approved = (await planned(shop))[form]
    const run = await publish(shop, approved, await change(shop))
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
    expect(run.log).toContain(part === 'product' ? '  benefit: 34' : `  ${part}: "`)
    expect([shop.service.requests, shop.github.deployments]).toEqual([[], []])
  })
})

test('a plan of something is no part of another mode, and has to be one', async () => {
  await using shop = await openShop()
  const both = await publish(shop, 'x', { inputs: { mode: 'plan' } })
  expect(both.log).toContain('approved-plan: is neither the output `plan`')
  expect(both.outputs).toMatchObject({ plan: '', plan_digest: '' })
})
