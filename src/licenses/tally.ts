// Sorts the licenses of each page: which are new, of the wanted product, about to expire; and counts them.
import type { License } from '../shop/licenses.ts'
import { isOfProduct, type LicenseNews, noteLicense } from './changes.ts'
import type { Digests } from './digests.ts'
import { makeExpiryFilter } from './expires.ts'
import type { ListInputs } from './inputs.ts'

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

/** The licenses of a page. */
export interface SortedPage {
  /** How many no earlier page had, of any product. */
  readonly fresh: number
  /** Those of the wanted product, with what each is beside an earlier list. */
  readonly wanted: readonly (readonly [LicenseNews, License])[]
  /** Those for the list. */
  readonly kept: readonly License[]
}

/** Returns a function that sorts and counts a page; it throws a `ListingError` about a date that is not read. */
export function makeSorter(
  { product, expiresWithin: days }: ListInputs,
  known: Digests,
  tally: Tally
): (licenses: readonly License[]) => SortedPage {
  const expiresSoon = days === undefined ? () => true : makeExpiryFilter(Date.now(), days)
  return licenses => {
    const all = licenses.map(license => {
      return [noteLicense(known, license, isOfProduct(license, product)), license] as const
    })
    const wanted = all.filter(([, license]) => isOfProduct(license, product))
    const listed = wanted.flatMap(([news, license]) => (news === 'repeated' ? [] : license))
    const kept = listed.filter(({ expires }) => expiresSoon(expires))
    tally.pages++
    tally.count += listed.length
    tally.kept += kept.length
    tally.repeated += wanted.length - listed.length
    tally.others += all.length - wanted.length
    for (const { productId } of listed) {
      tally.products.set(productId, (tally.products.get(productId) ?? 0) + 1)
    }
    return { fresh: all.filter(([news]) => news !== 'repeated').length, wanted, kept }
  }
}
