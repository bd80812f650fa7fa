// Which files are archives, and the entries of each kind.
import type { Entry, Source } from './entry.ts'
import { tarGzEntries } from './tar.ts'
import { zipEntries } from './zip.ts'

/** The names of archives that can be looked into. */
export const ARCHIVE =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|crx|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin|tar\.gz|tgz)$/i

const TAR_GZ = /\.(?:tar\.gz|tgz)$/i

/** Whether a file of this name is a ZIP archive, which lists its files with their sizes and checksums. */
export function isZip(name: string): boolean {
  return ARCHIVE.test(name) && !TAR_GZ.test(name)
}

/**
 * The entries of an archive; `warn` is told what programs read differently, where that is usual. Throws `Ambiguous`,
 * `Unreadable` or another error for what cannot be read, `Unfinished` beyond `limit` unpacked bytes or other limits.
 */
export function entriesOf(
  source: Source,
  limit: number,
  warn: (text: string) => void
): AsyncGenerator<Entry> {
  return TAR_GZ.test(source.name) ? tarGzEntries(source, limit) : zipEntries(source, warn)
}
