// Tests of src/release/align.ts: two lists side by side.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { align } from '../../src/changelog/align.ts'

function longest(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0)
  for (const entry of left) {
    const next = [0]
    for (const [index, other] of right.entries()) {
      const common = entry === other ? (row[index] ?? 0) + 1 : 0
      next.push(Math.max(common, row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

test('as many entries as can be are paired, in order, each with its like', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 })
  fc.assert(
    fc.property(list, list, (left, right) => {
      const counterparts = align(left, right) ?? []
      expect(counterparts).toHaveLength(left.length)
      const pairs = [...counterparts.entries()].filter(([, index]) => index >= 0)
      expect(pairs).toHaveLength(longest(left, right))
      expect(pairs.map(([, index]) => index)).toEqual(
        [...new Set(pairs.map(([, index]) => index))].sort((a, b) => a - b)
      )
      for (const [index, other] of pairs) expect(right[other]).toBe(left[index])
    })
  )
})

test('lists that have little in common are not laid side by side', () => {
  const list = (step: number) => Array.from({ length: 3000 }, (_, index) => `${index * step}`)
  expect(align(list(2), list(-3))).toBeUndefined()
  expect(align(list(1), list(1))).toHaveLength(3000)
})
