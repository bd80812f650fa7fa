// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { textAt } from '../runner/values.ts'
import type { FileReading } from '../shop/body.ts'
import { FileFault, quoted, relativeTo } from './fault.ts'

/** What was read: its SHA-256 in hexadecimal digits, and its size in bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

/** One pass over the file. Asking for the next chunk reuses the memory of the last. */
export interface FilePass extends FileReading {
  /** After the last chunk: the digest of what was read. Throws when the file has changed meanwhile. */
  seal(): Promise<Digest>
}

/** An open file: `name` is what is sent; `path` is relative to the workspace if the file lies in it. */
export type Artifact = Awaited<ReturnType<typeof openArtifact>>

/** Follows no link that has just replaced the file, and does not wait at a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Servers disagree on how to read these in the name of a file. */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu

/** Opens a regular file that lies in one of the folders, links resolved, or throws a `FileFault`. */
export async function openArtifact(path: string, workspace: string, folders: readonly string[]) {
  const [name, shownPath] = [basename(path), relativeTo(workspace, path)]
  const shown = quoted(shownPath)
  const refuse = (message: string, reason: FileFault['reason'] = 'bad-file'): never => {
    throw new FileFault(reason, message)
  }
  const risks = 'a quote, a backslash, a control character, "%22" or "; name="'
  const advice = 'which servers read differently. Rename the file.'
  if (RISKY.test(name)) refuse(`The file name in ${shown} contains ${risks}, ${advice}`)
  const real = await realpath(path).catch(cause => unreadable(shown, cause))
  if (!(await liesIn(real, folders))) {
    const leads = real === path ? 'is' : `leads to ${quoted(real)},`
    const outside = 'outside the workspace and the runner’s temporary folder (RUNNER_TEMP)'
    refuse(`${shown} ${leads} ${outside}. Copy the file itself into the workspace.`)
  }
  const handle = await open(real, FLAGS).catch(cause => unreadable(shown, cause))
  try {
    const opened = await handle.stat({ bigint: true })
    // Linux tells where the opened file lies, even if a folder on the way was a link for a moment.
    const held = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => real)
    const replaced = `${shown} was replaced while it was opened. Run this job again.`
    if (held !== real) refuse(replaced, 'file-changed')
    if (!opened.isFile()) refuse(`${shown} is not a regular file.`)
    if (opened.size === 0n) refuse(`${shown} is empty. Check the step that builds it.`)
    const reading = readingOf(handle, name, shown, opened)
    return { path: shownPath, name, ...reading, close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function unreadable(shown: string, cause: unknown): never {
  const message = `${shown} cannot be read: ${textAt(cause, 'message')}. Check the step that builds it.`
  throw new FileFault('bad-file', message, cause)
}

async function liesIn(real: string, folders: readonly string[]): Promise<boolean> {
  // A folder that does not exist, or is not set, holds nothing.
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => undefined)))
  return roots.some(root => root && real.startsWith(root.endsWith(sep) ? root : root + sep))
}

/** Fills a buffer with the file's bytes from a position on. */
type Fill = (buffer: Buffer, position: number) => Promise<Buffer>

/** Only the first full pass hashes: as long as size and times stay the same, so do the bytes. */
function readingOf(handle: FileHandle, name: string, shown: string, opened: BigIntStats) {
  const size = Number(opened.size)
  const changed = `${shown} changed while it was read. Look for a step or a process that still writes to it.`
  const fill: Fill = async (buffer, position) => {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await handle
        .read(buffer, filled, buffer.length - filled, position + filled)
        .catch(cause => unreadable(shown, cause))
      if (bytesRead === 0) throw new FileFault('file-changed', changed)
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
      if (!isSame) throw new FileFault('file-changed', changed)
      known ??= { sha256: hash.digest('hex'), size }
      return known
    }
    return { name, size, chunks: () => readChunks(fill, size, receive), seal }
  }
  return {
    size,
    read,
    readAt: (position: number, length: number) => fill(Buffer.allocUnsafe(length), position),
    digest: async () => {
      const pass = read()
      // A known digest needs no reading, only a check that the file is still the same.
      if (!known) for await (const _ of pass.chunks());
      return pass.seal()
    }
  }
}

/** In bytes: few system calls, yet in the CPU's cache; a multiple of 3, so that base64 copies nothing. */
const CHUNK = 510 * 1024

/** The next read is under way while the caller sends the last chunk. */
async function* readChunks(fill: Fill, size: number, receive: (bytes: Buffer) => unknown) {
  const chunk = Math.min(CHUNK, size)
  let [next, other] = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)]
  const start = (position: number) => {
    const reading = fill(next.subarray(0, size - position), position)
    // It may fail while nobody awaits it; whoever awaits it next is told.
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
