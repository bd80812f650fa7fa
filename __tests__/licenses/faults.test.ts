// Tests what becomes of a listing when the service or the connection fails: tried again, or told, and never half a file.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { type Listed, openLicenses, openRegister } from './listing.ts'

const LICENSES = madeUpLicenses(30)
const HEALTHY: Fault = { kind: 'slow-answer', ms: 0 }
const STALL = { 'stall-timeout': '0.4' }

/** Lists three pages of which the second meets these faults. */
async function listWith(faults: readonly Fault[], inputs: Readonly<Record<string, string>> = {}) {
  await using register = await openLicenses(LICENSES, { size: 10 })
  register.service.misbehave(HEALTHY, ...faults)
  const listed = await register.list({ inputs })
  return { ...listed, asked: register.asked(), host: new URL(register.service.url).host }
}

function errorOf({ log }: Listed): string {
  return log.filter(line => line.startsWith('error: No licenses listed: ')).join('\n')
}

describe('a fault that may pass', () => {
  test.each<[string, Fault]>([
    ['a connection reset before the answer', { kind: 'reset-before-body' }],
    ['a connection reset after the request', { kind: 'reset-after-body' }],
    ['a page that ends in its middle', { kind: 'truncated-answer', close: 'fin' }],
    ['a page that is reset in its middle', { kind: 'truncated-answer', close: 'reset' }],
    ['too many requests', { kind: 'answer', status: 429 }],
    ['an internal error', { kind: 'answer', status: 500 }],
    ['a bad gateway', { kind: 'answer', status: 502, body: '<html>' }],
    ['an answer that it is busy', { kind: 'answer', status: 503 }]
  ])('is tried again: %s', async (_, fault) => {
    const { outputs, text, asked, pauses } = await listWith([fault])
    expect(outputs).toMatchObject({ outcome: 'listed', count: '30', pages: '3' })
    expect(JSON.parse(text)).toEqual(LICENSES)
    expect(asked).toEqual([1, 2, 2, 3])
    // A kept connection that has died is replaced at once.
    expect(pauses).toHaveLength(fault.kind.startsWith('reset') ? 0 : 1)
  })

  test('is tried four times, with pauses that grow, and then told with its page', async () => {
    const failing: Fault = { kind: 'answer', status: 500, body: { message: 'Oh no' } }
    const listed = await listWith([failing, failing, failing, failing])
    expect(listed.asked).toEqual([1, 2, 2, 2, 2])
    const [first = 0, second = 0, third = 0] = listed.pauses
    expect(listed.pauses).toHaveLength(3)
    expect(second).toBeGreaterThan(first)
    expect(third).toBeGreaterThan(second)
    expect(listed.outputs).toEqual({
      outcome: 'failed',
      reason: 'rejected',
      count: '10',
      pages: '1',
      path: '',
      next_page: ''
    })
    expect(errorOf(listed)).toContain(
      `Page 2 failed: ${listed.host} answered 500: Oh no (try 4 of 4). No file was written.`
    )
    expect(listed.files).toEqual([])
    expect(listed.failed).toBe(true)
  })

  test('is given the time that the service asks for', async () => {
    const busy: Fault = { kind: 'answer', status: 429, headers: { 'retry-after': '90' } }
    const { outputs, pauses } = await listWith([busy])
    expect(outputs.outcome).toBe('listed')
    expect(pauses[0]).toBeGreaterThanOrEqual(90_000)
  })

  test('is not waited for when the service asks for more than two minutes', async () => {
    const busy: Fault = { kind: 'answer', status: 429, headers: { 'retry-after': '121' } }
    const { outputs, pauses } = await listWith([busy])
    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(pauses).toEqual([])
  })
})

describe('a fault that does not pass', () => {
  test.each<[string, Fault, string, RegExp]>([
    ['a wrong key', { kind: 'answer', status: 401 }, 'rejected', /answered 401.*\n.*`api-key`/],
    ['no right', { kind: 'answer', status: 403 }, 'rejected', /answered 403/],
    ['no such page', { kind: 'answer', status: 404 }, 'rejected', /answered 404.*\n.*`first-page`/],
    [
      'field errors',
      {
        kind: 'answer',
        status: 422,
        body: { message: 'Wrong.', errors: { page: ['Too large.'] } }
      },
      'rejected',
      /answered 422: Wrong\.: page: Too large\./
    ],
    ['silence instead of an answer', { kind: 'silence-after-body' }, 'no-answer', /no byte moved/],
    ['JSON that is broken', body('{"licenses":[}'), 'strange-answer', /Page 2.*is not JSON/],
    ['an empty answer', body(''), 'strange-answer', /Page 2.*is empty/],
    ['HTML', body('<!doctype html>'), 'strange-answer', /is HTML or XML/],
    [
      'a wrong shape',
      body({ licenses: [LICENSES[0], { ...LICENSES[1], maxIps: 'secret-value' }] }),
      'strange-answer',
      /`licenses\[1\]\.maxIps` is a string, not an integer\. No file/
    ]
  ])('is told with its page: %s', async (_, fault, reason, message) => {
    const listed = await listWith([fault], STALL)
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason, count: '10', pages: '1' })
    expect(errorOf(listed)).toMatch(message)
    expect(listed.files).toEqual([])
    expect(listed.pauses).toEqual([])
    expect(JSON.stringify(listed)).not.toMatch(/secret-value|lic_|usr_/)
  })

  test('is a silence in the middle of a page', async () => {
    const trickle: Fault = { kind: 'trickle-answer', everyMs: 1000 }
    const listed = await listWith([trickle], STALL)
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'no-answer' })
    expect(errorOf(listed)).toMatch(/Page 2 was not answered: no byte moved.*\n.*`stall-timeout`/)
    expect(listed.files).toEqual([])
  })

  test('is a service that never takes the connection up', async () => {
    await using register = await openLicenses(LICENSES)
    register.service.misbehave({ kind: 'silence-at-accept' })
    const { outputs, files } = await register.list({ inputs: STALL })
    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'no-answer', pages: '0' })
    expect(files).toEqual([])
  })

  test('is a page of more than 64 MiB', async () => {
    const listed = await listWith([{ kind: 'huge-answer', mebibytes: 65 }])
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer' })
    expect(errorOf(listed)).toMatch(/Page 2 could not be read: .*67108864/)
  })
})

