// Which ids were there before: a table of fingerprints, at most 48 bytes for each id, also while it grows.
import { fingerprint, WORDS } from './fingerprint.ts'

/** Remembers ids that are given as bytes, a page of them at a time. */
export interface Seen {
  /** Queues the id between two offsets. */
  queue(bytes: Uint8Array, start: number, end: number): void
  /** Takes the queued ids in; for each of them, in their order, 1 if it is new, and else 0. */
  takeIn(): Uint8Array
  /** How many ids are known. */
  readonly size: number
  /** What the table takes, in bytes. */
  readonly bytes: number
}

/** At three quarters it doubles: 16 bytes for each id then, 32 after it, and 48 on the way. */
const FULL = 0.75
const SMALLEST = 1024

/** Starts with no ids. */
export function rememberIds(): Seen {
  let table = new Uint32Array(SMALLEST * WORDS)
  let size = 0
  let queued = 0
  let prints = new Uint32Array(SMALLEST * WORDS)
  return {
    queue: (bytes, start, end) => {
      if (queued * WORDS === prints.length) prints = longer(prints)
      fingerprint(bytes, start, end, prints, queued * WORDS)
      queued++
    },
    takeIn: () => {
      const isNew = new Uint8Array(queued)
      for (let i = 0; i < queued; i++) {
        const at = i * WORDS
        if (!put(table, prints[at] ?? 0, prints[at + 1] ?? 0, prints[at + 2] ?? 0)) continue
        isNew[i] = 1
        size++
        if (size > (table.length / WORDS) * FULL) table = doubled(table)
      }
      queued = 0
      if (prints.length > MOST_PRINTS) prints = new Uint32Array(SMALLEST * WORDS)
      return isNew
    },
    get size() {
      return size
    },
    get bytes() {
      return table.byteLength
    }
  }
}

/** The queue of a page that is larger than others is not kept. */
const MOST_PRINTS = 64 * SMALLEST

function longer(prints: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(prints.length * 2)
  more.set(prints)
  return more
}

function doubled(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(old.length * 2)
  for (let at = 0; at < old.length; at += WORDS) {
    if (old[at] !== 0) put(table, old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0)
  }
  return table
}

/** Puts a fingerprint into its slot, or the next that is free; false when it is there already. */
function put(table: Uint32Array, print: number, second: number, third: number): boolean {
  // A slot whose first word is zero is free. The number of slots is a power of two.
  const first = print === 0 ? 1 : print
  const mask = table.length / WORDS - 1
  for (let slot = second & mask; ; slot = (slot + 1) & mask) {
    const at = slot * WORDS
    if (table[at] === 0) {
      table[at] = first
      table[at + 1] = second
      table[at + 2] = third
      return true
    }
    if (table[at] === first && table[at + 1] === second && table[at + 2] === third) return false
  }
}
