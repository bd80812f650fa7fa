// Publishes through servers that others wrote: what arrives is what was sent, and what is told is true.
import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import { type PublishRequest, type PublishResult, publishVersion } from '../../src/shop/publish.ts'
import { selfSign } from '../support/tls.ts'
import {
  find,
  openServers,
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

const FIELDS = {
  versionName: '1.4.2 "final"',
  title: 'Gallery – ünïcode & more',
  changelog: '- one\n- two; name="x"\n\n--boundary--\n',
  changelogFormat: 'markdown'
} as const
const ARRIVED = {
  version_name: FIELDS.versionName,
  title: FIELDS.title,
  changelog: FIELDS.changelog,
  changelog_format: 'markdown',
  file_name: 'gallery 1.4.2 ü.zip'
}

function publishTo(
  baseUrl: string,
  content: Buffer,
  over: Partial<PublishRequest> = {},
  token = TOKEN
): Promise<PublishResult> {
  return publishVersion(connect, 'tests', {
    service: { baseUrl, token },
    route: { product: 12 },
    fields: FIELDS,
    file: {
      name: ARRIVED.file_name,
      size: content.length,
      async *chunks() {
        for (let at = 0; at < content.length; at += MIB / 4)
          yield Buffer.from(content.subarray(at, at + MIB / 4))
      }
    },
    form: { kind: 'multipart' },
    patience: { stall: 10_000, answer: 20_000, grace: 1000 },
    signal: new AbortController().signal,
    commit: async () => undefined,
    ...over
  })
}

interface Setup {
  readonly name: string
  /** Programs that have to be installed. */
  readonly needs: readonly string[]
  /** Starts them, and gives the address of the shop. */
  start(servers: Servers): Promise<string>
}

const http = (port: number) => `http://127.0.0.1:${port}`
const SETUPS: readonly Setup[] = [
  {
    name: 'Python’s http.server',
    needs: ['python3'],
    start: async servers => http(await startPython(servers))
  },
  {
    name: 'PHP’s built-in server',
    needs: ['php'],
    start: async servers => http(await startPhp(servers))
  },
  { name: 'Go’s net/http', needs: ['go'], start: async servers => http(await startGo(servers)) },
  {
    name: 'nginx that buffers, in front of PHP',
    needs: ['nginx', 'php'],
    start: async servers =>
      http(await startNginx(servers, await startPhp(servers), 'client_max_body_size 64m;'))
  },
  {
    name: 'nginx that does not buffer, in front of Python',
    needs: ['nginx', 'python3'],
    start: async servers => {
      const settings = 'client_max_body_size 64m; proxy_request_buffering off;'
      return http(await startNginx(servers, await startPython(servers), settings))
    }
  },
  {
    name: 'tinyproxy, to nginx with TLS in front of Python',
    needs: ['tinyproxy', 'nginx', 'python3'],
    start: async servers => {
      const tls = selfSign()
      setDefaultCACertificates([tls.cert])
      env.HTTPS_PROXY = http(await startTinyproxy(servers))
      const settings = 'client_max_body_size 64m;'
      const port = await startNginx(servers, await startPython(servers), settings, tls)
      return `https://127.0.0.1:${port}`
    }
  }
]

/** Leaves out what is not installed, by name; not where all of it has to be there. */
function over(needs: readonly string[]): typeof describe | typeof describe.skip {
  const missing = needs.filter(program => find(program) === undefined)
  return missing.length > 0 && env.CI_SERVERS !== 'all' ? describe.skip : describe
}

for (const { name, needs, start } of SETUPS) {
  over(needs)(`${name} (needs ${needs.join(', ')})`, () => {
    test.each([1, 100_000, 5 * MIB + 1])(
      '%i bytes arrive as they are, with every field',
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

    test('a wrong token is a refusal, and nothing is stored', async () => {
      await using servers = await openServers()
      const result = await publishTo(await start(servers), randomBytes(MIB), {}, 'another')
      expect(result).toMatchObject({ kind: 'rejected', status: 401 })
      expect(await servers.stored()).toBeUndefined()
    })

    test('a request whose tail is withheld is not published', async () => {
      await using servers = await openServers()
      const commit = () => Promise.reject(new Error('another run publishes this'))
      const result = await publishTo(await start(servers), randomBytes(MIB), { commit })
      expect(result.kind).toBe('notPublished')
      expect(await servers.stored()).toBeUndefined()
    })
  })
}

over(['nginx', 'python3'])('nginx with a small client_max_body_size (needs nginx, python3)', () => {
  test.each(['on', 'off'])('refuses with 413, with request buffering %s', async buffering => {
    await using servers = await openServers()
    const settings = `client_max_body_size 64k; proxy_request_buffering ${buffering};`
    const port = await startNginx(servers, await startPython(servers), settings)
    for (const size of [MIB, 8 * MIB]) {
      const result = await publishTo(http(port), randomBytes(size))
      expect(result).toMatchObject({ kind: 'rejected', status: 413, webPage: true })
    }
    expect(await servers.stored()).toBeUndefined()
  })
})
