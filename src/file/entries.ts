// The entries of ZIP and tar.gz files, read from the open descriptor. The adapter of yauzl and modern-tar.
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, inflateRawSync } from 'node:zlib'
import type { RandomAccessReader, Entry as ZipEntry, ZipFile } from 'yauzl'
import { quoted } from './fault.ts'

/** An open file, read at any position. */
export interface Source {
  readonly name: string
  readonly size: number
  /** Exactly so many bytes, in memory of their own. */
  readAt(position: number, length: number): Promise<Buffer>
}

/** An entry as the archive describes it, perhaps wrongly; sizes are in bytes, `size` is unpacked. */
export interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link'
  readonly size: number
  /** 0 where entries are not packed one by one. */
  readonly packed: number
  /** The CRC-32 of its content; 0 where entries have none. */
  readonly crc: number
  readonly encrypted: boolean
  /** Its content, or where a link leads; only before the next entry is asked for. */
  read(): Promise<Buffer>
}

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i
const TAR_GZ = /\.(?:tar\.gz|tgz)$/i

/** Whether a file of this name is a ZIP archive, which lists its files with their sizes and checksums. */
export function isZip(name: string): boolean {
  return ARCHIVE.test(name) && !TAR_GZ.test(name)
}

/** The path of an entry with slashes, and without parts that mean nothing, such as `./`. */
export function pathOfEntry({ name }: Pick<Entry, 'name'>): string {
  return name.replaceAll('\\', '/').replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

/** At most so many entries (those of a `.tar.gz` take longer) and characters of names are looked at. */
const ENTRIES = { zip: 150_000, tarGz: 20_000 }
const NAMES = 12 * 1024 * 1024

/** Thrown where an archive goes on beyond what is looked at. */
export class Unfinished extends Error {}

/** What we find wrong with an archive, in words for users, unlike what a library finds. */
export class Unreadable extends Error {}

/** An archive's entries. Throws `Unfinished`, as beyond `limit` unpacked bytes, or why it is unreadable. */
export async function* entriesOf(source: Source, limit: number): AsyncGenerator<Entry> {
  const { name } = source
  let [entries, names] = [TAR_GZ.test(name) ? ENTRIES.tarGz : ENTRIES.zip, NAMES]
  for await (const entry of TAR_GZ.test(name) ? tarGzEntries(source, limit) : zipEntries(source)) {
    names -= entry.name.length
    if (entries-- === 0 || names < 0) throw new Unfinished()
    yield entry
  }
}

const BLOCK = 256 * 1024

async function* tarGzEntries(source: Source, limit: number): AsyncGenerator<Entry> {
  const { createTarDecoder } = await import('modern-tar')
  const decoder = createTarDecoder({ strict: true })
  const entries = ReadableStream.from(unzip(source, limit)).pipeThrough(decoder)
  for await (const { header, body } of entries) {
    const { name, type = 'file', size, linkname = '' } = header
    const kind = type === 'directory' ? 'folder' : type.endsWith('link') ? 'link' : 'file'
    const read = async () => (kind === 'link' ? Buffer.from(linkname) : buffer(body))
    yield { name, kind, size, packed: 0, crc: 0, encrypted: false, read }
    // Reads the rest: the decoder is ahead, and canceling would end the next body. Errors end the walk, too.
    await body.pipeTo(new WritableStream()).catch(() => undefined)
  }
}

async function* unzip(source: Source, limit: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: BLOCK })
  pipeline(blocksOf(source), gunzip, () => undefined)
  let left = limit
  for await (const chunk of gunzip) {
    left -= chunk.length
    if (left < 0) throw new Unfinished()
    yield chunk
  }
}

async function* blocksOf(source: Source): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += BLOCK) {
    yield await source.readAt(at, Math.min(BLOCK, source.size - at))
  }
}

type Read = RandomAccessReader['read']

