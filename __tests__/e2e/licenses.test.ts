// Tests of dist/: what the licenses action leaves behind, and that no id is in what it prints.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { NO_RESULTS } from '../licenses/listing.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix, PRIVATE } from '../support/platform.ts'
import { beginTake, describeShop } from '../support/recording.ts'
import { type RunOptions, runAction } from '../support/runner.ts'

const API_KEY = 'licenses|key/that+opens=nothing~here'
const LICENSES = madeUpLicenses(25)
const PAGES = pagesOf(LICENSES, { size: 10 })

interface Given extends RunOptions {
  readonly pageOf?: (page: number) => unknown
  /** Prepares the service before the run. */
  readonly prepare?: (service: Service) => void
}

/** Lists with the bundle, and reads what is left; ids may be in files alone. */
async function list({ pageOf = PAGES, prepare, ...options }: Given = {}) {
  const workspace = makeFolder()
  const temp = makeFolder()
  const service = await startService({
    token: 'none',
    products: [],
    licenses: { apiKey: API_KEY, pageOf }
  })
  prepare?.(service)
  const endTake = beginTake('servers')

  const run = await runAction({
    action: join(ROOT, 'licenses', 'action.yml'),
    workspace,
    temp,
    debug: true,
    credentials: [API_KEY],
    ...options,
    inputs: {
      'base-url': service.url,
      'api-key': API_KEY,
      ...options.inputs
    }
  })
  endTake({ 'requests to the shop': describeShop(service.requests) })
  await service.close()

  expect(`${run.stdout}${run.stderr}${run.raw.summary}${run.raw.output}`).not.toMatch(/lic_|usr_/)
  const exitCode = run.signal ? null : Number(run.outputs.outcome !== 'listed')
  expect([run.stderr, run.exitCode]).toEqual(['', exitCode])
  if (!run.signal) expect(run.missingOutputs).toEqual([])

  return {
    ...run,
    inWorkspace: filesIn(workspace),
    inTemp: filesIn(temp),
    temp,
    requests: service.requests
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).map(name => join(folder, name))
}

test('it asks for page after page with the key, and leaves one file that only its owner can read', async () => {
  const run = await list({ inputs: { format: 'csv' } })
  const path = join(run.temp, 'licenses.csv')

  expect([run.inWorkspace, run.inTemp]).toEqual([[], [path]])
  expect(statSync(path).mode & 0o777).toBe(PRIVATE)

  const ids = readFileSync(path, 'utf8').match(/lic_\d+/g)
  expect(ids).toEqual(LICENSES.map(({ id }) => id))

  const asked = [1, 2, 3].map(page => `GET /api/v1/licenses?page=${page}`)
  expect(run.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(asked)
  for (const { headers } of run.requests) {
    expect(headers).toMatchObject({ 'x-api-key': API_KEY, accept: 'application/json' })
    expect(headers.authorization).toBeUndefined()
  }

  expect(run.outputs).toEqual({
    ...NO_RESULTS,
    outcome: 'listed',
    path,
    count: '25'
  })
  expect(run.annotations).toEqual([])

  expect(run.summary).toContain('## ✅ 25 licenses')
  const facts = /^<table>\n.*Pages read<.*>3<.*\n.*File<.* kB\)</m
  expect(run.summary).toMatch(facts)
})

const CANCELLED = {
  outcome: 'failed',
  reason: 'cancelled',
  path: ''
}

onPosix.each([
  ['cancel', 'sets its outputs, and leaves no file', CANCELLED],
  ['SIGKILL', 'leaves nothing under the file’s name', {}]
] as const)('%s, not on Windows, in the middle of a page %s', async (signal, _, outcome) => {
  let isWaiting = false
  const pageOf = (page: number) => {
    isWaiting = page === 2
    return PAGES(page)
  }

  const prepare = (service: Service) =>
    service.misbehave({ kind: 'slow-answer', ms: 0 }, { kind: 'silence-after-body' })

  const run = await list({
    pageOf,
    prepare,
    inputs: { output: 'licenses.json' },
    interruption: { after: () => isWaiting, signal }
  })

  expect(run.outputs).toMatchObject(outcome)
  const left = signal === 'cancel' ? [] : [expect.stringMatching(/\/\.licenses\.json\..*\.part$/)]
  expect([run.inWorkspace, run.inTemp]).toEqual([left, []])
})

