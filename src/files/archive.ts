// Reads a ZIP file to its end, without unpacking it to the disk. The adapter of yauzl.
import { posix } from 'node:path'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { ActionError } from '../runner/action-error.ts'
import { messageOf, quoteText } from '../runner/words.ts'
import type { Artifact } from './artifact.ts'

/** A file of an archive, read to its end. */
export interface ArchiveFile {
  /** With slashes, and without parts that mean nothing, such as `./`. */
  readonly path: string
  /** In bytes, unpacked, as the archive says. */
  readonly size: number
  /** Its first bytes; none of a file that was not read. */
  readonly head: Buffer
  /** Why buyers cannot unpack it, worded to follow its name; empty if they can. */
  readonly fault: string
  /** Whether the library does not know its compression method, so that it was not read. */
  readonly isUnknown: boolean
}

/**
 * Yields all files, in the order of the directory. Throws what yauzl throws for a directory that it cannot read or a name
 * that leads out, and an `ActionError` if the archive changes meanwhile.
 * @param headBytes How many of a file's first bytes to keep, by its path.
 */
export async function* readArchive(
  artifact: Artifact,
  headBytes: (path: string) => number
): AsyncGenerator<ArchiveFile, void> {
  const contents = new ReadWindow(artifact)
  const zip = await openZip(artifact, contents)
  for await (const entry of zip.eachEntry()) {
    const path = posix.normalize(entry.fileName)
    if (path.endsWith('/')) continue

    const isUnknown = !entry.isEncrypted() && !entry.canDecodeFileData()
    const unpacked = unpack(zip, entry, contents)
    const content = isUnknown ? UNREAD : await readContent(entry, unpacked, headBytes(path))
    yield {
      path,
      size: entry.uncompressedSize,
      isUnknown,
      ...content
    }
  }
}

/** A file in the archive, read: its first bytes, and what is wrong with it, or empty text. */
interface Content {
  readonly head: Buffer
  readonly fault: string
}

const UNREAD: Content = { head: Buffer.alloc(0), fault: '' }
const LOCKED: Content = { ...UNREAD, fault: 'which is encrypted: buyers have no password' }

async function readContent(
  entry: Entry,
  unpacked: AsyncIterable<Buffer>,
  headBytes: number
): Promise<Content> {
  if (entry.isEncrypted()) return LOCKED

  const parts: Buffer[] = []
  let length = 0
  let sum = 0
  try {
    for await (const part of unpacked) {
      if (length < headBytes) parts.push(part)
      length += part.length
      sum = crc32(part, sum)
    }
  } catch (error) {
    // The whole file changed.
    if (error instanceof ActionError) throw error
    return { ...UNREAD, fault: `which cannot be unpacked (${quoteText(messageOf(error))})` }
  }

  const head = Buffer.concat(parts).subarray(0, headBytes)
  const isWhole = length === entry.uncompressedSize && sum === entry.crc32
  return { head, fault: isWhole ? '' : 'which cannot be unpacked (its checksum is wrong)' }
}

/** How much is read at once, in bytes. */
const PART_BYTES = 128 * 1024
/** A file of at most this size, in bytes, is unpacked in one piece: for small files, streams take most of the time. */
const SMALL_BYTES = 1024 * 1024

async function* unpack(
  zip: ZipFile,
  entry: Entry,
  contents: ReadWindow
): AsyncGenerator<Buffer, void> {
  const { compressedSize, uncompressedSize } = entry
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = contents.readRange(start, start + compressedSize)

  if (!entry.isCompressed()) yield* packed
  else if (compressedSize <= PART_BYTES && uncompressedSize <= SMALL_BYTES) {
    for await (const part of packed) yield inflateRawSync(part)
  } else {
    const inflate = createInflateRaw({ chunkSize: PART_BYTES })
    // Errors of the first stream reach the reader of the last.
    pipeline(packed, inflate, () => undefined)
    yield* inflate
  }
}

/** The length of the header in front of a content (4.3.7 of the specification), by which yauzl reads it. */
const LOCAL_HEADER_BYTES = 30

async function openZip(artifact: Artifact, contents: ReadWindow): Promise<ZipFile> {
  const { default: yauzl } = await import('yauzl')
  const directory = new ReadWindow(artifact)

  class Reader extends yauzl.RandomAccessReader {
    override read(
      target: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null) => void
    ): void {
      const isHeader = length === LOCAL_HEADER_BYTES && !directory.holds(position, length)
      const window = isHeader ? contents : directory
      window.read(position, length).then(bytes => {
        bytes.copy(target, offset)
        done(null)
      }, done)
    }
  }

  return yauzl.fromRandomAccessReaderPromise(new Reader(), artifact.size, {
    autoClose: false,
    // Backslashes separate folders only on Windows.
    strictFileNames: true
  })
}

/** Reads at any position, mostly from what was read last: most entries and their contents follow each other. */
class ReadWindow {
  readonly #artifact: Artifact
  /** The position of what is held. */
  #start = 0
  #held: Buffer = Buffer.alloc(0)

  constructor(artifact: Artifact) {
    this.#artifact = artifact
  }

  /** Whether this was read already. */
  holds(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#held.length
  }

  async read(position: number, length: number): Promise<Buffer> {
    const rest = this.#artifact.size - position
    if (rest < length) throw new Error('unexpected end of the file')

    if (!this.holds(position, length)) {
      const most = Math.min(Math.max(length, PART_BYTES), rest)
      this.#held = await this.#artifact.readAt(Buffer.allocUnsafe(most), position)
      this.#start = position
    }
    return this.#held.subarray(position - this.#start).subarray(0, length)
  }

  /** Reads from `start` to before `end`. */
  async *readRange(start: number, end: number): AsyncGenerator<Buffer, void> {
    for (let at = start; at < end; at += PART_BYTES) {
      yield await this.read(at, Math.min(PART_BYTES, end - at))
    }
  }
}

/** The bytes of a whole file. */
export function readWhole(artifact: Artifact): AsyncGenerator<Buffer, void> {
  return new ReadWindow(artifact).readRange(0, artifact.size)
}
