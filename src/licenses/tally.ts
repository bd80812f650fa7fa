// Sorts and counts the licenses of each page: which are new, and of the wanted product.
import type { License } from '../shop/licenses.ts'
import { isOfProduct, type LicenseWithNews, noteLicense } from './changes.ts'
import type { Digests } from './digests.ts'

/** How far the listing got; but for `others`, licenses of the wanted product are counted. */
export interface Tally {
  pages: number
  /** Each license once. */
  count: number
  /** Those that expire soon; without `expires-within`, all. */
  kept: number
  /** Those that came again. */
  repeated: number
  /** Licenses of other products. */
  others: number
  /** By the product's id. */
  readonly products: Map<string, number>
}

/** Returns counts of nothing. */
export function startTally(): Tally {
  return { pages: 0, count: 0, kept: 0, repeated: 0, others: 0, products: new Map() }
}

/** Counts a page; returns its licenses of the wanted product, each with what it is, and how many are new of all. */
export function sortPage(
  licenses: readonly License[],
  product: string,
  known: Digests,
  tally: Tally
): { readonly fresh: number; readonly wanted: readonly LicenseWithNews[] } {
  const all = licenses.map(license => {
    return [noteLicense(known, license, isOfProduct(license, product)), license] as const
  })
  const wanted = all.filter(([, license]) => isOfProduct(license, product))
  tally.pages++
  tally.others += all.length - wanted.length
  for (const [news, { productId }] of wanted) {
    if (news === 'repeated') {
      tally.repeated++
    } else {
      tally.count++
      tally.products.set(productId, (tally.products.get(productId) ?? 0) + 1)
    }
  }
  return { fresh: all.filter(([news]) => news !== 'repeated').length, wanted }
}
