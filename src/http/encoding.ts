// Compressed answers. None is asked for, but proxies and servers send them all the same.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync]
])

/** The body without its content encoding, of so many bytes at most. Throws for one that cannot be decoded. */
export function decode(body: Buffer, encoding: unknown, limit: number): Buffer {
  const names = typeof encoding === 'string' ? encoding.toLowerCase().split(',') : []
  let decoded = body
  for (const name of names.map(text => text.trim()).reverse()) {
    if (name === '' || name === 'identity') continue
    const decoder = DECODERS.get(name)
    if (!decoder) throw new Error(`the answer has an unknown encoding ("${name}")`)
    try {
      decoded = decoder(decoded, { maxOutputLength: limit })
    } catch (cause) {
      throw new Error(`the answer is longer than ${limit} bytes, or no ${name}`, { cause })
    }
  }
  return decoded
}
