// Follows the list from page to page: where it ends, goes in circles, or contradicts itself.
import type { License } from '../shop/licenses.ts'
import type { ListInputs } from './inputs.ts'
import { type Asking, askForPage, ListingError } from './pages.ts'

/** How the list ended: at its end, before page `next` because of `maxPages`, or while it went in circles. */
export interface ListEnd {
  readonly next?: number
  readonly isCircling?: true
}

/** Gets the licenses of the pages. */
export interface LicenseReader {
  /** Takes those of a page, and returns whether any of them is new. */
  take(licenses: readonly License[]): Promise<boolean>
  isKnown(license: License): boolean
}

/** After so many pages in a row without a new license. A list that grows while it is read brings one or two. */
export const CIRCLING_PAGES = 10

/**
 * Passes each page to the reader. A page that names itself or an earlier one as the next, or that is empty and
 * names one, may be the last, or the list is broken: then one more page is asked for, and decides. Throws a
 * `ListingError` or a `CancelledError`.
 */
export async function readPages(
  asking: Asking,
  { firstPage, maxPages }: Pick<ListInputs, 'firstPage' | 'maxPages'>,
  reader: LicenseReader
): Promise<ListEnd> {
  let circling = 0
  let number = firstPage
  for (let read = 1; ; read++) {
    const { licenses, next } = await askForPage(asking, number)
    const isFresh = await reader.take(licenses)
    if (next === undefined) return {}
    if (next <= number || licenses.length === 0) {
      const after = Math.max(next, number + 1)
      const { licenses: others } = await askForPage(asking, after, { mayLack: true })
      const empty = licenses.length === 0 ? 'is empty, and ' : ''
      const doubt = `page ${number} ${empty}names page ${next} as the next one`
      if (!others.every(license => reader.isKnown(license))) throw contradiction(doubt, after)
      asking.info(`The list ends here: ${doubt}, and page ${after} has no other licenses.`)
      return {}
    }
    circling = isFresh ? 0 : circling + 1
    if (circling === CIRCLING_PAGES) return { isCircling: true }
    if (read === maxPages) return { next }
    number = next
  }
}

function contradiction(doubt: string, page: number): ListingError {
  const message = `The list contradicts itself: ${doubt}, but page ${page} has licenses that no earlier page had`
  const advice = 'Run this job again. If it happens again, tell the shop.'
  return new ListingError('strange-answer', message, advice)
}
