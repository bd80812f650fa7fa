// The headers of tar files: an entry's own, and those before it that say more. Programs differ in which they follow, so
// they must not say different things (POSIX.1-2017, `pax`; the manual of GNU tar, "Basic Tar Format").
import { Ambiguous, type Entry, Unfinished, Unreadable } from './entry.ts'
import { quoteName } from './fault.ts'

/** In bytes. */
export const TAR_BLOCK = 512
/** In bytes: only a larger size needs a pax header. */
const OCTAL_MAX = 8 ** 11 - 1
/** In bytes: long names and pax headers, in all. The records of pax headers: in all, and in one. */
const [METADATA, RECORDS, RECORDS_OF_ONE] = [32 * 1024 * 1024, 1_000_000, 1000]

export interface Header {
  readonly name: string
  readonly kind: Entry['kind']
  /** In bytes. */
  readonly size: number
  readonly linkName: string
}

/** A header as it stands in its block. */
interface RawHeader extends Omit<Header, 'kind'> {
  readonly type: string
}

/** What precedes an entry, and takes the place of what its header says. */
interface Overrides {
  readonly longName?: string
  readonly longLink?: string
  readonly pax?: ReadonlyMap<string, string>
}

/** Gives a function that reads the header of the next entry, with all before it; undefined at the end. */
export function openHeaders(take: (length: number) => Promise<Buffer>) {
  let [metadata, records] = [0, 0]
  return async (): Promise<Header | undefined> => {
    let before: Overrides = {}
    for (;;) {
      const block = await take(TAR_BLOCK)
      if (isZero(block)) break
      const header = parseHeader(block)
      if (!/[xgLK]/.test(header.type)) return override(header, before)
      metadata += header.size
      if (metadata > METADATA) throw new Unfinished()
      const content = await take(header.size + paddingOf(header.size))
      const more = parseMore(header.type, content.subarray(0, header.size))
      records += more.pax?.size ?? 0
      if (records > RECORDS) throw new Unfinished()
      if (header.type === 'g') checkGlobals(more)
      else before = join(before, more)
    }
    if (Object.keys(before).length > 0) throw new Unreadable('it is cut short')
    return undefined
  }
}

/** In bytes, what fills the last block of a content. */
export function paddingOf(size: number): number {
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

function override(header: RawHeader, { longName, longLink, pax }: Overrides): Header {
  const [path, linkPath, length] = [pax?.get('path'), pax?.get('linkpath'), pax?.get('size')]
  const name = longName ?? path ?? header.name
  const refuse = (why: string) => {
    throw new Ambiguous(`${quoteName(name)} ${why}`)
  }
  const kind = ENTRY_KINDS[header.type]
  const isSparse = pax?.keys().some(key => SPARSE.test(key))
  if (!kind || isSparse) return refuse('is a device, a sparse file, or of another special kind')
  // To some programs, an empty one means that of the header.
  if (name === '' || linkPath === '') refuse('has an empty name')
  const hasTwo = (longName && path) || (longLink && linkPath)
  if (hasTwo) refuse('has two long names')
  const size = length === undefined ? header.size : Number(length)
  if (size !== header.size && !(size > OCTAL_MAX)) refuse('has two sizes')
  const isFile = kind === 'file' && !name.endsWith('/')
  if (!isFile && size > 0) refuse('is a folder or a link, and yet has a size')
  const linkName = longLink ?? linkPath ?? header.linkName
  return { name, kind: kind === 'file' && !isFile ? 'folder' : kind, size, linkName }
}

/** What a header before an entry says: `x` and `g` are of pax, `L` and `K` of GNU tar. */
function parseMore(type: string, content: Buffer): Overrides {
  if (type === 'x' || type === 'g') return { pax: parsePax(content) }
  let end = content.length
  while (end > 0 && content[end - 1] === 0) end--
  const text = content.toString('utf8', 0, end)
  return type === 'L' ? { longName: text } : { longLink: text }
}

function join(before: Overrides, more: Overrides): Overrides {
  const isTwice = Object.keys(more).some(key => key in before)
  if (isTwice) throw new Ambiguous('two headers of one kind precede an entry')
  return { ...before, ...more }
}

function checkGlobals({ pax }: Overrides): void {
  const sets = pax?.keys().some(key => /^(?:path|linkpath|size)$/.test(key) || SPARSE.test(key))
  if (sets) throw new Ambiguous('a header for all entries gives them one path or size')
}

/** The records of a pax header, such as `20 path=gallery/a\n`; the first number is the record's length. */
function parsePax(content: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at)
    const end = at + Number(content.toString('latin1', at, Math.min(space, at + 9)))
    const equals = content.indexOf('=', space)
    const isWhole = at < space && space < equals && equals < end && content[end - 1] === 0x0a
    const key = content.toString('utf8', space + 1, equals)
    if (!isWhole || records.has(key) || records.size === RECORDS_OF_ONE) {
      throw new Unreadable('one of its pax headers is damaged')
    }
    records.set(key, content.toString('utf8', equals + 1, end - 1))
    at = end
  }
  return records
}

function parseHeader(block: Buffer): RawHeader {
  // The checksum counts as eight spaces in its own sum.
  let sum = 8 * 0x20
  for (let at = 0; at < TAR_BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0
  if (sum !== parseNumber(block, 148, 156)) throw new Unreadable('one of its headers is damaged')
  const [own, folder] = [textIn(block, 0, 100), textIn(block, 345, 500)]
  // Other formats, such as GNU tar's own, have something else there, which some programs take for a folder.
  const hasFolder = block.toString('latin1', 257, 263) === 'ustar\0'
  if (folder !== '' && !hasFolder) {
    throw new Ambiguous(`the folder of ${quoteName(own)} is given in an unusual way`)
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
  const field = block.subarray(start, end)
  const stop = field.indexOf(0)
  return field.toString('utf8', 0, stop < 0 ? field.length : stop)
}

/** Octal digits; or, with the first bit set, bytes in big-endian order. */
function parseNumber(block: Buffer, start: number, end: number): number {
  const bytes = block.subarray(start, end)
  const isLong = bytes[0] === 0x80 && bytes.subarray(1, -6).every(byte => byte === 0)
  if (isLong) return block.readUIntBE(end - 6, 6)
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(bytes.toString('latin1')) ?? []
  if (digits === undefined) throw new Unreadable('one of its headers holds no proper number')
  return Number.parseInt(digits || '0', 8)
}

export function isZero(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes[0] === 0 && bytes.equals(Buffer.alloc(bytes.length)))
}
