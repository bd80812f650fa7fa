// Owns what a run does without its memory: when it may not have it, does not want it, or cannot reach it.
import { describe, expect, jest, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'
import { CREATE, historiesOf, LIST, RECORD } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

describe('without the permission', () => {
  test.each([
    ['to write, in a public repository', { private: false }, 'read'],
    ['to write', {}, 'read'],
    ['to read', {}, 'none']
  ] as const)('%s, `require` sends nothing, and `auto` warns', async (_, options, deployments) => {
    await using shop = await openShop({ ...options, github: { permissions: { deployments } } })
    const required = await shop.publish()
    expect(required.outputs).toMatchObject({ outcome: 'failed', reason: 'permission' })
    expect(required.annotations[0]?.message).toMatch(
      /permissions:\n +contents: read\n +deployments: write\n/
    )
    expect(shop.service.requests).toEqual([])
    const auto = await shop.publish({ inputs: { once: 'auto' } })
    expect(auto.outputs.outcome).toBe('published')
    expect(auto.annotations).toMatchObject([
      { kind: 'warning', message: expect.stringContaining('deployments: write') }
    ])
    expect(shop.github.deployments).toEqual([])
  })

  test('`auto` still sees what is published already, where it can be read', async () => {
    await using shop = await openShop({ private: false, inputs: { once: 'auto' } })
    await shop.publish()
    shop.github.setPermissions({ deployments: 'read' })
    expect((await shop.publish({ attempt: 2 })).outputs.reason).toBe('already-published')
    expect(shop.service.versions).toHaveLength(1)
  })

  test('an empty `github-token` is an error that says how to go without', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: { 'github-token': '' } })
    expect(run.outputs.reason).toBe('bad-input')
    expect(run.annotations[0]?.message).toMatch(/^github-token: is empty.*`once: off`$/m)
    expect(shop.service.requests).toEqual([])
  })
})

test('`off` neither reads nor writes it, and publishes again', async () => {
  await using shop = await openShop({ inputs: { once: 'off' } })
  for (const runId of ['9000001', '9000002']) {
    expect((await shop.publish({ runId })).outputs.outcome).toBe('published')
  }
  expect(shop.github.requests.filter(({ path }) => path.includes('deployments'))).toEqual([])
  expect(shop.service.versions).toHaveLength(2)
})

describe('when GitHub fails', () => {
  test('always, nothing is sent, whatever `once` says but `off`', async () => {
    const runs = ['require', 'auto'].map(async once => {
      await using shop = await openShop({ inputs: { once } })
      const down = { kind: 'status', status: 503, body: { message: 'Unicorn' } } as const
      shop.github.misbehave(...Array.from({ length: 50 }, () => down))
      const run = await shop.publish()
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
      const message = expect.stringMatching(
        /^Nothing was sent: .*answered 503.*Run this job again/s
      )
      expect(run.annotations).toMatchObject([{ kind: 'error', message }])
      expect(shop.service.requests).toEqual([])
    })
    await Promise.all(runs)
  })

  test.each([
    [
      'a list that is refused for abuse',
      LIST,
      403,
      'You have triggered an abuse detection mechanism.'
    ],
    ['a list that answers 404 in passing', LIST, 404, 'Not Found'],
    ['a claim that answers 404', CREATE, 404, 'Not Found'],
    ['a claim that is refused as nonsense', CREATE, 422, 'Validation Failed']
  ])(
    'neither `auto` nor `require` takes %s for a missing permission',
    async (_, on, status, message) => {
      for (const once of ['auto', 'require']) {
        await using shop = await openShop({ inputs: { once } })
        shop.github.misbehave({ kind: 'status', status, body: { message }, on })
        const { outcome, reason } = (await shop.publish()).outputs
        expect([outcome, reason === 'permission', shop.service.requests]).toEqual([
          'failed',
          false,
          []
        ])
      }
    }
  )

  test('since its server has no deployments, it says to set `once: off`', async () => {
    await using shop = await openShop({ github: { hasDeployments: false } })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-deployments' })
    expect(run.annotations[0]?.message).toMatch(/server has no deployments.*set `once: off`/s)
    expect((await shop.publish({ inputs: { once: 'off' } })).outputs.outcome).toBe('published')
  })

  test('`auto` takes a lost claim that cannot be looked for, for no missing permission', async () => {
    await using shop = await openShop({ inputs: { once: 'auto' } })
    const refused = { kind: 'status', status: 403, on: { ...LIST, nth: 3 } } as const
    shop.github.misbehave({ kind: 'reset-after-processing', on: CREATE }, refused)
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(shop.service.requests).toEqual([])
  })

  test('once as `in_progress` is recorded, it is published; twice, a re-run publishes', async () => {
    await using shop = await openShop()
    const fault = { kind: 'status', status: 500, on: RECORD } as const
    shop.github.misbehave(fault, fault)
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'withheld' })
    expect([historiesOf(shop), shop.service.versions]).toEqual([['failure'], []])
    expect(shop.service.requests[0]?.completed).toBe(false)
    shop.github.misbehave(fault)
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
  })
})

test('429 after the last byte is a failure that names the pause; the next attempt publishes', async () => {
  await using shop = await openShop()
  const headers = { 'retry-after': '7' }
  shop.service.misbehave({ kind: 'answer', status: 429, headers, stored: false })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations[0]?.message).toContain('in 7 seconds or later')
  expect(historiesOf(shop)).toEqual(['in_progress failure'])
  expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
  expect(shop.service.versions).toHaveLength(1)
})
