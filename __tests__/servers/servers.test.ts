// Tests of src/shop/upload.ts: through servers that others wrote, the bytes that were sent arrive, and the outcome is
// true.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { VersionFields } from '../../src/shop/form.ts'
import { startUpload, type VersionUpload } from '../../src/shop/upload.ts'
import type { Decide } from '../http/peers.ts'
import { openProxy } from '../support/proxy.ts'
import { PROXIED, selfSign } from '../support/tls.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'
import {
  openServers,
  over,
  type Servers,
  startGo,
  startNginx,
  startPhp,
  startPython,
  startTinyproxy,
  TOKEN
} from './programs.ts'

const MIB = 1024 * 1024
const { env } = process
const usual = getCACertificates('default')
afterEach(() => {
  delete env.HTTPS_PROXY
  setDefaultCACertificates(usual)
})

const NAME = 'gallery 1.4.2 ü.zip'
const FIELDS: VersionFields = {
  ...VERSION_FIELDS,
  versionName: '1.4.2 "final"',
  title: 'Gallery – ünïcode & more',
  changelog: '- one\n- two; name="x"\n\n--boundary--\n'
}
/** The fields as a server stores them. */
const ARRIVED = {
  version_name: FIELDS.versionName,
  title: FIELDS.title,
  changelog: FIELDS.changelog,
  changelog_format: FIELDS.changelogFormat,
  file_name: NAME
}

async function publishTo(
  baseUrl: string,
  content: Buffer,
  over: Partial<VersionUpload> = {},
  decide: Decide = async () => undefined
) {
  async function* chunks() {
    for (let at = 0; at < content.length; at += MIB / 4) {
      yield Buffer.from(content.subarray(at, at + MIB / 4))
    }
  }

  const upload = await startUpload(connect, {
    service: { baseUrl, token: TOKEN },
    route: { product: 12 },
    conceal: String,
    fields: FIELDS,
    file: {
      name: NAME,
      size: content.length,
      chunks
    },
    patience: {
      stall: 10_000,
      answer: 20_000,
      grace: 1000
    },
    signal: new AbortController().signal,
    ...over
  })
  if (upload.kind !== 'held') return upload

  try {
    await decide(upload.ended)
  } catch (error) {
    return upload.withhold(error instanceof Error ? error : new Error(String(error)))
  }
  return upload.finish()
}

const http = (port: number) => `http://127.0.0.1:${port}`
const LIMIT = 'client_max_body_size 64m;'

type Setup = readonly [
  /** The programs that have to be installed. */
  needs: readonly string[],
  kind: string,
  /** Returns the address of the shop. */
  start: (servers: Servers) => Promise<string>
]

const SETUPS: readonly Setup[] = [
  [['python3'], 'Python’s http.server', async servers => http(await startPython(servers))],
  [['php'], 'PHP’s built-in server', async servers => http(await startPhp(servers))],
  [['go'], 'Go’s net/http', async servers => http(await startGo(servers))],
  [
    ['nginx', 'php'],
    'nginx that buffers, in front of PHP',
    async servers => http(await startNginx(servers, await startPhp(servers), LIMIT))
  ],
  [
    ['nginx', 'python3'],
    'nginx that does not buffer, in front of Python',
    async servers => {
      const settings = `${LIMIT} proxy_request_buffering off;`
      return http(await startNginx(servers, await startPython(servers), settings))
    }
  ],
  [
    ['tinyproxy', 'nginx', 'python3'],
    'tinyproxy, to nginx with TLS in front of Python',
    async servers => {
      const tls = selfSign()
      setDefaultCACertificates([tls.cert])
      // A loopback address is reached without a proxy, and only our own proxy knows the name.
      const proxy = await openProxy()
      servers.keep(proxy)
      env.HTTPS_PROXY = http(await startTinyproxy(servers, proxy.host))
      const port = await startNginx(servers, await startPython(servers), LIMIT, tls)
      return `https://${PROXIED}:${port}`
    }
  ]
]

for (const [needs, kind, start] of SETUPS) {
  over(needs)(`${kind} (needs ${needs.join(', ')})`, () => {
    test.each([1, 100_000, 5 * MIB + 1])(
      '%i bytes and every field arrive unchanged',
      async size => {
        await using servers = await openServers()
        const content = randomBytes(size)
        const result = await publishTo(await start(servers), content)
        expect(result).toMatchObject({ kind: 'published', record: { id: '7' } })

        const stored = await servers.stored()
        expect(stored?.fields).toEqual(ARRIVED)
        expect(stored?.file.equals(content)).toBe(true)
      }
    )

    test('with a wrong token, or without its tail, nothing is published or stored', async () => {
      await using servers = await openServers()
      const baseUrl = await start(servers)

      const service = { baseUrl, token: 'another' }
      const refused = await publishTo(baseUrl, randomBytes(MIB), { service })
      expect(refused).toMatchObject({ kind: 'rejected', status: 401 })

      const withhold = () => Promise.reject(new Error('another run publishes this'))
      const withheld = await publishTo(baseUrl, randomBytes(MIB), {}, withhold)
      expect(withheld.kind).toBe('notSent')
      expect(await servers.stored()).toBeUndefined()
    })
  })
}

over(['nginx', 'python3'])('nginx with a small client_max_body_size (needs nginx, python3)', () => {
  // With a record on GitHub, the tail waits for seconds; an answer that comes meanwhile is certain.
  const decide = () => sleep(500)

  test.each(['on', 'off'])('refuses with 413, with request buffering %s', async buffering => {
    await using servers = await openServers()
    const settings = `client_max_body_size 64k; proxy_request_buffering ${buffering};`
    const port = await startNginx(servers, await startPython(servers), settings)
    for (const size of [MIB, 8 * MIB]) {
      const result = await publishTo(http(port), randomBytes(size), {}, decide)
      expect(result).toMatchObject({ kind: 'rejected', status: 413, webPage: true })
    }
    expect(await servers.stored()).toBeUndefined()
  })
})
