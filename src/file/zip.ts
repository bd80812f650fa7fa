// The entries of ZIP files, in the order of their data. The adapter of yauzl, which reads the directory at the end;
// what some programs read in its place has to agree with it. (APPNOTE.TXT 6.3.10 describes the format.)
import { isAscii } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import type { RandomAccessReader, Entry as ZipEntry } from 'yauzl'
import { counted } from '../runner/text.ts'
import { ArchiveFault, ENTRIES, type Entry, type Source } from './entries.ts'
import { quoteName } from './fault.ts'
import {
  checkEntry,
  checkUnicodePath,
  type DirectoryEntry,
  ENCRYPTED,
  UTF8,
  type Window
} from './zip-header.ts'

/** In bytes: what the directory says of all entries, or their headers. */
const DESCRIPTIONS = 32 * 1024 * 1024
/** In bytes: what is read at once where entries are small, and where they are not. */
const [PIECE, GLANCE] = [240 * 1024, 1024]

/** Formats with signatures before the directory, or with a program that starts them before all. */
const LENIENT = /\.(?:jar|war|ear|aar|apk|ipa|egg|love)$/i

/** Yields the entries; tells `warn` what is an error in other formats. Throws an `ArchiveFault`, or what yauzl throws. */
export async function* zipEntries(
  source: Source,
  warn: (text: string) => void
): AsyncGenerator<Entry> {
  const directory = await findDirectory(source)
  const { listed, isWhole } = await listEntries(source, directory)
  const read = openWindow(source)
  const checkGap = openGaps(source.name, warn)
  let [at, described] = [await lengthOfHead(source), 0]
  for (const [index, one] of listed.entries()) {
    const { start, packed } = one
    // Beyond what is looked at, there may be entries for the bytes between.
    if (start < at || (isWhole && start > at)) checkGap(at, start, quoteName(one.name))
    const next = listed[index + 1]?.start ?? directory.start
    const { data, end } = await checkEntry(one, read, next - start < PIECE / 4 ? PIECE : GLANCE)
    described += data - start
    if (described > DESCRIPTIONS) throw new ArchiveFault('unfinished')
    yield { ...one, read: async () => unpack(one, await read(data, packed, packed)) }
    at = end
  }
  if (!isWhole) throw new ArchiveFault('unfinished')
  const last = await read(Math.max(0, directory.start - 16), 16, 0)
  const isSigned = /\.(?:apk|aar)$/i.test(source.name) && last.equals(APK_SIGNATURE)
  if (!isSigned || at > directory.start) checkGap(at, directory.start, 'its directory')
}

/** Returns a function that refuses bytes in two entries or in none, from `at` to the `start` of something. */
function openGaps(name: string, warn: (text: string) => void) {
  let isWarned = false
  return (at: number, start: number, what: string) => {
    if (start < at) throw new ArchiveFault('ambiguous', 'its entries overlap')
    if (start === at || isWarned) return
    const text = `${counted(start - at, 'byte')} before ${what} belong to no entry`
    if (!LENIENT.test(name)) throw new ArchiveFault('ambiguous', text)
    warn(text)
    isWarned = true
  }
}

/** What ends Android's block of signatures (source.android.com, APK Signature Scheme v2). */
const APK_SIGNATURE = Buffer.from('APK Sig Block 42')

/** In bytes: a Chrome extension begins with a signature, in one of two versions; other files with nothing. */
async function lengthOfHead({ name, size, readAt }: Source): Promise<number> {
  if (!/\.crx$/i.test(name) || size < 16) return 0
  const head = await readAt(0, 16)
  if (head.toString('latin1', 0, 4) !== 'Cr24') return 0
  const [first, second] = [head.readUInt32LE(8), head.readUInt32LE(12)]
  return head.readUInt32LE(4) === 2 ? 16 + first + second : 12 + first
}

/** Positions count from the start of the source, sizes are in bytes. */
interface Directory {
  readonly start: number
  readonly size: number
  /** What the archive's own positions lack, since it does not count what stands before it. */
  readonly before: number
}

/** In bytes: the end record and its longest comment, and the records of ZIP64, which stand before it. */
const [END, COMMENT, LOCATOR, END64] = [22, 0xffff, 20, 56]
/** In an end record, these stand in place of what is in that of ZIP64. */
const IN_END64 = [0xffff, 0xffff, 0xffffffff, 0xffffffff]

