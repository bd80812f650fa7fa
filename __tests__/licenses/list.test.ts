// Tests of src/licenses/list.ts: every page and license once; and a page that fails is tried again, or reported.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type LastPage, type License, madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { fc } from '../support/properties.ts'
import { API_KEY, NO_RESULTS, openLicenses, openRegister } from './listing.ts'

const ENDINGS: readonly LastPage[] = ['absent', 'null', 'zero', 'same', 'first', 'empty-page']

test('each page is asked for once and each license kept once, in order, however the list ends', async () => {
  const listing = fc.record({
    count: fc.nat({ max: 60 }),
    size: fc.integer({ min: 1, max: 20 }),
    last: fc.constantFrom(...ENDINGS),
    text: fc.boolean(),
    step: fc.constantFrom(1, 1, 3, 1000)
  })
  const property = fc.asyncProperty(listing, async ({ count, ...options }) => {
    const licenses = madeUpLicenses(count)
    await using register = await openLicenses(licenses, options)
    const { outputs, text } = await register.list()

    const filled = Math.max(Math.ceil(count / options.size), 1)
    const pages = options.last === 'empty-page' && count > 0 ? filled + 1 : filled
    const numbers = Array.from({ length: pages }, (_, i) => 1 + i * options.step)
    expect(JSON.parse(text)).toEqual(licenses)
    expect(register.asked()).toEqual(numbers)
    expect(outputs).toEqual({
      ...NO_RESULTS,
      outcome: 'listed',
      path: expect.stringContaining('licenses.json'),
      count: String(count)
    })
  })
  await fc.assert(property, { numRuns: 20 })
})

test('a license that another one pushes on meanwhile is kept once, with a warning', async () => {
  const moves = fc.record({
    count: fc.integer({ min: 1, max: 40 }),
    size: fc.integer({ min: 1, max: 9 }),
    arriving: fc.array(fc.nat({ max: 3 }), { maxLength: 8 })
  })
  const property = fc.asyncProperty(moves, async ({ count, size, arriving }) => {
    const fresh = madeUpLicenses(40).map(license => ({ ...license, id: `new-${license.id}` }))
    let list = madeUpLicenses(count)
    const sent: License[] = []
    await using register = await openRegister(page => {
      const body = pagesOf(list, { size })(page)
      sent.push(...list.slice((page - 1) * size, page * size))
      // New licenses come first, and push the others towards later pages.
      list = [...fresh.splice(0, arriving[page - 1] ?? 0), ...list]
      return body
    })

    const { outputs, text, log } = await register.list()

    const firsts = [...new Map(sent.map(license => [license.id, license])).values()]
    const repeated = sent.length - firsts.length

    expect(JSON.parse(text)).toEqual(firsts)
    expect(outputs.count).toBe(String(firsts.length))

    const said = repeated === 1 ? '1 license came' : `${repeated} licenses came`
    const warnings = repeated === 0 ? [] : [expect.stringContaining(said)]
    expect(log.filter(line => line.startsWith('warning: '))).toEqual(warnings)
  })
  await fc.assert(property, { numRuns: 20 })
})

test('the summary counts, and the log says how far it is', async () => {
  await using register = await openLicenses(madeUpLicenses(301, [12, 13, 13]), { size: 3 })

  const { summary, log, masks } = await register.list()
  expect(summary).toContain('## ✅ 301 licenses')
  expect(log[0]).toBe('info: Pages read: 20; licenses so far: 60.')
  expect(masks).toEqual([API_KEY])
})

test('only the licenses of one product are kept; having none among others is an error', async () => {
  const licenses = madeUpLicenses(30, [12, 13, 120])
  await using register = await openLicenses([
    ...licenses,
    { ...licenses[0], id: 'x', productId: null }
  ])

  const { outputs, text, summary } = await register.list({ product: '12' })
  expect(JSON.parse(text)).toEqual(licenses.filter(({ productId }) => productId === '12'))
  expect(outputs).toMatchObject({ outcome: 'listed', count: '10' })
  expect(summary).toContain('## ✅ 10 licenses')

  const none = await register.list({ product: '99' })
  expect(none.outputs).toMatchObject({
    outcome: 'failed',
    reason: 'bad-input',
    count: '0',
    path: ''
  })
  expect(none.log.at(-1)).toContain(
    'The shop has 31 licenses, and none of the product "99".\nCheck'
  )
  await using empty = await openLicenses([])
  const { outputs: ended, text: list } = await empty.list({ product: '99' })
  expect([ended.outcome, ended.count, list]).toEqual(['listed', '0', '[\n]\n'])
})

test('a field that is null is listed as it is, and in CSV as an empty cell', async () => {
  const [one] = madeUpLicenses(1)
  await using register = await openLicenses([{ ...one, expires: null, maxIps: null }])

  const json = await register.list()
  expect(JSON.parse(json.text)).toEqual([{ ...one, expires: null, maxIps: null }])

  const { outputs, text } = await register.list({ format: 'csv' })
  expect(outputs).toMatchObject({ outcome: 'listed', count: '1' })
  expect(text).toMatch(/,"12","",""\r\n$/)
})

const LICENSES = madeUpLicenses(30)
const answer = (status: number, body: unknown = { message: 'No.' }, headers = {}): Fault => {
  return {
    kind: 'answer',
    status,
    body,
    headers
  }
}
const COMPLAINT = { message: 'No.', errors: { page: ['Too high.'] } }

