// Owns the outputs: the record's fields and ours, on every way out.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import type { Run } from '../support/runner.ts'
import { NOTES, openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
const RECORD = [
  'id',
  'product_id',
  'option_id',
  'purchase_benefit_id',
  'benefit_name',
  'version_number',
  'title',
  'changelog',
  'download_url',
  'file_name',
  'created_at',
  'updated_at'
]
const OURS = ['outcome', 'reason', 'version_id', 'sha256', 'size']
/** Of a plan alone. */
const PLAN = { plan: '', plan_digest: '' }

function versionsOf(run: Run): readonly Record<string, unknown>[] {
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  return Array.isArray(versions) ? versions : []
}

describe('after a publication', () => {
  test('every field of the record is an output, and so are outcome, digest and size', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ inputs: { benefit: '34' } })
    const { versions: _, ...outputs } = run.outputs
    const record = shop.service.versions[0]?.record
    expect(outputs).toEqual({
      outcome: 'published',
      reason: '',
      version_id: '1001',
      id: '1001',
      product_id: '12',
      option_id: '5',
      purchase_benefit_id: '34',
      benefit_name: 'Gallery for studios',
      version_number: '1',
      title: 'Gallery 1.4.2',
      changelog: NOTES,
      download_url: record?.download_url,
      file_name: 'gallery-1.4.2.zip',
      created_at: record?.created_at,
      updated_at: record?.updated_at,
      sha256: shop.sha256,
      size: String(shop.zip.length),
      ...{ plan: '', plan_digest: '' }
    })
    expect(record?.created_at).toMatch(/^\d{4}-/)
  })

  test('`versions` holds the same as JSON, with the types of the service', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ inputs: { benefit: '34' } })
    expect(versionsOf(run)).toEqual([
      {
        ...shop.service.versions[0]?.record,
        outcome: 'published',
        reason: '',
        version_id: 1001,
        sha256: shop.sha256,
        size: shop.zip.length
      }
    ])
  })

  test('on the product route, what is null is empty', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ option_id: '', purchase_benefit_id: '', benefit_name: '' })
    expect(versionsOf(run)).toMatchObject([{ option_id: null, benefit_name: null }])
  })

  test('any field but the id may be null', async () => {
    await using shop = await openShop(off)
    shop.service.misbehave({ kind: 'odd-answer', shape: 'nulls' })
    const run = await shop.publish()
    const { versions: _, ...outputs } = run.outputs
    const empty = Object.fromEntries(RECORD.map(name => [name, '']))
    expect(outputs).toEqual({
      ...empty,
      ...{ outcome: 'published', reason: '', version_id: '1001', id: '1001' },
      ...{ sha256: shop.sha256, size: String(shop.zip.length), plan: '', plan_digest: '' }
    })
  })

  test('fields that no document names are kept in `versions`', async () => {
    await using shop = await openShop(off)
    const record = { id: 7, product_id: '12', channel: 'stable', nested: { a: [1, null] } }
    shop.service.misbehave({ kind: 'answer', status: 200, body: { data: record } })
    const run = await shop.publish()
    expect(versionsOf(run)).toMatchObject([record])
    expect(run.outputs).toMatchObject({ outcome: 'published', id: '7', created_at: '' })
  })

  test('a field of the answer cannot pass for one of ours', async () => {
    await using shop = await openShop(off)
    const record = {
      id: 7,
      outcome: 'failed',
      sha256: 'mine',
      size: 1,
      version_id: 8,
      versions: 'x'
    }
    shop.service.misbehave({ kind: 'answer', status: 201, body: { data: record } })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({
      outcome: 'published',
      version_id: '7',
      sha256: shop.sha256
    })
    expect(versionsOf(run)).toMatchObject([{ outcome: 'published', version_id: 7, size: 315 }])
  })

  test('an id too large for a number keeps its digits', async () => {
    await using shop = await openShop(off)
    const body = '{"data":{"id":9007199254740993123,"option_id":9007199254740995}}'
    shop.service.misbehave({ kind: 'answer', status: 201, body })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({
      version_id: '9007199254740993123',
      option_id: '9007199254740995'
    })
    expect(run.outputs.versions).toContain('"id":9007199254740993123')
  })
})

describe('on every other way out, every output is set', () => {
  const early = { sha256: '', size: '' }
  const refusal: Fault = { kind: 'answer', status: 403, stored: false, body: { message: 'No.' } }
  const silly: Fault = { kind: 'odd-answer', shape: 'broken-json' }
  const rows: readonly (readonly [
    name: string,
    options: PublishOptions & { readonly fault?: Fault },
    outcome: string,
    reason: string
  ])[] = [
    ['a release event of another action', { action: 'edited' }, 'skipped', 'event-action'],
    ['a wrong input', { inputs: { product: 'x' } }, 'failed', 'bad-input'],
    ['no file', { inputs: { file: 'none.zip' } }, 'failed', 'no-file'],
    ['a refusal', { fault: refusal }, 'failed', 'rejected'],
    ['an answer that says nothing', { fault: silly }, 'unknown', 'strange-answer']
  ]
  test.each(rows)('%s', async (_, { fault, ...options }, outcome, reason) => {
    await using shop = await openShop(off)
    if (fault) shop.service.misbehave(fault)
    const run = await shop.publish(options)
    const { versions: _versions, ...outputs } = run.outputs
    const sent = { sha256: shop.sha256, size: String(shop.zip.length) }
    expect(outputs).toEqual({
      ...Object.fromEntries([...RECORD, ...OURS].map(name => [name, ''])),
      ...(fault ? sent : early),
      ...PLAN,
      outcome,
      reason
    })
    expect(versionsOf(run)).toMatchObject([{ outcome, reason }])
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
    expect(shop.service.versions).toHaveLength(1)
  })

  test('`versions` has the same keys on every way out', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ inputs: { product: 'x' } })
    expect(Object.keys(versionsOf(run)[0] ?? {}).sort()).toEqual([...RECORD, ...OURS].sort())
  })

  test('the id in `versions` is a number, also when it comes from the memory', async () => {
    await using shop = await openShop()
    await shop.publish()
    expect(versionsOf(await shop.publish({ attempt: 2 }))).toMatchObject([
      { id: 1001, version_id: 1001 }
    ])
  })
})
