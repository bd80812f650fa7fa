// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { type Digest, type FilePass, fill, type Known, readFile } from './bytes.ts'
import type { Source } from './entries.ts'
import { FileFault, readable, relativeTo, shownPath, systemError, unreadable } from './fault.ts'

export type { Digest, FilePass } from './bytes.ts'
export { FileFault } from './fault.ts'

/** An open file. */
export interface Artifact extends Source {
  /** As a user names it: relative to the workspace where it lies there. */
  readonly path: string
  /** The name that is sent. */
  readonly name: string
  /** All its bytes, in order, for sending. */
  read(): FilePass
  /** The digest alone. */
  digest(): Promise<Digest>
  close(): Promise<void>
}

/** Opens a file that lies, links resolved, in one of the folders. Throws a `FileFault` for any other. */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const shown = shownPath(path, workspace)
  const name = basename(path)
  refuseName(name, shown)
  const real = await readable(shown, realpath(path))
  await refuseOutside(real, path, shown, folders)
  const kind = kindOf(await readable(shown, stat(real)))
  if (kind !== 'file') throw new FileFault('bad-file', `${shown} is ${kind}, not a regular file.`)
  // Neither a link that takes the file's place now, nor a pipe that nobody writes to.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(real, flags).catch(cause => {
    throw systemError(cause).code === 'ELOOP' ? replaced(shown) : unreadable(shown, cause)
  })
  try {
    return await inspect(handle, real, { path: relativeTo(workspace, path), name, shown })
  } catch (error) {
    await handle.close()
    throw error
  }
}

function refuseName(name: string, shown: string): void {
  if (!/["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu.test(name)) return
  const message =
    `The file name in ${shown} contains a quote, a backslash, a control character, "%22" or "; name=", ` +
    'which servers read differently. Rename the file.'
  throw new FileFault('bad-file', message)
}

async function refuseOutside(
  real: string,
  path: string,
  shown: string,
  folders: readonly string[]
): Promise<void> {
  // A folder that is not there, or not set, holds nothing.
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => undefined)))
  const inside = (root: string) => real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (roots.some(root => root !== undefined && inside(root))) return
  const where = 'outside the workspace and the runner’s temporary folder (RUNNER_TEMP)'
  const message =
    real === path
      ? `${shown} is ${where}. Copy the file into the workspace.`
      : `${shown} leads to ${JSON.stringify(real)}, ${where}. Copy the file itself into the workspace.`
  throw new FileFault('bad-file', message)
}

function kindOf(found: Stats): string {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a named pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}

function replaced(shown: string): FileFault {
  return new FileFault('file-changed', `${shown} was replaced while it was opened.`)
}

async function inspect(
  handle: FileHandle,
  real: string,
  { shown, ...named }: { path: string; name: string; shown: string }
): Promise<Artifact> {
  const opened = await handle.stat({ bigint: true })
  if (!opened.isFile() || !(await isStill(real, handle, opened, shown))) throw replaced(shown)
  if (opened.size === 0n) {
    throw new FileFault('bad-file', `${shown} is empty. Look at the step that builds it.`)
  }
  const size = Number(opened.size)
  const known: Known = {}
  const read = () => readFile(handle, named.name, shown, opened, known)
  return {
    ...named,
    size,
    read,
    readAt: (position, length) => fill(handle, shown, Buffer.allocUnsafe(length), position),
    digest: () => digestOf(read(), known),
    close: () => handle.close()
  }
}

/** Whether the descriptor is that of the path, also if a folder on the way was a link for a moment. */
async function isStill(
  real: string,
  { fd }: FileHandle,
  opened: BigIntStats,
  shown: string
): Promise<boolean> {
  // Linux tells where the opened file lies. Elsewhere, the path is asked once more.
  const held = await readlink(`/proc/self/fd/${fd}`).catch(() => undefined)
  if (held !== undefined) return held === real
  const there = await readable(shown, stat(real, { bigint: true }))
  const now = await readable(shown, realpath(real))
  return opened.ino === there.ino && opened.dev === there.dev && now === real
}

/** A known digest needs no reading, only the look that the file is still the same. */
async function digestOf(reading: FilePass, known: Known): Promise<Digest> {
  if (known.digest) return reading.seal()
  for await (const _ of reading.chunks());
  return reading.seal()
}
