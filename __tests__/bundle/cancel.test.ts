// Owns what a cancelled run leaves: its outputs, a true outcome, and no version that it does not tell of.
import { describe, expect, test } from '@jest/globals'
import { packed } from '../support/archives.ts'
import { openProxy } from '../support/proxy.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

const MIB = 1024 * 1024
const off = { once: 'off' }

type Told = readonly [outcome: string, reason: string, versions: number]

/** Sends the signal when that holds, and looks at how the run ended. */
async function cancelled(
  shop: Shop,
  signal: 'SIGINT' | 'SIGTERM',
  after: (output: string) => boolean,
  options: PublishOptions
): Promise<Told> {
  let sent = false
  const watch = (output: string) => {
    sent ||= after(output)
    return sent
  }
  // Nothing but the signal may end it in time.
  const patience = { 'stall-timeout': '600', 'response-timeout': '600' }
  const inputs = { ...patience, ...options.inputs }
  const run = await shop.publish({ ...options, inputs, signal: { after: watch, signal } })
  // By itself: neither was it killed, nor did the signal end it.
  expect([sent, run.signal]).toEqual([true, null])
  const { outcome = '', reason = '' } = run.outputs
  return [outcome, reason, shop.service.versions.length]
}

const notPublished: Told = ['failed', 'cancelled', 0]

/** Takes every connection, and never says anything. */
const openMute = () => openProxy({ mute: true })

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', signal => {
  test('while it waits for a connection', async () => {
    await using mute = await openMute()
    await using shop = await openShop({ inputs: off })
    const inputs = { 'base-url': `https://${mute.host}` }
    expect(await cancelled(shop, signal, () => mute.accepted > 0, { inputs })).toEqual(notPublished)
  }, 20_000)

  test('while a release is read from GitHub', async () => {
    await using shop = await openShop({ inputs: off })
    shop.github.misbehave({ kind: 'silence' })
    const event = { name: 'workflow_dispatch', payload: {} }
    const given = { event, inputs: { ...off, tag: 'v1.4.2' } }
    const after = () => shop.github.requests.length > 0
    expect(await cancelled(shop, signal, after, given)).toEqual(notPublished)
  }, 20_000)

  test('while an attached file is downloaded', async () => {
    const asset = { name: 'gallery-1.4.2.zip', content: packed('bytes') }
    await using shop = await openShop({ inputs: off, release: { assets: [asset] } })
    shop.github.misbehave({ kind: 'silence', on: { path: /assets/ } })
    const given = { inputs: { ...off, file: '', asset: 'gallery-{version}.zip' } }
    const after = () => shop.github.requests.length > 0
    expect(await cancelled(shop, signal, after, given)).toEqual(notPublished)
  }, 20_000)

  test('in a pause before the next try', async () => {
    await using shop = await openShop({ inputs: off })
    await shop.write(FILE, Buffer.alloc(32 * MIB))
    const headers = { 'retry-after': '100' }
    shop.service.misbehave({ kind: 'early-answer', status: 429, headers, close: 'fin' })
    const after = (output: string) => output.includes('Try 2 of 4 follows')
    expect(await cancelled(shop, signal, after, {})).toEqual(notPublished)
    expect(shop.service.requests).toHaveLength(1)
  }, 20_000)

  test('while a proxy does not answer', async () => {
    await using mute = await openMute()
    await using shop = await openShop({ inputs: off })
    const inputs = { 'base-url': 'https://shop.example.test' }
    const env = { HTTPS_PROXY: `http://${mute.host}` }
    expect(await cancelled(shop, signal, () => mute.accepted > 0, { inputs, env })).toEqual(
      notPublished
    )
  }, 20_000)
})
