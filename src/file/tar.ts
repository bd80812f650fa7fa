// The entries of tar.gz files. The format is read here: libraries hide what has to be refused.
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Ambiguous, ENTRIES, type Entry, type Source, Unfinished, Unreadable } from './entry.ts'
import { isZero, openHeaders, paddingOf, TAR_BLOCK } from './tar-header.ts'

/** In bytes: what is read and unpacked at once. */
const PIECE = 240 * 1024

/** Yields the entries. Throws `Unfinished` beyond `limit` unpacked bytes or too many entries, or what is wrong. */
export async function* tarGzEntries(source: Source, limit: number): AsyncGenerator<Entry> {
  const pieces = unpackGzip(source, limit)
  const { take, skip, rest } = openBytes(pieces)
  const nextHeader = openHeaders(take)
  try {
    for (let count = 0; ; count++) {
      const header = await nextHeader()
      if (header === undefined) break
      if (count === ENTRIES) throw new Unfinished()
      const { name, kind, size, linkName } = header
      let left = size + paddingOf(size)
      const takeContent = () => {
        left -= size
        return take(size)
      }
      const isLink = kind === 'link' || kind === 'hard link'
      const read = isLink ? async () => Buffer.from(linkName) : takeContent
      yield { name, kind, size, packed: 0, crc: 0, encrypted: false, read }
      await skip(left)
    }
    // Two blocks of zeros end an archive; some programs read on behind the first, or behind both.
    for await (const piece of rest(TAR_BLOCK)) {
      if (!isZero(piece)) throw new Ambiguous('more data follows its end')
    }
  } finally {
    await pieces.return(undefined)
  }
}

/** Takes and skips bytes of pieces in order; throws `Unreadable` where they end too early. */
function openBytes(pieces: AsyncGenerator<Buffer>) {
  let held: Buffer = Buffer.alloc(0)
  const next = async () => {
    const { value, done } = await pieces.next()
    if (done) throw new Unreadable('it is cut short')
    return value
  }
  const take = async (length: number) => {
    const parts = [held]
    for (let left = length - held.length; left > 0; ) {
      const piece = await next()
      parts.push(piece)
      left -= piece.length
    }
    if (parts.length > 1) held = Buffer.concat(parts)
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  const skip = async (length: number) => {
    let left = length
    for (; left > held.length; held = await next()) left -= held.length
    held = held.subarray(left)
  }
  /** All that is left, at least so many bytes. */
  async function* rest(least: number) {
    yield await take(least)
    yield held
    yield* pieces
  }
  return { take, skip, rest }
}

/** Unpacks at most `limit` bytes, then throws `Unfinished`. */
async function* unpackGzip(source: Source, limit: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE })
  let [packed, unpacked] = [0, 0]
  async function* piecesOf() {
    for (; packed < source.size; packed += PIECE) {
      // Data do not grow when they are packed: such a file consists of many empty parts.
      const isEmpty = packed > 2 * unpacked + 8 * PIECE
      if (isEmpty) throw new Unreadable('it consists of empty parts')
      yield await source.readAt(packed, Math.min(PIECE, source.size - packed))
    }
  }
  pipeline(piecesOf(), gunzip, () => undefined)
  for await (const piece of gunzip) {
    unpacked += piece.length
    if (unpacked > limit) throw new Unfinished()
    yield piece
  }
}