test('a redirect to another origin is told, and neither it nor the key goes there', async () => {
  await using other = await openLicenses(LICENSES)
  await using register = await openLicenses(LICENSES)
  const location = `${other.service.url}/api/v1/licenses?page=1`
  register.service.misbehave({ kind: 'answer', status: 302, headers: { location } })
  const listed = await register.list()
  expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(errorOf(listed)).toContain(`it points to ${location}`)
  expect(other.asked()).toEqual([])
})

test.each<[string, Fault]>([
  ['is compressed', { kind: 'gzip-answer' }],
  ['has 60 MiB', { kind: 'huge-answer', mebibytes: 60 }],
  [
    'begins with a byte order mark',
    body(`\ufeff${JSON.stringify(pagesOf(LICENSES, { size: 10 })(2))}`)
  ]
])('a page is read that %s', async (_, fault) => {
  const { outputs, text } = await listWith([fault])
  expect(outputs).toMatchObject({ outcome: 'listed', count: '30' })
  expect(JSON.parse(text)).toEqual(LICENSES)
})

test('a run that is cancelled between tries leaves nothing behind', async () => {
  await using register = await openLicenses(LICENSES, { size: 10 })
  register.service.misbehave(HEALTHY, { kind: 'answer', status: 503 })
  const listed = await register.list({ cancelAt: line => line.includes('(2 of 4)') })
  expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled', path: '' })
  expect(listed.files).toEqual([])
})

/** A shop with a page for each of three licenses, which does something before it answers. */
function openThree(before: (page: number) => unknown, temp?: string) {
  return openRegister(
    page =>
      before(page) ?? {
        licenses: LICENSES.slice(page - 1, page),
        nextPage: page < 3 ? page + 1 : 0
      },
    temp
  )
}

describe('the file', () => {
  const inputs = { output: 'new/licenses.json' }

  test('stays as it was when the listing fails', async () => {
    let answer: unknown
    await using register = await openThree(page => (page > 1 ? answer : undefined))
    const before = await register.list({ inputs })
    answer = 'no JSON'
    const after = await register.list({ inputs })
    expect(after.outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
    expect(after.files).toEqual(before.files)
    expect(JSON.parse(await readFile(before.outputs.path ?? '', 'utf8'))).toHaveLength(3)
  })

  test('that cannot be written is told with its path, and fails the step', async () => {
    await using register = await openThree(page => {
      if (page === 2) rmSync(join(register.workspace, 'new'), { recursive: true })
    })
    const listed = await register.list({ inputs })
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'output', path: '' })
    const path = join(register.workspace, 'new', 'licenses.json')
    expect(errorOf(listed)).toContain(`${path} could not be written: `)
    expect([listed.failed, listed.files]).toEqual([true, []])
  })

  test('leaves nothing in the workspace before it is complete, even if the run is killed', async () => {
    const seen: string[][] = []
    await using register = await openThree(() => {
      seen.push(readdirSync(join(register.workspace, 'new')), readdirSync(register.temp))
    })
    const { files } = await register.list({ inputs })
    const drafts = [expect.stringMatching(/^\.licenses\.json\..*\.part$/)]
    expect(seen).toEqual([[], drafts, [], drafts, [], drafts])
    expect(files).toEqual(['new', 'new/licenses.json'].map(normalize))
  })

  // Only Linux has a second file system that is there on every machine.
  const isApart = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev
  ;(isApart ? test : test.skip)('comes from another file system, too', async () => {
    await using register = await openThree(() => undefined, '/dev/shm')
    const { files, text, mode } = await register.list({ inputs })
    expect(files).toEqual(['new', 'new/licenses.json'])
    expect([JSON.parse(text).length, mode]).toEqual([3, 0o600])
  })
})

function body(content: unknown): Fault {
  return { kind: 'answer', status: 200, body: content }
}
