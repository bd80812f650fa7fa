// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import type { Source } from './entries.ts'
import { FileFault, relativeTo, shownPath, systemError, unreadable } from './fault.ts'

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

/** Not a link that takes the file's place now, and not waiting for who writes to a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens a file that lies, links resolved, in one of the folders. Throws a `FileFault` for any other. */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const shown = shownPath(path, workspace)
  const name = basename(path)
  refuseName(name, shown)
  const fail = (cause: unknown): never => {
    throw unreadable(shown, cause)
  }
  const real = await realpath(path).catch(fail)
  await refuseOutside(real, path, shown, folders)
  const replaced = `${shown} was replaced while it was opened.`
  const handle = await open(real, FLAGS).catch(cause =>
    systemError(cause).code === 'ELOOP' ? refuse('file-changed', replaced) : fail(cause)
  )
  try {
    const opened = await handle.stat({ bigint: true })
    // Linux tells where the opened file lies, also if a folder on the way was a link for a moment.
    const held = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => real)
    if (held !== real) refuse('file-changed', replaced)
    if (!opened.isFile()) refuse('bad-file', `${shown} is not a regular file.`)
    if (opened.size === 0n) {
      refuse('bad-file', `${shown} is empty. Look at the step that builds it.`)
    }
    const reading = readingOf(handle, name, shown, opened)
    return { path: relativeTo(workspace, path), name, ...reading, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function refuse(reason: FileFault['reason'], message: string): never {
  throw new FileFault(reason, message)
}

function refuseName(name: string, shown: string): void {
  if (!/["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu.test(name)) return
  refuse(
    'bad-file',
    `The file name in ${shown} contains a quote, a backslash, a control character, "%22" or "; name=", ` +
      'which servers read differently. Rename the file.'
  )
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
  const leads = real === path ? 'is' : `leads to ${JSON.stringify(real)},`
  refuse(
    'bad-file',
    `${shown} ${leads} outside the workspace and the runner’s temporary folder (RUNNER_TEMP). ` +
      'Copy the file itself into the workspace.'
  )
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
): Pick<Artifact, 'size' | 'read' | 'readAt' | 'digest'> {
  const size = Number(opened.size)
  const changed = () =>
    new FileFault(
      'file-changed',
      `${shown} changed while it was read. Look for a step or a process that still writes to it.`
    )
  const fill = async (buffer: Buffer, position: number) => {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await handle
        .read(buffer, filled, buffer.length - filled, position + filled)
        .catch((cause: unknown) => Promise.reject(unreadable(shown, cause)))
      if (bytesRead === 0) throw changed()
      filled += bytesRead
    }
    return buffer
  }
  let known: Digest | undefined
  const read = (): FilePass => {
    const hash = createHash('sha256')
    const receive = known ? () => undefined : (bytes: Buffer) => hash.update(bytes)
    const seal = async () => {
      const now = await handle.stat({ bigint: true })
      const isSame = (['size', 'mtimeNs', 'ctimeNs'] as const).every(it => now[it] === opened[it])
      if (!isSame) throw changed()
      known ??= { sha256: hash.digest('hex'), size }
      return known
    }
    return { name, size, chunks: () => readChunks(fill, size, receive), seal }
  }
  return {
    size,
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

/** Large enough that system calls do not count, small enough to stay in the processor's cache. */
const CHUNK = 512 * 1024

/** The next read is under way while the caller sends the last. */
async function* readChunks(
  fill: (buffer: Buffer, position: number) => Promise<Buffer>,
  size: number,
  receive: (bytes: Buffer) => unknown
): AsyncGenerator<Buffer> {
  const chunk = Math.min(CHUNK, size)
  let [next, other] = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)]
  const start = (position: number) => {
    const reading = fill(next.subarray(0, size - position), position)
    // It may fail while nobody waits for it; whoever waits next is told.
    reading.catch(() => undefined)
    ;[next, other] = [other, next]
    return reading
  }
  let reading = start(0)
  try {
    for (let position = 0; position < size; ) {
      const bytes = await reading
      position += bytes.length
      if (position < size) reading = start(position)
      receive(bytes)
      yield bytes
    }
  } finally {
    // Whoever stops early may close the file next.
    await reading.catch(() => undefined)
  }
}
