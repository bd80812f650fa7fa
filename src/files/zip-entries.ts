// The entries of a ZIP file, as unpackers find them. The adapter of yauzl. Numbers: APPNOTE.TXT 6.3.10.
import { Readable } from 'node:stream'
import type { Entry as ZipEntry, ZipFile } from 'yauzl'
import type { Artifact } from './artifact.ts'
import {
  type Budget,
  type Entry,
  firstBytes,
  PART_BYTES,
  PATH_MAX_BYTES,
  readRange
} from './entries.ts'

/** The flag of a name in UTF-8 (4.4.4). */
const UTF_8 = 0x800
/** In place of a size that an extra field has (4.4.9). */
const IN_EXTRA_FIELD = 0xffffffff
/** The counts of old packers start again here. */
const COUNT_LIMIT = 65_536

/**
 * Yields the entries in the order of the directory. Throws `TooMuch`, what yauzl throws for a file that it cannot read,
 * or an `Error` about a directory in which other programs find other entries.
 */
export async function* zipEntries(artifact: Artifact, budget: Budget): AsyncGenerator<Entry> {
  const { default: yauzl } = await import('yauzl')
  const directory = await findDirectory(artifact)
  const { shift, end } = directory
  const isScript = shift > 0 && /\.jar$/i.test(artifact.name)
  if (shift !== 0 && !isScript) throw new Error(MISPLACED)

  const window = new ReadWindow(artifact, shift)
  class Reader extends yauzl.RandomAccessReader {
    override read(
      target: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null) => void
    ): void {
      window.read(position, length).then(bytes => {
        bytes.copy(target, offset)
        done(null)
      }, done)
    }

    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(readRange(artifact, start + shift, end + shift))
    }
  }

  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), artifact.size - shift, {
    autoClose: false,
    // yauzl itself would stop at the first name that leads out.
    decodeStrings: false
  })

  // Unpackers read the directory to its end, however many entries are counted.
  zip.entryCount = directory.isEmpty ? 0 : Number.MAX_SAFE_INTEGER
  let count = 0
  for await (const entry of zip.eachEntry()) {
    count += 1
    const { next } = window
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
    // Unpackers take a name in UTF-8 as it is: another one in an extra field is for names that are not.
    const others = generalPurposeBitFlag & UTF_8 ? [] : extraFields
    const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, others, true)
    budget.takeName(name)
    const problem = problemOf(name, entry)

    const read = async (most: number) => {
      if (entry.uncompressedSize === 0) await throwIfFilled(zip, entry)
      return firstBytes(await zip.openReadStreamPromise(entry), most, false)
    }
    const isLink = isUnixLink(entry) && problem === ''
    if (isLink) budget.takeContent(PATH_MAX_BYTES)

    yield {
      name,
      kind: isLink ? 'symlink' : kindByName(name),
      size: entry.uncompressedSize,
      // One byte more than a path may have shows that it is too long.
      linkTarget: isLink ? (await read(PATH_MAX_BYTES + 1)).toString() : '',
      problem,
      read
    }
    if (next >= end) break
  }

  if ((count - directory.count) % COUNT_LIMIT === 0) return
  throw new Error(`it has ${count} entries, and counts ${directory.count}`)
}

/** unzip takes the content that the header in front of it has, whatever the directory says. */
async function throwIfFilled(zip: ZipFile, entry: ZipEntry): Promise<void> {
  const { uncompressedSize } = await zip.readLocalFileHeaderPromise(entry)
  if (uncompressedSize === 0 || uncompressedSize === IN_EXTRA_FIELD) return
  throw new Error(`${uncompressedSize} bytes are said to be none`)
}

/** Unix packers put the file's mode into the upper half of its attributes (stat(2): S_IFLNK). */
function isUnixLink({ externalFileAttributes }: ZipEntry): boolean {
  return externalFileAttributes >>> 28 === 0xa
}

function kindByName(name: string): 'folder' | 'file' {
  return name.endsWith('/') ? 'folder' : 'file'
}

