// The one file to publish: what may be opened, and its bytes, which must not change until they are sent.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/json.ts'
import { quoteName } from '../runner/words.ts'
import type { FileReading } from '../shop/body.ts'
import { belongsToGit } from './git-paths.ts'

/** What identifies a file's content: SHA-256 in hexadecimal digits, and size in bytes. */
export type FileDigest = Readonly<{ sha256: string; size: number }>

/** One pass over the file. The chunks share memory: one is valid until the next is asked for. */
interface FilePass extends FileReading {
  /** The digest of the chunks, after the last. Throws `file-changed` if an earlier pass had another one. */
  seal(): Promise<FileDigest>
}

/** A regular file, opened once. Reading it throws an `ActionError`. */
export interface Artifact {
  /** Relative to the workspace if the file lies in it. */
  readonly path: string
  /** What is sent as its name. */
  readonly name: string
  /** In bytes, at least 1. */
  readonly size: number
  /** Its first bytes, 1 KiB at most. */
  readonly head: Buffer
  /** Fills the buffer from a position; resolves with it. */
  readAt(buffer: Buffer, position: number): Promise<Buffer>
  /** Takes a pass, unless one was completed before. */
  digest(): Promise<FileDigest>
  read(): FilePass
  close(): Promise<void>
}

/** Follows no link that has just replaced the file, and does not wait at a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** In bytes; a pointer of Git LFS is shorter (github.com/git-lfs/git-lfs, docs/spec.md). */
const HEAD = 1024
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//

/** Servers disagree on how to read these in the name of a file. */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu

/**
 * Opens a regular file that is not empty and lies in one of the `folders`, links resolved. Throws an `ActionError`
 * (`bad-file`, `file-changed`).
 */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[]
): Promise<Artifact> {
  const [name, shownPath] = [basename(path), relativeTo(workspace, path)]
  const shown = `The file ${quoteName(shownPath)}`
  if (RISKY.test(name)) {
    const risks = 'a quote, a backslash, a control character, "%22" or "; name="'
    throw refusal(
      `${shown} has ${risks} in its name, which servers read differently.`,
      'Rename it.'
    )
  }
  const real = await realpath(path).catch(cause => throwUnreadable(shown, cause))
  await checkPlace(
    real,
    folders,
    real === path ? `${shown} is` : `${shown} leads to ${quoteName(real)},`
  )
  const handle = await open(real, FLAGS).catch(cause => throwUnreadable(shown, cause))
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw refusal(`${shown} is not a regular file.`, 'Name the file itself.')
    if (stats.size === 0) throw refusal(`${shown} is empty.`, 'Check the step that builds it.')
    const reading = openReading(handle, name, shown, stats.size)
    const head = await reading.readAt(Buffer.alloc(Math.min(stats.size, HEAD)), 0)
    if (POINTER.test(head.toString('latin1'))) {
      const advice = 'Set `lfs: true` under `actions/checkout` in the job that builds it.'
      throw refusal(`${shown} is a Git LFS pointer, not the file itself.`, advice)
    }
    const close = () => handle.close()
    return { path: shownPath, name, size: stats.size, head, ...reading, close }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A path in the workspace becomes relative to it, with slashes; any other stays as it is. */
export function relativeTo(workspace: string, path: string): string {
  const below = relative(workspace, path)
  const isOutside = below === '' || below.split(sep)[0] === '..' || isAbsolute(below)
  return isOutside ? path : below.replaceAll(sep, '/')
}

function refusal(message: string, advice: string): ActionError {
  return new ActionError('bad-file', message, { advice })
}

function throwUnreadable(shown: string, cause: unknown): never {
  const message = `${shown} cannot be read: ${textAt(cause, 'message')}.`
  throw new ActionError('bad-file', message, { advice: 'Check the step that builds it.', cause })
}

/** Throws unless a path without links lies in one of the folders, and not where Git keeps its own files. */
async function checkPlace(real: string, folders: readonly string[], whatIs: string): Promise<void> {
  for (const folder of folders) {
    // A folder that does not exist, or is not set, holds nothing.
    const root = await realpath(folder).catch(() => '')
    const start = root.endsWith(sep) ? root : root + sep
    if (root === '' || !real.startsWith(start)) continue
    if (!belongsToGit(real.slice(start.length))) return
    throw refusal(`${whatIs} where Git keeps credentials.`, 'Name the file that was built.')
  }
  const outside = 'outside of the workspace and of the runner’s temporary folder (RUNNER_TEMP).'
  throw refusal(`${whatIs} ${outside}`, 'Copy the file itself into the workspace.')
}

/** In bytes: few system calls, yet in the CPU’s cache; a multiple of 3, so that base64 copies nothing. */
const CHUNK = 510 * 1024

/** The file's chunks. Two buffers take turns: one is filled while the caller sends the other. */
export async function* readAhead(readAt: Artifact['readAt'], size: number) {
  const length = Math.min(CHUNK, size)
  let [next, last] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)]
  let reading = readAt(next, 0)
  for (let at = 0; at < size; ) {
    const bytes = await reading
    at += bytes.length
    ;[next, last] = [last, next]
    reading = readAt(next.subarray(0, size - at), at)
    // Its error is for whoever asks for the next chunk, and perhaps nobody does.
    reading.catch(() => undefined)
    yield bytes
  }
}

function openReading(handle: FileHandle, name: string, shown: string, size: number) {
  const changed = () => {
    const advice = 'Look for a step or a process that still writes to it.'
    return new ActionError('file-changed', `${shown} changed while it was read.`, { advice })
  }
  const readAt: Artifact['readAt'] = async (buffer, position) => {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await handle
        .read(buffer, filled, buffer.length - filled, position + filled)
        .catch(cause => throwUnreadable(shown, cause))
      if (bytesRead === 0) throw changed()
      filled += bytesRead
    }
    return buffer
  }
  let known: FileDigest | undefined
  const read = (): FilePass => {
    const sum = createHash('sha256')
    async function* chunks() {
      for await (const bytes of readAhead(readAt, size)) {
        sum.update(bytes)
        yield bytes
      }
    }
    const seal = async () => {
      const sealed = { sha256: sum.digest('hex'), size }
      known ??= sealed
      // A file that has grown was not complete.
      const now = await handle.stat()
      if (known.sha256 !== sealed.sha256 || now.size !== size) throw changed()
      return sealed
    }
    return { name, size, chunks, seal }
  }
  const digest = async () => {
    if (known) return known
    const pass = read()
    for await (const _ of pass.chunks());
    return pass.seal()
  }
  return { readAt, read, digest }
}
