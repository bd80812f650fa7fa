// What is seen of an archive's entries: their names and sizes, and the texts of those that may matter.
import { ArchiveFault, type Entry } from './entries.ts'
import { isManifest, type Manifest, readManifest } from './manifests.ts'
import { judgeText, rateFile } from './signs.ts'
import type { VersionNames } from './versions.ts'

const OUTSIDE = 'which leads out of the folder that it is unpacked to.'
const DETOUR =
  'a link with ".." behind a name in its target: if that name is a link, too, it leads elsewhere. Write ".." at the start alone.'
const TWICE = 'more than once, and programs differ in which one they take.'
const CUT_NAME = 'whose name has a NUL character, and programs differ in whether it ends there.'
const LONG_NAME = 'whose name is longer than 4,096 bytes, so that hardly a program can unpack it.'
const LOCKED = 'which is encrypted: buyers have no password.'
const packedBy = (method: string) =>
  `packed by ${method}, which many programs cannot unpack (Java and browsers among them), so what is in it was not checked. Pack it by Deflate, as zip does; for 7-Zip, that is \`-mm=Deflate\`.`

/** In bytes. No larger entry is read, packed or unpacked; one over `HEAD` only for its version or its link. */
const READABLE = 1024 * 1024
const HEAD = 64 * 1024
/** In bytes. Of other small files less is read, so that links, manifests and files named like keys are still read behind them. */
const READ_AT_MOST = { reads: 25_000, bytes: 128 * 1024 * 1024 }
const READ_OF_OTHERS = { reads: 20_000, bytes: 64 * 1024 * 1024 }
/** In bytes: so much of manifests is looked at in all, since large JSON takes long. */
const MANIFESTS = 16 * 1024 * 1024
/** The longest path of Linux, in bytes. */
const LONGEST_PATH = 4096

/** What is told of a file in an archive, worded to follow its name. */
export type Found = readonly [what: string, path: string]

/** What was seen of an archive's entries so far. */
export class Findings {
  /** Without them, no manifests are looked for. */
  readonly versions: VersionNames | undefined
  /** Of files, with slashes, and without parts that mean nothing, such as `./`. */
  readonly paths = new Set<string>()
  /** The paths of folders that are entries themselves, with a slash at the end. */
  readonly folders = new Set<string>()
  /** Where links lead, by their paths. */
  readonly targets = new Map<string, string>()
  readonly wrong: Found[] = []
  /** These may be allowed by name. */
  readonly secrets: Found[] = []
  readonly manifests: Manifest[] = []
  manifestBytes = 0
  /** The paths of manifests that are not looked at. */
  readonly tooLarge: string[] = []
  files = 0
  /** In bytes, as the archive says. */
  unpacked = 0
  /** How many were read, with how many bytes in all; and how many more there were to read. */
  reads = 0
  readBytes = 0
  unread = 0
  isWhole = true

  constructor(versions: VersionNames | undefined) {
    this.versions = versions
  }
}

/** Looks at all entries, or at as many as the limits allow. Throws what reading them throws. */
export async function inspectEntries(
  entries: AsyncIterable<Entry>,
  versions: VersionNames | undefined
): Promise<Findings> {
  const findings = new Findings(versions)
  try {
    for await (const entry of entries) {
      const path = entryPath(entry.name)
      noteEntry(findings, entry, path)
      if (isRead(findings, entry, path)) noteContent(findings, entry, path, await entry.read())
    }
  } catch (error) {
    if (!(error instanceof ArchiveFault) || error.kind !== 'unfinished') throw error
    findings.isWhole = false
  }
  return findings
}

/** A path with slashes, and without parts that mean nothing, such as `./`; too long a one is cut. */
export function entryPath(name: string): string {
  const path = name.slice(0, LONGEST_PATH + 1).replaceAll('\\', '/')
  return path.replace(/(^|\/)(?:\.?\/)+/g, '$1')
}

