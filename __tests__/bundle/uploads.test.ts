// Owns what the step tells of an upload that failed, beside what the service then really holds.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { packed } from '../support/archives.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

const MIB = 1024 * 1024
const off = { inputs: { once: 'off' } }
/** More than a connection takes unread. */
const LARGE = packed(Buffer.alloc(32 * MIB, 'large '))

async function publish(shop: Shop, faults: readonly Fault[], options: PublishOptions = {}) {
  shop.service.misbehave(...faults)
  const run = await shop.publish(options)
  const { outcome, reason } = run.outputs
  const message = run.annotations.at(-1)?.message ?? ''
  return { told: [outcome, reason, shop.service.versions.length], message, run }
}

test('a file as large as memory is not: every byte arrives, and the digest is told', async () => {
  await using shop = await openShop(off)
  await shop.write(FILE, LARGE)
  for (const upload of ['multipart', 'base64']) {
    const { run } = await publish(shop, [], { inputs: { upload } })
    const version = shop.service.versions.at(-1)
    expect(run.outputs).toMatchObject({ outcome: 'published', size: String(LARGE.length) })
    expect(run.outputs.sha256).toBe(version?.sha256)
    expect((await version?.bytes())?.equals(LARGE)).toBe(true)
  }
}, 60_000)

describe('before the tail', () => {
  test.each<[string, Fault]>([
    ['a reset in the body', { kind: 'reset-in-body', bytes: MIB }],
    ['a 429', { kind: 'early-answer', status: 429, bytes: MIB, close: 'reset' }]
  ])(
    '%s is tried again, and published once',
    async (_, fault) => {
      await using shop = await openShop(off)
      await shop.write(FILE, LARGE)
      const { told, run } = await publish(shop, [fault])
      expect(told).toEqual(['published', '', 1])
      expect(run.log).toContain('Try 2 of 4 follows')
    },
    30_000
  )

  test('a 413 is a refusal', async () => {
    await using shop = await openShop(off)
    await shop.write(FILE, LARGE)
    const fault = { kind: 'early-answer', status: 413, bytes: MIB, close: 'fin' } as const
    const { told, message } = await publish(shop, [fault])
    expect(told).toEqual(['failed', 'rejected', 0])
    expect(message).toMatch(/larger than the shop accepts/)
    expect(shop.service.requests).toHaveLength(1)
  }, 30_000)

  test('a service that stops reading is given up after the stall time', async () => {
    await using shop = await openShop(off)
    await shop.write(FILE, LARGE)
    const fault = { kind: 'silence-in-body', bytes: MIB } as const
    const { told, message } = await publish(shop, [fault], { inputs: { 'stall-timeout': '0.8' } })
    expect(told).toEqual(['failed', 'not-sent', 0])
    expect(message).toMatch(/no byte moved for 0.8 seconds/)
  }, 30_000)

  test('a host that does not exist is tried four times', async () => {
    await using shop = await openShop(off)
    const inputs = { 'base-url': 'https://shop.invalid' }
    const { told, message, run } = await publish(shop, [], { inputs })
    expect(told).toEqual(['failed', 'not-sent', 0])
    expect(message).toMatch(/the host shop.invalid was not found \(ENOTFOUND\)/)
    expect(run.log.match(/Try \d of 4 follows/g)).toHaveLength(3)
  }, 60_000)
})

describe('after the tail', () => {
  test.each<[string, Fault, PublishOptions, (string | number)[], RegExp]>([
    [
      'a reset',
      { kind: 'reset-after-body' },
      {},
      ['unknown', 'no-answer', 1],
      /connection .* was lost/
    ],
    [
      'silence',
      { kind: 'silence-after-body', stored: false },
      { inputs: { 'response-timeout': '0.5' } },
      ['unknown', 'no-answer', 0],
      /no complete answer within 0.5 seconds/
    ],
    [
      '10 MiB',
      { kind: 'huge-answer', mebibytes: 10 },
      {},
      ['unknown', 'strange-answer', 1],
      /longer than 104\d+ bytes/
    ]
  ])('%s leaves it unknown, and nothing is tried again', async (_, fault, options, told, said) => {
    await using shop = await openShop(off)
    const after = await publish(shop, [fault], options)
    expect(after.told).toEqual(told)
    expect(after.message).toMatch(said)
    expect(shop.service.requests).toHaveLength(1)
  })
})

test('a certificate counts once NODE_EXTRA_CA_CERTS names its authority; before, nothing is sent', async () => {
  const tls = selfSign()
  await using shop = await openShop({ ...off, service: { tls } })
  const path = join(shop.workspace, 'authority.pem')
  await writeFile(path, tls.cert)
  const { told, message, run } = await publish(shop, [])
  expect(told).toEqual(['failed', 'not-sent', 0])
  expect(message).toMatch(/certificate of 127\.0\.0\.1:\d+ is not trusted/)
  expect(message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/)
  expect(run.log).not.toContain('follows')
  expect(shop.service.requests).toEqual([])
  const trusting = await publish(shop, [], { env: { NODE_EXTRA_CA_CERTS: path } })
  expect(trusting.told).toEqual(['published', '', 1])
})
