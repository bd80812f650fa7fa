// Tests of src/release/ranges.ts: where the characters of a text stand in its source.
import { describe, expect, test } from '@jest/globals'
import { locate, overlaps, runAt, union } from '../../src/changelog/ranges.ts'

const range = (start: number, end: number) => ({ start, end })

/** The text `a&b`, a gap, and `cde`, in the source `- a&amp;b\n- cde`. */
const RUNS = [
  { at: 0, length: 1, start: 2, end: 3 },
  { at: 1, length: 1, start: 3, end: 8 },
  { at: 2, length: 1, start: 8, end: 9 },
  { at: 3, length: 1, start: 9, end: 9 },
  { at: 4, length: 3, start: 12, end: 15 }
]

describe('the places of a part of the text', () => {
  test.each([
    ['all of it: what touches is joined', range(0, 7), [range(2, 9), range(12, 15)]],
    ['a character', range(0, 1), [range(2, 3)]],
    ['an entity, whole', range(1, 2), [range(3, 8)]],
    ['the middle of a run', range(5, 6), [range(13, 14)]],
    ['the end of a run, and what lies behind', range(6, 9), [range(14, 15)]],
    ['parts of two runs', range(2, 5), [range(8, 9), range(12, 13)]],
    ['a gap: none', range(3, 4), []],
    ['nothing: none', range(5, 5), []],
    ['what lies behind: none', range(7, 9), []]
  ])('%s', (_, part, places) => {
    expect(locate(RUNS, part)).toEqual(places)
  })

  test('what is decoded as a whole has one place, the whole', () => {
    const runs = [
      { at: 0, length: 2, start: 0, end: 7 },
      { at: 2, length: 2, start: 7, end: 9 }
    ]
    expect(locate(runs, range(1, 3))).toEqual([range(0, 8)])
    expect(locate(runs, range(0, 1))).toEqual([range(0, 7)])
  })

  test('a text without runs has none', () => {
    expect(locate([], range(0, 1))).toEqual([])
  })
})

test('each character is held by one run', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(offset => runAt(RUNS, offset))).toEqual([
    ...[0, 1, 2, 3, 4, 4, 4, 4]
  ])
})

test('ranges are joined where they touch, whatever their order', () => {
  const ranges = [range(8, 9), range(0, 5), range(5, 6), range(1, 2), range(10, 11)]
  expect(union(ranges)).toEqual([range(0, 6), range(8, 9), range(10, 11)])
})

test.each([
  ['before all', range(0, 2), false],
  ['up to the first', range(1, 3), true],
  ['within one', range(3, 4), true],
  ['between two', range(5, 7), false],
  ['around one', range(6, 12), true],
  ['into the last', range(21, 30), true],
  ['after all', range(22, 30), false]
])('whether a range overlaps others: %s', (_, one, does) => {
  expect(overlaps([range(2, 5), range(7, 9), range(20, 22)], one)).toBe(does)
})
