// Where the directory of a ZIP file is, by the records at its end, which have to agree with each other.
import { Ambiguous, type Source, Unreadable } from './entry.ts'

/** Positions count from the start of the source, sizes are in bytes. */
export interface Directory {
  readonly start: number
  readonly size: number
  /** What the archive's own positions lack, since it does not count what stands before it. */
  readonly before: number
}

/** In bytes: the end record and its longest comment, and the records of ZIP64, which stand before it. */
const [END, COMMENT, LOCATOR, END64] = [22, 0xffff, 20, 56]
const DISAGREE = 'its end records disagree'

/** Finds the directory. Throws `Ambiguous`; or an `Error`, if there is none. */
export async function findDirectory(source: Source): Promise<Directory> {
  const length = Math.min(source.size, END + COMMENT + LOCATOR + END64)
  const tailStart = source.size - length
  const tail = await source.readAt(tailStart, length)
  const at = tail.lastIndexOf('PK\x05\x06', Math.max(0, length - END), 'latin1')
  if (at < 0) throw new Error('there is no end record')
  if (tail.readUInt16LE(at + 20) !== length - at - END) {
    throw new Unreadable('it is cut short, or other data follows its end')
  }
  const here = tail.readUInt16LE(at + 8)
  const [count, size, offset] = readShort(tail, at)
  if (here !== count) throw new Ambiguous(DISAGREE)
  const locator = at - LOCATOR
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) {
    return placeOf(tailStart + at, size, offset)
  }
  const long = locator - END64
  if (long < 0 || tail.readUInt32LE(long) !== 0x06064b50) throw new Ambiguous(DISAGREE)
  const [here64, count64, size64, offset64] = readLong(tail, long)
  const agrees = (short: number, longer: number, most: number) => short === most || short === longer
  const areAlike =
    here64 === count64 &&
    agrees(count, count64, 0xffff) &&
    agrees(size, size64, 0xffffffff) &&
    agrees(offset, offset64, 0xffffffff)
  const place = placeOf(tailStart + long, size64, offset64)
  const pointed = Number(tail.readBigUInt64LE(locator + 8)) + place.before
  if (!areAlike || pointed !== tailStart + long) throw new Ambiguous(DISAGREE)
  return place
}

/** How many entries there are, and where the directory is. */
function readShort(tail: Buffer, at: number) {
  return [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16)
  ] as const
}

/** The same in ZIP64, and before it how many entries this file of an archive has. */
function readLong(tail: Buffer, at: number) {
  const field = (offset: number) => Number(tail.readBigUInt64LE(at + offset))
  return [field(24), field(32), field(40), field(48)] as const
}

/** The directory ends where its end records begin. */
function placeOf(end: number, size: number, offset: number): Directory {
  const start = end - size
  if (start < offset) throw new Ambiguous(DISAGREE)
  return { start, size, before: start - offset }
}
