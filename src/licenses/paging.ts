// Follows the list from page to page: where it ends, goes in circles, or contradicts itself.
import type { License } from '../shop/licenses.ts'
import { type Asking, askForPage, ListingError } from './pages.ts'

export interface PageRange {
  readonly firstPage: number
  readonly maxPages: number | undefined
}

/** How the list ended. */
export interface ListEnd {
  /** The first page that was not read because of `maxPages`. */
  readonly next?: number
  /** The list went on, but brought no other licenses. */
  readonly isCircling?: true
}

/** After so many pages in a row without a new license. A list that grows while it is read brings one or two. */
export const CIRCLING_PAGES = 10

/** Takes the licenses. */
export interface LicenseReader {
  /** Returns how many of a page's licenses no earlier page had. */
  take(licenses: readonly License[]): Promise<number>
  isKnown(license: License): boolean
}

/**
 * Passes each page to the reader. A page that names itself or an earlier one as the next, or that is empty and
 * names one, may be the last, or the list is broken: then one more page is asked for, and decides. Throws a
 * `ListingError` or a `CancelledError`.
 */
export async function readPages(
  asking: Asking,
  { firstPage, maxPages }: PageRange,
  reader: LicenseReader
): Promise<ListEnd> {
  let circling = 0
  let number = firstPage
  for (let read = 1; ; read++) {
    const { licenses, next } = await askForPage(asking, number)
    const fresh = await reader.take(licenses)
    if (next === undefined) return {}
    if (next <= number || licenses.length === 0) {
      const empty = licenses.length === 0 ? 'is empty, and ' : ''
      const doubt = `page ${number} ${empty}names page ${next} as the next one`
      await expectNothingNew(asking, Math.max(next, number + 1), doubt, reader)
      return {}
    }
    circling = fresh > 0 ? 0 : circling + 1
    if (circling === CIRCLING_PAGES) return { isCircling: true }
    if (read === maxPages) return { next }
    number = next
  }
}

async function expectNothingNew(
  asking: Asking,
  number: number,
  doubt: string,
  reader: LicenseReader
): Promise<void> {
  const { licenses } = await askForPage(asking, number, { mayLack: true })
  if (!licenses.every(license => reader.isKnown(license))) {
    throw new ListingError(
      'strange-answer',
      `The list contradicts itself: ${doubt}, but page ${number} has licenses that no earlier page had`,
      'Run this job again. If it happens again, tell the shop.'
    )
  }
  asking.info(`The list ends here: ${doubt}, and page ${number} has no other licenses.`)
}
