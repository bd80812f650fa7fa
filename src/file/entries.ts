// What the readers of archives have in common: what they read from, and what they tell of each entry.

/** An open file, read at any position. */
export interface Source {
  readonly size: number
  /** So many bytes from there, in memory of their own. */
  readAt(position: number, length: number): Promise<Buffer>
}

/** One entry of an archive. */
export interface Entry {
  /** As it stands in the archive; other people's text. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link'
  /** Unpacked, in bytes, as the archive says. */
  readonly size: number
  /** Packed, in bytes; 0 where entries are not packed one by one. */
  readonly packed: number
  readonly encrypted: boolean
  /** Where a link leads; undefined where that is the content. */
  readonly target?: string | undefined
}

const ZIP =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin)$/i
const TAR_GZ = /\.(?:tar\.gz|tgz)$/i

/** Whether a file is an archive that can be looked into, by its name. */
export function isArchive(name: string): boolean {
  return ZIP.test(name) || TAR_GZ.test(name)
}

export function isTarGz(name: string): boolean {
  return TAR_GZ.test(name)
}

/** At most so much of an entry's content is given. */
export const HEAD = 64 * 1024

/** Takes note of an entry. May ask for the beginning of its content, or to end the walk. */
export type Visit = (entry: Entry) => ((content: Buffer) => void) | 'stop' | undefined
