// Owns the way through a proxy, as users set it: by the environment, with and without a password.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openProxy, type ProxyOptions } from '../support/proxy.ts'
import { FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

const HOST = 'shop.example.test'
const PASSWORD = 'p@ss word/of:the%proxy'
const CREDENTIALS = `robot:${PASSWORD}`

/** A shop whose certificate names a host that only a proxy finds, and the environment to trust it. */
async function openNamedShop() {
  const tls = selfSign({ host: HOST })
  const shop = await openShop({
    service: { tls },
    inputs: { once: 'off', 'base-url': `https://${HOST}`, 'stall-timeout': '1' }
  })
  const path = join(shop.workspace, 'authority.pem')
  await writeFile(path, tls.cert)
  return { shop, trust: { NODE_EXTRA_CA_CERTS: path } }
}

async function publishThrough(
  proxy: ProxyOptions,
  env: (host: string) => Readonly<Record<string, string>>,
  more: PublishOptions = {}
) {
  const { shop, trust } = await openNamedShop()
  await using _ = shop
  await using through = await openProxy({ names: { [HOST]: shop.service.origin }, ...proxy })
  const run = await shop.publish({ ...more, env: { ...trust, ...env(through.host) } })
  const versions = shop.service.versions.length
  return { run, versions, through, requests: shop.service.requests }
}

const login = `${encodeURIComponent('robot')}:${encodeURIComponent(PASSWORD)}`

test.each<[string, (host: string) => Record<string, string>]>([
  [
    'https_proxy before HTTPS_PROXY',
    host => ({ https_proxy: `http://${host}`, HTTPS_PROXY: 'http://127.0.0.1:9' })
  ],
  [
    'HTTPS_PROXY, with a NO_PROXY for other hosts',
    host => ({ HTTPS_PROXY: `http://${host}`, NO_PROXY: 'example.com,localhost' })
  ]
])('a tunnel, by %s', async (_, env) => {
  const { run, versions, through, requests } = await publishThrough({}, env)
  expect([run.outputs.outcome, versions]).toEqual(['published', 1])
  // The first contact, and the publication.
  expect(through.asked).toEqual([`CONNECT ${HOST}:443`, `CONNECT ${HOST}:443`])
  expect(requests[0]?.headers.host).toBe(HOST)
  // What is for the shop is inside the tunnel.
  expect(JSON.stringify(through.headers)).not.toContain('Bearer')
})

test('a tunnel that is slow, but moves, is not given up', async () => {
  const { shop, trust } = await openNamedShop()
  await using _ = shop
  await write(shop, 16)
  await using proxy = await openProxy({ names: { [HOST]: shop.service.origin }, pauseMs: 8 })
  const run = await shop.publish({
    env: { ...trust, HTTPS_PROXY: proxy.url },
    inputs: { 'stall-timeout': '0.5' }
  })
  expect([run.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
  // Else it would have proved nothing.
  expect(proxy.pauses * 8).toBeGreaterThan(2 * 500)
}, 30_000)

test('a tunnel in which nothing moves any more is given up', async () => {
  const { shop, trust } = await openNamedShop()
  await using _ = shop
  await write(shop)
  shop.service.misbehave({ kind: 'silence-in-body', bytes: 1_000_000 })
  await using proxy = await openProxy({ names: { [HOST]: shop.service.origin } })
  const run = await shop.publish({ env: { ...trust, HTTPS_PROXY: proxy.url } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
  expect(run.annotations[0]?.message).toContain('no byte moved for 1 seconds')
  expect(shop.service.versions.length).toBe(0)
}, 30_000)

test('a tunnel with a password, which stands in no log', async () => {
  const { run, versions, through, requests } = await publishThrough(
    { credentials: CREDENTIALS },
    host => ({ HTTPS_PROXY: `http://${login}@${host}` }),
    { credentials: [PASSWORD, encodeURIComponent(PASSWORD), CREDENTIALS], debug: true }
  )
  expect([run.outputs.outcome, versions]).toEqual(['published', 1])
  expect(through.asked).toHaveLength(2)
  expect(run.masks).toEqual(expect.arrayContaining([PASSWORD, encodeURIComponent(PASSWORD)]))
  expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization')
})

test.each<[string, ProxyOptions, string, RegExp]>([
  [
    'no password for one that wants it',
    { credentials: CREDENTIALS },
    '',
    /the proxy answered 407, so its address needs a user name/
  ],
  [
    'a wrong password',
    { credentials: CREDENTIALS },
    'robot:wrong-one-of-the-proxy@',
    /the proxy answered 407/
  ],
  ['a proxy that forbids the host', { refuses: 403 }, '', /the proxy answered 403/],
  ['a mute proxy', { mute: true }, '', /no connection within 1 seconds/]
])('%s: nothing is published, and it is not tried again', async (_, proxy, credentials, said) => {
  const { run, versions, through } = await publishThrough(
    proxy,
    host => ({ HTTPS_PROXY: `http://${credentials}${host}` }),
    { credentials: ['wrong-one-of-the-proxy'] }
  )
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
  expect(run.annotations[0]?.message).toMatch(said)
  expect([versions, through.asked.length]).toEqual([0, 1])
})

test('a proxy that breaks off is a connection that did not come about: tried four times after the first contact', async () => {
  const { run, versions, through } = await publishThrough({ resets: true }, host => ({
    HTTPS_PROXY: `http://${host}`
  }))
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
  expect(run.annotations[0]?.message).toMatch(/connection through the proxy 127.0.0.1:\d+ was lost/)
  expect([versions, through.asked.length]).toEqual([0, 5])
}, 60_000)

test.each(['not an address at all', 'http://robot:%zz-secret-of-the-proxy@127.0.0.1:9'])(
  'an address of a proxy that is none (%s): told without quoting it',
  async address => {
    const { run, versions } = await publishThrough({}, () => ({ HTTPS_PROXY: address }), {
      credentials: ['%zz-secret-of-the-proxy']
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
    expect(run.annotations[0]?.message).toContain('HTTPS_PROXY is not an address')
    expect(versions).toBe(0)
  }
)

test.each(['NO_PROXY', 'no_proxy'])('what %s names is reached directly', async name => {
  await using shop = await openShop({ inputs: { once: 'off' } })
  await using proxy = await openProxy()
  const run = await shop.publish({
    env: { HTTP_PROXY: proxy.url, [name]: 'example.com, 127.0.0.1' }
  })
  expect([run.outputs.outcome, proxy.accepted]).toEqual(['published', 0])
})

test.each(['HTTP_PROXY', 'http_proxy'])(
  'plain HTTP goes in absolute form, by %s with a password, and the memory’s calls go the same way',
  async name => {
    await using shop = await openShop()
    await using proxy = await openProxy({ credentials: CREDENTIALS })
    const env = { [name]: `http://${login}@${proxy.host}` }
    const run = await shop.publish({ env, credentials: [PASSWORD, CREDENTIALS] })
    expect([run.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
    expect(proxy.asked).toContain(`POST ${shop.service.url}/api/products/12/versions`)
    expect(proxy.asked.filter(line => line.includes('/deployments')).length).toBeGreaterThan(2)
  }
)

test('plain HTTP without the password that the proxy wants', async () => {
  await using shop = await openShop({ inputs: { once: 'off' } })
  await write(shop)
  await using proxy = await openProxy({ credentials: CREDENTIALS })
  const run = await shop.publish({ env: { HTTP_PROXY: proxy.url } })
  expect(run.outputs.outcome).not.toBe('published')
  expect(run.log).toMatch(/407/)
  expect(shop.service.versions.length).toBe(0)
})

/** A large file. 32 MiB are more than a connection takes unread: a refusal comes before the tail. */
function write(shop: Shop, mebibytes = 32): Promise<void> {
  return shop.write(FILE, Buffer.alloc(mebibytes * 1024 * 1024))
}
