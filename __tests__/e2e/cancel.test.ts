// Tests of dist/: a canceled run without a record sets its outputs and a true outcome, and reports every version.
// On Windows a signal ends a process unheard.
import { expect } from '@jest/globals'
import { LARGE } from '../support/archives.ts'
import { onPosix } from '../support/platform.ts'
import { openProxy } from '../support/proxy.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

/** Sends the signal when that holds: the run ends by itself, as canceled. */
async function cancel(
  shop: Shop,
  signal: 'SIGINT' | 'SIGTERM',
  after: (output: string) => boolean,
  { inputs, ...options }: PublishOptions
): Promise<void> {
  // Nothing but the signal may end it in time.
  const given = {
    'stall-timeout': '600',
    'response-timeout': '600',
    ...inputs
  }

  const run = await shop.publish({ ...options, inputs: given, interruption: { after, signal } })

  const { outcome, reason } = run.outputs
  expect([outcome, reason, run.signal]).toEqual(['failed', 'cancelled', null])
  expect(shop.service.versions).toEqual([])
}

onPosix('SIGTERM, not on Windows, while it waits for a connection', async () => {
  await using mute = await openProxy({ mute: true })
  await using shop = await openShop()
  const inputs = { 'base-url': `https://${mute.host}` }
  await cancel(shop, 'SIGTERM', () => mute.accepted > 0, { inputs })
})

onPosix('SIGINT, not on Windows, in a pause before the next try', async () => {
  await using shop = await openShop()
  await shop.write(FILE, Buffer.alloc(LARGE))
  shop.service.misbehave({
    kind: 'early-answer',
    status: 429,
    headers: { 'retry-after': '100' },
    close: 'fin'
  })

  await cancel(shop, 'SIGINT', output => output.includes('Trying again (2 of 4)'), {})
  expect(shop.service.requests).toHaveLength(1)
})
