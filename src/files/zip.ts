// The entries of ZIP files. The adapter of yauzl, which reads the directory at a file’s end.
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { RandomAccessReader, Entry as ZipEntry } from 'yauzl'
import type { Artifact } from './artifact.ts'
import { type Entry, PART, readRange } from './entries.ts'

/** Yields the entries in the order of the directory. Throws what yauzl throws for a file that it cannot read. */
export async function* zipEntries({ handle, size }: Artifact): AsyncGenerator<Entry> {
  const { default: yauzl } = await import('yauzl')
  const readPart = openParts(handle, size)
  class Reader extends yauzl.RandomAccessReader {
    override read(...[target, offset, length, position, done]: Parameters<Read>): void {
      readPart(position, length, (error, bytes) => {
        bytes?.copy(target, offset)
        done(error)
      })
    }
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(readRange(handle, start, end))
    }
  }
  // yauzl itself would stop at the first name that leads out.
  const options = { autoClose: false, decodeStrings: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), size, options)
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
    const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    const problem = problemOf(name, entry)
    const read = async (most: number) => firstBytes(await zip.openReadStreamPromise(entry), most)
    // Unix packers put the file's mode into the upper half of its attributes (stat(2): S_IFLNK).
    const isLink = entry.externalFileAttributes >>> 28 === 0xa && problem === ''
    yield {
      name,
      kind: isLink ? 'symlink' : name.endsWith('/') ? 'folder' : 'file',
      size: entry.uncompressedSize,
      linkTarget: isLink ? (await read(LONGEST_PATH)).toString() : '',
      problem,
      read
    }
  }
}

type Read = RandomAccessReader['read']
/** In bytes, as Linux has it. */
const LONGEST_PATH = 4096

function problemOf(name: string, entry: ZipEntry): string {
  const { compressionMethod: method } = entry
  if (entry.isEncrypted()) return 'which is encrypted: buyers have no password'
  if (method !== 0 && method !== 8) {
    return `packed by method ${method}, which many programs cannot unpack: pack it by Deflate (7-Zip: \`-mm=Deflate\`)`
  }
  if (!name.includes('\\')) return ''
  // APPNOTE.TXT 6.3.10, 4.4.17: "All slashes MUST be forward slashes".
  return 'whose backslashes part folders on Windows alone: pack it by PowerShell 7, 7-Zip or tar'
}

/** Reads at any position, mostly from what was read last: each entry of the directory takes two reads of a few bytes. */
function openParts(handle: FileHandle, size: number) {
  let held: { readonly start: number; readonly bytes: Buffer } = {
    start: 0,
    bytes: Buffer.alloc(0)
  }
  const take = (position: number, length: number) => {
    const from = position - held.start
    const isIn = from >= 0 && from + length <= held.bytes.length
    return isIn ? held.bytes.subarray(from, from + length) : undefined
  }
  return (
    position: number,
    length: number,
    done: (error: Error | null, bytes?: Buffer) => void
  ) => {
    const found = take(position, length)
    if (found) {
      done(null, found)
      return
    }
    const most = Math.min(Math.max(length, PART), Math.max(0, size - position))
    handle.read(Buffer.allocUnsafe(most), 0, most, position).then(({ bytesRead, buffer }) => {
      held = { start: position, bytes: buffer.subarray(0, bytesRead) }
      const bytes = take(position, length)
      if (bytes) done(null, bytes)
      else done(new Error('it is cut short'))
    }, done)
  }
}

/** The first bytes of a stream, which is ended. */
async function firstBytes(stream: Readable, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    parts.push(part)
    length += part.length
    if (length >= most) break
  }
  return Buffer.concat(parts).subarray(0, most)
}
