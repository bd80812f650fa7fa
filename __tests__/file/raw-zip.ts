// Owns ZIP files written field by field, as honest tools do not write them.
import { crc32 } from 'node:zlib'

/** A header of an entry; what is left out is as it should be. */
interface RawHeader {
  readonly name: string | Buffer
  /** 1: encrypted; 8: sizes follow the content; 0x800: the name is in UTF-8, which is so when left out. */
  readonly flags: number
  readonly method: number
  /** What the header says of the content, in bytes. */
  readonly packed: number
  readonly size: number
  readonly extra: Buffer
}

/** One entry, stored. */
export interface RawEntry extends Partial<RawHeader> {
  readonly name: string | Buffer
  readonly content?: string
  /** A Unix mode. */
  readonly mode?: number
  /** Where the entry's own header differs from the directory. */
  readonly own?: Partial<RawHeader>
  /** What stands before the header, and behind the content. */
  readonly gap?: string
  readonly after?: string | Buffer
}

interface RawEnd {
  /** The offsets of what follows count with it. */
  readonly before: string
  readonly comment: string
  readonly zip64: boolean
  /** What stands before the directory. */
  readonly gap: string
  /** What the end record says, where it is wrong. */
  readonly count: number
  readonly directory: number
  /** The number of entries by the end record of ZIP64. */
  readonly count64: number
}

/** A field with the name and the contents of its kind: Unicode Path, for one of these names. */
export function unicodePath(name: string, path: string): Buffer {
  const field = Buffer.concat([Buffer.alloc(9), Buffer.from(path)])
  field.writeUInt16LE(0x7075)
  field.writeUInt16LE(field.length - 4, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32(name), 5)
  return field
}

/** What follows a content whose sizes follow, with as many bytes for a size. */
export function descriptorOf(content: string, width: 4 | 8 = 4): Buffer {
  const bytes = Buffer.alloc(8 + 2 * width, 'PK\x07\x08\0\0\0\0\0\0\0\0')
  bytes.fill(0, 4)
  bytes.writeUInt32LE(crc32(content), 4)
  bytes.writeUInt32LE(content.length, 8)
  bytes.writeUInt32LE(content.length, 8 + width)
  return bytes
}

/** The part that both headers have, from the flags to the lengths. */
function fieldsOf(header: RawHeader, crc: number): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(header.flags, 0)
  bytes.writeUInt16LE(header.method, 2)
  bytes.writeUInt32LE(crc, 8)
  bytes.writeUInt32LE(header.packed, 12)
  bytes.writeUInt32LE(header.size, 16)
  bytes.writeUInt16LE(Buffer.byteLength(header.name), 20)
  bytes.writeUInt16LE(header.extra.length, 22)
  return bytes
}

/** A ZIP file of these entries. */
export function rawZip(entries: readonly RawEntry[], end: Partial<RawEnd> = {}): Buffer {
  const { before = '', comment = '', gap = '', zip64 = false } = end
  const locals = [Buffer.from(before)]
  const records: Buffer[] = []
  let offset = before.length
  for (const entry of entries) {
    const data = Buffer.from(entry.content ?? '')
    const plain = { flags: 0x800, method: 0, packed: data.length, size: data.length }
    const listed: RawHeader = { ...plain, extra: Buffer.alloc(0), ...entry }
    const own: RawHeader = { ...listed, extra: Buffer.alloc(0), ...entry.own }
    const [start, after] = [Buffer.from(entry.gap ?? ''), Buffer.from(entry.after ?? '')]
    const place = Buffer.alloc(14)
    place.writeUInt16LE(entry.mode ?? 0, 8)
    place.writeUInt32LE(offset + start.length, 10)
    const crc = crc32(data)
    const local = Buffer.concat([
      ...[start, Buffer.from('PK\x03\x04\0\0'), fieldsOf(own, crc), Buffer.from(own.name)],
      ...[own.extra, data, after]
    ])
    locals.push(local)
    records.push(Buffer.from('PK\x01\x02\0\0\0\0'), fieldsOf(listed, crc), place)
    records.push(Buffer.from(listed.name), listed.extra)
    offset += local.length
  }
  const directory = Buffer.concat(records)
  offset += gap.length
  const count = end.count ?? Math.min(entries.length, 0xffff)
  const last = Buffer.alloc(22, 'PK\x05\x06\0\0\0\0')
  last.writeUInt16LE(count, 8)
  last.writeUInt16LE(count, 10)
  last.writeUInt32LE(end.directory ?? directory.length, 12)
  last.writeUInt32LE(offset, 16)
  last.writeUInt16LE(comment.length, 20)
  const count64 = BigInt(end.count64 ?? entries.length)
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06')
  for (const [at, value] of [count64, count64, directory.length, offset].entries()) {
    end64.writeBigUInt64LE(BigInt(value), 24 + 8 * at)
  }
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(offset + directory.length), 8)
  const ends = zip64 ? [end64, locator, last] : [last]
  return Buffer.concat([
    ...[...locals, Buffer.from(gap), directory],
    ...[...ends, Buffer.from(comment, 'latin1')]
  ])
}
