// Tests, through the bundle, of what is looked at before the first byte: the first contact.
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
  const given = { 'allow-other-version': 'true', ...inputs }
  const run = await shop.publish({ event: shop.event({ tag }), inputs: given, runId: version })
  return { ...run, told: [run.outputs.outcome, shop.service.requests.length] }
}

const answer = (status: number, body?: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}
const HTML = { 'content-type': 'text/html', server: 'nginx/1.22.1' }
const PAGE = '<html><title>404 Not Found</title></html>'

test('first contact is made before every upload, and not before a replay', async () => {
  await using shop = await open()
  expect((await publish(shop, '1.4.2')).told).toEqual(['published', 2])
  expect((await publish(shop, '1.4.3')).told).toEqual(['published', 4])
  expect((await publish(shop, '1.4.2')).told).toEqual(['skipped', 4])
  expect((await publish(shop, '1.4.5', { record: 'false' })).told).toEqual(['published', 6])
})

// All kinds are in `__tests__/matrix/service-contact.test.ts`.
test.each<[string, Record<string, string>, Fault[], string, string]>([
  ['a product of somebody else', { product: '13' }, [], 'rejected', 'check whose token it is'],
  ['a web page', {}, [answer(200, PAGE, HTML)], 'inconclusive', '200 (nginx, “404 Not Found”)']
])('%s fails with nothing uploaded, and no claim', async (_, inputs, faults, reason, advice) => {
  await using shop = await open(inputs)
  shop.service.misbehave(...faults)
  const { told, annotations, outputs, exitCode } = await publish(shop, '1.4.2')
  expect([told, outputs.reason, exitCode]).toEqual([['failed', 1], reason, 1])
  expect([shop.github.deployments, shop.service.versions]).toEqual([[], []])
  expect(annotations[0]?.message).toMatch(/^Nothing was uploaded: /)
  expect(annotations[0]?.message).toContain(advice)
})

test('a name that is taken leads to a look, and to a version that is recorded', async () => {
  await using shop = await open()
  const errors = { version_name: ['The version name has already been taken.'] }
  const message = 'The version name has already been taken.'
  shop.service.misbehave({ ...answer(422, { message, errors }), least: SHORT })
  const { told, annotations } = await publish(shop, '1.4.2')
  expect(told).toEqual(['failed', 2])
  expect(annotations[0]?.message).toMatch(
    /may be in the shop already.*mode `mark-published`; if not, change `version-name`/s
  )
  // What the message says, when the version is there.
  const settled = await publish(shop, '1.4.2', { mode: 'mark-published' })
  expect(settled.outputs.outcome).toBe('marked')
  expect((await publish(shop, '1.4.2')).told).toEqual(['skipped', 2])
})