/** Lists three pages, with these faults at the second one. */
async function listWith(
  faults: readonly Fault[],
  cancelAt?: (line: string) => boolean,
  inputs = {}
) {
  await using register = await openLicenses(LICENSES, { size: 10 })
  register.service.misbehave({ kind: 'slow-answer', ms: 0 }, ...faults)
  const listed = await register.list(inputs, cancelAt)

  return {
    ...listed,
    asked: register.asked(),
    host: new URL(register.service.url).host
  }
}

test.each<[string, Fault]>([
  ['a connection reset before the answer', { kind: 'reset-before-body' }],
  ['a page that ends in its middle', { kind: 'truncated-answer', close: 'fin' }],
  ['a page that is reset in its middle', { kind: 'truncated-answer', close: 'reset' }],
  ['too many requests', answer(429)],
  ['a bad gateway', answer(502, '<html>')]
])('%s is tried again', async (_, fault) => {
  const { outputs, text, asked, pauses } = await listWith([fault])
  expect(outputs).toMatchObject({ outcome: 'listed', count: '30' })
  expect(JSON.parse(text)).toEqual(LICENSES)
  expect(asked).toEqual([1, 2, 2, 3])
  // A kept connection that has died is replaced at once.
  expect(pauses).toHaveLength(fault.kind.startsWith('reset') ? 0 : 1)
})

test('a page that fails four times, after pauses that grow, is reported', async () => {
  const failing = answer(500, { message: 'Oh no' })
  const listed = await listWith([failing, failing, failing, failing])
  expect(listed.asked).toEqual([1, 2, 2, 2, 2])

  expect(listed.pauses).toHaveLength(3)
  expect(listed.pauses).toEqual(listed.pauses.toSorted((a, b) => a - b))
  expect(listed.outputs).toEqual({
    ...NO_RESULTS,
    outcome: 'failed',
    reason: 'rejected',
    count: '10'
  })

  expect(listed.log.at(-1)).toContain(
    [
      `Page 2 failed: ${listed.host} answered 500.`,
      'Press *Re-run failed jobs* later.',
      'No file was written.'
    ].join('\n')
  )
  expect([listed.failed, listed.files]).toEqual([true, []])
})

/** To an address with an id in it. */
const AWAY = { location: 'http://[::2]/api/v1/licenses/lic_1' }
const SHAPE = { licenses: [LICENSES[0], { ...LICENSES[1], maxIps: 'secret-value' }] }

test.each<[string, Fault, string, RegExp]>([
  ['a wrong key', answer(401), 'rejected', /answered 401.*\n.*`api-key`.* is not the token/],
  ['a wrong field', answer(422, COMPLAINT), 'rejected', /answered 422\.\n/],
  ['no such page', answer(404), 'rejected', /answered 404\.\n.*`base-url`/],
  ['an id', answer(403, { message: 'Not lic of mona' }), 'rejected', /answered 403\.\n/],
  ['a redirect', answer(302, '', AWAY), 'rejected', /302 \(it points to http:\/\/\[::2\]\)\.\n/],
  ['silence', { kind: 'silence-after-body' }, 'no-answer', /no byte moved.*\n.*`stall-timeout`/],
  ['silence in a page', { kind: 'trickle-answer', everyMs: 1000 }, 'no-answer', /no byte moved/],
  ['a wrong shape', answer(200, SHAPE), 'strange-answer', /`licenses\[1\]\.maxIps` is a string/],
  ['9 MiB', { kind: 'huge-answer', mebibytes: 9 }, 'strange-answer', /failed: .*8388608/]
])('%s is reported with its page, at once', async (_, fault, reason, message) => {
  const inputs = reason === 'no-answer' ? { 'stall-timeout': '0.4' } : {}
  const listed = await listWith([fault], undefined, inputs)

  expect(listed.outputs).toMatchObject({
    outcome: 'failed',
    reason,
    count: '10'
  })
  expect(listed.log.at(-1)).toMatch(message)

  expect(listed.log.at(-1)).toMatch(/^error: No licenses listed: Page 2 /)
  expect([listed.files, listed.pauses]).toEqual([[], []])
  expect(JSON.stringify(listed)).not.toMatch(/secret-value|lic_|usr_/)
})

test('a page that begins with a byte order mark is read', async () => {
  const page = `\ufeff${JSON.stringify(pagesOf(LICENSES, { size: 10 })(2))}`

  const { outputs, text } = await listWith([answer(200, page)])
  expect(outputs).toMatchObject({ outcome: 'listed', count: '30' })
  expect(JSON.parse(text)).toEqual(LICENSES)
})

test.each([
  ['cancelled', undefined, 'The run was canceled.\nNo file was written.'],
  ['internal', new TypeError('a bug'), 'This should not have happened: a bug\nReport this with']
])('a run that ends as %s between tries leaves nothing behind', async (reason, error, said) => {
  await using register = await openLicenses(LICENSES, { size: 10 })
  register.service.misbehave(answer(503))

  const listed = await register.list({}, line => line.includes('(2 of 4)'), error)
  expect(listed.outputs).toMatchObject({ outcome: 'failed', reason, path: '' })
  expect([listed.log.at(-1), listed.files]).toEqual([expect.stringContaining(said), []])
})
