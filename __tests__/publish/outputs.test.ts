// Tests of src/publish/outputs.ts: outputs on every way out, for one target and for several, and how long they get.
import { describe, expect, test } from '@jest/globals'
import { fitOutputs, OUTPUT_NAMES, outputsOf } from '../../src/publish/outputs.ts'
import { endedEarly, type Report, type Reports } from '../../src/publish/report.ts'
import { VERSION_FIELDS } from '../../src/shop/version.ts'
import { published, subject } from './reported.ts'

const outputs = (...reports: Reports): Record<string, string> =>
  Object.fromEntries(outputsOf(reports))
/** Every field of a record that is not known. */
const UNKNOWN = Object.fromEntries(VERSION_FIELDS.map(field => [field, null]))

describe('outputs', () => {
  test('of a published version', () => {
    const { versions = '', ...single } = outputs(published)
    expect(single).toEqual({
      ...{ outcome: 'published', reason: '', version_id: '7', id: '7', product_id: '12' },
      ...{ option_id: '', purchase_benefit_id: '', benefit_name: '', version_number: '3' },
      ...{ title: 'Spring', changelog: '', file_name: '', created_at: '', updated_at: '' },
      download_url: 'https://shop.example.com/d/7?a=1&b=2',
      ...{ sha256: 'ab'.repeat(32), size: '1500000', plan: '', plan_digest: '' }
    })
    expect(JSON.parse(versions)).toEqual([
      {
        ...{ ...UNKNOWN, ...published.fields, outcome: 'published', reason: '', version_id: 7 },
        ...{ sha256: subject.sha256, size: 1_500_000 }
      }
    ])
  })

  test('of an end before there was anything are all set, and empty but for the end', () => {
    const report = endedEarly('skipped', 'prerelease', 'x')
    expect(outputsOf([report]).map(([name]) => name)).toEqual([...OUTPUT_NAMES])
    const { outcome, reason, versions = '', ...rest } = outputs(report)
    expect({ outcome, reason }).toEqual({ outcome: 'skipped', reason: 'prerelease' })
    expect(new Set(Object.values(rest))).toEqual(new Set(['']))
    const end = { outcome, reason, version_id: null, sha256: null, size: null }
    expect(JSON.parse(versions)).toEqual([{ ...UNKNOWN, ...end }])
  })

  test('digits that a number cannot hold stay', () => {
    const id = 12345678901234567890n
    const { id: single, version_id, versions } = outputs({ ...published, fields: { id } })
    expect({ single, version_id }).toEqual({ single: String(id), version_id: String(id) })
    expect(versions).toContain(`"id":${id}`)
  })

  test('fields with our names do not outrank ours', () => {
    const fields = { id: 7, outcome: 'failed', reason: 'x', sha256: 'y', size: 0, version_id: 9 }
    expect(outputs({ ...published, fields })).toMatchObject({
      ...{ outcome: 'published', reason: '', version_id: '7' },
      ...{ sha256: subject.sha256, size: '1500000' }
    })
  })

  test.each([
    ['a number', 1.5, '1.5'],
    ['a truth value', false, 'false'],
    ['a list', ['a', 1], '["a",1]'],
    ['an object', { a: { b: null } }, '{"a":{"b":null}}'],
    ['null', null, ''],
    ['a text, as it is', 'a\n"b"', 'a\n"b"']
  ])('a field may be %s', (_, title, expected) => {
    expect(outputs({ ...published, fields: { id: 1, title } }).title).toBe(expected)
  })

  test('have the link in any case, shown or not', () => {
    expect(outputs({ ...published, showLink: false }).download_url).toContain('https://')
  })
})

describe('outputs of several targets', () => {
  const second: Report = { ...published, fields: { id: 8, title: 'Summer' } }
  const failed = endedEarly('failed', 'rejected', 'x', '', subject)

  test('are the first one’s, and `versions` has all', () => {
    const { versions = '', ...single } = outputs(published, second)
    expect(single).toMatchObject({ outcome: 'published', version_id: '7', title: 'Spring' })
    expect(JSON.parse(versions)).toMatchObject([{ id: 7 }, { id: 8, title: 'Summer' }])
  })

  test('have the worst one’s outcome and reason', () => {
    const { versions = '', ...single } = outputs(published, failed)
    expect(single).toMatchObject({ outcome: 'failed', reason: 'rejected', version_id: '7' })
    expect(JSON.parse(versions)).toMatchObject([
      { outcome: 'published', reason: '' },
      { outcome: 'failed', reason: 'rejected', size: subject.size }
    ])
  })
})

describe('outputs that a job cannot pass on', () => {
  const withFields = (fields: Record<string, unknown>): Report => ({ ...published, fields })
  const sizeOf = (reports: Reports) =>
    outputsOf(reports).reduce((bytes, [, value]) => bytes + 2 * value.length, 0)

  test('that fit are as they were', () => {
    expect(fitOutputs([published])).toEqual({ fitting: [published], leftOut: '' })
  })

  test('lose the longest field first', () => {
    const fields = { id: 7, title: 't'.repeat(100_000), changelog: 'c'.repeat(300_000) }
    const { fitting, leftOut } = fitOutputs([withFields(fields)])
    expect(fitting[0].fields).toEqual({ id: 7, title: fields.title })
    expect(leftOut).toMatch(/1 MB.* null in `versions`: changelog\. The changelog that was sent/)
  })

  test('of many targets keep every id', () => {
    const one = withFields({ id: 7, changelog: 'c'.repeat(125_000) })
    const { fitting, leftOut } = fitOutputs([one, ...Array.from({ length: 20 }, () => one)])
    expect(fitting.map(({ fields }) => fields.id)).toEqual(Array.from({ length: 21 }, () => 7))
    expect(sizeOf(fitting)).toBeLessThanOrEqual(1_000_000)
    expect(sizeOf(fitting)).toBeGreaterThan(600_000)
    expect(leftOut).toMatch(/: changelog of versions\[0\], .* and 8 more\./)
  })

  test.each([
    ['a long name', { ['n'.repeat(600_000)]: null }],
    ['quotes, each of which takes two places', { title: '"'.repeat(300_000) }],
    ['an integer of many digits', { id: 10n ** 200_000n }],
    [
      'nothing but small fields',
      Object.fromEntries(Array.from({ length: 99_999 }, (_, i) => [i, i]))
    ]
  ])('fit also with %s', (_, fields) => {
    const { fitting, leftOut } = fitOutputs([withFields({ ...fields, file_name: 'a.zip' })])
    expect(sizeOf(fitting)).toBeLessThanOrEqual(1_000_000)
    expect(fitting[0].fields.file_name).toBe('a.zip')
    expect(leftOut.length).toBeLessThan(1_000_000)
  })
})
