// The entries of ZIP and tar.gz files, read from the open descriptor. The adapter of yauzl and modern-tar.
import { pipeline, Readable } from 'node:stream'
import { createGunzip, inflateRawSync, constants as zlib } from 'node:zlib'
import type { Entry as ZipEntry, ZipFile } from 'yauzl'
import { quoted } from './fault.ts'

/** An open file, read at any position. */
export interface Source {
  readonly size: number
  /** So many bytes from there, in memory of their own. */
  readAt(position: number, length: number): Promise<Buffer>
}

/** One entry of an archive. */
export interface Entry {
  /** As it stands in the archive; other people's text. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link'
  /** Unpacked, in bytes, as the archive says. */
  readonly size: number
  /** Packed, in bytes; 0 where entries are not packed one by one. */
  readonly packed: number
  readonly encrypted: boolean
  /** Where a link leads; undefined where that is the content. */
  readonly target?: string | undefined
}

const ZIP =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin)$/i
const TAR_GZ = /\.(?:tar\.gz|tgz)$/i

/** Whether a file is an archive that can be looked into, by its name. */
export function isArchive(name: string): boolean {
  return ZIP.test(name) || TAR_GZ.test(name)
}

/** At most so much of an entry's content is given. */
export const HEAD = 64 * 1024

/** Takes note of an entry. May ask for the beginning of its content, or to end the walk. */
export type Visit = (entry: Entry) => ((content: Buffer) => void) | 'stop' | undefined

/**
 * Visits the entries of an archive, of a `.tar.gz` up to so many unpacked bytes. Tells whether that was all
 * of them; throws when the file is no such archive, or what it says of itself does not hold.
 */
export async function walkEntries(
  source: Source & { readonly name: string },
  visit: Visit,
  limit: number
): Promise<boolean> {
  if (TAR_GZ.test(source.name)) return walkTarGz(source, visit, limit)
  await walkZip(source, visit)
  return true
}

/** Files are read in parts of this size. */
const BLOCK = 256 * 1024
/** Some entries are much smaller than what they unpack to; what is read of one never gets larger. */
const UNPACKED = 1024 * 1024
const END = Buffer.from('PK\x05\x06', 'latin1')
const END_SIZE = 22
const LONGEST_COMMENT = 0xffff
const SYMLINK = 0o120000

async function walkTarGz(source: Source, visit: Visit, limit: number): Promise<boolean> {
  const { createTarDecoder } = await import('modern-tar')
  let whole = true
  const unpacked = async function* () {
    const gunzip = createGunzip({ chunkSize: BLOCK })
    pipeline(Readable.from(chunksOf(source)), gunzip, () => undefined)
    let size = 0
    for await (const chunk of gunzip) {
      size += chunk.length
      whole = size <= limit
      if (!whole) return
      yield chunk
    }
  }
  const entries = ReadableStream.from(unpacked()).pipeThrough(createTarDecoder({ strict: true }))
  try {
    for await (const { header, body } of entries) {
      const { name, type = 'file', size } = header
      const kind = type === 'directory' ? 'folder' : type.endsWith('link') ? 'link' : 'file'
      const target = kind === 'link' ? header.linkname : undefined
      const receive = visit({ name, kind, size, packed: 0, encrypted: false, target })
      if (receive === 'stop') break
      if (receive) receive(await headOf(body))
      // What fails here fails the walk, too, and waiting for it would only cost time.
      else body.cancel().catch(() => undefined)
    }
  } catch (error) {
    // What is cut off by our own limit looks like a broken archive.
    if (whole) throw error
  }
  return whole
}

async function* chunksOf(source: Source): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += BLOCK) {
    yield await source.readAt(at, Math.min(BLOCK, source.size - at))
  }
}

async function headOf(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(Uint8Array.from(part))
    size += part.length
    if (size >= HEAD) break
  }
  return Buffer.concat(parts).subarray(0, HEAD)
}

/** Visits the central directory, and then reads the beginnings that were asked for. */
async function walkZip(source: Source, visit: Visit): Promise<void> {
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
