// Tests, through the bundle, of what is looked at before the first byte: first contact, and the order of versions.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { FILE, openShop, type Shop } from '../support/shop.ts'

/** A shop that lists every request, those without a version too. */
const open = (inputs = {}) => openShop({ inputs, service: { sparesChecks: false } })

const requestsOf = ({ service }: Shop) => service.requests.length

describe('first contact', () => {
  test('asks once more before a first publication, and never after it', async () => {
    await using shop = await open()
    expect((await shop.publish()).outputs.outcome).toBe('published')
    expect(requestsOf(shop)).toBe(2)
    await shop.write('dist/gallery-1.4.3.zip', shop.zip)
    const event = shop.event({ tag: 'v1.4.3', name: 'Gallery 1.4.3' })
    shop.addRelease({ tag: 'v1.4.3' })
    const file = { file: 'dist/gallery-1.4.3.zip', 'file-version': 'any' }
    const next = await shop.publish({ event, inputs: file, runId: '9000002' })
    expect(next.outputs.outcome).toBe('published')
    expect(requestsOf(shop)).toBe(3)
    // What is published already is not asked for again.
    expect((await shop.publish({ attempt: 2, inputs: { file: FILE } })).outputs.outcome).toBe(
      'skipped'
    )
    expect(requestsOf(shop)).toBe(3)
  })

  test('asks every time without a memory', async () => {
    await using shop = await open({ once: 'off' })
    await shop.publish()
    await shop.publish()
    expect(requestsOf(shop)).toBe(4)
  })

  const redirect = (location: string): Fault => {
    return { kind: 'answer', status: 301, headers: { location }, stored: false }
  }
  test.each<[string, Record<string, string>, Fault | undefined, string]>([
    [
      'a wrong token',
      { token: 'another-token-that-opens-nothing' },
      undefined,
      'The token is wrong'
    ],
    ['a wrong product', { product: '99' }, undefined, 'Check `base-url`, `product`'],
    ['a product of somebody else', { product: '13' }, undefined, 'Check `product`'],
    ['a redirect', {}, redirect('https://www.example.com/'), 'Check that `base-url`'],
    [
      'a redirect of the same path',
      {},
      redirect('https://www.example.com/api/products/12/versions'),
      'set `base-url` to https://www.example.com'
    ],
    [
      'a web page',
      {},
      {
        ...{ kind: 'answer', status: 200, body: '<html></html>', stored: false },
        headers: { 'content-type': 'text/html' }
      },
      'Check that `base-url`'
    ]
  ])('%s fails with nothing uploaded', async (_, inputs, fault, advice) => {
    await using shop = await open(inputs)
    if (fault) shop.service.misbehave(fault)
    const run = await shop.publish()
    expect(run.outputs.outcome).toBe('failed')
    expect(run.annotations[0]?.message).toMatch(/^Nothing was uploaded\. /)
    expect(run.annotations[0]?.message).toContain(advice)
    expect(requestsOf(shop)).toBe(1)
    // No claim is left behind.
    expect(shop.github.deployments).toEqual([])
  })

  test.each([
    ['a server error', { kind: 'answer', status: 500, body: '<html>', stored: false }],
    [
      'a refusal without fields',
      { kind: 'answer', status: 422, body: { message: 'No.' }, stored: false }
    ],
    ['a lost connection', { kind: 'reset-after-body', stored: false }]
  ] as const)('%s lets it go on', async (_, fault) => {
    await using shop = await open()
    shop.service.misbehave(fault)
    expect((await shop.publish()).outputs.outcome).toBe('published')
  })
})

describe('the order of versions', () => {
  const publish = (shop: Shop, version: string, inputs = {}) => {
    const tag = `v${version}`
    shop.addRelease({ tag })
    const file = { file: 'dist/gallery-1.4.2.zip', 'file-version': 'any' }
    return shop.publish({
      event: shop.event({ tag }),
      inputs: { ...file, ...inputs },
      runId: version
    })
  }

  test('a version lower than a published one is refused, unless any may be', async () => {
    await using shop = await openShop()
    expect((await publish(shop, '1.10.0')).outputs.outcome).toBe('published')
    const plan = await publish(shop, '1.9.1', { mode: 'plan' })
    expect(plan.summary).toMatch(/Publishing would fail.*1.9.1.*1.10.0/s)
    const refused = await publish(shop, '1.9.1')
    expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
    expect(refused.annotations[0]?.message).toMatch(
      /"1\.9\.1" is lower than "1\.10\.0".*`order: any`/s
    )
    expect(shop.service.versions).toHaveLength(1)
    // The higher one is skipped as before, also by a run of its own.
    expect((await publish(shop, '1.10.0')).outputs.outcome).toBe('skipped')
    expect((await publish(shop, '1.9.1', { order: 'any' })).outputs.outcome).toBe('published')
    expect((await publish(shop, '1.9.1')).outputs.outcome).toBe('skipped')
    expect((await publish(shop, '1.10.0-rc.1')).outputs.reason).toBe('lower-version')
  })

  test('one that was not published, and one of another benefit, are in nobody’s way', async () => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'answer', status: 422, body: { message: 'No.' }, stored: false })
    expect((await publish(shop, '2.0.0')).outputs.outcome).toBe('failed')
    expect((await publish(shop, '3.0.0', { benefit: '34' })).outputs.outcome).toBe('published')
    expect((await publish(shop, '1.4.2')).outputs.outcome).toBe('published')
  })
})
