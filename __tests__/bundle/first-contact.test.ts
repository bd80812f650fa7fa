// Tests, through the bundle, of what is looked at before the first byte: first contact, and the order of versions.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** A shop that lists every request, those without a version too. */
const open = (inputs = {}) => openShop({ inputs, service: { sparesChecks: false } })
const requestsOf = ({ service }: Shop) => service.requests.length

/** Publishes this version of the one file. */
function publish(shop: Shop, version: string, inputs = {}) {
  const tag = `v${version}`
  shop.addRelease({ tag })
  const event = shop.event({ tag })
  return shop.publish({ event, inputs: { 'file-version': 'any', ...inputs }, runId: version })
}

const answer = (status: number, body?: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}

test('first contact asks once more before a first publication, and never after it', async () => {
  await using shop = await open()
  for (const [version, outcome, requests] of [
    ['1.4.2', 'published', 2],
    ['1.4.3', 'published', 3],
    ['1.4.2', 'skipped', 3]
  ] as const) {
    expect((await publish(shop, version)).outputs.outcome).toBe(outcome)
    expect(requestsOf(shop)).toBe(requests)
  }
})

test('without a memory it asks every time; what an upload may get past lets it go on', async () => {
  await using shop = await open({ once: 'off' })
  const faults: readonly Fault[] = [
    answer(500, '<html>'),
    answer(422, { message: 'No.' }),
    { kind: 'reset-after-body', stored: false }
  ]
  for (const [index, fault] of faults.entries()) {
    shop.service.misbehave(fault)
    expect((await shop.publish()).outputs.outcome).toBe('published')
    expect(requestsOf(shop)).toBe(2 * (index + 1))
  }
})

const MOVED = { location: 'https://www.example.com/api/products/12/versions' }
test.each<[string, Record<string, string>, Fault | undefined, string]>([
  ['a wrong token', { token: 'one-that-opens-nothing' }, undefined, 'The token is wrong'],
  ['a wrong product', { product: '99' }, undefined, 'Check `base-url`, `product`'],
  ['a product of somebody else', { product: '13' }, undefined, 'Check `product`'],
  ['a redirect', {}, answer(302, '', { location: '/login' }), 'Set `base-url` to the'],
  ['the shop’s other address', {}, answer(301, '', MOVED), '`base-url` to https://www.example.com'],
  ['a web page', {}, answer(200, '<html>', { 'content-type': 'text/html' }), 'Check `base-url`']
])('%s fails with nothing uploaded, and no claim', async (_, inputs, fault, advice) => {
  await using shop = await open(inputs)
  if (fault) shop.service.misbehave(fault)
  const run = await shop.publish()
  expect(run.outputs.outcome).toBe('failed')
  expect(run.annotations[0]?.message).toMatch(/^Nothing was uploaded\. /)
  expect(run.annotations[0]?.message).toContain(advice)
  expect([requestsOf(shop), shop.github.deployments]).toEqual([1, []])
})

test('a version lower than a published one is refused, unless any may be', async () => {
  await using shop = await openShop()
  const outcomeOf = async (...given: [string, object?]) =>
    (await publish(shop, ...given)).outputs.outcome
  // One that was not published, and one of another benefit, are in nobody’s way.
  shop.service.misbehave(answer(422, { message: 'No.' }))
  expect(await outcomeOf('2.0.0')).toBe('failed')
  expect(await outcomeOf('3.0.0', { benefit: '34' })).toBe('published')
  expect(await outcomeOf('1.10.0')).toBe('published')
  const plan = await publish(shop, '1.9.1', { mode: 'plan' })
  expect(plan.summary).toMatch(/Publishing would fail.*1.9.1.*1.10.0/s)
  const { outputs, annotations } = await publish(shop, '1.9.1')
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
  expect(annotations[0]?.message).toMatch(/"1\.9\.1" is lower than "1\.10\.0".*`order: any`/s)
  expect(await outcomeOf('1.9.1', { order: 'any' })).toBe('published')
}, 60_000)
