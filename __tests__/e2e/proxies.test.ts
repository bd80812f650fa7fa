// Tests of dist/: the way through a proxy, as users set it: by the environment, with and without a password.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:process'
import { expect, test } from '@jest/globals'
import { openProxy } from '../support/proxy.ts'
import { BY_HAND, openShop } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

const HOST = 'shop.example.test'
const PASSWORD = 'p@ss word/of:the%proxy'
const CREDENTIALS = `robot:${PASSWORD}`
const LOGIN = `robot:${encodeURIComponent(PASSWORD)}@`

test('https goes through a tunnel by `https_proxy`, which wins over HTTPS_PROXY, and the password is in no log', async () => {
  // The certificate names a host that only the proxy finds.
  const tls = selfSign({ host: HOST })
  const inputs = { 'base-url': `https://${HOST}` }
  await using shop = await openShop({ service: { tls }, inputs })

  const authority = join(shop.workspace, 'authority.pem')
  await writeFile(authority, tls.cert)

  const names = { [HOST]: shop.service.origin }
  await using proxy = await openProxy({ names, credentials: CREDENTIALS })

  const credentials = [PASSWORD, encodeURIComponent(PASSWORD), CREDENTIALS]
  const env = {
    NODE_EXTRA_CA_CERTS: authority,
    https_proxy: `http://${LOGIN}${proxy.host}`,
    // Windows has one variable of both.
    ...(platform === 'win32' ? {} : { HTTPS_PROXY: 'http://127.0.0.1:9' }),
    NO_PROXY: 'example.com,localhost'
  }

  const run = await shop.publish({ credentials, debug: true, env })

  expect([run.outputs.outcome, shop.service.versions.length]).toEqual(['published', 1])

  // The preflight, and the publication.
  expect(proxy.asked).toEqual([`CONNECT ${HOST}:443`, `CONNECT ${HOST}:443`])

  const [request] = shop.service.requests
  expect(request?.headers).toMatchObject({ host: HOST })

  // The shop's headers are inside the tunnel, and the proxy's are not.
  expect(request?.headers).not.toHaveProperty('proxy-authorization')
  expect(JSON.stringify(proxy.headers)).not.toContain('Bearer')

  expect(run.masks).toEqual(expect.arrayContaining([PASSWORD, encodeURIComponent(PASSWORD)]))
})

const GITHUB = 'github.example.test'

test('plain http goes through the proxy in absolute form, with the password; requests to this machine bypass it', async () => {
  await using shop = await openShop({ inputs: { mode: 'check' } })

  const names = { [GITHUB]: shop.github.url }
  await using proxy = await openProxy({ credentials: CREDENTIALS, names })
  const api = shop.github.url.replace('127.0.0.1', GITHUB)

  const run = await shop.publish({
    event: BY_HAND,
    credentials: [PASSWORD, CREDENTIALS],
    env: {
      GITHUB_API_URL: api,
      http_proxy: LOGIN + proxy.host,
      no_proxy: 'example.com'
    }
  })

  expect([run.outputs.outcome, shop.service.requests.length]).toEqual(['checked', 1])
  expect(proxy.asked).toEqual([
    expect.stringContaining(`GET ${api}/repos/acme/gallery/deployments?`)
  ])
})
