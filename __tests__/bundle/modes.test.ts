// Owns the modes that send no version, on dist/: plan and its approval, check, settle, audit.
import { expect, test } from '@jest/globals'
import { BY_HAND, FILE, NOTES, openShop, type PublishOptions, summaryOf } from '../support/shop.ts'

const PLAN = { mode: 'plan', token: '' }

test('what was planned is published once; one part that differs, and nothing is sent', async () => {
  await using shop = await openShop()
  const planned = await shop.publish({ inputs: PLAN })
  const { plan = '', plan_digest: digest = '' } = planned.outputs
  expect(planned.outputs).toMatchObject({ outcome: 'planned', sha256: shop.sha256 })
  for (const shown of [digest, NOTES, shop.sha256]) expect(summaryOf(planned)).toContain(shown)
  expect(planned.log).toContain(digest)
  expect(planned.log).toContain('It is not published yet; publishing would send it.')
  const publish = (approved: string, { inputs, ...options }: PublishOptions = {}) =>
    shop.publish({ ...options, inputs: { ...inputs, 'approved-plan': approved } })

  // In the time of the archive's first entry: an archive as before, with one other byte.
  const changed = Buffer.from(shop.zip)
  changed[11] = (changed[11] ?? 0) ^ 1
  await shop.write(FILE, changed)
  const byFile = await publish(plan)
  await shop.write(FILE, shop.zip)
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

test('a plan on a pull request takes the newest release, and sends and writes nothing', async () => {
  await using shop = await openShop({ inputs: PLAN })
  const event = { name: 'pull_request', payload: { action: 'opened', repository: {} } }
  const run = await shop.publish({ event, env: { GITHUB_REF: 'refs/pull/7/merge' } })
  expect(run.outputs.outcome).toBe('planned')
  expect(run.log).toContain('newest release, v1.4.2, in place')
  const written = shop.github.requests.filter(({ method }) => method !== 'GET')
  expect([shop.service.requests, written]).toEqual([[], []])
})

test('every target is checked, without a release or a file, and GitHub is only read', async () => {
  const targets = '- upload: base64\n- benefit: 34'
  await using shop = await openShop({ inputs: { mode: 'check', file: '', targets } })
  const run = await shop.publish({ event: BY_HAND })
  expect(run.outputs).toMatchObject({ outcome: 'checked', reason: '' })
  for (const what of ['12', '12, benefit 34']) {
    expect(run.log).toContain(`knows the token and product ${what}: it asked for the fields of a v`)
  }
  const paths = ['/api/products/12/versions', '/api/products/12/benefits/34/versions']
  expect(shop.service.requests.map(({ path }) => path)).toEqual(paths)
  const asked = shop.github.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  expect([asked, shop.service.versions]).toEqual([['GET /repos/acme/gallery/deployments'], []])
})

test('a version that was uploaded by hand is settled with its file, and is not sent', async () => {
  await using shop = await openShop()
  const inputs = { mode: 'mark-published', token: '', file: FILE, tag: 'v1.4.2' }
  const run = await shop.publish({ event: BY_HAND, inputs, runId: '9000007' })
  expect(run.outputs).toMatchObject({ outcome: 'settled', reason: '', sha256: shop.sha256 })
  expect(run.summary).toContain('Recorded, nothing sent')
  expect(shop.histories()).toEqual(['in_progress success'])
  expect((await shop.publish()).outputs.reason).toBe('already-published')
  expect(shop.service.requests).toEqual([])
})

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
