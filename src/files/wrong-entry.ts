// Faults of an archive's entry, whatever the archive is for: where it leads, and how unpackers read it. Pure.
import { posix } from 'node:path'
import { type Entry, PATH_MAX_BYTES, PATH_MAX_FOLDERS } from './entries.ts'

const OUTSIDE = 'which leads out of the folder that it is unpacked to'
const TOO_LONG = 'whose name or link target is too long to unpack'
const HIDDEN_END = 'whose name or link target has a NUL character, at which many programs end it'
const TWICE = 'more than once, and unpackers do not agree on which one counts'

/** Whether no unpacker could make a file of this entry. */
export function isTooLong({ name, linkTarget }: Entry): boolean {
  return [name, linkTarget].some(path => {
    return Buffer.byteLength(path) > PATH_MAX_BYTES || path.split('/').length > PATH_MAX_FOLDERS
  })
}

/**
 * Says why an entry must not be in an archive, worded to follow its name; empty if nothing is wrong.
 * @param path The entry's path without `.` and `..`.
 * @param isThere Whether an earlier entry has the same path.
 */
export function describeWrongEntry(entry: Entry, path: string, isThere: boolean): string {
  const { name, kind, linkTarget, problem } = entry
  if (isTooLong(entry)) return TOO_LONG

  // Of `g/.env\0.txt`, unzip and Python make `g/.env`.
  if (`${name}${linkTarget}`.includes('\0')) return HIDDEN_END

  // A symbolic link starts from its own folder, a hard link from the root.
  const isRelative = kind === 'symlink' && !ABSOLUTE.test(linkTarget)
  const target = isRelative ? posix.join(posix.dirname(path), linkTarget) : linkTarget
  if (leadsOut(name) || leadsOut(target)) return OUTSIDE
  if (problem !== '') return problem

  return isThere && kind !== 'folder' ? TWICE : ''
}

/** `/a`, `C:\a` */
const ABSOLUTE = /^(?:[\\/]|[a-z]:)/i

/** `/a`, `C:\a`, `a/../b` */
function leadsOut(path: string): boolean {
  return ABSOLUTE.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)
}
