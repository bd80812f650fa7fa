// Tests of src/publish/approval.ts: what is approved is all that is sent, whatever part of it differs.
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import {
  type PlannedPart,
  parseApproval,
  partOf,
  planOutputOf,
  whyNotApproved
} from '../../src/publish/approval.ts'
import { prepare } from '../../src/publish/prepare.ts'
import { sendTarget } from '../../src/publish/send.ts'
import { release } from '../release/released.ts'
import { packed } from '../support/archives.ts'
import { silenceDebug } from '../support/folders.ts'
import { openTestRun } from './running.ts'

silenceDebug()

const part = partOf(
  'https://shop.example.com',
  {
    route: { product: 12 },
    ...{
      versionName: '1.4.2',
      title: 'Gallery “1.4.2”',
      changelog: '- Ä',
      changelogFormat: 'markdown'
    },
    artifact: { name: 'gallery.zip', size: 7 }
  },
  'ab'.repeat(32)
)
const { json, digest } = planOutputOf([part])
const approvalOf = (text: string) => {
  const approval = parseApproval(text)
  if (approval === undefined) throw new Error('there is no approval')
  return approval
}

test('a plan is compact JSON with its keys in a fixed order, whatever the order was', () => {
  const changelog = createHash('sha256').update('- Ä').digest('hex')
  expect(json).toBe(
    `[{"base_url":"https://shop.example.com","product":12,"benefit":null,"version_name":"1.4.2","title":"Gallery “1.4.2”","file_name":"gallery.zip","size":7,"sha256":"${'ab'.repeat(32)}","changelog_sha256":"${changelog}","changelog_format":"markdown"}]`
  )
  expect(digest).toBe(createHash('sha256').update(json).digest('hex'))
  const reversed = Object.fromEntries(Object.entries(part).toReversed())
  expect(planOutputOf([{ ...part, ...reversed }]).json).toBe(json)
})

test.each([
  json,
  ` ${json.replaceAll(',', ',\n')} `.trim(),
  digest,
  `sha256:${digest.toUpperCase()}`
])('what is as approved is let through: %s', text => {
  expect(whyNotApproved(approvalOf(text), [part], 0)).toBeUndefined()
})

const FLIPS: { readonly [Key in keyof PlannedPart]: PlannedPart[Key] } = {
  base_url: 'https://shop.example.org',
  product: 13,
  benefit: 34,
  version_name: '1.4.3',
  title: 'Gallery',
  file_name: 'gallery-pro.zip',
  size: 8,
  sha256: 'ac'.repeat(32),
  changelog_sha256: 'cd'.repeat(32),
  changelog_format: 'html'
}

describe('a part that differs is refused, and named with both values', () => {
  test.each(Object.entries(FLIPS))('%s', (key, value) => {
    const present = [{ ...part, [key]: value }]
    const shown = `  ${key}: ${JSON.stringify(value)}, approved: ${JSON.stringify(Reflect.get(part, key))}`
    expect(whyNotApproved(approvalOf(json), present, 0)?.split('\n').slice(1)).toEqual([shown])
    const byDigest = whyNotApproved(approvalOf(digest), present, 0)
    expect(byDigest).toContain(`and ${digest} was approved`)
    expect(byDigest).toContain(`\n  ${key}: ${JSON.stringify(value)}`)
  })

  test('one target more, or less', () => {
    const other = { ...part, product: 13 }
    for (const [approved, present] of [
      [[part], [part, other]],
      [[part, other], [part]]
    ] as const) {
      const approval = approvalOf(planOutputOf(approved).json)
      const why = whyNotApproved(approval, present, 0)
      expect(why).toContain(`  targets: ${present.length}, approved: ${approved.length}`)
      expect(whyNotApproved(approvalOf(planOutputOf(approved).digest), present, 0)).toBeDefined()
    }
  })
})

test.each(['x', '{}', '[]', '[{}]', '[null]', digest.slice(1), json.replace('"size":7,', '')])(
  '%j is no plan',
  text => {
    expect(() => parseApproval(text)).toThrow('is neither the output `plan`')
  }
)

test('nothing given approves nothing, and asks for nothing', () => {
  expect(parseApproval('')).toBeUndefined()
})

test('at the commit point, a file with other bytes keeps the tail from being sent', async () => {
  const files = { 'dist/app.zip': packed('x') }
  const { run } = await openTestRun({ files, inputs: { once: 'off' } })
  const tagged = { tag: 'v1.2.3', release, standIn: '', ownCommit: true }
  const { planned, dispose } = await prepare(run, tagged)
  const [target] = planned
  if (target === undefined) throw new Error('nothing was planned')
  let tailSent = false
  const publish: typeof run.shop.publish = async ({ file, commit, signal }) => {
    for await (const _ of file.chunks());
    try {
      await commit(signal)
      tailSent = true
    } catch (error) {
      if (error instanceof Error) return { kind: 'notPublished', cause: error }
    }
    throw new Error('the tail was sent')
  }
  const error = { message: '', fields: { title: ['is missing'] } }
  const check = async () => ({ kind: 'checked', status: 422, error }) as const
  const shop = { publish, check }
  const sending = { ...run, shop, planned: target, commit: '', showLink: false }
  const report = await sendTarget({ ...sending, approvedFile: '0'.repeat(64) })
  expect(report).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
  expect(report.message).toContain(`and ${'0'.repeat(64)} was approved`)
  expect(tailSent).toBe(false)
  await dispose()
})
