// Owns ZIP files written field by field, as honest tools do not write them.

/** One entry, stored; what is left out is as it should be. */
export interface RawEntry {
  readonly name: string | Buffer
  readonly content?: string
  /** 1: encrypted; 0x800: the name is in UTF-8, which is so when left out. */
  readonly flags?: number
  /** A Unix mode. */
  readonly mode?: number
  /** What the headers say of the content, in bytes. */
  readonly packed?: number
  readonly size?: number
}

/** A ZIP file of these entries. The offsets of what follows `before` count with it. */
export function rawZip(
  entries: readonly RawEntry[],
  { before = '', comment = '', zip64 = false } = {}
): Buffer {
  const locals = [Buffer.from(before)]
  const records: Buffer[] = []
  let offset = before.length
  for (const { name, content = '', flags = 0x800, mode = 0, packed, size } of entries) {
    const [raw, data] = [Buffer.from(name), Buffer.from(content)]
    const both = Buffer.alloc(26)
    both.writeUInt16LE(flags, 2)
    both.writeUInt32LE(packed ?? data.length, 14)
    both.writeUInt32LE(size ?? data.length, 18)
    both.writeUInt16LE(raw.length, 22)
    const own = Buffer.alloc(14)
    own.writeUInt16LE(mode, 8)
    own.writeUInt32LE(offset, 10)
    locals.push(Buffer.from('PK\x03\x04'), both, raw, data)
    records.push(Buffer.from('PK\x01\x02\0\0'), both, own, raw)
    offset += 30 + raw.length + data.length
  }
  const directory = Buffer.concat(records)
  const counts = [BigInt(entries.length), BigInt(entries.length), BigInt(directory.length)]
  const end = Buffer.alloc(22, 'PK\x05\x06\0\0\0\0')
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06')
  for (const [at, value] of [...counts, BigInt(offset)].entries()) {
    end64.writeBigUInt64LE(value, 24 + 8 * at)
  }
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07')
  locator.writeBigUInt64LE(BigInt(offset + directory.length), 8)
  const ends = zip64 ? [end64, locator, end] : [end]
  return Buffer.concat([...locals, directory, ...ends, Buffer.from(comment, 'latin1')])
}
