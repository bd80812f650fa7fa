// Tests of what a killed or cancelled process leaves of its claim, and what the next attempt makes of it.
import { describe, expect, jest, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Misbehaviour } from '../../sandbox/github-faults.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'
import { CREATE, historiesOf, RECORD, when } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** A moment: what makes it last, and how the test sees that it has come. */
interface Moment {
  readonly github?: Misbehaviour
  readonly service?: Fault
  readonly come: (shop: Shop) => boolean
}

const LONG = 30_000

const MOMENTS = {
  'while the claim is created': {
    github: { kind: 'slow-answer', ms: 700, on: CREATE },
    come: ({ github }) => github.deployments.length === 1
  },
  'while the file is sent': {
    service: { kind: 'silence-in-body', bytes: 1 },
    come: ({ service }) => (service.requests[0]?.bytes ?? 0) > 0
  },
  'while `in_progress` is recorded': {
    github: { kind: 'slow-answer', ms: LONG, on: RECORD },
    come: shop => historiesOf(shop)[0] === 'in_progress'
  },
  'after the tail, without an answer': {
    service: { kind: 'silence-after-body' },
    come: ({ service }) => service.versions.length === 1
  },
  'after the tail, before the answer': {
    service: { kind: 'slow-answer', ms: 1000 },
    come: ({ service }) => service.versions.length === 1
  },
  'while `success` is recorded': {
    github: { kind: 'slow-answer', ms: LONG, on: { ...RECORD, nth: 2 } },
    come: shop => historiesOf(shop)[0] === 'in_progress success'
  }
} as const satisfies Readonly<Record<string, Moment>>

/** A shop where the moment lasts. */
async function openAt({ github, service }: Moment): Promise<Shop> {
  const shop = await openShop()
  // More than the connection takes while nobody reads.
  if (service?.kind === 'silence-in-body') await shop.write(FILE, Buffer.alloc(24 * 1024 * 1024))
  if (github) shop.github.misbehave(github)
  if (service) shop.service.misbehave(service)
  return shop
}

test.each([
  ['while the file is sent', 'published', 1],
  ['while `in_progress` is recorded', 'unknown', 0],
  ['while `success` is recorded', 'skipped', 1]
] as const)('killed %s: a later attempt does not wait, and ends as %s', async (...row) => {
  const [name, outcome, versions] = row
  const moment: Moment = MOMENTS[name]
  await using shop = await openAt(moment)
  const killed = await shop.publish({ killed: true, ...when('SIGKILL', moment.come, shop) })
  expect(killed.signal).toBe('SIGKILL')
  const again = await shop.publish({ attempt: 2 })
  expect([again.outputs.outcome, shop.service.versions.length]).toEqual([outcome, versions])
  expect(again.log).not.toContain('Waiting for run')
})

describe('cancelled', () => {
  test.each([
    ['while the claim is created', 'cancelled', ['failure'], 'published'],
    ['while the file is sent', 'cancelled', ['failure'], 'published'],
    ['while `in_progress` is recorded', 'cancelled', ['in_progress failure'], 'published'],
    ['after the tail, without an answer', 'no-answer', ['in_progress error'], 'unknown'],
    ['after the tail, before the answer', '', ['in_progress success'], 'skipped']
  ] as const)('%s, it says so (%s), ends its claim, and is gone in 7 seconds', async (...row) => {
    const [name, reason, histories, next] = row
    const moment: Moment = MOMENTS[name]
    await using shop = await openAt(moment)
    const run = await shop.publish(when('cancel', moment.come, shop))
    expect([run.signal, run.outputs.reason, historiesOf(shop)]).toEqual([null, reason, histories])
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe(next)
  })

  test('while it waits for another run, it ends at once, and nobody touches that run’s claim', async () => {
    const moment: Moment = MOMENTS['while the file is sent']
    await using shop = await openAt(moment)
    await shop.publish({ killed: true, ...when('SIGKILL', moment.come, shop) })
    const after = (output: string) => output.includes('Waiting for run')
    const run = await shop.publish({ runId: '9000002', signal: { signal: 'cancel', after } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
    const inputs = { mode: 'settle', 'settle-as': 'not-published', token: '', file: '' }
    const settled = await shop.publish({ runId: '9000003', inputs })
    expect(settled.outputs).toMatchObject({ outcome: 'failed', reason: 'busy' })
    expect(historiesOf(shop)).toEqual(['', 'inactive'])
  })
})