function noteEntry(findings: Findings, entry: Entry, path: string): void {
  const { name, kind, size, encrypted, unusual } = entry
  const { wrong, paths, folders } = findings
  const isLong = name.length > LONGEST_PATH || Buffer.byteLength(name) > LONGEST_PATH
  if (isLong) wrong.push([LONG_NAME, path])
  else if (judgePath(name) !== '') wrong.push([OUTSIDE, name])
  if (name.includes('\0')) wrong.push([CUT_NAME, path])
  if (kind === 'folder') {
    if (!isLong) folders.add(path.replace(/\/?$/, '/'))
    return
  }
  findings.files++
  findings.unpacked += size
  if (encrypted) wrong.push([LOCKED, path])
  else if (unusual !== '') wrong.push([packedBy(unusual), path])
  if (paths.has(path)) wrong.push([TWICE, path])
  // A long one would take long to match.
  if (!isLong) paths.add(path)
  // A file of PHP code has a header only if it is the product's main file, which is short.
  const isMissed =
    size > READABLE && findings.versions && isManifest(path) && !path.endsWith('.php')
  if (isMissed) findings.tooLarge.push(path)
}

/** Whether an entry is to be read: a link, a manifest, or a small file that may hold a key or a token. */
function isRead(findings: Findings, entry: Entry, path: string): boolean {
  const { kind, size, packed, encrypted, unusual } = entry
  if (kind === 'folder' || encrypted || unusual !== '') return false
  if (Math.max(size, packed) > READABLE) return false
  const chance = size > 0 && size <= HEAD ? rateFile(path, size) : 'no'
  const isFirst = kind !== 'file' || isManifest(path) || chance === 'likely'
  if (!isFirst && chance === 'no') return false
  const most = isFirst ? READ_AT_MOST : READ_OF_OTHERS
  const isIn = findings.reads < most.reads && findings.readBytes + size <= most.bytes
  if (isIn) {
    findings.reads++
    findings.readBytes += size
  } else findings.unread++
  return isIn
}

function noteContent(findings: Findings, entry: Entry, path: string, content: Buffer): void {
  // Some programs take a link for a file if it was made on Windows, so that its text is looked at in any case.
  if (entry.kind !== 'file') noteLink(findings, entry, path, content.toString())
  if (findings.versions && isManifest(path)) {
    noteManifest(findings, findings.versions, path, content)
  }
  // What is looked for is ASCII, and most files that may hold it are no text: those take long to decode as UTF-8.
  const told = entry.size > HEAD ? '' : judgeText(path, content.toString('latin1'))
  if (told !== '') findings.secrets.push([told, path])
}

function noteManifest(
  findings: Findings,
  versions: VersionNames,
  path: string,
  content: Buffer
): void {
  // Of PHP code, only the start is looked at.
  const size = path.endsWith('.php') ? 0 : content.length
  if (findings.manifestBytes + size > MANIFESTS) {
    findings.tooLarge.push(path)
    return
  }
  findings.manifestBytes += size
  const manifest = readManifest(path, content.toString(), versions)
  if (manifest) findings.manifests.push(manifest)
}

function noteLink(findings: Findings, { name, kind }: Entry, path: string, target: string): void {
  const { wrong, targets } = findings
  // A hard link to a link is that link once more, in a folder of its own.
  const own = kind === 'link' ? target : targets.get(entryPath(target))
  if (own !== undefined) targets.set(path, own)
  const ofItself = kind === 'link' ? '' : judgePath(target)
  const told = ofItself || (own === undefined ? '' : judgePath(own, name))
  if (told !== '') wrong.push([told, path])
}

/** What is wrong with an entry's path, or with where a link leads, seen `from` it; empty if nothing is. */
function judgePath(path: string, from = ''): string {
  if (/^[\\/]|^[a-z]:/i.test(path)) return OUTSIDE
  if (!path.includes('..')) return ''
  const parts = partsOf(path, /[\\/]/)
  const named = parts.findIndex(part => part !== '..')
  const climbed = named < 0 ? parts.length : named
  // A backslash in the link's own path does not count: it parts folders on Windows alone.
  if (climbed > Math.max(0, partsOf(from, '/').length - 1)) return OUTSIDE
  if (parts.lastIndexOf('..') < climbed) return ''
  return from === '' ? OUTSIDE : DETOUR
}

function partsOf(path: string, separator: RegExp | string): string[] {
  return path.split(separator).filter(part => part !== '' && part !== '.')
}
