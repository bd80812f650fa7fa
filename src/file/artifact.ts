// The one file to publish: opened once, then measured, hashed and read from the same descriptor.
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { textAt } from '../runner/values.ts'
import type { FileReading } from '../shop/body.ts'
import type { Source } from './entries.ts'
import { FileFault, quoted, relativeTo } from './fault.ts'

/** What was read: its SHA-256 in hexadecimal digits, and its size in bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

/** One pass over the file. A chunk's memory is used again once the next is asked for. */
export interface FilePass extends FileReading {
  /** After the last chunk: the digest of what was read. Throws when the file has changed meanwhile. */
  seal(): Promise<Digest>
}

/** An open file; its `name` is the one that is sent. */
export interface Artifact extends Source {
  /** As a user names it: relative to the workspace where it lies there. */
  readonly path: string
  /** All its bytes, in order, for sending. */
  read(): FilePass
  digest(): Promise<Digest>
  close(): Promise<void>
}

/** Not a link that takes the file's place now, and not waiting for who writes to a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Large enough that system calls do not count, small enough for the processor's cache; in threes, for base64. */
const CHUNK = 510 * 1024

/** Servers read these in the name of a file differently. */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu

/** Opens a file that lies, links resolved, in one of the folders. Throws a `FileFault` for any other. */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const [name, shownPath] = [basename(path), relativeTo(workspace, path)]
  const shown = quoted(shownPath)
  const refuse = (message: string, reason: FileFault['reason'] = 'bad-file'): never => {
    throw new FileFault(reason, message)
  }
  if (RISKY.test(name)) {
    refuse(
      `The file name in ${shown} contains a quote, a backslash, a control character, "%22" or "; name=", ` +
        'which servers read differently. Rename the file.'
    )
  }
  const real = await realpath(path).catch(cause => unreadable(shown, cause))
  if (!(await liesIn(real, folders))) {
    const leads = real === path ? 'is' : `leads to ${quoted(real)},`
    refuse(
      `${shown} ${leads} outside the workspace and the runner’s temporary folder (RUNNER_TEMP). ` +
        'Copy the file itself into the workspace.'
    )
  }
  const handle = await open(real, FLAGS).catch(cause => unreadable(shown, cause))
  try {
    const opened = await handle.stat({ bigint: true })
    // Linux tells where the opened file lies, also if a folder on the way was a link for a moment.
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
  // A folder that is not there, or not set, holds nothing.
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => undefined)))
  return roots.some(root => root && real.startsWith(root.endsWith(sep) ? root : root + sep))
}

/**
 * What is read of a file that was opened in this state. Only the first pass to its end hashes: as long as
 * the state stays, so do the bytes.
 */
function readingOf(handle: FileHandle, name: string, shown: string, opened: BigIntStats) {
  const size = Number(opened.size)
  const changed = `${shown} changed while it was read. Look for a step or a process that still writes to it.`
  const fill = async (buffer: Buffer, position: number) => {
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
    const [hash, isKnown] = [createHash('sha256'), known !== undefined]
    async function* chunks() {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size))
      for (let position = 0; position < size; position += CHUNK) {
        const bytes = await fill(buffer.subarray(0, size - position), position)
        if (!isKnown) hash.update(bytes)
        yield bytes
      }
    }
    const seal = async () => {
      const now = await handle.stat({ bigint: true })
      const isSame = (['size', 'mtimeNs', 'ctimeNs'] as const).every(it => now[it] === opened[it])
      if (!isSame) throw new FileFault('file-changed', changed)
      known ??= { sha256: hash.digest('hex'), size }
      return known
    }
    return { name, size, chunks, seal }
  }
  return {
    size,
    read,
    readAt: (position: number, length: number) => fill(Buffer.allocUnsafe(length), position),
    digest: async () => {
      const pass = read()
      // A known digest needs no reading, only the look that the file is still the same.
      if (!known) for await (const _ of pass.chunks());
      return pass.seal()
    }
  }
}
