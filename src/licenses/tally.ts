// Counts licenses by product.
import { textAt } from '../shop/members.ts'

/** A product, and how many of its licenses were kept. */
export interface ProductCount {
  readonly product: string
  readonly count: number
}

export interface Tally {
  /** The entry of the product whose id, with its quotes, stands between two offsets. */
  find(json: Buffer, start: number, end: number): Entry
  /** Counts a license of that product. */
  add(entry: Entry): void
  /** The products with the most licenses first. */
  products(): ProductCount[]
  /** Licenses of products that have no count of their own, since there are too many or their ids too long. */
  readonly others: number
}

/** A product, as it is written in the pages. */
export interface Entry {
  readonly product: string
  /** The bytes of its id, with the quotes; none for one that is not counted on its own. */
  readonly raw: Buffer | undefined
  count: number
}

/** So many products are counted each, with ids of so many bytes: memory is not to grow with the licenses. */
const MOST = 10_000
const LONGEST = 256
/** So many are found by their bytes, without a string that is made of them. A power of two. */
const QUICK = 1024

/** Starts with no products. */
export function countProducts(): Tally {
  const entries = new Map<string, Entry>()
  const quick = new Map<number, Entry>()
  let others = 0
  const look = (json: Buffer, start: number, end: number): Entry => {
    // As Latin-1, which tells all bytes apart.
    const key = json.toString('latin1', start, Math.min(end, start + LONGEST + 1))
    const known = entries.get(key)
    if (known) return known
    const product = textAt(json, start, end)
    if (key.length > LONGEST || entries.size >= MOST) return { product, raw: undefined, count: 0 }
    const entry = { product, raw: Buffer.from(key, 'latin1'), count: 0 }
    entries.set(key, entry)
    return entry
  }
  return {
    find: (json, start, end) => {
      const slot = hash(json, start, end) & (QUICK - 1)
      const known = quick.get(slot)
      if (known?.raw && isSame(known.raw, json, start, end)) return known
      const entry = look(json, start, end)
      quick.set(slot, entry)
      return entry
    },
    add: entry => {
      if (entry.raw) entry.count++
      else others++
    },
    products: () => merge(entries.values()),
    get others() {
      return others
    }
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i++) sum = (Math.imul(sum, 31) + (bytes[i] ?? 0)) | 0
  return sum
}

function isSame(raw: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (raw.length !== end - start) return false
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] !== bytes[start + i]) return false
  }
  return true
}

/** One id can be written in several ways in JSON. */
function merge(entries: Iterable<Entry>): ProductCount[] {
  const counts = new Map<string, number>()
  for (const { product, count } of entries) {
    if (count > 0) counts.set(product, (counts.get(product) ?? 0) + count)
  }
  return Array.from(counts, ([product, count]) => ({ product, count })).sort(
    (a, b) => b.count - a.count || (a.product < b.product ? -1 : 1)
  )
}
