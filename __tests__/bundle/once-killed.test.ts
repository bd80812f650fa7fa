// Owns what is left when a run is killed or cancelled at a certain moment, and what the next run makes of it.
import { describe, expect, jest, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Misbehaviour } from '../../sandbox/github-faults.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'
import { CREATE, historiesOf, RECORD, when } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** A moment: what makes it last, and how the test sees that it has come. */
interface Moment {
  readonly file?: Buffer
  readonly github?: Misbehaviour
  readonly service?: Fault
  readonly come: (shop: Shop) => boolean
}

const LONG = 30_000
const statesOf = (shop: Shop) => historiesOf(shop)[0]
const sends = (shop: Shop) => (shop.service.requests[0]?.bytes ?? 0) > 0

const MOMENTS = {
  'while the claim is created': {
    github: { kind: 'slow-answer', ms: 700, on: CREATE },
    come: ({ github }) => github.deployments.length === 1
  },
  'while the file is sent': {
    // More than the connection takes while nobody reads.
    file: Buffer.alloc(24 * 1024 * 1024),
    service: { kind: 'silence-in-body', bytes: 1 },
    come: sends
  },
  'while `in_progress` is recorded': {
    github: { kind: 'slow-answer', ms: LONG, on: RECORD },
    come: shop => statesOf(shop) === 'in_progress'
  },
  'after the tail, without an answer': {
    service: { kind: 'silence-after-body' },
    come: ({ service }) => service.versions.length === 1
  },
  'while `success` is recorded': {
    github: { kind: 'slow-answer', ms: LONG, on: { ...RECORD, nth: 2 } },
    come: shop => statesOf(shop) === 'in_progress success'
  }
} as const satisfies Readonly<Record<string, Moment>>

async function prepare(shop: Shop, { file, github, service }: Moment) {
  if (file) await shop.write(FILE, file)
  if (github) shop.github.misbehave(github)
  if (service) shop.service.misbehave(service)
}

describe('a run that is killed', () => {
  test.each([
    ['while the claim is created', 'published', 1],
    ['while the file is sent', 'published', 1],
    ['while `in_progress` is recorded', 'unknown', 0],
    ['after the tail, without an answer', 'unknown', 1],
    ['while `success` is recorded', 'skipped', 1]
  ] as const)(
    '%s: a later attempt does not wait, and ends as %s',
    async (name, outcome, versions) => {
      await using shop = await openShop()
      const moment: Moment = MOMENTS[name]
      await prepare(shop, moment)
      const killed = await shop.publish({ killed: true, ...when('SIGKILL', moment.come, shop) })
      expect(killed.signal).toBe('SIGKILL')
      const again = await shop.publish({ attempt: 2 })
      expect([again.outputs.outcome, shop.service.versions.length]).toEqual([outcome, versions])
      expect(again.log).not.toContain('Waiting for run')
      // And it stays so.
      const last = await shop.publish({ attempt: 3 })
      const expected = outcome === 'unknown' ? 'unknown' : 'skipped'
      expect([last.outputs.outcome, shop.service.versions.length]).toEqual([expected, versions])
    }
  )
})

describe('a run that is cancelled', () => {
  test.each([
    ['while the claim is created', ['failure']],
    ['while the file is sent', ['failure']],
    ['while `in_progress` is recorded', ['in_progress failure']]
  ] as const)('%s sends nothing, says so, and ends its claim', async (name, histories) => {
    await using shop = await openShop()
    const moment: Moment = MOMENTS[name]
    await prepare(shop, moment)
    const run = await shop.publish(when('cancel', moment.come, shop))
    expect(run.signal).toBeNull()
    expect(run.outputs.outcome).toBe('failed')
    expect(run.log).toMatch(/Nothing was published/)
    expect([historiesOf(shop), shop.service.versions]).toEqual([histories, []])
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
  })

  test('after the tail waits for an answer, and leaves the version in doubt without one', async () => {
    await using shop = await openShop()
    const moment: Moment = MOMENTS['after the tail, without an answer']
    await prepare(shop, moment)
    const run = await shop.publish(when('cancel', moment.come, shop))
    expect(run.signal).toBeNull()
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })
    expect(historiesOf(shop)).toEqual(['in_progress error'])
    const again = await shop.publish({ attempt: 2 })
    expect(again.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
    expect(shop.service.versions).toHaveLength(1)
  })

  test('after the tail is published when the answer comes in time', async () => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'slow-answer', ms: 1000 })
    const stored = ({ service }: Shop) => service.versions.length === 1
    const run = await shop.publish(when('cancel', stored, shop))
    expect(run.outputs.outcome).toBe('published')
    expect(historiesOf(shop)).toEqual(['in_progress success'])
  })

  test('while it waits for another run ends at once, and leaves that run’s claim alone', async () => {
    await using shop = await openShop()
    const moment: Moment = MOMENTS['while the file is sent']
    await prepare(shop, moment)
    await shop.publish({ killed: true, ...when('SIGKILL', moment.come, shop) })
    const after = (output: string) => output.includes('Waiting for run')
    const run = await shop.publish({ runId: '9000002', signal: { signal: 'cancel', after } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
    expect(historiesOf(shop)).toEqual(['', 'inactive'])
  })
})