async function* zipEntries(source: Source): AsyncGenerator<Entry> {
  const { default: yauzl } = await import('yauzl')
  const { before, directory } = await readEnd(source)
  const read = readerOf(source, before)
  class Reader extends yauzl.RandomAccessReader {
    override read(...[target, offset, length, position, done]: Parameters<Read>): void {
      const found = read(position, length)
      const copy = (bytes: Buffer) =>
        done(bytes.copy(target, offset) < length ? new Unreadable('it ends too early') : null)
      if (Buffer.isBuffer(found)) copy(found)
      else found.then(copy).catch(done)
    }
  }
  // yauzl itself would stop at a name that leads out; here all of them are reported.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const size = source.size - before
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), size, options)
  let left = directory
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
    left -= HEADER + fileNameRaw.length + entry.extraFieldRaw.length + entry.fileCommentRaw.length
    const name = yauzl.getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
    // The upper half holds a Unix mode where the archive was made there.
    const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
    yield {
      name,
      kind: name.endsWith('/') ? 'folder' : isLink ? 'link' : 'file',
      size: entry.uncompressedSize,
      packed: entry.compressedSize,
      crc: entry.crc32,
      encrypted: entry.isEncrypted(),
      read: () => unpack(zip, entry, read)
    }
  }
  // Programs that go by the directory's size would unpack what its count hides.
  if (left >= HEADER) throw new Unreadable('its directory holds more files than it counts')
}

/** The bytes of a directory entry, apart from its name, extra fields and comment. */
const HEADER = 46

/** How many bytes precede the archive, such as a `.crx` header, and its directory has; 0 and 0 in ZIP64. */
async function readEnd(source: Source) {
  // The end record has 22 bytes and a comment.
  const length = Math.min(source.size, 22 + 0xffff)
  const tail = await source.readAt(source.size - length, length)
  const at = tail.lastIndexOf('PK\x05\x06', Math.max(0, length - 22), 'latin1')
  // In ZIP64, other records stand between the directory and its end.
  const isZip64 = tail.lastIndexOf('PK\x06\x07', at, 'latin1') === at - 20
  if (at < 0 || at + 22 > length || isZip64) return { before: 0, directory: 0 }
  const [end, directory] = [source.size - length + at, tail.readUInt32LE(at + 12)]
  return { before: Math.max(0, end - directory - tail.readUInt32LE(at + 16)), directory }
}

/** Reads at a position, at once if in one of the last two blocks: one of the directory, one of the files. */
function readerOf(source: Source, before: number) {
  let blocks: readonly { readonly start: number; readonly bytes: Buffer }[] = []
  return (position: number, length: number): Buffer | Promise<Buffer> => {
    const from = position + before
    const held = blocks.find(it => it.start <= from && from + length <= it.start + it.bytes.length)
    if (held) return held.bytes.subarray(from - held.start, from - held.start + length)
    const size = Math.max(0, Math.min(Math.max(length, BLOCK), source.size - from))
    return source.readAt(from, size).then(bytes => {
      blocks = [{ start: from, bytes }, ...blocks.slice(0, 1)]
      return bytes.subarray(0, length)
    })
  }
}

async function unpack(zip: ZipFile, entry: ZipEntry, read: ReturnType<typeof readerOf>) {
  const { fileDataStart, fileName } = await zip.readLocalFileHeaderPromise(entry)
  const [listed, own] = [quoted(entry.fileNameRaw.toString()), quoted(fileName.toString())]
  const other = `an entry is called ${listed} in the directory, and ${own} in its own header`
  if (!fileName.equals(entry.fileNameRaw)) throw new Unreadable(other)
  const packed = await read(fileDataStart, entry.compressedSize)
  if (entry.compressionMethod === 0) return packed
  // Other methods are rare, and no library reads them all.
  if (entry.compressionMethod !== 8) return Buffer.alloc(0)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) })
  } catch (cause) {
    throw new Unreadable(`the entry ${listed} is damaged`, { cause })
  }
}
