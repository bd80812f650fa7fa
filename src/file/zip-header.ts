// What stands around an entry's data in a ZIP file. Programs that read on without the directory go by it, so it must agree.
import { ArchiveFault, type Entry } from './entries.ts'
import { quoteName } from './fault.ts'

/** The checksum of what is unpacked, and sizes in bytes. */
type Counts = Pick<Entry, 'packed' | 'size' | 'crc'>

/** What the directory says of an entry. */
export interface DirectoryEntry extends Omit<Entry, 'read'> {
  /** The bytes of its name, as Latin-1. */
  readonly raw: string
  readonly flags: number
  readonly method: number
  /** Where its header is, from the start of the source. */
  readonly start: number
}

/** Reads at a position; `ahead` is how much to read at once, for what is read next. */
export type Window = (position: number, length: number, ahead: number) => Buffer | Promise<Buffer>

/** Flags of an entry; with the second, a descriptor that has its counts follows its data. */
export const [ENCRYPTED, DESCRIBED, UTF8] = [1, 8, 0x800]
/** In bytes: a header without name and extra fields, and the longest descriptor. */
const [HEADER, DESCRIPTOR] = [30, 24]
/** Stands in place of a size that is in an extra field. */
const ELSEWHERE = 0xffffffff
const NONE = Buffer.alloc(0)

/** Compares an entry's header, and returns the positions where its data begin, and where all of it ends. */
export async function checkEntry(one: DirectoryEntry, read: Window, ahead: number) {
  const { name, raw, start } = one
  // Read with as much as its name should have.
  const header = await read(start, HEADER + raw.length, ahead)
  const isHeader = header.readUInt32LE(0) === 0x04034b50
  if (!isHeader) throw new ArchiveFault('unreadable', `${quoteName(name)} has no header`)
  const nameEnd = HEADER + header.readUInt16LE(26)
  if (header.toString('latin1', HEADER) !== raw || nameEnd !== header.length) {
    const own = (await read(start + HEADER, nameEnd - HEADER, 0)).toString()
    const both = `${quoteName(name)} in the directory, and ${quoteName(own)} in its own header`
    throw new ArchiveFault('ambiguous', `an entry is called ${both}`)
  }
  const extraLength = header.readUInt16LE(28)
  const extra = extraLength === 0 ? NONE : await read(start + nameEnd, extraLength, ahead)
  checkUnicodePath(extra, name)
  const data = start + nameEnd + extraLength
  const end = data + one.packed
  const flags = header.readUInt16LE(6)
  const isDescribed = (flags & DESCRIBED) !== 0
  const length = isDescribed ? lengthOfDescriptor(await read(end, DESCRIPTOR, ahead), one) : 0
  const isAlike =
    areFlagsAlike(flags, one) &&
    header.readUInt16LE(8) === one.method &&
    areCountsAlike(countsIn(header, extra), one, length > 0)
  if (isAlike) return { data, end: end + length }
  const why = `the directory describes ${quoteName(name)} differently from its own header`
  throw new ArchiveFault('ambiguous', why)
}

/** The encoding of a name in ASCII does not matter. */
function areFlagsAlike(own: number, { flags, raw }: DirectoryEntry): boolean {
  const differing = own ^ flags
  return (differing & ENCRYPTED) === 0 && ((differing & UTF8) === 0 || /^[\0-\x7f]*$/.test(raw))
}

function countsIn(header: Buffer, extra: Buffer): Counts {
  const [crc, packed] = [header.readUInt32LE(14), header.readUInt32LE(18)]
  const [long] = packed === ELSEWHERE ? findFields(extra, 1) : []
  if (long === undefined || long.length < 16) return { crc, packed, size: header.readUInt32LE(22) }
  return { crc, size: Number(long.readBigUInt64LE(0)), packed: Number(long.readBigUInt64LE(8)) }
}

/** With a descriptor, a header need not have the counts. */
function areCountsAlike(own: Counts, listed: Counts, isDescribed: boolean): boolean {
  const isFine = (count: number, right: number) =>
    count === right || (isDescribed && (count === 0 || count === ELSEWHERE))
  return (
    isFine(own.crc, listed.crc) &&
    isFine(own.packed, listed.packed) &&
    isFine(own.size, listed.size)
  )
}

/** In bytes; 0 if there is none that has the counts of the directory. */
function lengthOfDescriptor(bytes: Buffer, listed: Counts): number {
  // A mark may precede the checksum, and each size have 8 bytes. For empty files, the longer form is right.
  for (const start of bytes.readUInt32LE(0) === 0x08074b50 ? [4, 0] : [0]) {
    for (const width of [8, 4]) {
      const size = (at: number) =>
        width === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at)
      const isRight =
        bytes.readUInt32LE(start) === listed.crc &&
        size(start + 4) === listed.packed &&
        size(start + 4 + width) === listed.size
      if (isRight) return start + 4 + 2 * width
    }
  }
  return 0
}

/** Throws if there is a Unicode Path, which some programs prefer, that is another name. */
export function checkUnicodePath(extra: Buffer, name: string): void {
  for (const field of findFields(extra, 0x7075)) {
    // After a version and a checksum.
    const path = field.toString('utf8', 5)
    if (path === name) continue
    const both = `the entry ${quoteName(name)} has a second name, ${quoteName(path)}`
    throw new ArchiveFault('ambiguous', both)
  }
}

/** The extra fields of this kind. What is left at the end, some programs use to align data. */
function findFields(extra: Buffer, id: number): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id) found.push(extra.subarray(at + 4, end))
    at = end
  }
  return found
}
