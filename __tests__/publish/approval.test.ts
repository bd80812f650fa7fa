// Tests of src/publish/approval.ts: what is approved is all that is sent, whatever part of it differs.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { PlannedPart } from '../../src/publish/approval.ts'
import { compareWithApproval, parseApproval, planOutputOf } from '../../src/publish/approval.ts'
import { plannedPartOf } from '../../src/publish/plan.ts'
import { prepare } from '../../src/publish/prepare.ts'
import { sendTarget } from '../../src/publish/send.ts'
import { reportUnapproved } from '../../src/report/plan.ts'
import { tellTarget } from '../../src/report/tell.ts'
import { release } from '../release/released.ts'
import { openService, TOKEN } from '../shop/trying.ts'
import { packed } from '../support/archives.ts'
import { mapFile } from '../support/mapping.ts'
import { onLinux } from '../support/platform.ts'
import { openTestRun, tagged } from './running.ts'

const part: PlannedPart = {
  ...{ base_url: 'https://shop.example.com', product: 12, benefit: null, version_name: '1.4.2' },
  ...{ title: 'Gallery “1.4.2”', file_name: 'gallery.zip', size: 7, sha256: 'ab'.repeat(32) },
  ...{ changelog_sha256: 'cd'.repeat(32), changelog_format: 'markdown' },
  ...{ upload: 'multipart', base64_file: null }
}
const { json, digest } = planOutputOf([part])
const judge = (text: string, ...present: PlannedPart[]) => {
  const approval = parseApproval(text)
  if (approval === undefined) throw new Error('there is no approval')
  return compareWithApproval(approval, present).map(
    difference => difference && reportUnapproved(difference).message
  )
}

test('a plan is compact JSON with its keys in a fixed order, whatever the order was', () => {
  expect(json).toBe(
    `[{"base_url":"https://shop.example.com","product":12,"benefit":null,"version_name":"1.4.2","title":"Gallery “1.4.2”","file_name":"gallery.zip","size":7,"sha256":"${part.sha256}","changelog_sha256":"${'cd'.repeat(32)}","changelog_format":"markdown","upload":"multipart","base64_file":null}]`
  )
  expect(digest).toBe(createHash('sha256').update(json).digest('hex'))
  const reversed = Object.fromEntries(Object.entries(part).toReversed())
  expect(planOutputOf([{ ...part, ...reversed }]).json).toBe(json)
})

const SAME = [json, json.replaceAll(',', ',\n'), digest, `sha256:${digest.toUpperCase()}`]
test.each(SAME)('what is as approved is let through: %s', text => {
  expect(judge(text, part)).toEqual([undefined])
})

const OTHER = {
  ...{ base_url: 'https://shop.example.org', product: 13, benefit: 34, version_name: '1.4.3' },
  ...{ title: 'Gallery', file_name: 'gallery-pro.zip', size: 8, sha256: 'ac'.repeat(32) },
  ...{ changelog_sha256: 'ce'.repeat(32), changelog_format: 'html' },
  ...{ upload: 'base64', base64_file: '{"data":"{base64}"}' }
}
test.each(Object.entries(OTHER))('another %s is refused, with both values', (key, value) => {
  const present = { ...part, [key]: value }
  const shown = `  ${key}: ${JSON.stringify(value)}`
  const both = `${shown}, approved: ${JSON.stringify(Reflect.get(part, key))}`
  expect(judge(json, present)).toEqual([
    `Nothing was published. This differs from the approved plan:\n${both}`
  ])
  const [byDigest] = judge(digest, present)
  expect(byDigest).toContain(`and ${digest} was approved`)
  expect(byDigest).toContain(`\n${shown}`)
})

test('one target more, or less, is refused', () => {
  const two = [part, { ...part, product: 13 }]
  const more = expect.stringContaining('  targets: 2, approved: 1')
  expect(judge(json, ...two)).toEqual([more, more])
  const less = expect.stringContaining('  targets: 1, approved: 2')
  expect(judge(planOutputOf(two).json, part)).toEqual([less])
})

const NO_PLANS = ['x', '{}', '[]', '[{}]', '[null]', digest.slice(1), json.replace('"size":7,', '')]
test.each(NO_PLANS)('%j is no plan', text => {
  expect(() => parseApproval(text)).toThrow('is neither the output `plan`')
})

test('a part has all that is sent, and null where something plays no part', async () => {
  const [file, targets] = [packed('x'), '- upload: base64\n- benefit: 34\n  title: T']
  const inputs = { targets, 'base64-file': '{"n": "{file_name}",\n "c": "{base64}"}' }
  const { run } = await openTestRun({ files: { 'dist/app.zip': file }, inputs })
  const { planned, dispose } = await prepare(run, tagged)
  const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
  const same = {
    ...{ base_url: 'https://shop.example.com', product: 12, version_name: '1.2.3' },
    ...{ file_name: 'app.zip', size: file.length, sha256: digestOf(file) },
    ...{ changelog_sha256: digestOf('- New'), changelog_format: 'markdown' }
  }
  const base64 = { upload: 'base64', base64_file: '{"n":"{file_name}","c":"{base64}"}' }
  expect(await Promise.all(planned.map(one => plannedPartOf(run, one)))).toEqual([
    { ...same, ...base64, benefit: null, title: release.name },
    { ...same, upload: 'multipart', base64_file: null, benefit: 34, title: 'T' }
  ])
  await dispose()
})

onLinux(
  'bytes that a mapping changes after the approval are not published (by Python on Linux)',
  async () => {
    const service = await openService()
    const given = { once: 'off', 'base-url': service.url, token: TOKEN }
    const files = { 'dist/app.zip': packed('x') }
    const { run, workspace } = await openTestRun({ files, inputs: given })
    using mapping = mapFile(join(workspace, 'dist/app.zip'))
    for (const position of [10, 10]) await mapping.change(position)
    const { planned, dispose } = await prepare(run, tagged)
    const [target] = planned
    if (target === undefined) throw new Error('nothing was planned')
    const { sha256 } = await plannedPartOf(run, target)
    const sending = { ...run, planned: target, commit: '', showLink: false }
    const send = async () => tellTarget(await sendTarget(sending), target, run.facts)
    await mapping.change(10)
    expect(await send()).toMatchObject({ outcome: 'failed', reason: 'file-changed' })
    expect(service.versions).toEqual([])
    await mapping.change(10)
    expect(await send()).toMatchObject({ outcome: 'published', subject: { sha256 } })
    await Promise.all([dispose(), service.close()])
  }
)
