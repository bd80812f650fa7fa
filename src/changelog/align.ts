// Lays two lists side by side: which entry of one is which of the other. Pure.

/** With more entries that are in one list alone, the lists are not of the same text. */
const MOST_DIFFERENCES = 2000

/**
 * The longest common subsequence, by Myers' algorithm (https://doi.org/10.1007/BF01840446): for each
 * entry of `left` the index of its counterpart in `right`, or -1. Undefined when they differ too much.
 */
export function align(left: readonly string[], right: readonly string[]): number[] | undefined {
  const shortest = Math.min(left.length, right.length)
  let head = 0
  while (head < shortest && left[head] === right[head]) head++
  let tail = 0
  while (tail < shortest - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  const ends = [left.length - tail, right.length - tail] as const
  const middle = alignMiddle(left.slice(head, ends[0]), right.slice(head, ends[1]))
  return (
    middle &&
    left.map((_, index) => {
      if (index < head) return index
      if (index >= ends[0]) return index + ends[1] - ends[0]
      const found = middle[index - head] ?? -1
      return found < 0 ? -1 : found + head
    })
  )
}

/** How far each diagonal was followed; diagonal `k` stands at `k + edits + 1`. */
type Frontier = Int32Array

function alignMiddle(left: readonly string[], right: readonly string[]): number[] | undefined {
  const frontiers: Frontier[] = []
  for (let edits = 0; edits <= MOST_DIFFERENCES; edits++) {
    const frontier = new Int32Array(2 * edits + 3)
    const last = frontiers.at(-1)
    frontiers.push(frontier)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = last ? step(last, diagonal, edits).x : 0
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++
      frontier[diagonal + edits + 1] = x
      if (x >= left.length && x - diagonal >= right.length) {
        return walkBack(frontiers, left.length, right.length)
      }
    }
  }
  return undefined
}

/** From the frontier with one edit less: the diagonal that is left, and where this one is reached. */
function step(last: Frontier, diagonal: number, edits: number) {
  const below = last[diagonal + edits - 1] ?? 0
  const above = last[diagonal + edits + 1] ?? 0
  const isDown = diagonal === -edits || (diagonal !== edits && below < above)
  return isDown ? { from: diagonal + 1, x: above } : { from: diagonal - 1, x: below + 1 }
}

function walkBack(frontiers: readonly Frontier[], width: number, height: number): number[] {
  const counterparts = new Array<number>(width).fill(-1)
  let [x, y] = [width, height]
  for (let edits = frontiers.length - 1; edits >= 0; edits--) {
    const last = frontiers[edits - 1]
    const { from } = last ? step(last, x - y, edits) : { from: 0 }
    const start = last ? (last[from + edits] ?? 0) : 0
    while (x > start && y > start - from) counterparts[--x] = --y
    x = start
    y = start - from
  }
  return counterparts
}
