// How a ZIP archive differs from an earlier one, by what their directories say of their files.
import { counted, sizeText } from '../runner/text.ts'
import type { Source } from './entries.ts'
import { listed } from './fault.ts'
import { entryPath } from './findings.ts'
import { zipEntries } from './zip.ts'

/** What a directory says of a file: its unpacked bytes, and their CRC-32. */
type Packed = Readonly<{ size: number; crc: number }>

/** The files of an archive by their paths. */
export interface ArchiveListing {
  /** The archive's own size, in bytes. */
  readonly size: number
  readonly files: ReadonlyMap<string, Packed>
  /** The folder that holds everything, with its slash; empty if there is more than one, or a loose file. */
  readonly root: string
}

/** A file that differs, with its unpacked sizes in bytes; undefined on the side that does not have it. */
export interface Change {
  readonly path: string
  readonly before: number | undefined
  readonly after: number | undefined
}

/** The largest files come first. */
export interface Comparison {
  readonly added: readonly Change[]
  readonly removed: readonly Change[]
  readonly changed: readonly Change[]
  readonly warnings: readonly string[]
}

/** Lists a ZIP archive. Throws an `Error` that says why it cannot be, such as that it holds too many files. */
export async function listZip(source: Source): Promise<ArchiveListing> {
  const files = new Map<string, Packed>()
  for await (const entry of zipEntries(source, () => undefined)) {
    const { kind, size, crc } = entry
    if (kind !== 'folder') files.set(entryPath(entry.name), { size, crc })
  }
  return { size: source.size, files, root: rootOf([...files.keys()]) }
}

/** What macOS puts beside the real folder. */
const MAC = '__MACOSX/'

function rootOf(paths: readonly string[]): string {
  const real = paths.filter(path => !path.startsWith(MAC))
  const [first = ''] = real
  const root = first.slice(0, first.indexOf('/') + 1)
  return root !== '' && real.every(path => path.startsWith(root)) ? root : ''
}

/** Compares by path, size and CRC. If one folder holds everything in both, its name makes no difference. */
export function compareArchives(before: ArchiveListing, after: ArchiveListing): Comparison {
  const haveRoots = before.root !== '' && after.root !== ''
  const pathNow = (path: string) =>
    haveRoots && path.startsWith(before.root) ? after.root + path.slice(before.root.length) : path
  const earlier = new Map(
    Array.from(before.files, ([path, file]) => [pathNow(path), { path, ...file }] as const)
  )
  const changes: Change[] = []
  for (const path of new Set([...earlier.keys(), ...after.files.keys()])) {
    const [then, now] = [earlier.get(path), after.files.get(path)]
    if (then?.size === now?.size && then?.crc === now?.crc) continue
    // What is gone is named as it was.
    const named = then && !now ? then.path : path
    changes.push({ path: named, before: then?.size, after: now?.size })
  }
  const weight = ({ before: was = 0, after: is = 0 }: Change) => Math.max(was, is)
  changes.sort((a, b) => weight(b) - weight(a))
  const kindOf = (change: Change) => {
    if (change.before === undefined) return 'added'
    return change.after === undefined ? 'removed' : 'changed'
  }
  const { added = [], removed = [], changed = [] } = Object.groupBy(changes, kindOf)
  const warnings = [
    ...warnOfRoot(before.root, after.root),
    ...warnOfLoss(removed.length, before.files.size),
    ...warnOfSize(before.size, after.size),
    ...warnOfFolders(earlier.keys(), after.files.keys())
  ]
  return { added, removed, changed, warnings }
}

/** Programs know a plugin by its folder, so only the numbers in its name may change, as those of a version. */
function warnOfRoot(before: string, after: string): string[] {
  const plain = (root: string) => root.replace(/\d+(?:\.\d+)*/g, '0')
  if (plain(before) === plain(after)) return []
  const tell = (root: string) => (root === '' ? 'not all in one folder' : `in ${listed([root])}`)
  return [`its files are ${tell(after)}, and were ${tell(before)}`]
}

function warnOfLoss(gone: number, all: number): string[] {
  return gone > all / 2 ? [`more than half of the files are gone: ${gone} of ${all}`] : []
}

function warnOfSize(before: number, after: number): string[] {
  const sizes = `${sizeText(before)} before, ${sizeText(after)} now`
  if (after >= 2 * before) return [`it is at least twice as large: ${sizes}`]
  return after <= before / 2 ? [`it is at most half as large: ${sizes}`] : []
}

/** What development leaves behind, at the top or one folder down: packages, tests, and hidden folders. */
const LEFTOVER =
  /^(?:[^/]+\/)?(?:node_modules|bower_components|tests?|__tests__|specs?|e2e|cypress|coverage|__pycache__|__MACOSX|te?mp|\.[^/]+)\//i

function warnOfFolders(before: Iterable<string>, after: Iterable<string>): string[] {
  const find = (paths: Iterable<string>) =>
    new Set(Array.from(paths, path => LEFTOVER.exec(path)?.[0] ?? ''))
  const found = [...find(after).difference(find(before).add(''))]
  const count = counted(found.length, 'new folder')
  return found.length === 0
    ? []
    : [`it has ${count} of a kind that buyers seldom need: ${listed(found)}`]
}
