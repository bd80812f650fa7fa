// Tests of listing licenses through a proxy, with a certificate authority of one's own.
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { openProxy, type ProxyOptions } from '../support/proxy.ts'
import { runAction } from '../support/runner.ts'
import { selfSign } from '../support/tls.ts'

const HOST = 'shop.example.test'
const API_KEY = 'licenses|key/that+opens=nothing~here'
const PASSWORD = 'p@ss word/of:the%proxy'
let folder: string
let service: Service

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'licenses-proxy-')))
  const tls = selfSign({ host: HOST })
  await writeFile(join(folder, 'authority.pem'), tls.cert)
  const licenses = { apiKey: API_KEY, pageOf: pagesOf(madeUpLicenses(25), { size: 10 }) }
  service = await startService({ token: 'not-a-real-token', products: [], tls, licenses })
})

afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

/** Lists through a proxy that alone knows where the host is. */
async function listThrough(options: ProxyOptions, login: string) {
  await using proxy = await openProxy({ names: { [HOST]: service.origin }, ...options })
  const run = await runAction({
    action: join(ROOT, 'licenses', 'action.yml'),
    inputs: { 'base-url': `https://${HOST}`, 'api-key': API_KEY, format: 'none' },
    credentials: [API_KEY, PASSWORD],
    debug: true,
    env: {
      HTTPS_PROXY: `http://${login}${proxy.host}`,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem')
    }
  })
  return { run, asked: proxy.asked, headers: proxy.headers }
}

test('all pages come through one tunnel, and the key stays inside', async () => {
  const { run, asked, headers } = await listThrough({}, '')
  expect(run.outputs).toMatchObject({ outcome: 'listed', count: '25', pages: '3' })
  expect(asked).toEqual([`CONNECT ${HOST}:443`])
  expect(JSON.stringify(headers)).not.toContain(API_KEY)
})

test('a proxy that wants a password gets it, and no log does', async () => {
  const login = `robot:${encodeURIComponent(PASSWORD)}@`
  const { run } = await listThrough({ credentials: `robot:${PASSWORD}` }, login)
  expect(run.outputs).toMatchObject({ outcome: 'listed', count: '25' })
})

test('a proxy that refuses is told as the proxy', async () => {
  const { run } = await listThrough({ refuses: 403 }, '')
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-answer' })
  expect(run.log).toMatch(/proxy/i)
})
