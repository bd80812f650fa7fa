// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import type { Source } from './entries.ts'
import { FileFault, readable, relativeTo, shownPath, systemError, unreadable } from './fault.ts'

export { FileFault } from './fault.ts'

/** What was read: its SHA-256 in hexadecimal digits, and its size in bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

/** One pass over the file. */
export interface FilePass {
  readonly name: string
  readonly size: number
  /** The bytes; a chunk's memory is used again once the next is asked for. Throws when the file changes. */
  chunks(): AsyncIterable<Buffer>
  /** After the last chunk: the digest of what was read. Throws when the file has changed meanwhile. */
  seal(): Promise<Digest>
}

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
  const found = await readable(shown, stat(real))
  if (!found.isFile()) {
    const kind = found.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'
    throw new FileFault('bad-file', `${shown} is ${kind}, not a regular file.`)
  }
  // Neither a link that takes the file's place now, nor a pipe that nobody writes to.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(real, flags).catch(cause => {
    throw systemError(cause).code === 'ELOOP' ? replaced(shown) : unreadable(shown, cause)
  })
  try {
    const opened = await handle.stat({ bigint: true })
    if (!opened.isFile() || !(await isStill(real, handle, opened, shown))) throw replaced(shown)
    if (opened.size === 0n) {
      throw new FileFault('bad-file', `${shown} is empty. Look at the step that builds it.`)
    }
    const reading = readingOf(handle, name, shown, opened)
    return {
      ...{ path: relativeTo(workspace, path), name, size: Number(opened.size) },
      ...{ ...reading, close: () => handle.close() }
    }
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

function replaced(shown: string): FileFault {
  return new FileFault('file-changed', `${shown} was replaced while it was opened.`)
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

/**
 * What is read of a file that was opened in this state. Only the first pass to its end hashes: as long as
 * the state stays, so do the bytes.
 */
function readingOf(
  handle: FileHandle,
  name: string,
  shown: string,
  opened: BigIntStats
): Pick<Artifact, 'read' | 'readAt' | 'digest'> {
  const size = Number(opened.size)
  let known: Digest | undefined
  const fill = (buffer: Buffer, position: number) => fillFrom(handle, shown, buffer, position)
  const read = (): FilePass => {
    const hash = createHash('sha256')
    const receive = known ? () => undefined : (bytes: Buffer) => hash.update(bytes)
    const seal = async () => {
      const now = await handle.stat({ bigint: true })
      const isSame = (['size', 'mtimeNs', 'ctimeNs'] as const).every(it => now[it] === opened[it])
      if (!isSame) throw changed(shown)
      known ??= { sha256: hash.digest('hex'), size }
      return known
    }
    return { name, size, chunks: () => readChunks(fill, size, receive), seal }
  }
  return {
    read,
    readAt: (position, length) => fill(Buffer.allocUnsafe(length), position),
    digest: async () => {
      const pass = read()
      // A known digest needs no reading, only the look that the file is still the same.
      if (!known) for await (const _ of pass.chunks());
      return pass.seal()
    }
  }
}

function changed(shown: string): FileFault {
  const message = `${shown} changed while it was read. Look for a step or a process that still writes to it.`
  return new FileFault('file-changed', message)
}

/** Fills the memory with the bytes from there. */
async function fillFrom(
  handle: FileHandle,
  shown: string,
  buffer: Buffer,
  position: number
): Promise<Buffer> {
  for (let filled = 0; filled < buffer.length; ) {
    const part = handle.read(buffer, filled, buffer.length - filled, position + filled)
    const { bytesRead } = await readable(shown, part)
    if (bytesRead === 0) throw changed(shown)
    filled += bytesRead
  }
  return buffer
}

/** Large enough that system calls do not count, small enough to stay in the processor's cache. */
const CHUNK = 512 * 1024

/** The next read is under way while the caller sends the last. */
async function* readChunks(
  fill: (buffer: Buffer, position: number) => Promise<Buffer>,
  size: number,
  receive: (bytes: Buffer) => unknown
): AsyncGenerator<Buffer> {
  const chunk = Math.min(CHUNK, size)
  const buffers = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)] as const
  const start = (index: 0 | 1, position: number) => {
    const reading = fill(buffers[index].subarray(0, size - position), position)
    // It may fail while nobody waits for it; whoever waits next is told.
    reading.catch(() => undefined)
    return reading
  }
  let turn: 0 | 1 = 0
  let position = 0
  let reading = start(turn, position)
  try {
    while (position < size) {
      const bytes = await reading
      position += bytes.length
      turn = turn === 0 ? 1 : 0
      if (position < size) reading = start(turn, position)
      receive(bytes)
      yield bytes
    }
  } finally {
    // Whoever stops early may close the file next.
    await reading.catch(() => undefined)
  }
}
