// Tests of src/publish/output-limit.ts: which fields go when the outputs would be too long, and which stay.
import { describe, expect, test } from '@jest/globals'
import { fitOutputs } from '../../src/publish/output-limit.ts'
import { outputsOf, type Report, type Reports } from '../../src/publish/report.ts'
import { published } from './reported.ts'

const withFields = (fields: Readonly<Record<string, unknown>>): Report => ({ ...published, fields })
const sizeOf = (reports: Reports) =>
  outputsOf(reports).reduce((bytes, [, value]) => bytes + 2 * value.length, 0)

describe('outputs', () => {
  test('that fit are left alone', () => {
    const reports: Reports = [withFields({ id: 7, changelog: 'c'.repeat(200_000) })]
    expect(fitOutputs(reports)).toEqual({ fitting: reports, leftOut: '' })
    expect(fitOutputs(reports).fitting).toBe(reports)
  })

  test('that do not lose the longest field first, and no more than they have to', () => {
    const fields = { id: 7, title: 't'.repeat(1000), changelog: 'c'.repeat(140_000) }
    const { fitting, leftOut } = fitOutputs([withFields({ ...fields, extra: 'x'.repeat(300_000) })])
    expect(fitting[0].fields).toEqual(fields)
    expect(leftOut).toContain('in `versions`: extra. ')
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
