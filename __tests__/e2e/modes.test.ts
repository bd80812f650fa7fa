// Tests of dist/: the modes that send no version (plan and its approval, check, the marks, audit), and how one is chosen.
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
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

/** In bytes: where a ZIP file holds the time of its first entry. */
const TIME = 10

/** The same archive, whose first entry has another time. */
function withOtherTime(zip: Buffer): Buffer {
  const changed = Buffer.from(zip)
  changed.writeUInt16LE(changed.readUInt16LE(TIME) ^ 256, TIME)
  return changed
}

test('a plan is published once; if one part differs, nothing is sent', async () => {
  await using shop = await openShop()

  const planned = await shop.publish({ inputs: PLAN })
  const digest = planned.outputs.plan_digest ?? ''
  expect(planned.outputs).toMatchObject({ outcome: 'planned', sha256: shop.sha256 })
  expect(planned.log).toContain('It is not published yet: publishing would send it.')
  for (const shown of [digest, NOTES, shop.sha256]) {
    expect(summaryOf(planned)).toContain(shown)
  }

  const approved = { 'approved-plan': digest }

  await shop.write(FILE, withOtherTime(shop.zip))
  const otherFile = await shop.publish({ inputs: approved })

  await shop.write(FILE, shop.zip)
  shop.addRelease({ body: 'Other notes.' })
  const otherNotes = await shop.publish({ inputs: approved })
  shop.addRelease()

  const otherProduct = await shop.publish({ inputs: { benefit: '34', ...approved } })

  for (const run of [otherFile, otherNotes, otherProduct]) {
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
    expect(summaryOf(run)).toMatch(/\| changelog_sha256 \| [\da-f]{64} \|/)
  }
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])

  const published = await shop.publish({ inputs: approved })
  expect(published.outputs).toMatchObject({ outcome: 'published' })

  const again = await shop.publish({ inputs: approved, attempt: 2 })
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

interface Planned {
  readonly name: string
  readonly inputs: Readonly<Record<string, string>>
  /** Whether another version is published before. */
  readonly isLater: boolean
  /** The words that the plan adds to its verdict; empty if there are none. */
  readonly limit: string
}

test.each<Planned>([
  {
    name: 'the first version of a product',
    inputs: {},
    isLater: false,
    limit: FIRST
  },
  {
    name: 'one that follows another',
    inputs: {},
    isLater: true,
    limit: ''
  },
  {
    name: 'a name that is no number',
    inputs: { 'version-name': 'Spring' },
    isLater: true,
    limit: NO_NUMBER
  },
  {
    name: 'the first one where nothing is compared',
    inputs: { 'allow-lower': 'true' },
    isLater: false,
    limit: ''
  }
])(
  'a plan says if it was not compared with other versions: $name',
  async ({ inputs: given, isLater, limit }) => {
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
  expectNothingAsked(shop)
  expect(written).toEqual([])
})

/** A run by hand, with what was chosen at the button. */
function press(inputs: Readonly<Record<string, string>>): PublishOptions {
  return { event: { name: 'workflow_dispatch', payload: { inputs } } }
}

interface Pressed {
  readonly name: string
  readonly options: PublishOptions
  readonly outcome: string
  /** Empty unless it failed. */
  readonly reason: string
}

