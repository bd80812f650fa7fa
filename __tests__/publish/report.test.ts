// Tests of src/publish/report.ts: outputs on every way out, for one target and for several.
import { describe, expect, test } from '@jest/globals'
import {
  endedEarly,
  OUTPUT_NAMES,
  outputsOf,
  type Report,
  worstOf
} from '../../src/publish/report.ts'
import { VERSION_FIELDS } from '../../src/shop/version.ts'
import { published, subject } from './reported.ts'

const outputs = (...reports: readonly [Report, ...Report[]]): Record<string, string> =>
  Object.fromEntries(outputsOf(reports))
/** Every field of a record that is not known. */
const UNKNOWN = Object.fromEntries(VERSION_FIELDS.map(field => [field, null]))

describe('outputs', () => {
  test('of a published version', () => {
    expect(outputs(published)).toEqual({
      outcome: 'published',
      reason: '',
      version_id: '7',
      id: '7',
      product_id: '12',
      option_id: '',
      purchase_benefit_id: '',
      benefit_name: '',
      version_number: '3',
      title: 'Spring',
      changelog: '',
      download_url: 'https://shop.example.com/d/7?a=1&b=2',
      file_name: '',
      created_at: '',
      updated_at: '',
      sha256: 'ab'.repeat(32),
      size: '1500000',
      versions: expect.any(String)
    })
  })

  test('come in the declared order, on every way out', () => {
    for (const report of [published, endedEarly('failed', 'bad-input', 'x')]) {
      expect(outputsOf([report]).map(([name]) => name)).toEqual([...OUTPUT_NAMES])
    }
  })

  test('of an end before there was anything are empty but for the end', () => {
    const { outcome, reason, versions, ...rest } = outputs(endedEarly('skipped', 'prerelease', 'x'))
    expect({ outcome, reason }).toEqual({ outcome: 'skipped', reason: 'prerelease' })
    expect(new Set(Object.values(rest))).toEqual(new Set(['']))
    expect(JSON.parse(versions ?? '')).toEqual([
      {
        ...UNKNOWN,
        ...{ outcome: 'skipped', reason: 'prerelease', version_id: null, sha256: null, size: null }
      }
    ])
  })

  test('`versions` holds every field as it was answered, and null for the others', () => {
    expect(JSON.parse(outputs(published).versions ?? '')).toEqual([
      {
        ...UNKNOWN,
        ...published.fields,
        outcome: 'published',
        reason: '',
        version_id: 7,
        sha256: subject.sha256,
        size: 1_500_000
      }
    ])
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
      outcome: 'published',
      reason: '',
      sha256: subject.sha256,
      size: '1500000',
      version_id: '7'
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

  test('the link is always there, shown or not', () => {
    expect(outputs({ ...published, showLink: false }).download_url).toContain('https://')
  })
})

describe('of several targets', () => {
  const second: Report = { ...published, fields: { id: 8, title: 'Summer' } }
  const failed = endedEarly('failed', 'rejected', 'x', '', subject)
  const unknown = endedEarly('unknown', 'no-answer', 'x')

  test('the single outputs are the first one’s, and `versions` has all', () => {
    const { versions, ...single } = outputs(published, second)
    expect(single).toMatchObject({ outcome: 'published', version_id: '7', title: 'Spring' })
    expect(JSON.parse(versions ?? '')).toMatchObject([{ id: 7 }, { id: 8, title: 'Summer' }])
  })

  test('outcome and reason are the worst one’s', () => {
    expect(outputs(published, failed)).toMatchObject({
      ...{ outcome: 'failed', reason: 'rejected', version_id: '7' }
    })
    const [first, ...others] = JSON.parse(outputs(published, failed).versions ?? '')
    expect(first).toMatchObject({ outcome: 'published', reason: '' })
    expect(others).toMatchObject([{ outcome: 'failed', reason: 'rejected', size: subject.size }])
  })

  test.each([
    ['unknown', ['failed', 'unknown', 'published']],
    ['failed', ['skipped', 'failed', 'published']],
    ['published', ['skipped', 'published', 'skipped']],
    ['skipped', ['planned', 'skipped', 'checked']],
    ['planned', ['checked', 'planned']]
  ] as const)('%s is the worst of %j', (worst, [first, ...others]) => {
    const of = (outcome: Report['outcome']) => endedEarly(outcome, '', outcome)
    expect(worstOf([of(first), ...others.map(of)]).outcome).toBe(worst)
  })

  test('of two that are as bad the first speaks', () => {
    const other = endedEarly('unknown', 'in-doubt', 'y')
    expect(worstOf([published, unknown, other])).toBe(unknown)
  })
})
