// Tests of dist/: the modes that send no version (plan, check, the marks), and how one is chosen.
import { expect, test } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import {
  BY_HAND,
  FILE,
  NOTES,
  openShop,
  type PublishOptions,
  press,
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

test('what a plan shows is published once; with its `sha256`, another file is not', async () => {
  await using shop = await openShop()

  const planned = await shop.publish({ inputs: PLAN })
  const { sha256 = '' } = planned.outputs
  expect(planned.outputs).toMatchObject({ outcome: 'planned', sha256: shop.sha256 })
  expect(planned.log).toContain('It is not published yet: publishing would send it.')
  for (const shown of [NOTES, shop.sha256]) {
    expect(summaryOf(planned)).toContain(shown)
  }

  await shop.write(FILE, withOtherTime(shop.zip))
  for (const mode of ['publish', 'plan']) {
    const other = await shop.publish({ inputs: { mode, sha256 } })
    expect(other.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
    const message = other.annotations[0]?.message ?? ''
    expect(message).toContain(`has the SHA-256 ${other.outputs.sha256 || ''}`)
    expect(message).toContain(`the input \`sha256\` is ${sha256}.`)
  }
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])

  await shop.write(FILE, shop.zip)
  const published = await shop.publish({ inputs: { sha256: sha256.toUpperCase() } })
  expect(published.outputs).toMatchObject({ outcome: 'published' })

  const again = await shop.publish({ inputs: { sha256 }, attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(shop.service.versions).toMatchObject([{ sha256: shop.sha256 }])
})

test.each([
  ['publish', 'failed'],
  ['plan', 'failed'],
  ['check', 'checked'],
  ['mark-published', 'marked']
])('an empty `sha256` is read in the modes that have a file: %s', async (mode, outcome) => {
  await using shop = await openShop({ inputs: { mode, tag: 'v1.4.2' } })
  const run = await shop.publish({ inputs: { sha256: '' } })

  expect(run.outputs.outcome).toBe(outcome)
  const said = /^sha256: is empty.* GitHub drops a job’s output that contains the value of a secret/
  if (outcome === 'failed') expect(run.annotations[0]?.message).toMatch(said)
  expect(shop.service.versions).toEqual([])
})

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
    options: { event: press({ mode: 'check', tag: '' }) },
    outcome: 'checked',
    reason: ''
  },
  {
    name: 'plan',
    options: { event: press({ mode: 'plan', tag: 'v1.4.2' }) },
    outcome: 'planned',
    reason: ''
  },
  {
    name: 'publish',
    options: { event: press({ mode: 'publish', tag: 'v1.4.2' }) },
    outcome: 'published',
    reason: ''
  },
  {
    name: 'nothing, where the workflow has no such input',
    options: { event: press({ tag: 'v1.4.2' }) },
    outcome: 'published',
    reason: ''
  },
  {
    name: 'nothing, though the workflow asks',
    options: { event: press({ mode: '', tag: 'v1.4.2' }) },
    outcome: 'failed',
    reason: 'bad-input'
  },
  {
    name: 'what another workflow means',
    options: { event: press({ mode: 'live', tag: 'v1.4.2' }) },
    outcome: 'failed',
    reason: 'bad-input'
  },
  {
    name: 'a check, in a field whose name has another case',
    options: { event: press({ Mode: 'check', Tag: '' }) },
    outcome: 'checked',
    reason: ''
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
    }
  ])

  const wrong = await shop.publish({ event: BY_HAND, inputs: { token: 'another-token' } })
  expect(wrong.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(shop.service.versions).toEqual([])
})

test('a mark names its version: a click on a tag, without one in the form, marks nothing', async () => {
  await using shop = await openShop()
  const env = { GITHUB_REF: 'refs/tags/v1.4.2' }
  const clicked = await shop.publish({ event: press({ mode: 'mark-published', tag: '' }), env })

  expect(clicked.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
  expect(clicked.annotations).toMatchObject([
    {
      message: expect.stringMatching(
        /No tag was given, and a mark needs one that you type\.\nGive its tag/
      )
    }
  ])
  expect(shop.github.deployments).toEqual([])

  const named = await shop.publish({ event: press({ mode: 'mark-published', tag: 'v1.4.2' }), env })
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
