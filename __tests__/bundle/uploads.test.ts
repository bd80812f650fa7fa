// Owns what the step tells of an upload that failed, beside what the service then really holds.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
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

test('a reset before the tail is tried again, and it is published once', async () => {
  await using shop = await openShop(off)
  await shop.write(FILE, LARGE)
  const { told, run } = await publish(shop, [{ kind: 'reset-in-body', bytes: MIB }])
  expect(told).toEqual(['published', '', 1])
  expect(run.log).toContain('Try 2 of 4 follows')
}, 30_000)

const early = { kind: 'early-answer', status: 413, bytes: MIB, close: 'fin' } as const
const silent = { kind: 'silence-after-body', stored: false } as const

test.each<[string, Fault, Record<string, string>, (string | number)[], RegExp]>([
  ['a 413 in the body', early, {}, ['failed', 'rejected', 0], /larger than the shop accepts/],
  [
    'silence in the body',
    { kind: 'silence-in-body', bytes: MIB },
    { 'stall-timeout': '0.8' },
    ['failed', 'not-sent', 0],
    /no byte moved for 0.8 seconds/
  ],
  ['a reset after it', { kind: 'reset-after-body' }, {}, ['unknown', 'no-answer', 1], /was lost/],
  [
    'silence after it',
    silent,
    { 'response-timeout': '0.5' },
    ['unknown', 'no-answer', 0],
    /no complete answer within 0.5 seconds/
  ],
  [
    'an answer of 10 MiB',
    { kind: 'huge-answer', mebibytes: 10 },
    {},
    ['unknown', 'strange-answer', 1],
    /longer than 104\d+ bytes/
  ]
])(
  '%s is told as it is, and not tried again',
  async (_, fault, inputs, told, said) => {
    await using shop = await openShop(off)
    if (told[0] === 'failed') await shop.write(FILE, LARGE)
    const ended = await publish(shop, [fault], { inputs })
    expect(ended.told).toEqual(told)
    expect(ended.message).toMatch(said)
    expect(shop.service.requests).toHaveLength(1)
  },
  30_000
)

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
