// Tests of a cancelled run without a memory: its outputs, a true outcome, and no version that it does not tell of.
// On Windows a signal ends a process unheard.
import { expect } from '@jest/globals'
import { packed } from '../support/archives.ts'
import { onPosix } from '../support/platform.ts'
import { openProxy } from '../support/proxy.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

const off = { once: 'off' }
const asset = { name: 'gallery-1.4.2.zip', content: packed('bytes') }

/** Sends the signal when that holds: the run ends by itself, as cancelled. */
async function cancel(
  shop: Shop,
  signal: 'SIGINT' | 'SIGTERM',
  after: (output: string) => boolean,
  options: PublishOptions
): Promise<void> {
  // Nothing but the signal may end it in time.
  const inputs = { 'stall-timeout': '600', 'response-timeout': '600', ...options.inputs }
  const run = await shop.publish({ ...options, inputs, signal: { after, signal } })
  const { outcome, reason } = run.outputs
  expect([outcome, reason, run.signal]).toEqual(['failed', 'cancelled', null])
  expect(shop.service.versions).toEqual([])
}

onPosix.each([
  ['SIGINT', 'a connection', host => ({ inputs: { 'base-url': `https://${host}` } })],
  [
    ...(['SIGTERM', 'a proxy'] as const),
    host => {
      const inputs = { 'base-url': 'https://shop.example.test' }
      return { inputs, env: { HTTPS_PROXY: `http://${host}` } }
    }
  ]
] as readonly ['SIGINT' | 'SIGTERM', string, (host: string) => PublishOptions][])(
  '%s while it waits for %s',
  async (signal, _, given) => {
    await using mute = await openProxy({ mute: true })
    await using shop = await openShop({ inputs: off })
    await cancel(shop, signal, () => mute.accepted > 0, given(mute.host))
  }
)

onPosix('SIGINT while a release is read from GitHub', async () => {
  await using shop = await openShop({ inputs: off })
  shop.github.misbehave({ kind: 'silence' })
  const event = { name: 'workflow_dispatch', payload: {} }
  const after = () => shop.github.requests.length > 0
  await cancel(shop, 'SIGINT', after, { event, inputs: { tag: 'v1.4.2' } })
})

onPosix('SIGTERM while an attached file is downloaded', async () => {
  await using shop = await openShop({ inputs: off, release: { assets: [asset] } })
  shop.github.misbehave({ kind: 'silence', on: { path: /assets/ } })
  const inputs = { file: '', asset: 'gallery-{version}.zip' }
  await cancel(shop, 'SIGTERM', () => shop.github.requests.length > 0, { inputs })
})

onPosix('SIGINT in a pause before the next try', async () => {
  await using shop = await openShop({ inputs: off })
  await shop.write(FILE, Buffer.alloc(32 * 1024 * 1024))
  const headers = { 'retry-after': '100' }
  shop.service.misbehave({ kind: 'early-answer', status: 429, headers, close: 'fin' })
  await cancel(shop, 'SIGINT', output => output.includes('Try 2 of 4 follows'), {})
  expect(shop.service.requests).toHaveLength(1)
})
