// Tests, through the bundle, of what is looked at before the first byte: first contact, and the order of versions.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { SHORT } from '../../sandbox/service.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** A shop that lists every request, those without a version too. */
const open = (inputs = {}) => openShop({ inputs, service: { sparesChecks: false } })

/** Publishes this version of the one file; returns the outcome, and how many requests there were. */
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
/** The same to an upload alone, which the shop stores. */
const stored = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: true, least: SHORT }
}
const HTML = { 'content-type': 'text/html', server: 'nginx/1.22.1' }
const PAGE = '<html><title>404 Not Found</title></html>'

test('first contact is made before every upload, and not before a replay', async () => {
  await using shop = await open()
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 2])
  expect((await publish(shop, '1.4.3')).told).toEqual(['published', 4])
  expect((await publish(shop, '1.4.2')).told).toEqual(['skipped', 4])
  const targets = '- version-name: "5"\n- version-name: "6"'
  expect((await publish(shop, '1.4.4', { targets, product: '12' })).told).toEqual(['published', 8])
  expect((await publish(shop, '1.4.5', { once: 'off' })).told).toEqual(['published', 10])
})

const ERRORS = { message: 'No.', errors: { token: ['is wrong'] } }
const MOVED = { location: 'https://www.example.com/api/products/12/versions' }
const CREATED = { data: { id: 7 } }
const FIREWALL = { ...HTML, 'cf-mitigated': 'challenge' }
test.each<[string, Record<string, string>, Fault[], string, string]>([
  ['a wrong token', { token: 'one-that-opens-nothing' }, [], 'rejected', 'The token is wrong'],
  ['a product of somebody else', { product: '13' }, [], 'rejected', 'Check `product`'],
  ['an option’s id', { benefit: '5' }, [], 'rejected', 'an option’s id is not a benefit’s id'],
  ['401 with errors', {}, [answer(401, ERRORS)], 'rejected', 'The token is wrong'],
  ['404 with errors', {}, [answer(404, ERRORS)], 'rejected', '/api/products/12/versions: No.'],
  ['the shop’s other address', {}, [answer(301, '', MOVED)], 'inconclusive', '`base-url` to http'],
  ['a web page', {}, [answer(200, PAGE, HTML)], 'inconclusive', 'Check `base-url`'],
  ['a firewall', {}, [answer(403, PAGE, FIREWALL)], 'inconclusive', 'to let `/api` through'],
  ['a success', {}, [answer(201, CREATED)], 'inconclusive', 'must not succeed: check in the shop']
])('%s fails with nothing uploaded, and no claim', async (_, inputs, faults, reason, advice) => {
  await using shop = await open(inputs)
  shop.service.misbehave(...faults)
  const { told, annotations, outputs, exitCode } = await publish(shop, '1.4.2')
  expect([told, outputs.reason, exitCode]).toEqual([['failed', 1], reason, 1])
  expect([shop.github.deployments, shop.service.versions]).toEqual([[], []])
  expect(annotations[0]?.message).toMatch(/^Nothing was uploaded\. /)
  expect(annotations[0]?.message).toContain(advice)
})

test('of two targets, one that is refused at first contact fails the step, and the other is published', async () => {
  await using shop = await open()
  shop.service.misbehave(answer(403, ERRORS))
  const targets = '- version-name: "5"\n- version-name: "6"'
  const { told, outputs, exitCode } = await publish(shop, '1.4.2', { targets, product: '12' })
  expect([told, exitCode]).toEqual([['failed', 3], 1])
  const both = [{ outcome: 'failed', reason: 'rejected' }, { outcome: 'published' }]
  expect(JSON.parse(outputs.versions ?? '')).toMatchObject(both)
})

test.each([400, 415, 422, 500])(
  'a web page with %i to an empty form locks nobody out',
  async status => {
    await using shop = await open({ once: 'off' })
    shop.service.misbehave(answer(status, PAGE, HTML))
    expect((await publish(shop, '1.4.2')).told).toEqual(['published', 2])
  }
)

test('what may pass is asked again at first contact, four times in all, and then nothing is uploaded', async () => {
  await using shop = await open({ once: 'off' })
  shop.service.misbehave(answer(503, PAGE, { ...HTML, 'retry-after': '1' }), answer(429))
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 4])
  shop.service.misbehave(...[1, 2, 3, 4].map(() => answer(502, PAGE, HTML)))
  const { told, log } = await publish(shop, '1.4.2')
  expect([told, shop.service.versions.length]).toEqual([['failed', 8], 1])
  expect(log).toContain('Try 4 of 4 follows')
}, 60_000)

test.each<[string, Fault, string]>([
  [
    '404 of nginx',
    stored(404, PAGE, HTML),
    'nginx answered 404 with a web page (“404 Not Found”), t'
  ],
  ['a bare 403', stored(403, ''), ' answered 403, not in the form of the shop’s API, though'],
  [
    'a redirect',
    stored(308, '', MOVED),
    ' answered 308 with a redirect to https://www.example.com'
  ],
  ['a documented 409', stored(409, { message: 'Exists.' }), ' answered 409: Exists.']
])('after the tail, %s is in doubt, and a re-run publishes nothing', async (_, fault, said) => {
  await using shop = await open()
  shop.service.misbehave(fault)
  const { told, annotations, outputs } = await publish(shop, '1.4.2')
  expect([told, outputs.reason]).toEqual([['unknown', 2], 'strange-answer'])
  expect(annotations[0]?.message).toContain(said)
  expect(annotations[0]?.message).toMatch(/mode `settle` .*settle-as `published` if the version is/)
  const again = await shop.publish({ event: shop.event({ tag: 'v1.4.2' }), attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
  expect(shop.service.versions).toHaveLength(1)
})

test.each([401, 403, 404])(
  'a check that is refused with %i fails, whatever is missed',
  async status => {
    await using shop = await openShop({ inputs: { mode: 'check' } })
    shop.service.misbehave(answer(status, ERRORS))
    const { outputs, exitCode } = await shop.publish()
    expect([outputs.outcome, outputs.reason, exitCode]).toEqual(['failed', 'rejected', 1])
  }
)

test('a name that is taken leads to a look, and to a version that is recorded', async () => {
  await using shop = await open()
  const errors = { version_name: ['The version name has already been taken.'] }
  const message = 'The version name has already been taken.'
  shop.service.misbehave({ ...answer(422, { message, errors }), least: SHORT })
  const { told, annotations } = await publish(shop, '1.4.2')
  expect(told).toEqual(['failed', 2])
  expect(annotations[0]?.message).toMatch(
    /may be in the shop already.*is there a version "1\.4\.2"\?.*mode `settle` .*settle-as `published` if .*Only if it is not there/s
  )
  // What the message says, when the version is there.
  const settled = await publish(shop, '1.4.2', { mode: 'settle', 'settle-as': 'published' })
  expect(settled.outputs.outcome).toBe('settled')
  expect((await publish(shop, '1.4.2')).told).toEqual(['skipped', 2])
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
