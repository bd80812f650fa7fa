// Owns the modes that send no version, on dist/: plan and its approval, check, the marks, audit; and how a mode is chosen.
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import {
  BY_HAND,
  FILE,
  NOTES,
  openShop,
  type PublishOptions,
  type Shop,
  summaryOf
} from '../support/shop.ts'

const PLAN = { mode: 'plan', token: '' }

test('a plan is published once; if one part differs, nothing is sent', async () => {
  await using shop = await openShop()

  const planned = await shop.publish({ inputs: PLAN })
  const digest = planned.outputs.plan_digest ?? ''
  expect(planned.outputs).toMatchObject({ outcome: 'planned', sha256: shop.sha256 })
  expect(planned.log).toContain('It is not published yet: publishing would send it.')
  for (const shown of [digest, NOTES, shop.sha256]) {
    expect(summaryOf(planned)).toContain(shown)
  }

  const publish = (options: PublishOptions = {}) => {
    const { inputs, ...others } = options
    return shop.publish({ ...others, inputs: { ...inputs, 'approved-plan': digest } })
  }

  // In the time of the archive's first entry: an archive as before, with one other byte.
  const changed = Buffer.from(shop.zip)
  changed[11] = (changed[11] ?? 0) ^ 1
  await shop.write(FILE, changed)
  const byFile = await publish()

  await shop.write(FILE, shop.zip)
  const byNote = await publish({ event: shop.event({ body: 'Other notes.' }) })
  const byProduct = await publish({ inputs: { benefit: '34' } })

  for (const run of [byFile, byNote, byProduct]) {
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
    expect(summaryOf(run)).toMatch(/\| changelog_sha256 \| [\da-f]{64} \|/)
  }

  expect([shop.service.requests, shop.github.deployments]).toEqual([[], []])

  expect((await publish()).outputs).toMatchObject({ outcome: 'published' })
  const again = await publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(shop.service.versions).toMatchObject([{ sha256: shop.sha256 }])
}, 60_000)

test('a plan says under which tag the same bytes are published already', async () => {
  await using shop = await openShop()
  await shop.publish()
  const tag = 'v1.4.3'
  shop.addRelease({ tag })

  const inputs = { ...PLAN, 'allow-other-version': 'true' }
  const { log } = await shop.publish({ event: shop.event({ tag }), inputs, runId: '9000002' })
  expect(log).toContain('These bytes are published already, under the tag "v1.4.2".')
})

const FIRST = 'It is the first recorded version of this product, so it is not compared with others.'
const NO_NUMBER = 'Its name is not a number, so it is not compared with other versions.'

test.each<[string, Readonly<Record<string, string>>, boolean, string]>([
  ['the first version of a product', {}, false, FIRST],
  ['one that follows another', {}, true, ''],
  ['a name that is no number', { 'version-name': 'Spring' }, true, NO_NUMBER],
  ['the first one where nothing is compared', { 'allow-lower': 'true' }, false, '']
])(
  'a plan says if it was not compared with other versions: %s',
  async (_, given, isLater, limit) => {
    await using shop = await openShop()
    const tag = isLater ? 'v1.4.3' : 'v1.4.2'
    if (isLater) {
      await shop.publish()
      await shop.write(FILE, zipOf({ 'gallery/readme.txt': 'Another file.' }))
      shop.addRelease({ tag })
    }

    const inputs = {
      ...PLAN,
      file: FILE,
      'allow-other-version': 'true',
      ...given
    }
    const { log } = await shop.publish({ event: shop.event({ tag }), inputs, runId: '9000002' })

    const [said = ''] = /It is not published yet: .*/.exec(log) ?? []
    const verdict = 'It is not published yet: publishing would send it.'
    expect(said).toBe(limit ? `${verdict} ${limit}` : verdict)
  }
)

test('on a pull request it plans the newest release by itself, and sends and writes nothing', async () => {
  await using shop = await openShop({ inputs: { token: '' } })
  const event = { name: 'pull_request', payload: { action: 'opened', repository: {} } }
  const run = await shop.publish({ event, env: { GITHUB_REF: 'refs/pull/7/merge' } })

  expect(run.outputs).toMatchObject({ outcome: 'planned', plan_digest: '' })
  expect(run.log).toContain('the tag and the notes of the newest one, v1.4.2, are used')
  const written = shop.github.requests.filter(({ method }) => method !== 'GET')
  expect([shop.service.requests, written]).toEqual([[], []])
})

/** A run by hand, with what was chosen at the button. */
const press = (inputs: Readonly<Record<string, string>>): PublishOptions => {
  return { event: { name: 'workflow_dispatch', payload: { inputs } } }
}

test.each<[string, PublishOptions, string, string]>([
  ['check', press({ mode: 'check', tag: '' }), 'checked', ''],
  ['plan', press({ mode: 'plan', tag: 'v1.4.2' }), 'planned', ''],
  ['publish', press({ mode: 'publish', tag: 'v1.4.2' }), 'published', ''],
  ['nothing, where the workflow has no such input', press({ tag: 'v1.4.2' }), 'published', ''],
  ['nothing, though the workflow asks', press({ mode: '', tag: 'v1.4.2' }), 'failed', 'bad-input'],
  ['what another workflow means', press({ mode: 'live', tag: 'v1.4.2' }), 'failed', 'bad-input']
])('without a line in the step, the button decides: %s', async (_, options, outcome, reason) => {
  await using shop = await openShop({ inputs: { file: FILE } })
  const { outputs } = await shop.publish(options)
  expect(outputs).toMatchObject({ outcome, reason })
  expect(shop.service.versions).toHaveLength(outcome === 'published' ? 1 : 0)
})

