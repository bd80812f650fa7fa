// Compares this list with an earlier one, and writes what was added, removed and changed.
import { createReadStream } from 'node:fs'
import { parseJson, textAt } from '../runner/values.ts'
import { isLicense, type License } from '../shop/licenses.ts'
import { type Destination, openDraft, type WrittenFile } from './file.ts'
import { CSV_HEAD, openEncoder } from './format.ts'
import { type Digests, isListed, type NewLicenses, noteEarlier, type Tally } from './known.ts'
import { ListingError } from './pages.ts'

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
export type ListComparison = Readonly<Awaited<ReturnType<typeof openComparison>>>

/**
 * Notes the licenses of an earlier list, those of the wanted product. The changes are an object of three arrays;
 * changed licenses are as they are now. They are complete before they get their name.
 */
export async function openComparison(
  earlierPath: string,
  known: Digests,
  isOfProduct: (license: License) => boolean,
  destination: Destination
) {
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
    async take(wanted: NewLicenses): Promise<void> {
      const of = (kind: 'added' | 'changed') =>
        wanted.flatMap(([news, license]) => (news === kind ? license : []))
      const fresh = of('added')
      if (fresh.some(({ productId }) => products.has(productId))) hasOnlyNewProducts = false
      await draft.write(added.encode(fresh))
      await spool.write(changed.encode(of('changed')))
    },
    /** Writes the changes, after the last page. Throws a `ListingError` if the lists have nothing in common. */
    async finish(tally: Tally): Promise<ListChanges> {
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
    /** Removes what is finished. */
    undo: draft.undo,
    /** Removes what is not finished. */
    async close(): Promise<void> {
      await draft.discard()
      await spool.discard()
    }
  }
}

/** An error about the earlier list. */
export function unusable(path: string, problem: string, cause?: unknown): ListingError {
  const advice =
    'Compare with a `json` or `ndjson` list that this action wrote. To start over, delete that file: then this list is the first.'
  return new ListingError('compare-with', `The earlier list ${path} ${problem}`, advice, cause)
}

/**
 * Yields the licenses of a JSON or NDJSON list, some at a time. Throws a `ListingError`, which quotes nothing of
 * the file.
 */
export async function* readEarlier(path: string): AsyncGenerator<readonly License[]> {
  let number = 0
  let isArray = false
  let isComplete = false
  const parse = (line: string): License[] => {
    number++
    if (number === 1 && line.replaceAll('"', '') === CSV_HEAD.replaceAll('"', '')) {
      throw unusable(path, 'is CSV, which cannot be compared')
    }
    if (number === 1 && line === '[') isArray = true
    else if (isArray && line === ']' && !isComplete) isComplete = true
    else {
      const value = isComplete ? undefined : parseJson(isArray ? line.replace(/,$/, '') : line)
      if (isLicense(value)) return [value]
      throw unusable(path, `is not a list of this action: line ${number} is no license`)
    }
    return []
  }
  for await (const lines of readLines(path)) yield lines.flatMap(line => parse(line.trim()))
  if (isArray && !isComplete) throw unusable(path, 'is cut short')
  // As NDJSON, that is a list without licenses.
  if (number === 0 && !/\.(?:ndjson|jsonl)$/i.test(path)) throw unusable(path, 'is empty')
}

/** In bytes. A long line is put together anew with each chunk, so there should not be too many. */
const READ_SIZE = 1024 * 1024
/** In characters: a page has 64 MiB, and JSON may take more room when it is written anew. */
const LONGEST_LINE = 128 * 1024 * 1024

/** Yields the lines without their ends, some at a time. The last one must have an end, too. */
async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_SIZE })) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      yield lines
      if (rest.length > LONGEST_LINE) throw new Error('it is not a list of this action')
    }
    // Throws for a character that is cut.
    rest += decoder.decode()
  } catch (error) {
    throw unusable(path, `cannot be read: ${textAt(error, 'message')}`, error)
  }
  if (rest !== '') throw unusable(path, 'is cut short')
}
