// Which licenses are kept: those of the wanted product that were not there before. Counts them by product.
import { hash } from 'node:crypto'
import type { License } from '../shop/license-page.ts'

/** A product, and how many of its licenses were kept. */
export interface ProductCount {
  readonly product: string
  readonly count: number
}

export interface Selection {
  /** The licenses of a page that are to be written. */
  pick(licenses: readonly License[]): readonly License[]
  /** How many were picked so far. */
  readonly count: number
  /** How many came again, and were left out. */
  readonly repeated: number
  /** Those with the most licenses first. */
  products(): ProductCount[]
}

/** 96 bits as Latin-1: 12 characters for each id, however long it is. Two of a million agree once in 10^17. */
function digestOf(id: string): string {
  return hash('sha256', id, 'buffer').toString('latin1', 0, 12)
}

/** Starts a selection; `product` is the only one wanted, or empty for all. */
export function startSelection(product: string): Selection {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  let repeated = 0
  const isNew = ({ id }: License) => {
    const before = seen.size
    return seen.add(digestOf(id)).size > before
  }
  return {
    pick: licenses => {
      const wanted = licenses.filter(({ productId }) => product === '' || productId === product)
      const picked = wanted.filter(isNew)
      repeated += wanted.length - picked.length
      for (const { productId } of picked) counts.set(productId, (counts.get(productId) ?? 0) + 1)
      return picked
    },
    get count() {
      return seen.size
    },
    get repeated() {
      return repeated
    },
    products: () =>
      Array.from(counts, ([name, count]) => ({ product: name, count })).sort(
        (a, b) => b.count - a.count || (a.product < b.product ? -1 : 1)
      )
  }
}
