// The entries of tar.gz files. The format is read here: libraries hide what has to be refused. An entry has its own header,
// and others before it that say more. Programs differ in which they follow, so they must not say different things
// (POSIX.1-2017, `pax`; the manual of GNU tar, "Basic Tar Format").
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ArchiveFault, ENTRIES, type Entry, type Source } from './entries.ts'
import { quoteName } from './fault.ts'

/** In bytes: what is read and unpacked at once. */
const UNPACKED_PIECE = 240 * 1024
/** In bytes. */
const TAR_BLOCK = 512
/** In bytes: only a larger size needs a pax header. */
const OCTAL_MAX = 8 ** 11 - 1
/** In bytes: long names and pax headers, in all. The records of pax headers: in all, and in one. */
const [METADATA, RECORDS, RECORDS_OF_ONE] = [32 * 1024 * 1024, 1_000_000, 1000]

/** Yields the entries. Throws an `ArchiveFault`, `unfinished` beyond `limit` unpacked bytes or too many entries. */
export async function* tarGzEntries(source: Source, limit: number): AsyncGenerator<Entry> {
  const pieces = unpackGzip(source, limit)
  const { take, skip, rest } = openBytes(pieces)
  const nextHeader = openHeaders(take)
  try {
    for (let count = 0; ; count++) {
      const header = await nextHeader()
      if (header === undefined) break
      if (count === ENTRIES) throw new ArchiveFault('unfinished')
      const { name, kind, size, linkName } = header
      let left = size + paddingOf(size)
      const takeContent = () => {
        left -= size
        return take(size)
      }
      const isLink = kind === 'link' || kind === 'hard link'
      const read = isLink ? async () => Buffer.from(linkName) : takeContent
      yield { name, kind, size, packed: 0, crc: 0, encrypted: false, unusual: '', read }
      await skip(left)
    }
    // Two blocks of zeros end an archive; some programs read on behind the first, or behind both.
    for await (const piece of rest(TAR_BLOCK)) {
      if (!isZero(piece)) throw new ArchiveFault('ambiguous', 'more data follows its end')
    }
  } finally {
    await pieces.return(undefined)
  }
}

async function* unpackGzip(source: Source, limit: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_PIECE })
  let [packed, unpacked] = [0, 0]
  async function* piecesOf() {
    for (; packed < source.size; packed += UNPACKED_PIECE) {
      // Data do not grow when they are packed: such a file consists of many empty parts.
      const isEmpty = packed > 2 * unpacked + 8 * UNPACKED_PIECE
      if (isEmpty) throw new ArchiveFault('unreadable', 'it consists of empty parts')
      yield await source.readAt(packed, Math.min(UNPACKED_PIECE, source.size - packed))
    }
  }
  pipeline(piecesOf(), gunzip, () => undefined)
  for await (const piece of gunzip) {
    unpacked += piece.length
    if (unpacked > limit) throw new ArchiveFault('unfinished')
    yield piece
  }
}

