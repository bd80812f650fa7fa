// The entries of gzipped tar files. The adapter of modern-tar, behind Node’s gunzip.
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Artifact } from './artifact.ts'
import { type Entry, PART, readRange, TooMuch } from './entries.ts'

/** In bytes, unpacked: tar has no directory, so that all of it would have to be unpacked. */
const UNPACKED = 1024 ** 3

/** Yields the entries. Throws `TooMuch` behind 1 GiB, or what Node or modern-tar throw for a file that they cannot read. */
export async function* tarEntries({ handle, size }: Artifact): AsyncGenerator<Entry> {
  const { createTarDecoder } = await import('modern-tar')
  const gunzip = createGunzip({ chunkSize: PART })
  async function* unpacked() {
    // Errors of the source reach whoever reads the last stream.
    pipeline(readRange(handle, 0, size), gunzip, () => undefined)
    let total = 0
    for await (const bytes of gunzip) {
      total += bytes.length
      if (total > UNPACKED) throw new TooMuch()
      yield bytes
    }
  }
  // Lax, it takes a web page for an empty archive.
  const decoder = createTarDecoder({ strict: true })
  for await (const { header, body } of ReadableStream.from(unpacked()).pipeThrough(decoder)) {
    const { name, type = 'file', size, linkname = '' } = header
    const isLink = type === 'symlink' || type === 'link'
    let isRead = false
    yield {
      name,
      kind: type === 'directory' ? 'folder' : isLink ? type : 'file',
      size,
      linkTarget: linkname,
      problem: '',
      read: most => {
        isRead = true
        return drain(body, most)
      }
    }
    if (!isRead && size > 0) await drain(body, 0)
  }
}

/**
 * The first bytes of a body, which is read to its end: modern-tar is ahead by an entry or two, and takes it for the
 * end of a later body when an earlier one is cancelled, so that the later one would never end.
 */
async function drain(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    if (length < most) parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts).subarray(0, most)
}
