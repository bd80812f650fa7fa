// Tests of src/publish/report.ts: how fields become texts, which report counts, and how long outputs get.
import { expect, test } from '@jest/globals'
import { ended, fitOutputs, outputsOf, type Reports } from '../../src/publish/report.ts'
import { published } from './reported.ts'

const outputs = (reports: Reports): Record<string, string> => Object.fromEntries(outputsOf(reports))

test.each([
  ['a number', 1.5, '1.5'],
  ['a truth value', false, 'false'],
  ['an object', { a: [{ b: null }, 2n ** 64n] }, '{"a":[{"b":null},18446744073709551616]}'],
  ['null', null, ''],
  ['a text, as it is', 'a\n"b"', 'a\n"b"']
])('a field may be %s', (_, title, expected) => {
  expect(outputs([{ ...published, fields: { id: 1, title } }]).title).toBe(expected)
})

test.each([
  ['unknown', ['failed', 'unknown', 'published']],
  ['failed', ['skipped', 'failed', 'published']],
  ['published', ['skipped', 'published', 'skipped']],
  ['planned', ['checked', 'planned']]
] as const)('%s is the worst of %j', (worst, [first, ...others]) => {
  const of = (outcome: (typeof others)[number] | typeof first) => ended(outcome, '', '')
  expect(outputs([of(first), ...others.map(of)]).outcome).toBe(worst)
})

test('outputs that a job cannot pass on lose their changelogs', () => {
  const one = { ...published, fields: { id: 7, title: 'A', changelog: 'c'.repeat(125_000) } }
  expect(fitOutputs([one])).toEqual([one])
  const { id, title, changelog, versions } = outputs(fitOutputs([one, one, one]))
  expect({ id, title, changelog }).toEqual({ id: '7', title: 'A', changelog: '' })
  expect(JSON.parse(versions ?? '')).toMatchObject(Array(3).fill({ id: 7, changelog: null }))
})
