// Compares this list with an earlier one, and writes what was added, removed and changed.
import type { License } from '../shop/licenses.ts'
import type { Digests } from './digests.ts'
import { readEarlier, unusable } from './earlier.ts'
import { type Destination, openDraft, type WrittenFile } from './file.ts'
import { openEncoder } from './format.ts'
import { isListed, type NewLicenses, noteEarlier, type Tally } from './known.ts'

/** What differs from the earlier list, beside what the tally counts. */
export interface ListChanges {
  readonly earlierPath: string
  /** Licenses of the earlier list, of the wanted product. */
  readonly earlierCount: number
  readonly removed: number
  /** Whether the earlier list has no license of any product that an added one is of. */
  readonly hasOnlyNewProducts: boolean
  readonly file: WrittenFile
}

/** A comparison with an earlier list. */
export interface ListComparison {
  /** Takes the licenses of a page. */
  take(wanted: NewLicenses): Promise<void>
  /** Writes the changes, after the last page. Throws a `ListingError` if the lists have nothing in common. */
  finish(tally: Tally): Promise<ListChanges>
  /** Removes what is finished. */
  undo(): Promise<void>
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
  isOfProduct: (license: License) => boolean,
  destination: Destination
): Promise<ListComparison> {
  const products = new Set<string>()
  for await (const licenses of readEarlier(earlierPath)) {
    for (const license of licenses.filter(isOfProduct)) {
      if (!noteEarlier(known, license)) throw unusable(earlierPath, 'has a license twice')
      products.add(license.productId)
    }
  }
  const earlierCount = known.size
  const draft = await openDraft(destination)
  // The changed ones come last: until then, they are in a file of their own.
  const spool = await openDraft(destination)
  const [added, removed, changed] = [openEncoder('json'), openEncoder('json'), openEncoder('json')]
  let hasOnlyNewProducts = true
  await draft.write('{"added": ')
  return {
    async take(wanted) {
      const of = (kind: 'added' | 'changed') =>
        wanted.flatMap(([news, license]) => (news === kind ? license : []))
      const fresh = of('added')
      if (fresh.some(({ productId }) => products.has(productId))) hasOnlyNewProducts = false
      await draft.write(added.encode(fresh))
      await spool.write(changed.encode(of('changed')))
    },
    async finish(tally) {
      const common = tally.same + tally.changed
      if (earlierCount > 0 && common === 0) {
        const problem = 'has no license in common with this one. Is it of the same shop?'
        throw unusable(earlierPath, problem)
      }
      await draft.write(`${added.end()}, "removed": `)
      let count = 0
      for await (const licenses of readEarlier(earlierPath)) {
        const gone = licenses.filter(one => isOfProduct(one) && !isListed(known, one, true))
        count += gone.length
        await draft.write(removed.encode(gone))
      }
      if (count !== earlierCount - common) throw unusable(earlierPath, 'changed while it was read')
      await draft.write(`${removed.end()}, "changed": `)
      for await (const text of spool.read()) await draft.write(text)
      await draft.write(`${changed.end()}}\n`)
      const file = await draft.finish()
      return { earlierPath, earlierCount, removed: count, hasOnlyNewProducts, file }
    },
    undo: draft.undo,
    async close() {
      await draft.discard()
      await spool.discard()
    }
  }
}
