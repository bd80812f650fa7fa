// Which licenses of a page are to be written: those of the wanted product that were not there before.
import { endOf, ID, PRODUCT_ID, startOf } from '../shop/license.ts'
import type { LicensePage } from '../shop/license-page.ts'
import { holdsEscape, textAt } from '../shop/members.ts'
import { rememberIds } from './seen.ts'
import { countProducts, type Tally } from './tally.ts'

export interface Selection {
  /** The places in the page of the licenses to write. */
  pick(page: LicensePage): readonly number[]
  /** How many were picked so far. */
  readonly count: number
  /** How many came again, and were left out. */
  readonly repeated: number
  readonly tally: Tally
}

/** Starts a selection; `product` is the only one wanted, or empty. */
export function startSelection(product: string): Selection {
  const seen = rememberIds()
  const tally = countProducts()
  let repeated = 0
  const queueId = ({ json, spans }: LicensePage, index: number) => {
    const start = startOf(spans, index, ID)
    const end = endOf(spans, index, ID)
    if (!holdsEscape(json, start, end)) {
      seen.queue(json, start + 1, end - 1)
      return
    }
    const id = Buffer.from(textAt(json, start, end))
    seen.queue(id, 0, id.length)
  }
  const findProduct = ({ json, spans }: LicensePage, index: number) =>
    tally.find(json, startOf(spans, index, PRODUCT_ID), endOf(spans, index, PRODUCT_ID))
  return {
    pick: page => {
      const wanted: number[] = []
      for (let index = 0; index < page.count; index++) {
        if (product !== '' && findProduct(page, index).product !== product) continue
        wanted.push(index)
        queueId(page, index)
      }
      const isNew = seen.takeIn()
      const picked = wanted.filter((_, place) => isNew[place] === 1)
      for (const index of picked) tally.add(findProduct(page, index))
      repeated += wanted.length - picked.length
      return picked
    },
    get count() {
      return seen.size
    },
    get repeated() {
      return repeated
    },
    tally
  }
}
