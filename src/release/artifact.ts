// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'

/** A file that cannot be published; the message says why, and what to do. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly reason: 'no-file' | 'several-files' | 'bad-file' | 'file-changed'
  constructor(reason: FileFault['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** What was read: its SHA-256 in hexadecimal digits, and its size in bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

/** One pass over the file. */
export interface Reading {
  readonly name: string
  readonly size: number
  /** The bytes, in chunks whose memory is used again two chunks later. Throws when the file changes. */
  chunks(): AsyncIterable<Buffer>
  /** After the last chunk: the digest of what was read. Throws when the file has changed meanwhile. */
  seal(): Promise<Digest>
}

/** An open file. */
export interface Artifact {
  /** As a user names it: relative to the workspace where it lies there. */
  readonly path: string
  /** The name that is sent. */
  readonly name: string
  readonly size: number
  read(): Reading
  /** The digest alone. */
  digest(): Promise<Digest>
  close(): Promise<void>
}

/** Large enough that system calls do not count, small enough to stay in the processor's cache. */
const CHUNK = 512 * 1024

/** Opens a file that lies, links resolved, in one of the folders. Throws a `FileFault` for any other. */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const shown = path.startsWith(workspace + sep) ? relative(workspace, path) : path
  const name = basename(path)
  refuseName(name, shown)
  const real = await realpath(path).catch(cause => unreadable(shown, cause))
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => folder)))
  if (!roots.some(root => real.startsWith(root.endsWith(sep) ? root : root + sep))) {
    const message = `"${shown}" is a link to "${real}", outside the workspace. Copy the file into the workspace.`
    throw new FileFault('bad-file', message)
  }
  // Neither a link that takes the file's place now, nor a pipe that nobody writes to.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await open(real, flags).catch(cause => unreadable(shown, cause))
  try {
    return await inspect(handle, real, { path: shown, name })
  } catch (error) {
    await handle.close()
    throw error
  }
}

function refuseName(name: string, shown: string): void {
  if (!/["\\\p{Cc}\u2028\u2029]/u.test(name)) return
  const message =
    `The file name ${JSON.stringify(shown)} holds a quote, a backslash or a control character, ` +
    'which servers read differently. Rename the file.'
  throw new FileFault('bad-file', message)
}

function unreadable(shown: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new FileFault('bad-file', `"${shown}" cannot be opened: ${reason}`, cause)
}

/** What would change if somebody wrote to the file. */
interface Version {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

async function inspect(
  handle: FileHandle,
  real: string,
  named: { path: string; name: string }
): Promise<Artifact> {
  const opened = await handle.stat({ bigint: true })
  const there = await stat(real, { bigint: true }).catch(cause => unreadable(named.path, cause))
  if (opened.ino !== there.ino || opened.dev !== there.dev || (await realpath(real)) !== real) {
    throw new FileFault('file-changed', `"${named.path}" was replaced while it was opened.`)
  }
  if (!opened.isFile()) {
    throw new FileFault('bad-file', `"${named.path}" is not a regular file.`)
  }
  if (opened.size === 0n) {
    throw new FileFault('bad-file', `"${named.path}" is empty. Look at the step that builds it.`)
  }
  const size = Number(opened.size)
  const read = () => readFile(handle, named, size, opened)
  return { ...named, size, read, digest: () => digestOf(read()), close: () => handle.close() }
}

async function digestOf(reading: Reading): Promise<Digest> {
  for await (const _ of reading.chunks());
  return reading.seal()
}

function readFile(
  handle: FileHandle,
  { path, name }: { path: string; name: string },
  size: number,
  opened: Version
): Reading {
  const hash = createHash('sha256')
  const changed = () =>
    new FileFault(
      'file-changed',
      `"${path}" changed while it was read. Build it in an earlier step.`
    )
  const seal = async () => {
    const now = await handle.stat({ bigint: true })
    const same =
      now.size === opened.size && now.mtimeNs === opened.mtimeNs && now.ctimeNs === opened.ctimeNs
    if (!same) throw changed()
    return { sha256: hash.digest('hex'), size }
  }
  return { name, size, chunks: () => readChunks(handle, size, hash, changed), seal }
}

/** The next read is under way while the caller sends the last. */
async function* readChunks(
  handle: FileHandle,
  size: number,
  hash: Hash,
  changed: () => Error
): AsyncGenerator<Buffer> {
  const chunk = Math.min(CHUNK, size)
  const buffers = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)] as const
  const start = (index: 0 | 1, position: number) =>
    handle.read(buffers[index], 0, Math.min(chunk, size - position), position)
  let turn: 0 | 1 = 0
  let position = 0
  let reading = start(turn, position)
  try {
    while (position < size) {
      const { bytesRead, buffer } = await reading
      if (bytesRead === 0) throw changed()
      position += bytesRead
      turn = turn === 0 ? 1 : 0
      if (position < size) reading = start(turn, position)
      const bytes = buffer.subarray(0, bytesRead)
      hash.update(bytes)
      yield bytes
    }
  } finally {
    // Whoever stops early may close the file next.
    await reading.catch(() => undefined)
  }
}
