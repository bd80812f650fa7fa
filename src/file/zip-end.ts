// Where the directory of a ZIP file is, by the records at its end, which have to agree with each other.
import { ArchiveFault, type Source } from './entries.ts'

/** Positions count from the start of the source, sizes are in bytes. */
export interface Directory {
  readonly start: number
  readonly size: number
  /** What the archive's own positions lack, since it does not count what stands before it. */
  readonly before: number
}

/** In bytes: the end record and its longest comment, and the records of ZIP64, which stand before it. */
const [END, COMMENT, LOCATOR, END64] = [22, 0xffff, 20, 56]
/** In an end record, these stand in place of what is in that of ZIP64. */
const IN_END64 = [0xffff, 0xffff, 0xffffffff, 0xffffffff]

/** Finds the directory. Throws an `ArchiveFault`; or an `Error`, if there is none. */
export async function findDirectory(source: Source): Promise<Directory> {
  const length = Math.min(source.size, END + COMMENT + LOCATOR + END64)
  const tailStart = source.size - length
  const tail = await source.readAt(tailStart, length)
  const at = tail.lastIndexOf('PK\x05\x06', Math.max(0, length - END), 'latin1')
  if (at < 0) throw new Error('there is no end record')
  if (tail.readUInt16LE(at + 20) !== length - at - END) {
    throw new ArchiveFault('unreadable', 'it is cut short, or other data follows its end')
  }
  // How many entries this file of an archive has, and how many there are; where the directory is.
  const counts = [tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)] as const
  const ends = [...counts, tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)] as const
  const locator = at - LOCATOR
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) {
    return placeOf(tailStart + at, ends)
  }
  const long = locator - END64
  const hasLong = long >= 0 && tail.readUInt32LE(long) === 0x06064b50
  if (!hasLong || counts[0] !== counts[1]) throw disagreeing()
  const field = (offset: number) => Number(tail.readBigUInt64LE(long + offset))
  const ends64 = [field(24), field(32), field(40), field(48)] as const
  const place = placeOf(tailStart + long, ends64)
  const pointed = Number(tail.readBigUInt64LE(locator + 8)) + place.before
  const areAlike = ends.every((end, index) => end === ends64[index] || end === IN_END64[index])
  if (!areAlike || pointed !== tailStart + long) throw disagreeing()
  return place
}

type Ends = readonly [here: number, count: number, size: number, offset: number]

/** The directory ends where its end records begin. */
function placeOf(end: number, [here, count, size, offset]: Ends): Directory {
  const start = end - size
  if (here !== count || start < offset) throw disagreeing()
  return { start, size, before: start - offset }
}

function disagreeing(): ArchiveFault {
  return new ArchiveFault('ambiguous', 'its end records disagree')
}