function problemOf(name: string, entry: ZipEntry): string {
  const { compressionMethod: method } = entry
  if (entry.isEncrypted()) return 'which is encrypted: buyers have no password'
  if (method !== 0 && method !== 8) {
    return `packed with method ${method}, which many programs cannot unpack: use Deflate (7-Zip: \`-mm=Deflate\`)`
  }

  // The checksum of nothing is 0.
  const isEmpty = entry.uncompressedSize === 0 && kindByName(name) === 'file'
  if (isEmpty && entry.crc32 !== 0) return 'which has content, and is said to have none'

  if (!name.includes('\\')) return ''
  // 4.4.17: "All slashes MUST be forward slashes".
  return 'whose backslashes separate folders only on Windows: pack it with PowerShell 7, 7-Zip or tar'
}

/** Where unpackers find the directory. */
interface Directory {
  /** In bytes: a script in front of the archive, which its offsets leave out (the executable jars of Spring Boot). */
  readonly shift: number
  /** Where it ends, without the shift. */
  readonly end: number
  readonly isEmpty: boolean
  /** How many entries it is said to have. */
  readonly count: number
}

/** The end record without its comment (4.3.16). */
const END_BYTES = 22
/** Its longest comment. */
const COMMENT_MAX_BYTES = 65_535
/** The end record of ZIP64 (4.3.14), and its locator (4.3.15), in front of the other one. */
const END_64_BYTES = 56
const LOCATOR_BYTES = 20

const MISPLACED = 'its directory is not where its end record says'

/** Finds the directory in front of the end record, as unzip, Python and Java do. Without such a record, yauzl throws. */
async function findDirectory(artifact: Artifact): Promise<Directory> {
  const length = Math.min(
    artifact.size,
    END_64_BYTES + LOCATOR_BYTES + END_BYTES + COMMENT_MAX_BYTES
  )
  const start = artifact.size - length
  const tail = await artifact.readAt(Buffer.alloc(length), start)

  const at = length < END_BYTES ? -1 : tail.lastIndexOf('PK\x05\x06', length - END_BYTES)
  if (at < 0) return directoryOf(0, 0, 0, 0)

  const locator = at - LOCATOR_BYTES
  const at64 = locator - END_64_BYTES
  if (at64 < 0 || tail.readUInt32LE(locator) !== 0x07064b50) {
    const count = tail.readUInt16LE(at + 10)
    return directoryOf(start + at, count, tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16))
  }

  const numberAt = (position: number) => Number(tail.readBigUInt64LE(position))
  const count = numberAt(at64 + 32)
  const directory = directoryOf(start + at64, count, numberAt(at64 + 40), numberAt(at64 + 48))
  if (numberAt(locator + 8) + directory.shift !== start + at64) throw new Error(MISPLACED)
  return directory
}

/** `position`: of the end record. */
function directoryOf(position: number, count: number, size: number, offset: number): Directory {
  return {
    shift: position - size - offset,
    end: offset + size,
    isEmpty: size === 0,
    count
  }
}

/**
 * The header that yauzl reads in front of a content (4.3.7). It stands far from the directory, and the content is read
 * by a stream: a window around each would be 128 KiB that nobody needs.
 */
const LOCAL_HEADER_BYTES = 30

/** Reads at any position, mostly from what was read last: each entry of the directory takes two reads of a few bytes. */
class ReadWindow {
  readonly #artifact: Artifact
  readonly #shift: number
  /** The position of what is held. */
  #start = 0
  #held: Buffer = Buffer.alloc(0)
  /** The position behind the last read. */
  next = 0

  constructor(artifact: Artifact, shift: number) {
    this.#artifact = artifact
    this.#shift = shift
  }

  async read(start: number, length: number): Promise<Buffer> {
    this.next = start + length
    const position = start + this.#shift
    const isHeld = position >= this.#start && position + length <= this.#start + this.#held.length
    if (isHeld) return this.#held.subarray(position - this.#start).subarray(0, length)

    const rest = this.#artifact.size - position
    if (rest < length) throw new Error('it is cut short')
    if (length === LOCAL_HEADER_BYTES) return this.#artifact.readAt(Buffer.alloc(length), position)

    const most = Math.min(Math.max(length, PART_BYTES), rest)
    this.#held = await this.#artifact.readAt(Buffer.allocUnsafe(most), position)
    this.#start = position
    return this.#held.subarray(0, length)
  }
}
