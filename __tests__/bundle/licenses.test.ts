// Tests the licenses action as the runner starts it: what it leaves behind, and that no id is in what it prints.
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { type Run, type RunOptions, runAction } from '../support/runner.ts'
import { selfSign } from '../support/tls.ts'

const API_KEY = 'licenses|key/that+opens=nothing~here'
const LICENSES = madeUpLicenses(25)

interface Given extends RunOptions {
  readonly pageOf?: (page: number) => unknown
  /** Prepares the service before the run. */
  readonly prepare?: (service: Service) => void
  readonly secure?: boolean
}

interface Left extends Run {
  readonly service: Service
  /** The files in RUNNER_TEMP and in the workspace, with their texts. */
  readonly files: Readonly<Record<string, string>>
  readonly modes: readonly number[]
}

/** Lists with the bundle, and reads what is left; ids may be in files alone. */
async function list(given: Given = {}): Promise<Left> {
  const { pageOf = pagesOf(LICENSES, { size: 10 }), prepare, secure, ...options } = given
  const root = await realpath(await mkdtemp(join(tmpdir(), 'licenses-')))
  const certificate = selfSign()
  const service = await startService({
    token: 'none',
    products: [],
    licenses: { apiKey: API_KEY, pageOf },
    ...(secure ? { tls: certificate } : {})
  })
  try {
    prepare?.(service)
    const [workspace, temp] = [join(root, 'work'), join(root, 'temp')]
    const run = await runAction({
      action: join(ROOT, 'licenses', 'action.yml'),
      workspace,
      temp,
      credentials: [API_KEY],
      debug: true,
      ...options,
      inputs: { 'base-url': service.url, 'api-key': API_KEY, ...options.inputs }
    })
    const names = (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const texts = await Promise.all(names.map(name => readFile(name, 'utf8')))
    const stats = await Promise.all(names.map(name => stat(name)))
    expect(`${run.stdout}${run.stderr}${run.raw.summary}${run.raw.output}`).not.toMatch(/lic_|usr_/)
    expect([run.stderr, run.faults, run.missingOutputs, run.undeclaredOutputs]).toEqual([
      '',
      [],
      [],
      []
    ])
    expect(run.exitCode).toBe(run.outputs.outcome === 'listed' ? 0 : 1)
    return {
      ...run,
      service,
      files: Object.fromEntries(names.map((name, i) => [name.slice(root.length), texts[i] ?? ''])),
      modes: stats.map(({ mode }) => mode & 0o777)
    }
  } finally {
    await service.close()
    await rm(root, { recursive: true, force: true })
  }
}

describe('a listing', () => {
  test.each(['json', 'ndjson', 'csv'])(
    'as %s leaves one file, for its owner alone',
    async format => {
      const run = await list({ inputs: { format } })
      expect(Object.keys(run.files)).toEqual([`/temp/licenses.${format}`])
      expect(run.modes).toEqual([0o600])
      const [text = ''] = Object.values(run.files)
      expect(text.match(/lic_\d+/g)).toEqual(LICENSES.map(({ id }) => id))
      expect(run.outputs).toEqual({
        outcome: 'listed',
        reason: '',
        count: '25',
        pages: '3',
        path: expect.stringMatching(new RegExp(`/temp/licenses\\.${format}$`)),
        next_page: ''
      })
      expect(run.annotations).toEqual([])
      expect(run.summary).toContain('## ✅ 25 licenses')
      expect(run.summary).toMatch(
        /\| Pages read \| 3 \|\n\| File \| .* kB\) \|\n\| SHA-256 \| <code>[\da-f]{64}</
      )
      expect(run.summary).toContain('| 12 | 13 |\n| 13 | 12 |')
    }
  )

  test('of none leaves no file and no folder', async () => {
    const run = await list({ inputs: { format: 'none', output: 'new/a.json' } })
    expect(run.files).toEqual({})
    expect(run.outputs).toMatchObject({ outcome: 'listed', count: '25', path: '' })
  })

  test('sends the key in its header, asks for JSON, and names itself', async () => {
    const { service } = await list()
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      [1, 2, 3].map(page => `GET /api/v1/licenses?page=${page}`)
    )
    for (const { headers } of service.requests) {
      expect(headers['x-api-key']).toBe(API_KEY)
      expect(headers.accept).toBe('application/json')
      expect(headers['user-agent']).toMatch(/^publish-version\/\d/)
      expect(headers.authorization).toBeUndefined()
    }
  })

  test('over TLS does not trust a certificate that nobody vouches for', async () => {
    const run = await list({ secure: true })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-answer' })
    expect(run.log).toMatch(/certificate of .* is not trusted/)
    expect(run.service.requests).toEqual([])
  })

  test('shows other people’s words as they are, and obeys none of them', async () => {
    const evil = '|`*<b>\r::error::x ##[error]y'
    const licenses = LICENSES.map(license => ({ ...license, productId: evil }))
    const run = await list({ pageOf: pagesOf(licenses) })
    expect(run.annotations).toEqual([])
    expect(run.outputs.count).toBe('25')
    const rows = run.summary.split('\n').filter(line => line.endsWith('| 25 |'))
    expect(rows).toHaveLength(1)
    expect(rows[0]).not.toMatch(/<b>|`|\*/)
  })
})

describe('a listing that fails', () => {
  test('for its inputs tells all of them at once, and asks for nothing', async () => {
    const run = await list({
      inputs: { 'api-key': '', format: 'xls', 'max-pages': '0', output: '..' }
    })
    expect(run.annotations.map(({ title }) => title)).toEqual([
      'api-key',
      'format',
      'max-pages',
      'output',
      'No licenses listed'
    ])
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input', count: '0' })
    expect(run.service.requests).toEqual([])
  })

  test('for its key quotes the service, and leaves nothing', async () => {
    const run = await list({ inputs: { 'api-key': 'another-key-that-opens-nothing' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', path: '' })
    expect(run.files).toEqual({})
    expect(run.annotations).toEqual([
      {
        kind: 'error',
        title: 'No licenses listed',
        message: expect.stringMatching(/answered 401: Unauthenticated\..*\n.*`api-key`/)
      }
    ])
    expect(run.summary).toContain('❌ No licenses listed')
  })

  test('names page and field of a wrong value, and not the value', async () => {
    const pages = pagesOf(LICENSES, { size: 10 })
    const run = await list({
      pageOf: page => (page === 2 ? { licenses: [{ ...LICENSES[3], userId: 99 }] } : pages(page))
    })
    expect(run.log).toMatch(/Page 2 from .*`licenses\[0\]\.userId` is a number, not a string/)
    expect(run.outputs).toMatchObject({ reason: 'strange-answer', count: '10', pages: '1' })
    expect(run.files).toEqual({})
  })

  test('behind a proxy that refuses tells of it, and of no password', async () => {
    const proxy = createServer(socket => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const password = 'proxy-password-that-opens-nothing'
    try {
      const run = await list({
        secure: true,
        env: { HTTPS_PROXY: `http://me:${password}@127.0.0.1:${port}` },
        credentials: [API_KEY, password]
      })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-answer' })
      expect(run.service.requests).toEqual([])
    } finally {
      proxy.close()
    }
  })
})

describe('a listing that is cancelled', () => {
  test.each(['SIGINT', 'SIGTERM', 'cancel'] as const)(
    'by %s in the middle of a page ends at once, sets its outputs and leaves no file',
    async signal => {
      let isWaiting = false
      const pages = pagesOf(LICENSES, { size: 10 })
      const run = await list({
        pageOf: page => {
          isWaiting = page === 2
          return pages(page)
        },
        prepare: service =>
          service.misbehave({ kind: 'slow-answer', ms: 0 }, { kind: 'silence-after-body' }),
        signal: { after: () => isWaiting, signal }
      })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled', path: '' })
      expect(run.files).toEqual({})
      expect(run.signal).toBeNull()
    }
  )
})
