// Tests of dist/: the claim that a killed or canceled process leaves, and the next attempt.
import { expect, jest, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Misbehavior } from '../../sandbox/github-faults.ts'
import { LARGE } from '../support/archives.ts'
import { onPosix } from '../support/platform.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** A moment: what makes it last, and how the test sees that it has come. */
interface Moment {
  readonly github?: Misbehavior
  readonly service?: Fault
  readonly come: (shop: Shop) => boolean
}

const SENDING: Moment = {
  service: { kind: 'silence-in-body', bytes: 1 },
  come: ({ service }) => (service.requests[0]?.bytes ?? 0) > 0
}
const RECORDING: Moment = {
  github: { kind: 'slow-answer', ms: 30_000, on: { method: 'POST', path: /\/statuses$/ } },
  come: shop => shop.histories()[0] === 'in_progress'
}
const UNANSWERED: Moment = {
  service: { kind: 'silence-after-body' },
  come: ({ service }) => service.versions.length === 1
}

/** A shop where the moment lasts. */
async function openAt({ github, service }: Moment): Promise<Shop> {
  const shop = await openShop()
  if (service?.kind === 'silence-in-body') await shop.write(FILE, Buffer.alloc(LARGE))
  if (github) shop.github.misbehave(github)
  if (service) shop.service.misbehave(service)
  return shop
}

const interrupt = (signal: 'SIGKILL' | 'cancel', { come }: Moment, shop: Shop) =>
  shop.publish({ interruption: { signal, after: () => come(shop) } })

test('killed while `in_progress` is recorded: a later attempt waits until a person may look', async () => {
  await using shop = await openAt(RECORDING)
  await interrupt('SIGKILL', RECORDING, shop)

  shop.github.clock.advance(14 * 60_000)
  const isWaiting = (output: string) => {
    const waits = output.includes('Waiting for run 9000001, which is publishing "1.4.2", until 20')
    if (waits) shop.github.clock.advance(2 * 60_000)
    return false
  }
  const again = await shop.publish({
    attempt: 2,
    interruption: { signal: 'cancel', after: isWaiting }
  })

  expect(again.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
  expect(again.log).toContain('Waiting for run')
  expect(shop.service.versions).toEqual([])
  expect(shop.histories()).toEqual(['in_progress'])
})

test('killed before its success is recorded: it has said what was published, and set the short outputs', async () => {
  const recordingSuccess: Moment = {
    github: {
      kind: 'slow-answer',
      ms: 30_000,
      on: { method: 'POST', path: /\/statuses$/, nth: 2 }
    },
    come: shop => shop.histories()[0] === 'in_progress success'
  }
  await using shop = await openAt(recordingSuccess)

  const run = await interrupt('SIGKILL', recordingSuccess, shop)

  expect(run.signal).toBe('SIGKILL')
  expect(run.log).toContain('published. Version id: 1001.')
  expect(run.outputs).toMatchObject({
    outcome: 'published',
    published: 'true',
    reason: '',
    version_id: '1001',
    id: '1001',
    file_name: 'gallery-1.4.2.zip',
    sha256: shop.sha256
  })
  expect(run.outputs).not.toHaveProperty('changelog')
})

// On Windows a signal ends a process unheard.
onPosix.each([
  {
    name: 'while the file is sent',
    moment: SENDING,
    reason: 'cancelled',
    history: 'failure',
    next: 'published'
  },
  {
    name: 'while `in_progress` is recorded',
    moment: RECORDING,
    reason: 'cancelled',
    history: 'in_progress failure',
    next: 'published'
  },
  {
    name: 'after the tail',
    moment: UNANSWERED,
    reason: 'no-answer',
    history: 'in_progress error',
    next: 'unknown'
  }
])(
  'canceled (not on Windows) $name, it says so, ends its claim, and is gone before it is killed',
  async ({ moment, reason, history, next }) => {
    await using shop = await openAt(moment)
    const run = await interrupt('cancel', moment, shop)

    // It ended by itself, within the 10 seconds after which it would have been killed.
    expect(run.signal).toBeNull()
    expect(run.outputs.reason).toBe(reason)
    expect(shop.histories()).toEqual([history])

    const again = await shop.publish({ attempt: 2 })
    expect(again.outputs.outcome).toBe(next)
  }
)

onPosix(
  'canceled (not on Windows) while it waits for a run, it ends, and leaves that run’s claim',
  async () => {
    await using shop = await openAt(RECORDING)
    await interrupt('SIGKILL', RECORDING, shop)

    const isWaiting = (output: string) => output.includes('Waiting for run')
    const run = await shop.publish({
      runId: '9000002',
      interruption: { signal: 'cancel', after: isWaiting }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled' })

    const marked = await shop.publish({
      runId: '9000003',
      inputs: {
        mode: 'mark-not-published',
        token: '',
        file: ''
      }
    })
    expect(marked.outputs).toMatchObject({ outcome: 'failed', reason: 'busy' })
    expect(shop.histories()).toEqual(['in_progress'])
  }
)
