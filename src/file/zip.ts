// The entries of a ZIP file, read from the open descriptor. The adapter of yauzl.
import { inflateRawSync, constants as zlib } from 'node:zlib'
import type { Entry as ZipEntry, ZipFile } from 'yauzl'
import { type Entry, HEAD, type Source, type Visit } from './entries.ts'
import { quoted } from './fault.ts'

/** The central directory is read in parts of this size, and so is what lies near an entry. */
const BLOCK = 256 * 1024
/** Some entries are much smaller than what they unpack to; what is read of one never gets larger. */
const UNPACKED = 1024 * 1024
const END = Buffer.from('PK\x05\x06', 'latin1')
const END_SIZE = 22
const LONGEST_COMMENT = 0xffff
const SYMLINK = 0o120000

/**
 * Visits every entry of the central directory, and then reads the beginnings that were asked for. Throws
 * when the file is no such archive, or what it says of itself does not hold. Stops when a visit says so.
 */
export async function walkZip(source: Source, visit: Visit): Promise<void> {
  const { default: yauzl } = await import('yauzl')
  const before = await sizeBefore(source)
  const read = readerOf(source, before)
  class Reader extends yauzl.RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null, read?: number) => void
    ): void {
      const found = read(position, length)
      const copy = (bytes: Buffer) => done(null, bytes.copy(buffer, offset))
      if (Buffer.isBuffer(found)) copy(found)
      else found.then(copy).catch(done)
    }
  }
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), source.size - before, {
    ...{ autoClose: false, decodeStrings: false, validateEntrySizes: false }
  })
  const wanted: { entry: ZipEntry; receive: (content: Buffer) => void }[] = []
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
    const name = yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
    const answer = visit(described(entry, name))
    if (answer === 'stop') break
    if (answer) wanted.push({ entry, receive: answer })
  }
  wanted.sort((a, b) => offsetOf(a.entry) - offsetOf(b.entry))
  for (const { entry, receive } of wanted) receive(await contentOf(zip, entry, read))
}

function offsetOf(entry: ZipEntry): number {
  return entry.relativeOffsetOfLocalHeader
}

function described(entry: ZipEntry, name: string): Entry {
  // The upper half holds a Unix mode where the archive was made there.
  const mode = entry.externalFileAttributes >>> 16
  const isLink = (mode & 0o170000) === SYMLINK
  return {
    name,
    kind: name.endsWith('/') ? 'folder' : isLink ? 'link' : 'file',
    size: entry.uncompressedSize,
    packed: entry.compressedSize,
    encrypted: entry.isEncrypted()
  }
}

/** The length of what stands before the archive: `.crx` files have a header, and count without it. */
async function sizeBefore(source: Source): Promise<number> {
  const length = Math.min(source.size, END_SIZE + LONGEST_COMMENT)
  const tail = await source.readAt(source.size - length, length)
  const at = tail.lastIndexOf(END, Math.max(0, length - END_SIZE))
  // In ZIP64, other records stand between the directory and its end.
  if (at < 0 || at + END_SIZE > length || tail.lastIndexOf('PK\x06\x07', at, 'latin1') === at - 20)
    return 0
  const end = source.size - length + at
  const before = end - tail.readUInt32LE(at + 12) - tail.readUInt32LE(at + 16)
  return Math.max(0, before)
}

/** Reads at a position, from the block that was read last where it can. */
function readerOf(source: Source, before: number) {
  let block: { readonly start: number; readonly bytes: Buffer } = {
    start: 0,
    bytes: Buffer.alloc(0)
  }
  const within = (position: number, length: number) => {
    const at = position - block.start
    const inside = at >= 0 && at + length <= block.bytes.length
    return inside ? block.bytes.subarray(at, at + length) : undefined
  }
  return (position: number, length: number): Buffer | Promise<Buffer> => {
    const start = position + before
    const found = within(start, length)
    if (found) return found
    const size = Math.max(0, Math.min(Math.max(length, BLOCK), source.size - start))
    return source.readAt(start, size).then(bytes => {
      block = { start, bytes }
      return bytes.subarray(0, length)
    })
  }
}

/** The beginning of an entry's content; the whole of a short one. */
async function contentOf(
  zip: ZipFile,
  entry: ZipEntry,
  read: (position: number, length: number) => Buffer | Promise<Buffer>
): Promise<Buffer> {
  const { fileDataStart, fileName } = await zip.readLocalFileHeaderPromise(entry)
  if (!fileName.equals(entry.fileNameRaw)) {
    const [listed, own] = [entry.fileNameRaw, fileName].map(raw => quoted(raw.toString()))
    throw new Error(`an entry is called ${listed} in the directory, and ${own} in its own header`)
  }
  const packed = await read(fileDataStart, Math.min(entry.compressedSize, HEAD))
  if (entry.compressionMethod === 0) return packed
  // Other methods are rare, and no library reads them all.
  if (entry.compressionMethod !== 8) return Buffer.alloc(0)
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: UNPACKED }
    return inflateRawSync(packed, options).subarray(0, HEAD)
  } catch (cause) {
    if (entry.compressedSize > HEAD) return Buffer.alloc(0)
    throw new Error(`the entry ${quoted(entry.fileNameRaw.toString())} is damaged`, { cause })
  }
}
