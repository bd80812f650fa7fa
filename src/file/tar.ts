// The entries of a gzipped tar file, as they stream by. The adapter of modern-tar.
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { HEAD, type Source, type Visit } from './entries.ts'

const CHUNK = 256 * 1024

/**
 * Visits the entries, unpacking up to so many bytes. Tells whether that was all of them; throws when the
 * file is no such archive.
 */
export async function walkTarGz(source: Source, visit: Visit, limit: number): Promise<boolean> {
  const { createTarDecoder } = await import('modern-tar')
  let whole = true
  const unpacked = async function* () {
    const gunzip = createGunzip()
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
      else await body.cancel()
    }
  } catch (error) {
    // What is cut off by our own limit looks like a broken archive.
    if (whole) throw error
  }
  return whole
}

async function* chunksOf(source: Source): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += CHUNK) {
    yield await source.readAt(at, Math.min(CHUNK, source.size - at))
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
