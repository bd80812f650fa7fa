// What is seen of an archive's entries: their names and sizes, and the texts of those that may matter.
import { posix } from 'node:path'
import type { Entry } from './entry.ts'
import { isManifest, type Manifest, readManifest } from './manifests.ts'
import { judgeText, rateFile } from './signs.ts'
import type { VersionNames } from './versions.ts'

const OUTSIDE = 'which leads out of the folder that it is unpacked to.'
const TWICE = 'more than once, and programs differ in which one they take.'
const CUT_NAME = 'whose name has a NUL character, and programs differ in whether it ends there.'
const LONG_NAME = 'whose name is longer than 4,096 bytes, so that hardly a program can unpack it.'

/** In bytes. No larger entry is read, packed or unpacked; one over `HEAD` only for its version or its link. */
const READABLE = 1024 * 1024
const HEAD = 64 * 1024
/** After so many reads, only links, manifests and files named like keys are read; after the second, none. */
const READ = 1000
const READ_AT_MOST = 1500
/** In bytes: nothing more is read after so many. */
const READ_BYTES = 128 * 1024 * 1024
/** The longest path of Linux, in bytes. */
const LONGEST_PATH = 4096

/** What is wrong with an entry, worded to follow its name. */
export type Found = readonly [what: string, name: string]

/** What was seen of the entries so far. */
export interface Findings {
  readonly versions: VersionNames | undefined
  /** Of files, with slashes, and without parts that mean nothing, such as `./`. */
  readonly paths: Set<string>
  readonly wrong: Found[]
  /** These may be allowed by name. */
  readonly secrets: Found[]
  readonly manifests: Manifest[]
  /** The paths of manifests that are not read. */
  readonly tooLarge: string[]
  readonly warnings: string[]
  files: number
  /** In bytes, as the archive says. */
  unpacked: number
  reads: number
  readBytes: number
  /** Whether all entries were seen. */
  isWhole: boolean
}

/** Those of an archive of which nothing was seen yet; without `versions`, none are compared. */
export function startFindings(versions: VersionNames | undefined): Findings {
  return {
    versions,
    paths: new Set(),
    wrong: [],
    secrets: [],
    manifests: [],
    tooLarge: [],
    warnings: [],
    files: 0,
    unpacked: 0,
    reads: 0,
    readBytes: 0,
    isWhole: true
  }
}

/** Takes in the next entry; gives what has to be called, before the one after it, if it is to be read. */
export function inspectEntry(findings: Findings, entry: Entry): (() => Promise<void>) | undefined {
  const path = entryPath(entry.name)
  note(findings, entry, path)
  if (!isRead(findings, entry, path)) return undefined
  return async () => noteContent(findings, entry, path, await entry.read())
}

/** A path with slashes, and without parts that mean nothing, such as `./`; too long a one is cut. */
export function entryPath(name: string): string {
  const path = name.slice(0, LONGEST_PATH + 1).replaceAll('\\', '/')
  return path.replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

function note(findings: Findings, { name, kind, size, encrypted }: Entry, path: string): void {
  const isLong = name.length > LONGEST_PATH || Buffer.byteLength(name) > LONGEST_PATH
  if (isLong) findings.wrong.push([LONG_NAME, path])
  else if (leadsOut('', name)) findings.wrong.push([OUTSIDE, name])
  if (name.includes('\0')) findings.wrong.push([CUT_NAME, path])
  if (kind === 'folder') return
  findings.files++
  findings.unpacked += size
  if (encrypted) findings.wrong.push(['which is encrypted: buyers have no password.', path])
  if (findings.paths.has(path)) findings.wrong.push([TWICE, path])
  // A long one would take long to match.
  if (!isLong) findings.paths.add(path)
  // A file of PHP code has a header only if it is the product's main file, which is short.
  const isMissed =
    size > READABLE && findings.versions && isManifest(path) && !path.endsWith('.php')
  if (isMissed) findings.tooLarge.push(path)
}

/** Whether an entry is to be read: a link, a manifest, or a small file that may hold a key or a token. */
function isRead(
  findings: Findings,
  { kind, size, packed, encrypted }: Entry,
  path: string
): boolean {
  if (kind === 'folder' || encrypted || Math.max(size, packed) > READABLE) return false
  const chance = size > 0 && size <= HEAD ? rateFile(path, size) : 'no'
  const isFirst = kind !== 'file' || isManifest(path) || chance === 'likely'
  if (!isFirst && !(chance === 'perhaps' && findings.reads < READ)) return false
  findings.reads++
  findings.readBytes += size
  return !hasLeftOut(findings)
}

/** Whether some entries were not read, since others were so many, or so large. */
export function hasLeftOut({ reads, readBytes }: Findings): boolean {
  return reads > READ_AT_MOST || readBytes > READ_BYTES
}

function noteContent(
  findings: Findings,
  { kind, size }: Entry,
  path: string,
  content: Buffer
): void {
  const text = content.toString()
  if (kind !== 'file') {
    if (leadsOut(kind === 'link' ? path : '', text)) findings.wrong.push([OUTSIDE, path])
    return
  }
  const manifest = findings.versions && readManifest(path, text, findings.versions)
  if (manifest) findings.manifests.push(manifest)
  const told = size > HEAD ? '' : judgeText(path, text)
  if (told !== '') findings.secrets.push([told, path])
}

/** Whether a path leads out of the unpacked folder: of a link, seen `from` it; of an entry, any with `..`. */
function leadsOut(from: string, path: string): boolean {
  if (/^[\\/]|^[a-z]:/i.test(path)) return true
  if (!path.includes('..')) return false
  const target = path.replaceAll('\\', '/')
  const climbs = from === '' ? target : posix.join(posix.dirname(from), target)
  return climbs.split('/').includes('..')
}
