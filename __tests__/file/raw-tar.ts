// Owns tar files written field by field, as honest tools do not write them.

/** One header with its content; what is left out is that of an ordinary file. */
export interface RawFile {
  readonly name: string
  readonly content?: string
  readonly type?: string
  readonly linkName?: string
  /** What the header says, in bytes. */
  readonly size?: number
  readonly folder?: string
  readonly magic?: string
}

const BLOCK = 512
const END = Buffer.alloc(2 * BLOCK)

/** A pax header with these records, for the next entry, or with `g` for all. */
export function paxHeader(records: Readonly<Record<string, string>>, type = 'x'): RawFile {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    // The length counts its own digits.
    const length = [1, 2, 3]
      .map(digits => rest.length + digits)
      .find(it => rest.length + `${it}`.length === it)
    return `${length}${rest}`
  })
  return { name: 'PaxHeader', type, content: lines.join('') }
}

/** A tar file of these headers, with what ends it. */
export function rawTar(files: readonly RawFile[], end: Buffer = END): Buffer {
  const blocks = files.map(file => {
    const { name, content = '', type = '0', linkName = '', folder = '', magic = 'ustar\0' } = file
    const header = Buffer.alloc(BLOCK)
    header.write(name)
    header.write((file.size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0'), 124)
    header.write(`        ${type}${linkName}`, 148)
    header.write(`${magic}00`, 257)
    header.write(folder, 345)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(sum.toString(8).padStart(6, '0'), 148)
    header.writeUInt8(0, 154)
    const body = Buffer.from(content)
    return Buffer.concat([header, body, Buffer.alloc(-body.length & (BLOCK - 1))])
  })
  return Buffer.concat([...blocks, end])
}
