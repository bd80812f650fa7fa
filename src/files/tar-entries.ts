// The entries of a gzipped tar file. The adapter of modern-tar.
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Artifact } from './artifact.ts'
import {
  type Budget,
  type Entry,
  firstBytes,
  MAX_READ_BYTES,
  PART_BYTES,
  readRange,
  TooMuchError
} from './entries.ts'

/** Unpacked: tar has no directory, so that all of it would have to be unpacked. */
const UNPACKED_MAX_BYTES = 1024 ** 3
/** The size of a usual entry without its content. */
const USUAL_HEADER_BYTES = 4096
/** How much all entries together may have beyond that. */
const HEADERS_MAX_BYTES = MAX_READ_BYTES

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
    expected += size + USUAL_HEADER_BYTES

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
  const gunzip = createGunzip({ chunkSize: PART_BYTES })
  // Errors of the source reach the reader of the last stream.
  pipeline(readRange(artifact, 0, artifact.size), gunzip, () => undefined)

  let total = 0
  for await (const bytes of gunzip) {
    total += bytes.length
    // Extended headers are read long before there is an entry that shows them.
    if (total > UNPACKED_MAX_BYTES || total - expected() > HEADERS_MAX_BYTES)
      throw new TooMuchError()
    yield bytes
  }
}

/** By the words of modern-tar, in which a `link` is a hard link. */
function kindByType(type: string): Entry['kind'] {
  if (type === 'directory') return 'folder'
  return type === 'symlink' || type === 'link' ? type : 'file'
}
