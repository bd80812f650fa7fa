// Looks into the file before it is sent: a ZIP file and a gzipped file to their ends, without unpacking them to the disk.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { throwIf } from '../runner/action-error.ts'
import { readArchive, readWhole } from './archive.ts'
import type { Artifact } from './artifact.ts'
import { type LineValues, parseLine } from './contents.ts'
import { type Manifest, manifestBytes, readManifest, topOf } from './manifests.ts'
import {
  describeDoubts,
  describeListing,
  explainUnreadable,
  type Finding,
  faultInContents,
  faultInLines,
  faultInVersions,
  findSecrets,
  isOfMacOs,
  type Listing,
  POINTER,
  TWICE
} from './wrong-archive.ts'
import { faultInPage, isPointer } from './wrong-file.ts'

/** The names of ZIP files. */
const ZIP =
  /\.(?:zip|jar|war|ear|aar|apk|ipa|vsix|xpi|s?nupkg|whl|egg|mcaddon|mcpack|mcworld|mctemplate|oxt|ccx|zxp|love|pk[34]|sublime-package|alfredworkflow|streamdeckplugin)$/i
/** The names of gzipped files. */
const GZIP = /\.(?:gz|tgz)$/i

interface Expectation {
  /** The lines of the input `contents`. */
  readonly lines: readonly string[]
  /** The values for these lines. */
  readonly names: LineValues
  /** The release’s version, and others that count, too; undefined to compare none. */
  readonly versions: readonly string[] | undefined
}

/** The findings about a file that may be published. */
export interface Inspection {
  /** Such as `2 files, 59 bytes unpacked: "gallery/"`, or that nothing here can look into the file. */
  readonly contents: string
  /** Sentences. */
  readonly warnings: readonly string[]
}

/**
 * Looks into a file, by the kind that its name says. Throws an `ActionError` (`bad-file`, then `file-version`;
 * `file-changed`), which lists all that is wrong of its kind.
 */
export async function inspectFile(
  artifact: Artifact,
  expectation: Expectation
): Promise<Inspection> {
  const { name, head, origin } = artifact
  throwIf(faultInPage(name, head, origin))
  // A change from here on is found when the file is sent.
  await artifact.digest()
  if (ZIP.test(name)) return inspectZip(artifact, expectation)

  throwIf(faultInLines(artifact, expectation.lines))
  if (!GZIP.test(name)) return { contents: 'not looked into', warnings: [] }
  await unzip(artifact)
  return { contents: 'unzips without an error; not looked into', warnings: [] }
}

async function unzip(artifact: Artifact): Promise<void> {
  const packed = Readable.from(readWhole(artifact))
  const drain = async (unpacked: AsyncIterable<unknown>) => {
    for await (const _ of unpacked);
  }
  await pipeline(packed, createGunzip(), drain).catch((cause: unknown) => {
    throw explainUnreadable(artifact, cause)
  })
}

async function inspectZip(
  artifact: Artifact,
  { lines, names, versions }: Expectation
): Promise<Inspection> {
  const parsed = await Promise.all(lines.map(line => parseLine(line, names)))
  const listing = await listArchive(artifact).catch((cause: unknown) => {
    throw explainUnreadable(artifact, cause)
  })

  throwIf(faultInContents(listing, parsed))
  if (versions) throwIf(faultInVersions(listing, versions))
  return { contents: describeListing(listing), warnings: describeDoubts(listing, parsed) }
}

/** So much of each file is looked at for a secret, in bytes. */
const SECRET_BYTES = 64 * 1024

async function listArchive(artifact: Artifact): Promise<Listing> {
  const paths = new Set<string>()
  const wrong: Finding[] = []
  const secrets: Finding[] = []
  const unknown: string[] = []
  const manifests: Manifest[] = []
  let unpacked = 0

  const headBytes = (path: string) => Math.max(SECRET_BYTES, manifestBytes(path))
  for await (const { path, size, head, fault, isUnknown } of readArchive(artifact, headBytes)) {
    if (fault !== '') wrong.push({ path, what: fault })
    if (paths.has(path)) wrong.push({ path, what: TWICE })
    if (isPointer(head)) wrong.push({ path, what: POINTER })
    if (isUnknown) unknown.push(path)

    secrets.push(...findSecrets(path, head))
    manifests.push(...readManifest(path, head))
    paths.add(path)
    unpacked += size
  }

  const tops = new Set([...paths].filter(path => !isOfMacOs(path)).map(topOf))
  return {
    name: artifact.name,
    origin: artifact.origin,
    paths: [...paths],
    unpacked,
    wrong,
    secrets,
    unknown,
    manifests: manifests.filter(({ folder }) => folder === '' || tops.size === 1)
  }
}
