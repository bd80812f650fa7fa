// Tests of src/release/order.ts: which versions come after another.
import { expect, test } from '@jest/globals'
import { higherThan } from '../../src/release/order.ts'

test('the higher ones come, the highest first', () => {
  const others = ['1.9.0', '1.10.0', '1.4.2', 'v2', '1.4.1', '0.9', '1.4.2.1']
  expect(higherThan('1.4.2', others)).toEqual(['v2', '1.10.0', '1.9.0', '1.4.2.1'])
})

test.each([
  ['a pre-release comes before its release', '1.5.0-rc.1', '1.5.0'],
  ['pre-releases are ordered by number', '1.5.0-rc.2', '1.5.0-rc.10'],
  ['a word comes after a number', '1.5.0-1', '1.5.0-alpha'],
  ['alpha, beta', '1.5.0-alpha.1', '1.5.0-beta'],
  ['fewer numbers are filled up with zeros', '2', '2.0.1'],
  ['dates are dotted numbers', '2025.12.31', '2026.1.1'],
  ['a v is no part of it', 'v1.2', '1.3']
])('%s: %s, %s', (_, lower, higher) => {
  expect(higherThan(lower, [higher])).toEqual([higher])
  expect(higherThan(higher, [lower])).toEqual([])
})

test.each([
  ['the same', '1.0', '1.0.0'],
  ['the same but for the build', '1.0.0+1', '1.0.0+2'],
  ['one that is no number', '1.0.0', 'Spring 2026'],
  ['one of five numbers', '1.0.0', '2.0.0.0.1'],
  ['one with a letter', '1.0.0', '2.0b'],
  ['a wildcard', '1.0.0', '2.x']
])('%s is not compared: %s, %s', (_, one, other) => {
  expect(higherThan(one, [other])).toEqual([])
  expect(higherThan(other, [one])).toEqual([])
})
