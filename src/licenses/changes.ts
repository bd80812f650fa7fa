// Compares this list with an earlier one, and writes what was added, removed and changed.
import { hash } from 'node:crypto'
import type { License } from '../shop/licenses.ts'
import type { Digests } from './digests.ts'
import { readEarlier, unusable } from './earlier.ts'
import { type Destination, openDraft, type WrittenFile } from './file.ts'
import { openEncoder } from './format.ts'

/** The marks of licenses: in this list; in it, but under another product, and so gone from the wanted one. */
const IN_LIST = 1
const MOVED = 2
/** From here on: the digest of a license that only the earlier list has so far. */
const EARLIER = 3

/** What a license of this list is; without an earlier list, each is `added`. */
export type LicenseNews = 'added' | 'changed' | 'same' | 'repeated'

export type LicenseWithNews = readonly [LicenseNews, License]

/** Whether a license is one of the wanted product; an empty id stands for every product. */
export function isOfProduct({ productId }: License, product: string): boolean {
  return product === '' || productId === product
}

/** Returns what a license of this list is, and notes that it was there. */
export function noteLicense(known: Digests, license: License, isWanted: boolean): LicenseNews {
  const before = known.mark(license.id, IN_LIST)
  const hasMoved = before === MOVED || (before >= EARLIER && !isWanted)
  if (hasMoved) known.mark(license.id, MOVED)
  if (before === IN_LIST || before === MOVED) return 'repeated'
  if (before === 0) return 'added'
  return before === digestOfFields(license) ? 'same' : 'changed'
}

/** 48 bits of a hash of all fields, in whatever order they came: a change is missed with a chance of 10^-14. */
function digestOfFields(license: License): number {
  const fields = Object.entries(license).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return EARLIER + Number.parseInt(hash('sha256', JSON.stringify(fields), 'hex').slice(0, 12), 16)
}

/** What differs from the earlier list. */
export interface ListChanges {
  readonly earlierPath: string
  /** Licenses of the earlier list, of the wanted product. */
  readonly earlierCount: number
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly file: WrittenFile
}

/** A comparison with an earlier list. */
export interface ListComparison {
  /** Takes the licenses of a page. */
  take(licenses: readonly LicenseWithNews[]): Promise<void>
  /** Writes the changes, after the last page. Throws a `ListingError` if the lists have nothing in common. */
  finish(): Promise<ListChanges>
  /** Removes what is not finished. */
  close(): Promise<void>
}

/**
 * Notes the licenses of an earlier list, those of the wanted product. The changes are an object of three arrays;
 * changed licenses are as they are now. They are complete before they get their name.
 */
export async function openComparison(
  earlierPath: string,
  known: Digests,
  product: string,
  destination: Destination
): Promise<ListComparison> {
  for await (const licenses of readEarlier(earlierPath)) {
    for (const license of licenses) {
      if (!isOfProduct(license, product)) continue
      const isKnown = known.mark(license.id, digestOfFields(license)) !== 0
      if (isKnown) throw unusable(earlierPath, 'has a license twice')
    }
  }
  const earlierCount = known.size
  const draft = await openDraft(destination)
  // The changed ones come last: until then, they are in a file of their own.
  const spool = await openDraft(destination)
  const [added, removed, changed] = [openEncoder('json'), openEncoder('json'), openEncoder('json')]
  const counts = { added: 0, removed: 0, changed: 0, same: 0, repeated: 0 }
  await draft.write('{"added": ')
  return {
    async take(licenses) {
      const of = (kind: LicenseNews) =>
        licenses.flatMap(([news, license]) => (news === kind ? license : []))
      for (const [news] of licenses) counts[news]++
      await draft.write(added.encode(of('added')))
      await spool.write(changed.encode(of('changed')))
    },
    async finish() {
      const common = counts.same + counts.changed
      if (earlierCount > 0 && common === 0) {
        throw unusable(
          earlierPath,
          'has no license in common with this one. Is it of the same shop?'
        )
      }
      await draft.write(`${added.end()}, "removed": `)
      for await (const licenses of readEarlier(earlierPath)) {
        const wanted = licenses.filter(license => isOfProduct(license, product))
        const gone = wanted.filter(({ id }) => known.markOf(id) !== IN_LIST)
        counts.removed += gone.length
        await draft.write(removed.encode(gone))
      }
      if (counts.removed !== earlierCount - common) {
        throw unusable(earlierPath, 'changed while it was read')
      }
      await draft.write(`${removed.end()}, "changed": `)
      for await (const text of spool.read()) await draft.write(text)
      await draft.write(`${changed.end()}}\n`)
      return { earlierPath, earlierCount, ...counts, file: await draft.finish() }
    },
    async close() {
      await draft.discard()
      await spool.discard()
    }
  }
}