function openBytes(pieces: AsyncGenerator<Buffer>) {
  let held: Buffer = Buffer.alloc(0)
  const next = async () => {
    const { value, done } = await pieces.next()
    if (done) throw new ArchiveFault('unreadable', CUT_SHORT)
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

const CUT_SHORT = 'it is cut short'

/** A header as it stands in its block; the size is in bytes. */
interface TarHeader extends Pick<Entry, 'name' | 'size'> {
  readonly type: string
  readonly linkName: string
}

/** What a header that precedes an entry says in place of the entry's own, by the keys of pax. */
type PaxRecords = ReadonlyMap<string, string>

/** Returns a function that reads the header of the next entry, with all before it; undefined at the end. */
function openHeaders(take: (length: number) => Promise<Buffer>) {
  let [metadata, records] = [0, 0]
  return async () => {
    const before = new Map<string, PaxRecords>()
    for (;;) {
      const block = await take(TAR_BLOCK)
      if (isZero(block)) break
      const header = parseHeader(block)
      const { type, size } = header
      if (!/[xgLK]/.test(type)) return override(header, before)
      metadata += size
      if (metadata > METADATA) throw new ArchiveFault('unfinished')
      const content = await take(size + paddingOf(size))
      const said = parseExtra(type, content.subarray(0, size))
      records += said.size
      if (records > RECORDS) throw new ArchiveFault('unfinished')
      if (type === 'g') checkGlobals(said)
      else if (before.has(type)) {
        throw new ArchiveFault('ambiguous', 'two headers of one kind precede an entry')
      } else before.set(type, said)
    }
    if (before.size > 0) throw new ArchiveFault('unreadable', CUT_SHORT)
    return undefined
  }
}

/** In bytes, what fills the last block of a content. */
function paddingOf(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK
}

/** Files with holes: what is left out of them, not all programs know how to put back. */
const SPARSE = /^GNU\.sparse\.|^SCHILY\.realsize$/

const ENTRY_KINDS: Readonly<Record<string, Entry['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'hard link',
  '2': 'link',
  '5': 'folder'
}

/** The header of an entry; `before` has those that precede it, by their types. */
function override(header: TarHeader, before: ReadonlyMap<string, PaxRecords>) {
  const given = (key: string) => ['L', 'K', 'x'].flatMap(type => before.get(type)?.get(key) ?? [])
  const [names, linkNames, [length]] = [given('path'), given('linkpath'), given('size')]
  const [[name = header.name], [linkName = header.linkName]] = [names, linkNames]
  const refuse = (why: string) => {
    throw new ArchiveFault('ambiguous', `${quoteName(name)} ${why}`)
  }
  const kind = ENTRY_KINDS[header.type]
  const isSparse = before
    .get('x')
    ?.keys()
    .some(key => SPARSE.test(key))
  if (!kind || isSparse) return refuse('is a device, a sparse file, or of another special kind')
  // To some programs, an empty one means that of the header.
  if ([name, ...linkNames].includes('')) refuse('has an empty name')
  if (names.length > 1 || linkNames.length > 1) refuse('has two long names')
  const size = length === undefined ? header.size : Number(length)
  if (size !== header.size && !(size > OCTAL_MAX)) refuse('has two sizes')
  const isFile = kind === 'file' && !name.endsWith('/')
  if (!isFile && size > 0) refuse('is a folder or a link, and yet has a size')
  return { name, kind: kind === 'file' && !isFile ? 'folder' : kind, size, linkName }
}

function checkGlobals(said: PaxRecords): void {
  const sets = said.keys().some(key => /^(?:path|linkpath|size)$/.test(key) || SPARSE.test(key))
  if (!sets) return
  throw new ArchiveFault('ambiguous', 'a header for all entries gives them one path or size')
}

/** What a header before an entry says: `x` and `g` are of pax, `L` and `K` of GNU tar. */
function parseExtra(type: string, content: Buffer): PaxRecords {
  if (type === 'x' || type === 'g') return parsePax(content)
  const text = content.toString('utf8', 0, content.findLastIndex(byte => byte !== 0) + 1)
  return new Map([[type === 'L' ? 'path' : 'linkpath', text]])
}

/** The records of a pax header, such as `20 path=gallery/a\n`; the first number is the record's length. */
function parsePax(content: Buffer): PaxRecords {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at)
    const end = at + Number(content.toString('latin1', at, Math.min(space, at + 9)))
    const equals = content.indexOf('=', space)
    const isWhole = at < space && space < equals && equals < end && content[end - 1] === 0x0a
    const key = content.toString('utf8', space + 1, equals)
    if (!isWhole || records.has(key) || records.size === RECORDS_OF_ONE) {
      throw new ArchiveFault('unreadable', 'one of its pax headers is damaged')
    }
    records.set(key, content.toString('utf8', equals + 1, end - 1))
    at = end
  }
  return records
}

function parseHeader(block: Buffer): TarHeader {
  // The checksum counts as eight spaces in its own sum.
  let sum = 8 * 0x20
  for (let at = 0; at < TAR_BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0
  if (sum !== parseNumber(block, 148, 156)) {
    throw new ArchiveFault('unreadable', 'one of its headers is damaged')
  }
  const [own, folder] = [textIn(block, 0, 100), textIn(block, 345, 500)]
  // Other formats, such as GNU tar's own, have something else there, which some programs take for a folder.
  const hasFolder = block.toString('latin1', 257, 263) === 'ustar\0'
  if (folder !== '' && !hasFolder) {
    const why = `the folder of ${quoteName(own)} is given in an unusual way`
    throw new ArchiveFault('ambiguous', why)
  }
  return {
    name: folder === '' ? own : `${folder}/${own}`,
    type: block.toString('latin1', 156, 157),
    size: parseNumber(block, 124, 136),
    linkName: textIn(block, 157, 257)
  }
}

/** The text of a field, up to its first NUL. */
function textIn(block: Buffer, start: number, end: number): string {
  const stop = block.subarray(start, end).indexOf(0)
  return block.toString('utf8', start, stop < 0 ? end : start + stop)
}

/** Octal digits; or, with the first bit set, bytes in big-endian order. */
function parseNumber(block: Buffer, start: number, end: number): number {
  const bytes = block.subarray(start, end)
  const isLong = bytes[0] === 0x80 && isZero(bytes.subarray(1, -6))
  if (isLong) return block.readUIntBE(end - 6, 6)
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(bytes.toString('latin1')) ?? []
  if (digits !== undefined) return Number.parseInt(digits || '0', 8)
  throw new ArchiveFault('unreadable', 'one of its headers holds no proper number')
}

function isZero(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes[0] === 0 && bytes.equals(Buffer.alloc(bytes.length)))
}