test.each<Pressed>([
  {
    name: 'check',
    options: press({ mode: 'check', tag: '' }),
    outcome: 'checked',
    reason: ''
  },
  {
    name: 'plan',
    options: press({ mode: 'plan', tag: 'v1.4.2' }),
    outcome: 'planned',
    reason: ''
  },
  {
    name: 'publish',
    options: press({ mode: 'publish', tag: 'v1.4.2' }),
    outcome: 'published',
    reason: ''
  },
  {
    name: 'nothing, where the workflow has no such input',
    options: press({ tag: 'v1.4.2' }),
    outcome: 'published',
    reason: ''
  },
  {
    name: 'nothing, though the workflow asks',
    options: press({ mode: '', tag: 'v1.4.2' }),
    outcome: 'failed',
    reason: 'bad-input'
  },
  {
    name: 'what another workflow means',
    options: press({ mode: 'live', tag: 'v1.4.2' }),
    outcome: 'failed',
    reason: 'bad-input'
  },
  {
    name: 'a check, in a field whose name has another case',
    options: press({ Mode: 'check', Tag: '' }),
    outcome: 'checked',
    reason: ''
  },
  {
    name: 'a tag that contradicts the step’s',
    options: { ...press({ mode: 'publish', tag: 'v1.4.1' }), inputs: { tag: 'v1.4.2' } },
    outcome: 'failed',
    reason: 'bad-input'
  },
  {
    name: 'no fields at all, on a branch',
    options: { event: { name: 'workflow_dispatch', payload: { inputs: null } } },
    outcome: 'checked',
    reason: ''
  },
  {
    name: 'no fields at all, on a branch, where the step has a tag',
    options: { event: BY_HAND, inputs: { tag: 'v1.4.2' } },
    outcome: 'published',
    reason: ''
  },
  {
    name: 'no fields at all, on a tag',
    options: { event: BY_HAND, env: { GITHUB_REF: 'refs/tags/v1.4.2' } },
    outcome: 'published',
    reason: ''
  }
])(
  'without a line in the step, the button decides: $name',
  async ({ options, outcome, reason }) => {
    await using shop = await openShop({ inputs: { file: FILE } })
    const { outputs } = await shop.publish(options)
    expect(outputs).toMatchObject({ outcome, reason })
    expect(shop.service.versions).toHaveLength(outcome === 'published' ? 1 : 0)
  }
)

test('a check tests token, address and ids without a release or a file, and GitHub is only read', async () => {
  await using shop = await openShop({ inputs: { mode: 'check', file: '', benefit: '34' } })

  const run = await shop.publish({ event: BY_HAND })
  expect(run.outputs).toMatchObject({ outcome: 'checked', reason: '' })
  expect(run.log).toContain(
    'takes the token and knows product 12, benefit 34, with an empty form: it does, and asked only for what was left out on purpose (ver'
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
    },
    { kind: 'warning', message: expect.stringContaining('neither `file` nor `asset` is given') }
  ])

  const wrong = await shop.publish({ event: BY_HAND, inputs: { token: 'another-token' } })
  expect(wrong.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(shop.service.versions).toEqual([])
})

test('a mark names its version: a click on a tag, without one in the form, marks nothing', async () => {
  await using shop = await openShop()
  const env = { GITHUB_REF: 'refs/tags/v1.4.2' }
  const clicked = await shop.publish({ ...press({ mode: 'mark-published', tag: '' }), env })

  expect(clicked.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
  expect(clicked.annotations).toMatchObject([
    {
      message: expect.stringMatching(
        /No tag was given, and a mark takes none by itself\.\nGive its tag/
      )
    }
  ])
  expect(shop.github.deployments).toEqual([])

  const named = await shop.publish({ ...press({ mode: 'mark-published', tag: 'v1.4.2' }), env })
  expect(named.outputs.outcome).toBe('marked')
  expect(summaryOf(named)).toMatch(/\*\*Next:\*\* [\s\S]*re-runs\.md#take-back-a-mark/)
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

  expectNothingAsked(shop)
  expect(shop.histories()).toEqual(['success'])
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
    shop.addRelease({ tag: `v${version}`, at, prerelease: version.includes('-') })
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

test('an audit begins at the oldest published release, also if that is a pre-release, which it leaves out', async () => {
  await using shop = await openShop()
  const versions = ['1.4.0', '1.4.1-rc.1', '1.4.1', '1.4.2']
  const run = await auditOf(shop, versions, ['1.4.1-rc.1'])
  expect(run.outputs).toMatchObject({ reason: 'missing', missing: '["v1.4.2","v1.4.1"]' })
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