/** Finds the directory by the records at the end, which have to agree with each other. */
async function findDirectory(source: Source): Promise<Directory> {
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

type Read = RandomAccessReader['read']

/** The entries of the directory, by the positions of their headers; beyond the limits not all of them. */
async function listEntries(source: Source, { before, size }: Directory) {
  const { default: yauzl } = await import('yauzl')
  const window = openWindow(source)
  class Reader extends yauzl.RandomAccessReader {
    override read(...[target, offset, length, position, done]: Parameters<Read>): void {
      const copy = (bytes: Buffer) => {
        bytes.copy(target, offset)
        done(null)
      }
      const found = window(position + before, length, PIECE)
      if (Buffer.isBuffer(found)) copy(found)
      else found.then(copy, done)
    }
  }
  // yauzl itself would stop at a name that leads out; here all of them are reported.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const total = source.size - before
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), total, options)
  const listed: DirectoryEntry[] = []
  let [left, isWhole] = [size, true]
  for await (const entry of zip.eachEntry()) {
    left -= RECORD + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    isWhole = listed.length < ENTRIES && size - left <= DESCRIPTIONS
    if (!isWhole) break
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
    const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    listed.push(directoryEntryOf(entry, name, before))
  }
  // Programs that go by the directory's size would unpack what its count hides.
  const hides = isWhole && left !== 0
  if (hides) throw new ArchiveFault('ambiguous', 'its directory holds more files than it counts')
  return { listed: listed.sort((a, b) => a.start - b.start), isWhole }
}

/** In bytes: an entry of the directory without name, extra fields and comment. */
const RECORD = 46

function directoryEntryOf(entry: ZipEntry, name: string, before: number): DirectoryEntry {
  const { fileNameRaw, extraFieldRaw, generalPurposeBitFlag: flags } = entry
  const { compressionMethod: method } = entry
  // Only a name in an unknown encoding may have another one in Unicode.
  const isKnown = (flags & UTF8) !== 0 || isAscii(fileNameRaw)
  checkUnicodePath(extraFieldRaw, isKnown ? fileNameRaw.toString() : name)
  const raw = fileNameRaw.toString('latin1')
  // The upper half holds a Unix mode where the archive was made there.
  const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
  return {
    // The same text once in memory.
    name: name === raw ? raw : name,
    raw,
    kind: name.endsWith('/') ? 'folder' : isLink ? 'link' : 'file',
    flags,
    encrypted: (flags & ENCRYPTED) !== 0,
    method,
    unusual: method === 0 || method === 8 ? '' : (UNUSUAL[method] ?? `method ${method}`),
    crc: entry.crc32,
    packed: entry.compressedSize,
    size: entry.uncompressedSize,
    start: entry.relativeOffsetOfLocalHeader + before
  }
}

/** Reads at a position, at once if in one of the last two pieces: one of headers, one of data. */
function openWindow(source: Source): Window {
  let pieces: readonly { readonly start: number; readonly bytes: Buffer }[] = []
  return (position, length, ahead) => {
    const isIn = (start: number, end: number) => start <= position && position + length <= end
    const held = pieces.find(({ start, bytes }) => isIn(start, start + bytes.length))
    if (held) return held.bytes.subarray(position - held.start, position - held.start + length)
    if (!isIn(0, source.size))
      return Promise.reject(new ArchiveFault('unreadable', 'it ends too early'))
    const most = Math.min(Math.max(length, ahead), source.size - position)
    return source.readAt(position, most).then(bytes => {
      pieces = [{ start: position, bytes }, ...pieces.slice(0, 1)]
      return bytes.subarray(0, length)
    })
  }
}

/** The methods that some programs know beside the two that all do (APPNOTE.TXT, 4.4.5). */
const UNUSUAL: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd'
}

function unpack({ name, method, size, crc }: DirectoryEntry, packed: Buffer): Buffer {
  try {
    const content = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: size || 1 })
    if (content.length === size && crc32(content) === crc) return content
  } catch {}
  throw new ArchiveFault('unreadable', `the entry ${quoteName(name)} is damaged`)
}
