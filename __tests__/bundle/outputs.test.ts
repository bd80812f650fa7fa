// Owns the outputs on dist/: the record's fields and ours, on every way out.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Run } from '../support/runner.ts'
import { NOTES, openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
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

describe('after a publication', () => {
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
    expect(record?.created_at).toMatch(/^\d{4}-/)
    const own = { outcome: 'published', reason: '', version_id: 1001, sha256, size: zip.length }
    expect(versionsOf(run)).toEqual([{ ...record, ...own }])
  })

  test('any field but the id may be null', async () => {
    await using shop = await openShop(off)
    shop.service.misbehave({ kind: 'odd-answer', shape: 'nulls' })
    const { versions: _, ...outputs } = (await shop.publish()).outputs
    const size = String(shop.zip.length)
    const known = { outcome: 'published', version_id: '1001', id: '1001', sha256: shop.sha256 }
    expect(outputs).toEqual({ ...EMPTY, ...known, size })
  })

  test('other fields are kept in `versions`, pass for none of ours, and keep long ids', async () => {
    await using shop = await openShop(off)
    const ours = '"outcome":"failed","sha256":"mine","version_id":8,"versions":"x"'
    const body = `{"data":{"id":9007199254740993123,"nested":{"a":[1,null]},${ours}}}`
    shop.service.misbehave({ kind: 'answer', status: 200, body })
    const run = await shop.publish()
    const { sha256 } = shop
    expect(run.outputs).toMatchObject({ outcome: 'published', version_id: '9007199254740993123' })
    expect(run.outputs.versions).toContain('"id":9007199254740993123,')
    expect(versionsOf(run)).toMatchObject([
      { outcome: 'published', sha256, nested: { a: [1, null] } }
    ])
  })
})

describe('on every other way out, every output is set', () => {
  const silly: Fault = { kind: 'odd-answer', shape: 'broken-json' }
  const rows: readonly (readonly [
    name: string,
    options: PublishOptions & { readonly fault?: Fault },
    outcome: string,
    reason: string
  ])[] = [
    ['a release event of another action', { action: 'edited' }, 'skipped', 'event-action'],
    ['no file', { inputs: { file: 'none.zip' } }, 'failed', 'no-file'],
    ['an answer that says nothing', { fault: silly }, 'unknown', 'strange-answer']
  ]
  test.each(rows)('%s', async (_, { fault, ...options }, outcome, reason) => {
    await using shop = await openShop(off)
    if (fault) shop.service.misbehave(fault)
    const run = await shop.publish(options)
    const { versions: _versions, ...outputs } = run.outputs
    const sent = { sha256: shop.sha256, size: String(shop.zip.length) }
    expect(outputs).toEqual({ ...EMPTY, ...(fault ? sent : {}), outcome, reason })
    expect(versionsOf(run)).toMatchObject([{ outcome, reason }])
    expect(Object.keys(versionsOf(run)[0] ?? {}).sort()).toEqual([...RECORD, ...OURS].sort())
  })

  test('already published: what the memory holds', async () => {
    await using shop = await openShop()
    const first = await shop.publish()
    const again = await shop.publish({ attempt: 2 })
    expect(again.outputs).toMatchObject({
      outcome: 'skipped',
      reason: 'already-published',
      ...{ version_id: '1001', id: '1001', sha256: shop.sha256, size: '315' },
      ...{ file_name: 'gallery-1.4.2.zip', download_url: first.outputs.download_url },
      ...{ title: 'Gallery 1.4.2', changelog: NOTES, product_id: '', created_at: '' }
    })
    expect(versionsOf(again)).toMatchObject([{ id: 1001, version_id: 1001 }])
  })
})
