// Owns the way through a proxy, as users set it: by the environment, with and without a password.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { LARGE } from '../support/archives.ts'
import { openProxy, type ProxyOptions } from '../support/proxy.ts'
import { runAction } from '../support/runner.ts'
import { BY_HAND, FILE, openShop, type PublishOptions } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

const HOST = 'shop.example.test'
const PASSWORD = 'p@ss word/of:the%proxy'
const CREDENTIALS = `robot:${PASSWORD}`
const LOGIN = `robot:${encodeURIComponent(PASSWORD)}@`

/** Publishes to a shop whose certificate names a host that only the proxy finds. */
async function publishThrough(
  options: ProxyOptions,
  env: (host: string) => Readonly<Record<string, string>>,
  more: PublishOptions = {}
) {
  const tls = selfSign({ host: HOST })
  const inputs = { record: 'false', 'base-url': `https://${HOST}`, 'stall-timeout': '1' }
  await using shop = await openShop({ service: { tls }, inputs })
  const authority = join(shop.workspace, 'authority.pem')
  await writeFile(authority, tls.cert)
  // A cut upload must not fit into the buffers of sockets, or its tail has gone before it is cut.
  await shop.write(FILE, Buffer.alloc(options.cuts === undefined ? LARGE / 8 : 2 * LARGE))
  await using proxy = await openProxy({ names: { [HOST]: shop.service.origin }, ...options })
  const trust = { NODE_EXTRA_CA_CERTS: authority }
  const run = await shop.publish({ ...more, env: { ...trust, ...env(proxy.host) } })
  const { versions, requests } = shop.service
  return { run, told: [run.outputs.outcome, versions.length], requests, proxy }
}

test('a tunnel by https_proxy, which wins, with a password that stands in no log, and a NO_PROXY for others', async () => {
  const { run, told, requests, proxy } = await publishThrough(
    { credentials: CREDENTIALS },
    host => ({
      https_proxy: `http://${LOGIN}${host}`,
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: 'example.com,localhost'
    }),
    { credentials: [PASSWORD, encodeURIComponent(PASSWORD), CREDENTIALS], debug: true }
  )
  // The first contact, and the publication.
  const asked = [`CONNECT ${HOST}:443`, `CONNECT ${HOST}:443`]
  expect([told, proxy.asked]).toEqual([['published', 1], asked])
  expect(requests[0]?.headers).toMatchObject({ host: HOST })
  // What is for the shop is inside the tunnel, and what is for the proxy is not.
  expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  expect(JSON.stringify(proxy.headers)).not.toContain('Bearer')
  expect(run.masks).toEqual(expect.arrayContaining([PASSWORD, encodeURIComponent(PASSWORD)]))
})

test('a proxy that cuts an upload is named, and the next try publishes', async () => {
  const env = (host: string) => ({ HTTPS_PROXY: `http://${host}` })
  const { run, told, proxy } = await publishThrough({ cuts: 100_000 }, env)
  expect(run.log).toMatch(/the connection through the proxy 127\.0\.0\.1:\d+ was lost \(/)
  expect([told, proxy.asked.length]).toEqual([['published', 1], 3])
})

const GITHUB = 'github.example.test'
test('plain HTTP goes in absolute form, with the password, and without a scheme before it; what goes to this machine goes past the proxy', async () => {
  await using shop = await openShop({ inputs: { record: 'false', tag: 'v1.4.2' } })
  const names = { [GITHUB]: shop.github.url }
  await using proxy = await openProxy({ credentials: CREDENTIALS, names })
  const api = { GITHUB_API_URL: shop.github.url.replace('127.0.0.1', GITHUB) }
  const env = { ...api, http_proxy: LOGIN + proxy.host, no_proxy: 'example.com' }
  const credentials = [PASSWORD, CREDENTIALS]
  const run = await shop.publish({ event: BY_HAND, credentials, env })
  expect([run.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
  expect(proxy.asked).toContain(`GET ${api.GITHUB_API_URL}/repos/acme/gallery/releases/tags/v1.4.2`)
  expect(proxy.asked.filter(line => line.includes('/api/products/'))).toEqual([])
})

test('a proxy that inspects TLS is trusted once NODE_EXTRA_CA_CERTS names its own authority', async () => {
  const authority = selfSign({ host: 'authority.test' })
  const inspects = selfSign({ host: HOST, authority })
  await using shop = await openShop({ inputs: { record: 'false', 'base-url': `https://${HOST}` } })
  await using proxy = await openProxy({ names: { [HOST]: shop.service.origin }, inspects })
  const path = join(shop.workspace, 'authority.pem')
  await writeFile(path, authority.cert)
  const env = { HTTPS_PROXY: proxy.url }
  const { outputs, annotations } = await shop.publish({ env })
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
  expect(annotations[0]?.message).toMatch(
    /no encrypted connection to shop\.example\.test.*UNABLE_TO_VERIFY_LEAF_SIGNATURE.*\n.*a proxy that inspects TLS.*NODE_EXTRA_CA_CERTS/s
  )
  expect(shop.service.requests).toEqual([])
  const trusting = await shop.publish({ env: { ...env, NODE_EXTRA_CA_CERTS: path } })
  expect([trusting.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
})

test('a rehearsal never asks a proxy, whatever NO_PROXY has, and one without a scheme is asked by HTTP', async () => {
  await using shop = await openShop({ inputs: { record: 'false' } })
  // What is down would be asked four times, with pauses.
  await using proxy = await openProxy({ refuses: 403 })
  const env = { HTTP_PROXY: proxy.host, HTTPS_PROXY: proxy.host, NO_PROXY: '127.0.0.0/8' }
  const run = await shop.publish({ env })
  expect([run.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])
  const action = join(ROOT, 'licenses', 'action.yml')
  const inputs = { 'base-url': shop.service.url, 'api-key': 'key' }
  const listed = await runAction({ action, inputs, env, workspace: shop.workspace })
  expect(listed.log).toContain('answered 404')
  expect(proxy.accepted).toBe(0)
  const away = await shop.publish({ env, inputs: { 'base-url': `https://${HOST}` } })
  expect(away.outputs).toMatchObject({ outcome: 'failed', reason: 'not-sent' })
  expect(away.annotations[0]?.message).toMatch(/the proxy answered 403/)
  expect(proxy.asked).toEqual([`CONNECT ${HOST}:443`])
})
