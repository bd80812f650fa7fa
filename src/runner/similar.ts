// Which word is meant by one that is misspelled. Pure.

/** The letters to insert, delete, replace or swap with a neighbor, to make one text of the other. */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)

  for (let at = 1; at <= one.length; at++) {
    const row = [at]
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]

      const replaced = (last[to - 1] ?? 0) + (isSame ? 0 : 1)
      const inserted = (row[to - 1] ?? 0) + 1
      const deleted = (last[to] ?? 0) + 1
      const swapped = isSwapped ? (before[to - 2] ?? 0) + 1 : Infinity
      row.push(Math.min(replaced, inserted, deleted, swapped))
    }

    before = last
    last = row
  }
  return last.at(-1) ?? 0
}

/** No name of an input or a tag that somebody misspells is longer. */
const WORD_MAX_CHARACTERS = 100

/** The most similar of these words: one letter off, two from six letters on; undefined if there is none. */
export function findSimilar(word: string, words: readonly string[]): string | undefined {
  if (word.length > WORD_MAX_CHARACTERS) return undefined

  const most = word.length < 6 ? 1 : 2
  const near = words.filter(it => Math.abs(it.length - word.length) <= most)
  const rated = near.map(it => ({ word: it, distance: distanceBetween(word, it) }))
  const [best] = rated.toSorted((a, b) => a.distance - b.distance)
  return best && best.distance <= most ? best.word : undefined
}
