// ZIP files written field by field, as honest tools do not write them, or with more entries than they would.
import { crc32 } from 'node:zlib'

/** One entry, stored; a field that is left out is as it should be. */
export interface RawEntry {
  readonly name: string | Buffer
  readonly content?: string
  /** 1: encrypted; 0x800: the name is in UTF-8, which is so when left out. */
  readonly flags?: number
  readonly method?: number
  /** In bytes: the size of the content unpacked, as the headers have it. */
  readonly size?: number
  /** What stands in the archive, if it is not the content itself. */
  readonly packed?: Buffer
  readonly crc?: number
  /** As Unix has it; 0o120777: a symbolic link. */
  readonly mode?: number
}

/** The part that both headers have, from the flags to the lengths. */
function fieldsOf(entry: RawEntry): Buffer {
  const { name, content = '', flags = 0x800, method = 0, size, packed, crc } = entry
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(flags, 0)
  bytes.writeUInt16LE(method, 2)
  bytes.writeUInt32LE(crc ?? crc32(content), 8)
  bytes.writeUInt32LE(packed?.length ?? Buffer.byteLength(content), 12)
  bytes.writeUInt32LE(size ?? Buffer.byteLength(content), 16)
  bytes.writeUInt16LE(Buffer.byteLength(name), 20)
  return bytes
}

/** A ZIP file of these entries, with the end records of ZIP64, in which the directory is said to have `counted` entries. */
export function rawZip(entries: readonly RawEntry[], counted = entries.length): Buffer {
  const locals: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const fields = fieldsOf(entry)
    const name = Buffer.from(entry.name)
    const content = entry.packed ?? Buffer.from(entry.content ?? '')

    const place = Buffer.alloc(14)
    place.writeUInt16LE(entry.mode ?? 0, 8)
    place.writeUInt32LE(offset, 10)

    locals.push(Buffer.from('PK\x03\x04\0\0'), fields, name, content)
    records.push(Buffer.from('PK\x01\x02\0\0\0\0'), fields, place, name)
    offset += 30 + name.length + content.length
  }

  const directory = Buffer.concat(records)
  const ends = endRecords(counted, directory.length, offset)
  return Buffer.concat([...locals, directory, ...ends])
}

/** The records behind the directory, which is `size` bytes long and begins at `offset`. */
function endRecords(count: number, size: number, offset: number): Buffer[] {
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06')
  for (const [at, value] of [count, count, size, offset].entries()) {
    end64.writeBigUInt64LE(BigInt(value), 24 + 8 * at)
  }

  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)

  // The older record only says that the other one counts.
  const last = Buffer.alloc(22, 'PK\x05\x06\0\0\0\0')
  last.fill(0xff, 8, 20)
  last.writeUInt16LE(0, 20)
  return [end64, locator, last]
}
