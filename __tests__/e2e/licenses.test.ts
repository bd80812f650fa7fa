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

/** In milliseconds: a generous bound, for machines that are busy. */
const SECONDS = 25_000
const MEBIBYTE = 1024 ** 2
const LARGE_PAGE = gzipSync(`{"licenses":[]${' '.repeat(64 * MEBIBYTE)}}`)
const GZIP = { 'content-encoding': 'gzip' }

test.each<[string, Fault]>([
  ['that never ends', { kind: 'endless-answer' }],
  ['of 64 MiB, compressed', { kind: 'answer', status: 200, body: LARGE_PAGE, headers: GZIP }]
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
