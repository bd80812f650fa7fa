// What archives of all kinds have in common: their names, entries, and how their bytes are read.
import type { FileHandle } from 'node:fs/promises'

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i

/** Whether an archive of this name is a gzipped tar file, and not a ZIP file. */
export function isTar(name: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(name)
}

/** An entry as the archive describes it. */
export interface Entry {
  readonly name: string
  /** A `link` is a hard link. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'link'
  /** In bytes, unpacked. */
  readonly size: number
  /** Where a link leads: a symbolic one from its own folder, a hard one from the root of the archive. */
  readonly linkTarget: string
  /** Why it cannot be unpacked everywhere, worded to follow its name; such an entry cannot be read. */
  readonly problem: string
  /** Its first bytes, so many at most; only before the next entry is asked for. */
  read(most: number): Promise<Buffer>
}

/** An archive goes on beyond what is looked at. */
export class TooMuch extends Error {}

/** In bytes: what is read at once. */
export const PART = 128 * 1024

/** Reads from `start` to before `end`. A stream of the file handle itself would close that when it is destroyed. */
export async function* readRange(handle: FileHandle, start: number, end: number) {
  for (let at = start; at < end; ) {
    const part = Buffer.allocUnsafe(Math.min(PART, end - at))
    const { bytesRead } = await handle.read(part, 0, part.length, at)
    if (bytesRead === 0) throw new Error('it is cut short')
    yield part.subarray(0, bytesRead)
    at += bytesRead
  }
}
