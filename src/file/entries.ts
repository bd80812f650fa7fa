// The entries of ZIP and tar.gz files, read from the open descriptor. The adapter of yauzl and modern-tar.
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, inflateRawSync } from 'node:zlib'
import type { Entry as ZipEntry, ZipFile } from 'yauzl'
import { quoted } from './fault.ts'

/** An open file, read at any position. */
export interface Source {
  readonly name: string
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
}

const ZIP =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin)$/i
const TAR_GZ = /\.(?:tar\.gz|tgz)$/i

/** Whether a file is an archive that can be looked into, by its name. */
export function isArchive(name: string): boolean {
  return ZIP.test(name) || TAR_GZ.test(name)
}

/** Only of entries that are not larger, packed or unpacked, the content can be asked for. */
export const READABLE = 1024 * 1024

type Receive = (content: Buffer) => unknown

/** Takes note of an entry, and may ask for its content, which is where a link leads. */
export type Visit = (entry: Entry) => Receive | undefined

/** So many characters of names are looked at, and so many entries: those of a `.tar.gz` take longer. */
const NAMES = 12 * 1024 * 1024
const ENTRIES = { zip: 150_000, tarGz: 20_000 }

/**
 * Visits the entries of an archive, of a `.tar.gz` up to so many unpacked bytes. Tells whether that was all
 * of them; throws when the file is no such archive, or what it says of itself does not hold.
 */
export function walkEntries(source: Source, visit: Visit, limit: number): Promise<boolean> {
  const isTarGz = TAR_GZ.test(source.name)
  let entries = isTarGz ? ENTRIES.tarGz : ENTRIES.zip
  let characters = NAMES
  const take: Take = entry => {
    entries--
    characters -= entry.name.length
    return entries < 0 || characters < 0 ? 'stop' : visit(entry)
  }
  return isTarGz ? walkTarGz(source, take, limit) : walkZip(source, take)
}

type Take = (entry: Entry) => Receive | 'stop' | undefined

/** Files are read in parts of this size. */
const BLOCK = 256 * 1024

async function walkTarGz(source: Source, take: Take, limit: number): Promise<boolean> {
  const { createTarDecoder } = await import('modern-tar')
  let isCut = false
  const unpacked = async function* () {
    const gunzip = createGunzip({ chunkSize: BLOCK })
    pipeline(Readable.from(blocksOf(source)), gunzip, () => undefined)
    let size = 0
    for await (const chunk of gunzip) {
      size += chunk.length
      isCut = size > limit
      if (isCut) return
      yield chunk
    }
  }
  const entries = ReadableStream.from(unpacked()).pipeThrough(createTarDecoder({ strict: true }))
  try {
    for await (const { header, body } of entries) {
      const { name, type = 'file', size, linkname = '' } = header
      const kind = type === 'directory' ? 'folder' : type.endsWith('link') ? 'link' : 'file'
      const receive = take({ name, kind, size, packed: 0, encrypted: false })
      if (receive === 'stop') return false
      if (receive) receive(kind === 'link' ? Buffer.from(linkname) : await buffer(body))
      // What fails here fails the walk, too, and waiting for it would only cost time.
      else body.cancel().catch(() => undefined)
    }
  } catch (error) {
    // What is cut off by our own limit looks like a broken archive.
    if (!isCut) throw error
  }
  return !isCut
}

async function* blocksOf(source: Source): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += BLOCK) {
    yield await source.readAt(at, Math.min(BLOCK, source.size - at))
  }
}

/** Visits the central directory, and then reads what was asked for. */
async function walkZip(source: Source, take: Take): Promise<boolean> {
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
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const size = source.size - before
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), size, options)
  const wanted: { entry: ZipEntry; at: number; receive: Receive }[] = []
  let isWhole = true
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
    const name = yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
    // The upper half holds a Unix mode where the archive was made there.
    const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
    const kind = name.endsWith('/') ? 'folder' : isLink ? 'link' : 'file'
    const { uncompressedSize, compressedSize: packed } = entry
    const encrypted = entry.isEncrypted()
    const receive = take({ name, kind, size: uncompressedSize, packed, encrypted })
    isWhole = receive !== 'stop'
    if (receive === 'stop') break
    if (receive) wanted.push({ entry, at: entry.relativeOffsetOfLocalHeader, receive })
  }
  wanted.sort((a, b) => a.at - b.at)
  for (const { entry, receive } of wanted) receive(await unpack(zip, entry, read))
  return isWhole
}

const END_SIZE = 22
const LONGEST_COMMENT = 0xffff

/** The length of what stands before the archive: `.crx` files have a header, and count without it. */
async function sizeBefore(source: Source): Promise<number> {
  const length = Math.min(source.size, END_SIZE + LONGEST_COMMENT)
  const tail = await source.readAt(source.size - length, length)
  const at = tail.lastIndexOf('PK\x05\x06', Math.max(0, length - END_SIZE), 'latin1')
  // In ZIP64, other records stand between the directory and its end.
  const isZip64 = tail.lastIndexOf('PK\x06\x07', at, 'latin1') === at - 20
  if (at < 0 || at + END_SIZE > length || isZip64) return 0
  const end = source.size - length + at
  return Math.max(0, end - tail.readUInt32LE(at + 12) - tail.readUInt32LE(at + 16))
}

/** Reads at a position, from the block that was read last where it can: at once, for promises would hold memory. */
function readerOf(source: Source, before: number) {
  let start = 0
  let block: Buffer = Buffer.alloc(0)
  return (position: number, length: number): Buffer | Promise<Buffer> => {
    const from = position + before
    const at = from - start
    if (at >= 0 && at + length <= block.length) return block.subarray(at, at + length)
    const size = Math.max(0, Math.min(Math.max(length, BLOCK), source.size - from))
    return source.readAt(from, size).then(bytes => {
      ;[start, block] = [from, bytes]
      return bytes.subarray(0, length)
    })
  }
}

async function unpack(
  zip: ZipFile,
  entry: ZipEntry,
  read: ReturnType<typeof readerOf>
): Promise<Buffer> {
  const { fileDataStart, fileName } = await zip.readLocalFileHeaderPromise(entry)
  if (!fileName.equals(entry.fileNameRaw)) {
    const [listed, own] = [entry.fileNameRaw, fileName].map(raw => quoted(raw.toString()))
    throw new Error(`an entry is called ${listed} in the directory, and ${own} in its own header`)
  }
  const packed = await read(fileDataStart, entry.compressedSize)
  if (entry.compressionMethod === 0) return packed
  // Other methods are rare, and no library reads them all.
  if (entry.compressionMethod !== 8) return Buffer.alloc(0)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) })
  } catch (cause) {
    throw new Error(`the entry ${quoted(entry.fileNameRaw.toString())} is damaged`, { cause })
  }
}
