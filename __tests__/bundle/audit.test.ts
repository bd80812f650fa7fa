// Tests of `mode: audit`, through the bundle: whether every release reached the shop.
import { expect, test } from '@jest/globals'
import type { ReleaseParts } from '../../sandbox/release.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'

const SCHEDULE = { name: 'schedule', payload: {} }

function audit(shop: Shop, inputs = {}) {
  const own = { mode: 'audit', token: '', file: '' }
  return shop.publish({ event: SCHEDULE, inputs: { ...own, ...inputs }, runId: '9000009' })
}

/** Adds the release of a version, and publishes it unless told otherwise. */
async function add(shop: Shop, version: string, day: number, parts: Partial<ReleaseParts> = {}) {
  const given = { tag: `v${version}`, at: `2026-01-0${day}T00:00:00Z`, ...parts }
  shop.addRelease(given)
  return {
    publish: () =>
      shop.publish({
        event: shop.event(given),
        inputs: { file: FILE, 'file-version': 'any' },
        runId: version
      })
  }
}

async function openAudited() {
  const shop = await openShop({ release: { at: '2026-01-01T00:00:00Z' } })
  await shop.publish()
  return shop
}

test('every release that is published is told in a table, and nothing is written', async () => {
  await using shop = await openAudited()
  await (await add(shop, '1.5.0', 2)).publish()
  await add(shop, '1.6.0-rc.1', 3, { prerelease: true })
  await add(shop, '1.7.0', 4, { draft: true })
  const before = shop.github.requests.length
  const run = await audit(shop)
  expect(run.outputs).toMatchObject({ outcome: 'audited', reason: '' })
  expect(run.log).toContain('All 2 releases are published to product 12')
  expect(run.summary).toMatch(/v1.*5.*0.*published/)
  const asked = shop.github.requests.slice(before)
  expect(asked.every(({ method }) => method === 'GET')).toBe(true)
})

test('a release that never reached the shop fails it, and perhaps the memory was touched', async () => {
  await using shop = await openAudited()
  await add(shop, '1.4.3', 2)
  const run = await audit(shop)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'missing' })
  const message = run.annotations[0]?.message
  expect(message).toMatch(
    /1 of 2 releases are not known to be published to product 12: v1\.4\.3 \(missing\)/
  )
  expect(message).toMatch(/input `tag`.*`mode: settle`/s)
  expect(message).toMatch(/without any record: v1\.4\.3\. Perhaps somebody deleted deployments/)
})

test('a release in doubt is told as that', async () => {
  await using shop = await openAudited()
  shop.service.misbehave({ kind: 'reset-after-body' })
  await (await add(shop, '1.5.0', 2)).publish()
  const run = await audit(shop)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'in-doubt' })
  expect(run.annotations[0]?.message).toContain('v1.5.0 (in doubt)')
})

test('only releases since a tag count, and without one since the oldest that is recorded', async () => {
  await using shop = await openAudited()
  await add(shop, '1.0.0', 1, { at: '2025-01-01T00:00:00Z' })
  expect((await audit(shop)).outputs.outcome).toBe('audited')
  expect((await audit(shop, { 'audit-since': 'v1.4.2' })).outputs.outcome).toBe('audited')
  const all = await audit(shop, { 'audit-since': 'v1.0.0' })
  expect(all.outputs).toMatchObject({ outcome: 'failed', reason: 'missing' })
})

test('pre-releases count where they are published, and young releases do not', async () => {
  await using shop = await openAudited()
  await add(shop, '1.5.0-rc.1', 2, { prerelease: true })
  await add(shop, '1.6.0', 3, { at: new Date(shop.github.clock.now()).toISOString() })
  expect((await audit(shop)).outputs.outcome).toBe('audited')
  const run = await audit(shop, { prerelease: 'publish' })
  expect(run.annotations[0]?.message).toContain('v1.5.0-rc.1 (missing)')
})

test('each target is looked at by itself', async () => {
  await using shop = await openAudited()
  const run = await audit(shop, { targets: '- product: 12\n- benefit: 34' })
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  expect(versions).toMatchObject([{ outcome: 'audited' }, { outcome: 'failed', reason: 'missing' }])
})

test.each([
  ['the releases', /releases\?/],
  ['the deployments', /deployments\?/],
  ['a history', /statuses\?/]
])('that GitHub fails at %s is told as that, and not as missing', async (_, path) => {
  await using shop = await openAudited()
  shop.github.misbehave({ kind: 'status', status: 403, on: { method: 'GET', path } })
  const run = await audit(shop)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
})

test.each([
  ['audit-since is no release', { 'audit-since': 'v9' }, 'audit-since: "v9" is not the tag'],
  ['a file is given', { file: FILE }, 'file: cannot be used with `mode: audit`'],
  [
    'the mode is another',
    { mode: 'plan', file: FILE, 'audit-since': 'v1' },
    'audit-since: is for `mode: audit` alone'
  ]
])('%s: an error', async (_, inputs, message) => {
  await using shop = await openShop()
  const run = await audit(shop, inputs)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations[0]?.message).toContain(message)
})
