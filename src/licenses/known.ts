// What is known of licenses while they are listed: which came before, and which an earlier list had. Counts them.
import { hash } from 'node:crypto'
import type { License } from '../shop/licenses.ts'
import { ListingError } from './pages.ts'

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

/** What a license of this list is; without an earlier list, each is `added`. */
export type LicenseNews = 'added' | 'changed' | 'same' | 'repeated'

/** Marks of a license: in this list; in it, but of another product than the wanted one. */
const LISTED = 1
const OTHER_PRODUCT = 2
/** From here on: the digest of a license that only the earlier list has so far. */
const FIRST_DIGEST = 3
/** A longer list may be one without end; nor would what is known of it fit into the memory of small machines. */
const MOST_LICENSES = 10_000_000

/** 48 bits of a hash of all fields, in whatever order they came: a change is missed with a chance of 10^-14. */
function digestOfFields(license: License): number {
  const fields = Object.entries(license).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const digest = hash('sha256', JSON.stringify(fields), 'hex').slice(0, 12)
  return FIRST_DIGEST + Number.parseInt(digest, 16)
}

/** Sets the mark of a license, and returns the one that it had. */
function remember(known: Digests, id: string, mark: number): number {
  const before = known.mark(id, mark)
  if (known.size <= MOST_LICENSES) return before
  const message = `The list has more than ${MOST_LICENSES} licenses`
  throw new ListingError('strange-answer', message, 'List it in parts, with `max-pages`.')
}

/** Notes a license of the earlier list; returns whether it is the first with its id. */
export function noteEarlier(known: Digests, license: License): boolean {
  return remember(known, license.id, digestOfFields(license)) === 0
}

/** Whether this list has the license; of the wanted product, if `isWanted`. */
export function isListed(known: Digests, { id }: License, isWanted: boolean): boolean {
  const mark = known.markOf(id)
  return mark === LISTED || (mark === OTHER_PRODUCT && !isWanted)
}

function noteListed(known: Digests, license: License, isWanted: boolean): LicenseNews {
  const before = remember(known, license.id, isWanted ? LISTED : OTHER_PRODUCT)
  if (before === LISTED || before === OTHER_PRODUCT) {
    // What it was first counts.
    known.mark(license.id, before)
    return 'repeated'
  }
  if (before === 0) return 'added'
  return isWanted && before === digestOfFields(license) ? 'same' : 'changed'
}

/** How far the listing got: licenses of the wanted product, by what they are; those that came again are `repeated`. */
export interface Tally extends Record<LicenseNews, number> {
  pages: number
  count: number
  /** Those that expire soon; without `expires-within`, all. */
  kept: number
  others: number
  /** By the product's id. */
  readonly products: Map<string, number>
}

/** Returns counts of nothing. */
export function startTally(): Tally {
  const news = { added: 0, changed: 0, same: 0, repeated: 0 }
  return { ...news, pages: 0, count: 0, kept: 0, others: 0, products: new Map() }
}

/** The licenses of the wanted product on a page, each with what it is, without those that came before. */
export type NewLicenses = readonly (readonly [Exclude<LicenseNews, 'repeated'>, License])[]

/** Notes and counts the licenses of a page. `isFresh`: no earlier page had one of them, of whatever product. */
export function sortPage(
  licenses: readonly License[],
  isOfProduct: (license: License) => boolean,
  known: Digests,
  tally: Tally
): { readonly wanted: NewLicenses; readonly isFresh: boolean } {
  const wanted: NewLicenses[number][] = []
  let isFresh = false
  for (const license of licenses) {
    const isWanted = isOfProduct(license)
    const news = noteListed(known, license, isWanted)
    if (news !== 'repeated') isFresh = true
    if (!isWanted) {
      tally.others++
      continue
    }
    tally[news]++
    if (news === 'repeated') continue
    const { productId } = license
    tally.count++
    tally.products.set(productId, (tally.products.get(productId) ?? 0) + 1)
    wanted.push([news, license])
  }
  tally.pages++
  return { wanted, isFresh }
}
