// A number for each license by its id, in 20 bytes a place: a million licenses of two lists would not fit otherwise.
import { hash } from 'node:crypto'

/** What is known of licenses; a mark is a number from 1 on, 0 stands for none. */
export interface Digests {
  readonly size: number
  markOf(id: string): number
  /** Sets the mark of an id, and returns the one that it had. */
  mark(id: string, mark: number): number
}

/** Of an id, 96 bits of a hash are kept: a million of them collide with a chance of 10^-17. */
const ID_WORDS = 3

/** Returns an empty table, by open addressing: an id is in the place that it names, or in the next free one. */
export function openDigests(): Digests {
  let ids = new Uint32Array(ID_WORDS * 1024)
  let marks = new Float64Array(1024)
  let size = 0
  const find = ([one = 0, two, three]: Uint32Array): number => {
    for (let place = one % marks.length; ; place = (place + 1) % marks.length) {
      const at = ID_WORDS * place
      const isFound = ids[at] === one && ids[at + 1] === two && ids[at + 2] === three
      if (isFound || marks[place] === 0) return place
    }
  }
  const put = (id: Uint32Array, mark: number): number => {
    const place = find(id)
    const before = marks[place] ?? 0
    ids.set(id, ID_WORDS * place)
    marks[place] = mark
    return before
  }
  const grow = () => {
    const [oldIds, oldMarks] = [ids, marks]
    ids = new Uint32Array(2 * oldIds.length)
    marks = new Float64Array(2 * oldMarks.length)
    for (const [place, mark] of oldMarks.entries()) {
      if (mark !== 0) put(oldIds.subarray(ID_WORDS * place, ID_WORDS * (place + 1)), mark)
    }
  }
  return {
    get size() {
      return size
    },
    markOf: id => marks[find(digestOfId(id))] ?? 0,
    mark(id, mark) {
      const before = put(digestOfId(id), mark)
      if (before === 0) size++
      if (size > 0.75 * marks.length) grow()
      return before
    }
  }
}

function digestOfId(id: string): Uint32Array {
  // As a text, it is made three times as fast as in a buffer.
  const digest = hash('sha256', id, 'hex')
  const wordAt = (place: number) => Number.parseInt(digest.slice(place, place + 8), 16)
  return Uint32Array.of(wordAt(0), wordAt(8), wordAt(16))
}
