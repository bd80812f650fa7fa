// The entries of an archive, a ZIP file or a gzipped tar file. The adapter of yauzl and modern-tar.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Entry as ZipEntry } from 'yauzl'
import type { Artifact } from './artifact.ts'

/** In bytes of UTF-8, as Linux has it; a longer name or target belongs to no archive that anybody can unpack. */
export const LONGEST_PATH = 4096

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i

/** Whether an archive of this name is a gzipped tar file, and not a ZIP file. */
export function isTar(name: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(name)
}

/** An entry as the archive describes it. */
export interface Entry {
  readonly name: string
  /** A `link` is a hard link. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'link'
  /** In bytes, unpacked. */
  readonly size: number
  /** Where a link leads: a symbolic one from its own folder, a hard one from the root of the archive. */
  readonly linkTarget: string
  /** Why it cannot be unpacked everywhere, worded to follow its name; such an entry cannot be read. */
  readonly problem: string
  /** Its first bytes, up to `most`; only before the next entry is asked for. */
  read(most: number): Promise<Buffer>
}

/** An archive goes on beyond what is looked at. */
export class TooMuch extends Error {}

/** In bytes: so much is read of an archive at most, all of its names, link targets and contents together. */
const MOST_READ = 32 * 1024 * 1024
/** In bytes: what starting to read a content counts as, since that takes its time, too. */
const LEAST_READ = 16 * 1024

/** How much may still be read of one archive. */
export class Budget {
  #left = MOST_READ

  /** Takes a name, with its link target where the header has both: double, since they are kept. Throws `TooMuch`. */
  takeName(text: string): void {
    this.#take(2 * text.length)
  }

  /** Takes a content, or a target that is one. Throws `TooMuch`. */
  takeContent(bytes: number): void {
    this.#take(Math.max(bytes, LEAST_READ))
  }

  #take(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new TooMuch()
  }
}

/** In bytes: what is read at once. */
const PART = 128 * 1024

/** Reads from `start` to before `end`. */
async function* readRange(
  artifact: Artifact,
  start: number,
  end: number
): AsyncGenerator<Buffer, void> {
  for (let at = start; at < end; at += PART) {
    yield await artifact.readAt(Buffer.allocUnsafe(Math.min(PART, end - at)), at)
  }
}

/** Yields the entries in the order of the directory. Throws `TooMuch`, or what yauzl throws for a file that it cannot read. */
export async function* zipEntries(artifact: Artifact, budget: Budget): AsyncGenerator<Entry> {
  const { default: yauzl } = await import('yauzl')
  const window = new ReadWindow(artifact)
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
      return Readable.from(readRange(artifact, start, end))
    }
  }

  const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), artifact.size, {
    autoClose: false,
    // yauzl itself would stop at the first name that leads out.
    decodeStrings: false
  })
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
    const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    budget.takeName(name)
    const problem = problemOf(name, entry)

    const read = async (most: number) =>
      firstBytes(await zip.openReadStreamPromise(entry), most, false)
    const isLink = isUnixLink(entry) && problem === ''
    if (isLink) budget.takeContent(LONGEST_PATH)

    yield {
      name,
      kind: isLink ? 'symlink' : kindByName(name),
      size: entry.uncompressedSize,
      // One byte more than a path may have shows that it is too long.
      linkTarget: isLink ? (await read(LONGEST_PATH + 1)).toString() : '',
      problem,
      read
    }
  }
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

  if (!name.includes('\\')) return ''
  // APPNOTE.TXT 6.3.10, 4.4.17: "All slashes MUST be forward slashes".
  return 'whose backslashes separate folders only on Windows: pack it with PowerShell 7, 7-Zip or tar'
}

/**
 * In bytes: what yauzl reads in front of a content (APPNOTE.TXT 6.3.10, 4.3.7). It stands far from the directory, and
 * what follows it is read by a stream: a window around each would be 128 KiB that nobody needs.
 */
const LOCAL_HEADER = 30

/** Reads at any position, mostly from what was read last: each entry of the directory takes two reads of a few bytes. */
class ReadWindow {
  readonly #artifact: Artifact
  /** The position of what is held. */
  #start = 0
  #held: Buffer = Buffer.alloc(0)

  constructor(artifact: Artifact) {
    this.#artifact = artifact
  }

  async read(position: number, length: number): Promise<Buffer> {
    const isHeld = position >= this.#start && position + length <= this.#start + this.#held.length
    if (isHeld) return this.#held.subarray(position - this.#start).subarray(0, length)

    const rest = this.#artifact.size - position
    if (rest < length) throw new Error('it is cut short')
    if (length === LOCAL_HEADER) return this.#artifact.readAt(Buffer.alloc(length), position)

    const most = Math.min(Math.max(length, PART), rest)
    this.#held = await this.#artifact.readAt(Buffer.allocUnsafe(most), position)
    this.#start = position
    return this.#held.subarray(0, length)
  }
}

/** In bytes, unpacked: tar has no directory, so that all of it would have to be unpacked. */
const UNPACKED = 1024 ** 3
/** In bytes: what an entry of any real archive has in addition to its content. */
const USUAL_HEADER = 4096
/** In bytes: what all entries together may have beyond that. */
const HEADERS = MOST_READ

/** Yields the entries. Throws `TooMuch`, or what Node or modern-tar throw for a file that they cannot read. */
export async function* tarEntries(artifact: Artifact, budget: Budget): AsyncGenerator<Entry> {
  const { createTarDecoder } = await import('modern-tar')
  /** In bytes: what the entries so far account for. */
  let expected = 0
  const unpacked = ReadableStream.from(unpack(artifact, () => expected))
  // Lax, it takes a web page for an empty archive.
  const decoder = createTarDecoder({ strict: true })
  for await (const { header, body } of unpacked.pipeThrough(decoder)) {
    const { name, type = 'file', size, linkname = '' } = header
    budget.takeName(name + linkname)
    expected += size + USUAL_HEADER

    let isRead = false
    yield {
      name,
      kind: kindByType(type),
      size,
      linkTarget: linkname,
      problem: '',
      read: most => {
        isRead = true
        return firstBytes(body, most, true)
      }
    }
    if (!isRead && size > 0) await firstBytes(body, 0, true)
  }
}

/** The bytes of the tar file. Throws `TooMuch` once there are many more than `expected` says that there should be. */
async function* unpack(artifact: Artifact, expected: () => number): AsyncGenerator<Buffer, void> {
  const gunzip = createGunzip({ chunkSize: PART })
  // Errors of the source reach the reader of the last stream.
  pipeline(readRange(artifact, 0, artifact.size), gunzip, () => undefined)

  let total = 0
  for await (const bytes of gunzip) {
    total += bytes.length
    // Extended headers are read long before there is an entry that shows them.
    if (total > UNPACKED || total - expected() > HEADERS) throw new TooMuch()
    yield bytes
  }
}

/** By the words of modern-tar, in which a `link` is a hard link. */
function kindByType(type: string): Entry['kind'] {
  if (type === 'directory') return 'folder'
  return type === 'symlink' || type === 'link' ? type : 'file'
}

/**
 * The first bytes of a stream. One of tar has to be read `toEnd`: modern-tar is ahead by an entry or two, and takes it
 * for the end of a later body when an earlier one is canceled, so that the later one would never end.
 */
async function firstBytes(
  stream: AsyncIterable<Uint8Array>,
  most: number,
  toEnd: boolean
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream) {
    if (length < most) parts.push(part)
    length += part.length
    if (length >= most && !toEnd) break
  }
  return Buffer.concat(parts).subarray(0, most)
}
