// Owns approval, on dist/: what a person approved is published once; anything else is not.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { FILE, openShop, type PublishOptions, summaryOf } from '../support/shop.ts'

test('what was planned is published once; one part that differs, and nothing is sent', async () => {
  await using shop = await openShop()
  const planned = await shop.publish({ inputs: { mode: 'plan', token: '' } })
  const { plan = '', plan_digest: digest = '' } = planned.outputs
  expect(summaryOf(planned)).toContain(digest)
  expect(planned.log).toContain(digest)
  const publish = (approved: string, { inputs, ...options }: PublishOptions = {}) =>
    shop.publish({ ...options, inputs: { ...inputs, 'approved-plan': approved } })

  // In the time of the archive's first entry: an archive as before, with one other byte.
  const changed = Buffer.from(shop.zip)
  changed[11] = (changed[11] ?? 0) ^ 1
  await writeFile(join(shop.workspace, FILE), changed)
  const byFile = await publish(plan)
  await writeFile(join(shop.workspace, FILE), shop.zip)
  const byNote = await publish(digest, { event: shop.event({ body: 'Other notes.' }) })
  const byProduct = await publish(plan, { inputs: { benefit: '34' } })
  for (const [run, part] of [
    [byFile, /^ {2}sha256: "\w{64}", approved: "\w{64}"$/m],
    [byNote, /^ {2}changelog_sha256: "\w{64}"$/m],
    [byProduct, /^ {2}benefit: 34, approved: null$/m]
  ] as const) {
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
    expect(run.log).toMatch(part)
  }
  expect([shop.service.requests, shop.github.deployments]).toEqual([[], []])

  expect((await publish(digest)).outputs).toMatchObject({ outcome: 'published', plan: '' })
  const again = await publish(plan, { attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(shop.service.versions).toMatchObject([{ sha256: shop.sha256 }])
}, 60_000)
