// What archives of all kinds have in common: a source that is read, entries, and why reading them ends.

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
  /** Its content, or where a link leads; only before the next entry is asked for. */
  read(): Promise<Buffer>
}

/** At most so many entries of an archive are looked at. */
export const ENTRIES = 150_000

/** Thrown where an archive goes on beyond what is looked at. */
export class Unfinished extends Error {
  constructor() {
    super('it holds too many files')
  }
}

/** What we find wrong with an archive, in words for users, unlike what a library finds. */
export class Unreadable extends Error {}

/** Thrown where programs read an archive differently; in words for users. */
export class Ambiguous extends Error {}
