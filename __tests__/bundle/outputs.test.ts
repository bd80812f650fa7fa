// Owns the outputs on dist/: the record's fields and ours, on every way out; and who sees the download address.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Run } from '../support/runner.ts'
import { BY_HAND, NOTES, openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { record: 'false' } }
const RECORD = [
  ...['id', 'product_id', 'option_id', 'purchase_benefit_id', 'benefit_name', 'version_number'],
  ...['title', 'changelog', 'download_url', 'file_name', 'created_at', 'updated_at']
]
const OURS = ['outcome', 'reason', 'version_id', 'sha256', 'size']
const EMPTY = Object.fromEntries(
  [...RECORD, ...OURS, 'plan', 'plan_digest'].map(name => [name, ''])
)

function versionsOf(run: Run): readonly Record<string, unknown>[] {
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  return Array.isArray(versions) ? versions : []
}

test('every field of the record is an output, and `versions` has the service’s types', async () => {
  await using shop = await openShop(off)
  const run = await shop.publish({ inputs: { benefit: '34' } })
  const { versions: _, ...outputs } = run.outputs
  const record = shop.service.versions[0]?.record
  const { sha256, zip } = shop
  expect(outputs).toEqual({
    ...EMPTY,
    ...{ outcome: 'published', version_id: '1001', id: '1001', product_id: '12', option_id: '5' },
    ...{ purchase_benefit_id: '34', benefit_name: 'Gallery for studios', version_number: '1' },
    ...{ title: 'Gallery 1.4.2', changelog: NOTES, file_name: 'gallery-1.4.2.zip' },
    ...{ sha256, size: String(zip.length), download_url: record?.download_url },
    ...{ created_at: record?.created_at, updated_at: record?.updated_at }
  })
  const own = { outcome: 'published', reason: '', version_id: 1001, sha256, size: zip.length }
  expect(versionsOf(run)).toEqual([{ ...record, ...own }])
})

test('other fields are kept in `versions`, pass for none of ours, and keep long ids', async () => {
  await using shop = await openShop(off)
  const ours = '"outcome":"failed","sha256":"mine","version_id":8,"versions":"x","title":null'
  const body = `{"data":{"id":9007199254740993123,"nested":{"a":[1,null]},${ours}}}`
  shop.service.misbehave({ kind: 'answer', status: 200, body })
  const run = await shop.publish()
  const { sha256 } = shop
  const known = { outcome: 'published', version_id: '9007199254740993123', title: '', sha256 }
  expect(run.outputs).toMatchObject(known)
  expect(run.outputs.versions).toContain('"id":9007199254740993123,')
  const nested = { a: [1, null] }
  expect(versionsOf(run)).toMatchObject([{ outcome: 'published', sha256, nested }])
})

const BROKEN: Fault = { kind: 'odd-answer', shape: 'broken-json' }
test.each<[string, PublishOptions, Fault[], string, string]>([
  ['a release event of another action', { action: 'edited' }, [], 'skipped', 'event-action'],
  ['no file', { inputs: { file: 'none.zip' } }, [], 'failed', 'no-file'],
  ['an answer that says nothing', {}, [BROKEN], 'unknown', 'strange-answer']
])('every output is set with %s', async (_, options, faults, outcome, reason) => {
  await using shop = await openShop(off)
  shop.service.misbehave(...faults)
  const run = await shop.publish(options)
  const { versions: _versions, ...outputs } = run.outputs
  const sent = { sha256: shop.sha256, size: String(shop.zip.length) }
  expect(outputs).toEqual({ ...EMPTY, ...(faults.length > 0 ? sent : {}), outcome, reason })
  expect(versionsOf(run)).toMatchObject([{ outcome, reason }])
  expect(Object.keys(versionsOf(run)[0] ?? {}).sort()).toEqual([...RECORD, ...OURS].sort())
})

test('field errors: one annotation a field, naming the input that feeds it', async () => {
  await using shop = await openShop(off)
  const errors = {
    version_name: ['The version name has already been taken.'],
    changelog: ['Too long.', 'Too loud.'],
    ...{ title: 'no list', file: [1, null], 'x\ny|z': ['p\nq'] }
  }
  const message = 'No.\n::error::two\r##[warning]three\u2028four'
  shop.service.misbehave({ kind: 'answer', status: 400, body: { message, errors }, stored: false })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', sha256: shop.sha256 })
  expect(run.annotations.map(({ message }) => message)).toEqual([
    expect.stringContaining('400: No.\n| ::error::two\n## [warning]three'),
    'Input version-name (field version_name): The version name has already been taken.',
    'Release notes (field changelog): Too long. Too loud.',
    'Input title (field title): no list',
    'Input file (field file): 1 null',
    'Field x\ny|z: p\nq'
  ])
})

test.each([
  ['auto', false],
  ['show', true]
])('the download address of a public repository, with `%s`: shown is %s', async (policy, shown) => {
  await using shop = await openShop({ private: false, inputs: { 'download-link': policy } })
  const run = await shop.publish()
  const url = shop.service.versions[0]?.record.download_url ?? ''
  expect(run.outputs).toMatchObject({ outcome: 'published', download_url: url })
  expect(run.outputs.versions).toContain(url)
  const [, secret = 'nothing'] = /downloads\/([^/]+)/.exec(url) ?? []
  const places = [run.log, run.summary, JSON.stringify(shop.github.requests)]
  expect(places.map(text => text.includes(secret))).toEqual([shown, shown, shown])
  // A replay knows the address only where it was shown.
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', download_url: shown ? url : '' })
})

test.each([
  ['asked whether it is private', false],
  ['silent', true]
])('a run by hand shows the address only if GitHub, %s, says so', async (_, silent) => {
  await using shop = await openShop(off)
  const on = { path: /^\/repos\/acme\/gallery$/ }
  if (silent) shop.github.misbehave({ kind: 'status', status: 403, on })
  const run = await shop.publish({ event: BY_HAND, inputs: { tag: 'v1.4.2' } })
  expect(run.outputs.download_url).toContain('/downloads/')
  expect((run.log + run.summary).includes('/downloads/')).toBe(!silent)
})
