// Tests of src/release/edits.ts: edits put in order, and made.
import { expect, test } from '@jest/globals'
import { applyEdits, inOrder } from '../../src/changelog/edits.ts'

test.each([
  [
    'apart',
    [
      { start: 4, end: 5, text: 'E' },
      { start: 0, end: 1, text: 'A' },
      { start: 2, end: 2, text: '-' }
    ],
    'Ab-cdEf'
  ],
  [
    'one within the other',
    [
      { start: 2, end: 3, text: 'C' },
      { start: 1, end: 4, text: 'X' }
    ],
    'aXef'
  ],
  [
    'overlapping: what both cover goes',
    [
      { start: 1, end: 3, text: 'X' },
      { start: 2, end: 5, text: 'Y' }
    ],
    'af'
  ],
  [
    'touching',
    [
      { start: 1, end: 3, text: 'X' },
      { start: 3, end: 5, text: 'Y' }
    ],
    'aXYf'
  ]
])('edits %s', (_, edits, text) => {
  expect(applyEdits('abcdef', inOrder(edits))).toBe(text)
})
