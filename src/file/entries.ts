// What archives of all kinds have in common: their names, a source that is read, entries, and why reading them ends.

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i

/** Whether a file of this name is a ZIP archive, which lists its files with their sizes and checksums. */
export function isZip(name: string): boolean {
  return ARCHIVE.test(name) && !/\.(?:tar\.gz|tgz)$/i.test(name)
}

/** An open file, read at any position. */
export interface Source {
  readonly name: string
  readonly size: number
  /** Exactly so many bytes, in memory of their own. */
  readAt(position: number, length: number): Promise<Buffer>
}

/** An entry as the archive describes it, perhaps wrongly. */
export interface Entry {
  readonly name: string
  /** A hard link leads from the root of the archive, a link from its own folder. */
  readonly kind: 'file' | 'folder' | 'link' | 'hard link'
  /** In bytes, unpacked. */
  readonly size: number
  /** In bytes; 0 where entries are not packed one by one. */
  readonly packed: number
  /** The CRC-32 of its content; 0 where entries have none. */
  readonly crc: number
  readonly encrypted: boolean
  /** How it is packed, such as `LZMA`, if not in a way that every program unpacks; such entries cannot be read. */
  readonly unusual: string
  /** Its content, or where a link leads; only before the next entry is asked for. */
  read(): Promise<Buffer>
}

/** At most so many entries of an archive are looked at. */
export const ENTRIES = 150_000

/**
 * Why an archive is not read to its end, in words for users, unlike what a library throws. `ambiguous`: programs read it
 * differently; `unfinished`: it goes on beyond what is looked at.
 */
export class ArchiveFault extends Error {
  readonly kind: 'unreadable' | 'ambiguous' | 'unfinished'
  constructor(kind: ArchiveFault['kind'], message = 'it holds too many files') {
    super(message)
    this.kind = kind
  }
}