test('a check tests token, address and ids without a release or a file, and GitHub is only read', async () => {
  await using shop = await openShop({ inputs: { mode: 'check', file: '', benefit: '34' } })

  const run = await shop.publish({ event: BY_HAND })
  expect(run.outputs).toMatchObject({ outcome: 'checked', reason: '' })
  expect(run.log).toContain(
    'accepts the token and knows product 12, benefit 34: it only asked for ver'
  )
  expect(shop.service.requests).toMatchObject([{ path: '/api/products/12/benefits/34/versions' }])
  expect(shop.github.requests.every(({ method }) => method === 'GET')).toBe(true)

  shop.github.setPermissions({ deployments: 'none' })
  const denied = await shop.publish({ event: BY_HAND })
  expect(denied.outputs.outcome).toBe('checked')
  expect(denied.annotations).toMatchObject([
    {
      kind: 'warning',
      message: expect.stringMatching(/^Publishing would fail: [\s\S]*deployments: write/)
    }
  ])

  const wrong = await shop.publish({ event: BY_HAND, inputs: { token: 'another-token' } })
  expect(wrong.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(shop.service.versions).toEqual([])
})

test('a version that was uploaded by hand is marked with its file, and is not sent', async () => {
  await using shop = await openShop()
  const marking = { mode: 'mark-published', token: '' }

  const marked = await shop.publish({ inputs: marking, runId: '9000002' })
  expect(marked.outputs).toMatchObject({ outcome: 'marked', reason: '', sha256: shop.sha256 })

  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })

  const again = await shop.publish({ inputs: marking, runId: '9000003' })
  expect(again.outputs.outcome).toBe('marked')

  const back = { mode: 'mark-not-published', token: '' }
  const refused = await shop.publish({ inputs: back, runId: '9000004' })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'already-published' })

  expect([shop.service.requests, shop.histories()]).toEqual([[], ['success']])
})

test('a release that never reached the shop fails a scheduled audit, and nothing is written', async () => {
  await using shop = await openShop()

  await shop.publish()
  shop.addRelease({ tag: 'v1.4.3' })
  const before = shop.github.requests.length

  const event = { name: 'schedule', payload: {} }
  const run = await shop.publish({ event, inputs: { mode: 'audit', token: '' } })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'missing' })
  expect(run.annotations[0]?.message).toMatch(/v1\.4\.3 \(missing\)/)
  expect(summaryOf(run)).toContain('| v1.4.2 | 1.4.2 | published |')
  expect(shop.github.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true)
})

/** Audits releases of these versions, the first the oldest, of which some are marked as published. */
async function auditOf(
  shop: Shop,
  versions: readonly string[],
  published: readonly string[],
  inputs: Readonly<Record<string, string>> = {}
) {
  shop.github.removeRelease('v1.4.2')
  for (const [index, version] of versions.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString()
    shop.addRelease({ tag: `v${version}`, at })
  }
  for (const [index, version] of published.entries()) {
    await shop.publish({
      event: BY_HAND,
      inputs: {
        mode: 'mark-published',
        token: '',
        file: '',
        tag: `v${version}`
      },
      runId: String(index + 1)
    })
  }

  const event = { name: 'schedule', payload: {} }
  return shop.publish({ event, inputs: { mode: 'audit', token: '', ...inputs } })
}

test.each([0, 1, 300])('an audit lists %d missing releases, newest first', async count => {
  await using shop = await openShop()
  const missing = Array.from({ length: count }, (_, index) => `1.5.${index}`)

  const run = await auditOf(shop, ['1.4.2', ...missing], ['1.4.2'])

  expect(run.outputs.outcome).toBe(count === 0 ? 'audited' : 'failed')
  const tags: unknown = JSON.parse(run.outputs.missing ?? '')
  expect(tags).toEqual(missing.map(version => `v${version}`).toReversed())
})

test('a release below a published one is passed over, and missing only with `allow-lower`', async () => {
  await using shop = await openShop()
  const versions = ['1.4.0', '1.4.1', '1.4.2']
  const run = await auditOf(shop, versions, ['1.4.0', '1.4.2'])
  expect(run.outputs).toMatchObject({ outcome: 'audited', reason: '', missing: '[]' })
  expect(summaryOf(run)).toContain('| v1.4.1 | 1.4.1 | passed over |')
  expect(run.log).toContain('Passed over, since a higher version is published: v1.4.1.')

  const strict = await auditOf(shop, versions, [], { 'allow-lower': 'true' })
  expect(strict.outputs).toMatchObject({ reason: 'missing', missing: '["v1.4.1"]' })
})

test('a release in doubt is not in the list of the missing ones', async () => {
  await using shop = await openShop()
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
  await shop.publish()

  const run = await shop.publish({
    event: { name: 'schedule', payload: {} },
    inputs: { mode: 'audit', token: '', 'audit-since': 'v1.4.2' }
  })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'in-doubt', missing: '[]' })
})