test('in CSV, what begins a formula is harmless, behind whatever separator it stands', async () => {
  const [one] = LICENSES
  const license = {
    ...one,
    userId: 'a;=1+1',
    creatorId: 'a\t@SUM(1)',
    productId: '-1|+1',
    expires: '\t=1'
  }
  const pageOf = () => ({ licenses: [license] })
  const run = await list({ pageOf, inputs: { format: 'csv' } })
  const [, row] = readFileSync(join(run.temp, 'licenses.csv'), 'utf8').split('\r\n')
  const cells = [license.id, "a;'=1+1", "a\t'@SUM(1)", "'-1|'+1", "'\t'=1", license.maxIps]
  expect(row).toBe(cells.map(cell => `"${cell}"`).join(','))
})

/** An id of a license, and a user, that no pattern tells from a word. */
const ID = 'MonaLisasLicense'
const QUERY = 'owner=OctocatTheBuyer'

test.each<[string, Fault, RegExp]>([
  [
    'the address that a redirect points to',
    { kind: 'answer', status: 302, headers: { location: `/api/v1/licenses/${ID}?${QUERY}` } },
    / answered 302 \(it points to http:\/\/127\.0\.0\.1:\d+\)\.\n/
  ],
  [
    'such an address on another host',
    { kind: 'answer', status: 301, headers: { location: `https://${ID}@example.com/${ID}` } },
    / answered 301 \(it points to https:\/\/example\.com\)\.\n/
  ],
  [
    'what the shop says',
    { kind: 'answer', status: 404, body: { message: `No ${ID}.`, errors: { [ID]: [QUERY] } } },
    / answered 404\.\n/
  ]
])('%s is not shown, since an id may stand in it', async (_, fault, said) => {
  const run = await list({ prepare: service => service.misbehave(fault) })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', path: '' })
  expect(run.log).toMatch(said)
  expect(`${run.stdout}${run.raw.summary}${run.raw.output}`).not.toMatch(/mona|octocat/i)
})

/** In milliseconds: a generous bound, for machines that are busy. */
const SECONDS = 25_000
const MEBIBYTE = 1024 ** 2
const LARGE_PAGE = `{"licenses":[]${' '.repeat(64 * MEBIBYTE)}}`
const GZIP = { 'content-encoding': 'gzip' }

test.each<[string, Fault]>([
  ['that never ends', { kind: 'endless-answer' }],
  ['of 64 MiB', { kind: 'answer', status: 200, body: LARGE_PAGE }],
  [
    'of 64 MiB, compressed',
    { kind: 'answer', status: 200, body: gzipSync(LARGE_PAGE), headers: GZIP }
  ]
])('of a page %s, no more than 8 MiB are read', async (_, fault) => {
  const started = performance.now()
  const run = await list({ prepare: service => service.misbehave(fault) })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
  expect(run.log).toContain('8388608')
  expect([run.inWorkspace, run.inTemp]).toEqual([[], []])
  expect(performance.now() - started).toBeLessThan(SECONDS)
})

test('a page of nearly 8 MiB is read', async () => {
  const licenses = madeUpLicenses(62_000)
  const run = await list({ pageOf: () => ({ licenses }) })
  expect(JSON.stringify({ licenses }).length / MEBIBYTE).toBeGreaterThan(7)
  expect(run.outputs).toMatchObject({ outcome: 'listed', count: '62000' })
})

const nested = (levels: number) =>
  JSON.stringify(LICENSES[0]).replace('}', `,"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
const longIds = (page: number) =>
  madeUpLicenses(400).map(one => ({ ...one, id: `${'n'.repeat(16_400)}${page}-${one.id}` }))

test.each<[string, (page: number) => unknown, RegExp]>([
  ['nested too deeply', () => `{"licenses":[${nested(1_000_000)}]}`, /`licenses\[0\]` nested too/],
  // They share one hash, so that keeping them would take longer and longer.
  [
    'with ids that are no ids',
    page => ({ licenses: longIds(page), nextPage: page < 40 ? page + 1 : 0 }),
    /a `licenses\[0\]\.id` of 16\d+ characters/
  ]
])('licenses %s end in seconds, as the shop’s', async (_, pageOf, said) => {
  const started = performance.now()
  const run = await list({ pageOf })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
  expect(run.log).toMatch(said)
  expect(performance.now() - started).toBeLessThan(SECONDS)
})
