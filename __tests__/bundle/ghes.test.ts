// Owns a GitHub Enterprise Server of three years ago, from its documented shapes, that a release is published from.
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { listenOn } from '../../sandbox/listener.ts'
import { packed } from '../support/archives.ts'
import { BY_HAND, GITHUB_TOKEN, openShop } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

const BYTES = packed('the bytes of an attached archive '.repeat(40_000))
const INPUTS = { file: '', asset: '*.zip', 'asset-timeout': '0.2' }
const CREATOR = { login: 'octocat', id: 1, type: 'User', site_admin: false }

interface Deployment {
  readonly id: number
  readonly sent: Readonly<Record<string, unknown>>
  readonly statuses: Readonly<Record<string, unknown>>[]
}

/**
 * Version 3.9, with a certificate of its own: everything below `/api/v3`, assets without digest, releases without
 * `immutable`, files on another host.
 */
async function openEnterprise() {
  const tls = selfSign()
  const deployments: Deployment[] = []
  const unknown: string[] = []
  const downloads: (string | undefined)[] = []
  let clock = Date.parse('2026-01-02T03:04:05Z')

  const storage = createServer(tls, (request, response) => {
    downloads.push(request.headers.authorization)
    response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES)
  })
  const server = createServer(tls, async (request, response) => {
    const sent = await text(request)
    clock += 3000
    send(response, answerTo(request, JSON.parse(sent || '{}')))
  })
  const origin = `https://${await listenOn(server)}`
  const files = `https://${await listenOn(storage)}`
  const api = `${origin}/api/v3/repos/acme/gallery`

  const time = () => new Date(clock).toISOString().replace(/\.\d+/, '')
  const asset = () => ({
    ...{ url: `${api}/releases/assets/7`, id: 7, node_id: 'x', name: 'gallery-1.4.2.zip' },
    ...{ label: null, content_type: 'application/zip', state: 'uploaded', size: BYTES.length },
    ...{ download_count: 0, uploader: CREATOR, created_at: time(), updated_at: time() },
    browser_download_url: `${origin}/acme/gallery/releases/download/v1.4.2/gallery-1.4.2.zip`
  })
  const release = () => ({
    ...{ url: `${api}/releases/5`, id: 5, node_id: 'x', tag_name: 'v1.4.2', name: null },
    ...{ target_commitish: 'main', draft: false, prerelease: false, author: CREATOR },
    ...{ html_url: `${origin}/acme/gallery/releases/tag/v1.4.2`, assets: [asset()] },
    ...{ created_at: time(), published_at: time(), body: '- Albums can be sorted.' }
  })
  const deployment = ({ id, sent }: Deployment) => ({
    ...{ url: `${api}/deployments/${id}`, id, node_id: 'x', sha: 'a'.repeat(40) },
    ...{ ref: sent.ref, task: sent.task, payload: sent.payload, environment: sent.environment },
    ...{ original_environment: sent.environment, description: sent.description, creator: CREATOR },
    ...{ created_at: time(), updated_at: time(), transient_environment: false },
    ...{ statuses_url: `${api}/deployments/${id}/statuses`, production_environment: false }
  })

  function answerTo({ method = '', url = '' }: IncomingMessage, sent: Deployment['sent']): unknown {
    const { pathname, searchParams } = new URL(url, origin)
    const route = `${method} ${pathname.replace(/^\/api\/v3\/repos\/acme\/gallery(?=\/|$)/, '') || '/'}`
    const found = deployments.find(({ id }) => route.includes(`/deployments/${id}/`))
    const isPast = Number(searchParams.get('page') ?? 1) > 1
    if (route === 'GET /') return { id: 3, name: 'gallery', private: true, default_branch: 'main' }
    if (/^GET \/releases\/(5|tags\/v1\.4\.2)$/.test(route)) return release()
    if (route === 'GET /releases') return isPast ? [] : [release()]
    if (route === 'GET /releases/5/assets') return isPast ? [] : [asset()]
    if (route === 'GET /releases/assets/7') return new URL(`${files}/7?signature=x`)
    if (route.startsWith('GET /commits/')) return { sha: 'a'.repeat(40) }
    if (route === 'GET /deployments') return isPast ? [] : deployments.map(deployment).reverse()
    if (route === 'POST /deployments') {
      const made = { id: deployments.length + 1, sent, statuses: [] }
      deployments.push(made)
      return deployment(made)
    }
    if (found && method === 'POST')
      found.statuses.push({ id: clock, creator: CREATOR, created_at: time(), ...sent })
    if (found) return method === 'POST' ? found.statuses.at(-1) : found.statuses.toReversed()
    unknown.push(route)
    return undefined
  }

  function send(response: ServerResponse, answer: unknown) {
    const headers = { date: new Date(clock).toUTCString(), 'x-github-enterprise-version': '3.9.0' }
    if (answer instanceof URL) {
      response.writeHead(302, { ...headers, location: answer.href }).end()
      return
    }
    const body = answer ?? { message: 'Not Found' }
    const status = answer === undefined ? 404 : 200
    response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(body))
  }

  return {
    ...{ origin, authority: tls.cert, deployments, unknown, downloads },
    async [Symbol.asyncDispose]() {
      for (const one of [server, storage]) one.closeAllConnections()
      for (const one of [server, storage]) await new Promise(resolve => one.close(resolve))
    }
  }
}

test('a release of an older GitHub Enterprise Server is published once, with its attached file', async () => {
  await using shop = await openShop({ inputs: { ...INPUTS, tag: 'v1.4.2' } })
  await using enterprise = await openEnterprise()
  const authority = join(shop.workspace, 'authority.pem')
  await writeFile(authority, enterprise.authority)
  const env = {
    NODE_EXTRA_CA_CERTS: authority,
    GITHUB_SERVER_URL: enterprise.origin,
    GITHUB_API_URL: `${enterprise.origin}/api/v3`,
    GITHUB_GRAPHQL_URL: `${enterprise.origin}/api/graphql`
  }
  const first = await shop.publish({ event: BY_HAND, env })
  expect(first.outputs).toMatchObject({ outcome: 'published', title: 'v1.4.2' })
  expect((await shop.service.versions[0]?.bytes())?.equals(BYTES)).toBe(true)
  // The token does not go to the host of the files.
  expect(enterprise.downloads).toEqual([undefined])
  const states = enterprise.deployments.flatMap(({ statuses }) => statuses.map(it => it.state))
  expect([enterprise.deployments.length, ...states]).toEqual([1, 'in_progress', 'success'])
  const again = await shop.publish({ event: BY_HAND, env, attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  // No GraphQL, and nothing else that this version has not.
  expect([shop.service.versions.length, enterprise.unknown]).toEqual([1, []])
  expect(JSON.stringify(enterprise.deployments)).not.toContain(GITHUB_TOKEN)
})
