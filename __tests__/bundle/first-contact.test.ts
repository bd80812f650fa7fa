// Tests, through the bundle, of what is looked at before the first byte: first contact, and the order of versions.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** A shop that lists every request, those without a version too. */
const open = (inputs = {}) => openShop({ inputs, service: { sparesChecks: false } })

/** Publishes this version of the one file; gives the outcome, and how many requests there were. */
async function publish(shop: Shop, version: string, inputs = {}) {
  const tag = `v${version}`
  shop.addRelease({ tag })
  const given = { 'file-version': 'any', ...inputs }
  const run = await shop.publish({ event: shop.event({ tag }), inputs: given, runId: version })
  return { ...run, told: [run.outputs.outcome, shop.service.requests.length] }
}

const answer = (status: number, body?: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}

test('first contact asks once more before a first publication, and never after it', async () => {
  await using shop = await open()
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 2])
  expect((await publish(shop, '1.4.3')).told).toEqual(['published', 3])
  expect((await publish(shop, '1.4.2')).told).toEqual(['skipped', 3])
})

test('without a memory it asks every time; what an upload may get past lets it go on', async () => {
  await using shop = await open({ once: 'off' })
  shop.service.misbehave(answer(502, '<html>'))
  expect((await publish(shop, '1.4.2')).told).toEqual(['failed', 1])
  shop.service.misbehave(answer(500, { message: 'Oh.' }))
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 3])
  shop.service.misbehave({ kind: 'reset-after-body', stored: false })
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 5])
})

const MOVED = { location: 'https://www.example.com/api/products/12/versions' }
const PAGE = answer(200, '<html>', { 'content-type': 'text/html' })
test.each<[string, Record<string, string>, Fault[], string]>([
  ['a wrong token', { token: 'one-that-opens-nothing' }, [], 'The token is wrong'],
  ['a product of somebody else', { product: '13' }, [], 'Check `product`'],
  ['the shop’s other address', {}, [answer(301, '', MOVED)], '`base-url` to https://www.example.'],
  ['a web page', {}, [PAGE], 'Check `base-url`']
])('%s fails with nothing uploaded, and no claim', async (_, inputs, faults, advice) => {
  await using shop = await open(inputs)
  shop.service.misbehave(...faults)
  const { told, annotations } = await publish(shop, '1.4.2')
  expect([told, shop.github.deployments]).toEqual([['failed', 1], []])
  expect(annotations[0]?.message).toMatch(/^Nothing was uploaded\. /)
  expect(annotations[0]?.message).toContain(advice)
})

test('a version lower than a published one is refused, unless any may be', async () => {
  await using shop = await openShop()
  // One that was not published is in nobody’s way.
  shop.service.misbehave(answer(422, { message: 'No.' }))
  expect((await publish(shop, '2.0.0')).told).toEqual(['failed', 1])
  expect((await publish(shop, '1.10.0')).told).toEqual(['published', 2])
  const plan = await publish(shop, '1.9.1', { mode: 'plan' })
  expect(plan.summary).toMatch(/Publishing would fail.*1.9.1.*is lower than.*1.10.0.*<code>order</s)
  const { outputs, annotations } = await publish(shop, '1.9.1')
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
  expect(annotations[0]?.message).toMatch(/"1\.9\.1" is lower than "1\.10\.0".*`order: any`/s)
  expect((await publish(shop, '1.9.1', { order: 'any' })).told).toEqual(['published', 3])
}, 60_000)
