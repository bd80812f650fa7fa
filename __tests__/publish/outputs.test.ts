// Tests of src/publish/outputs.ts: how fields become texts, and how long outputs get.
import { describe, expect, test } from '@jest/globals'
import { fitOutputs, outputsOf } from '../../src/publish/outputs.ts'
import type { Report, Reports } from '../../src/publish/report.ts'
import { published } from './reported.ts'

const outputs = (...reports: Reports): Record<string, string> =>
  Object.fromEntries(outputsOf(reports))

describe('outputs', () => {
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
