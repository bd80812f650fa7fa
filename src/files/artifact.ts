// The one file to publish: what may be opened, and its bytes, which must not change until they are sent.
import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { messageOf, quoteName } from '../runner/words.ts'
import type { FileReading } from '../shop/body.ts'
import {
  BUILT,
  describeFile,
  faultInKind,
  faultInName,
  faultInPlace,
  faultInPointer,
  type Origin
} from './wrong-file.ts'

/** Identifies the content of a file. */
export interface FileDigest {
  /** In hexadecimal digits. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
}

/** One pass over the file. The chunks share memory: one is valid until the next is asked for. */
interface FilePass extends FileReading {
  /** The digest of the chunks, after the last. Throws `file-changed` if an earlier pass had another one. */
  seal(): Promise<FileDigest>
}

/** A regular file, opened once. Reading it throws an `ActionError`. */
export interface Artifact {
  /** Relative to the workspace if the file lies in it; of an attached file, its name. */
  readonly path: string
  /** The name under which it is sent, without folders. */
  readonly name: string
  readonly origin: Origin
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

/** A pointer of Git LFS is shorter (github.com/git-lfs/git-lfs, docs/spec.md). */
const HEAD_BYTES = 1024

/**
 * Opens a regular file that is not empty. Its user closes it.
 * @param path Absolute, or from the workspace.
 * @param folders Those that may hold the file, once links are resolved.
 * @throws {ActionError} `bad-file` or `file-changed`.
 */
export async function openArtifact(
  path: string,
  workspace: string,
  folders: readonly string[],
  origin: Origin = BUILT
): Promise<Artifact> {
  const name = basename(path)
  const shownPath = relativeTo(workspace, path)
  // The folder of a download says nothing.
  const shown = describeFile(origin.source === 'release' ? name : shownPath, origin)
  throwIf(faultInName(name, shown))

  const real = await realpath(path).catch(cause => throwUnreadable(shown, cause))
  const place = real === path ? `${shown} is` : `${shown} leads to ${quoteName(real)},`
  // A folder that does not exist, or is not set, holds nothing.
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => '')))
  throwIf(faultInPlace(real, roots, place))

  const handle = await open(real, FLAGS).catch(cause => throwUnreadable(shown, cause))
  try {
    const stats = await handle.stat()
    throwIf(faultInKind(stats, shown, origin))
    const { size } = stats
    const file = new OpenedFile(handle, name, shown, size)
    const head = await file.readAt(Buffer.alloc(Math.min(size, HEAD_BYTES)), 0)
    throwIf(faultInPointer(head, shown, origin))

    return {
      path: origin.source === 'release' ? name : shownPath,
      name,
      origin,
      size,
      head,
      readAt: (buffer, position) => file.readAt(buffer, position),
      digest: () => file.digest(),
      read: () => file.read(),
      close: () => handle.close()
    }
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

function throwUnreadable(shown: string, cause: unknown): never {
  const message = `${shown} cannot be read: ${messageOf(cause)}.`
  throw new ActionError('bad-file', message, { advice: 'Check the step that builds it.', cause })
}

/** Few system calls, yet in the CPU’s cache; a multiple of 3, so that base64 copies nothing. */
const CHUNK_BYTES = 510 * 1024

/** The file's chunks. Two buffers take turns: one is filled while the caller sends the other. */
export async function* readAhead(
  readAt: Artifact['readAt'],
  size: number
): AsyncGenerator<Buffer, void> {
  const length = Math.min(CHUNK_BYTES, size)
  let filling: Buffer = Buffer.allocUnsafe(length)
  let free: Buffer = Buffer.allocUnsafe(length)

  let reading = readAt(filling, 0)
  for (let at = 0; at < size; ) {
    const bytes = await reading
    at += bytes.length

    const filled = filling
    filling = free
    free = filled
    reading = readAt(filling.subarray(0, size - at), at)
    // The error is for the caller who asks for the next chunk, and perhaps nobody does.
    reading.catch(() => undefined)
    yield bytes
  }
}

/** The bytes of an opened file, which have to be the same in each pass. */
class OpenedFile {
  readonly #handle: FileHandle
  readonly #name: string
  /** Begins the messages of its errors, such as `The file "a.zip"`. */
  readonly #shown: string
  readonly #size: number
  /** From the first pass that was completed. */
  #known: FileDigest | undefined

  constructor(handle: FileHandle, name: string, shown: string, size: number) {
    this.#handle = handle
    this.#name = name
    this.#shown = shown
    this.#size = size
  }

  async readAt(buffer: Buffer, position: number): Promise<Buffer> {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await this.#handle
        .read(buffer, filled, buffer.length - filled, position + filled)
        .catch(cause => throwUnreadable(this.#shown, cause))
      if (bytesRead === 0) throw this.#changed()
      filled += bytesRead
    }
    return buffer
  }

  read(): FilePass {
    const sum = createHash('sha256')
    return {
      name: this.#name,
      size: this.#size,
      chunks: () => this.#chunks(sum),
      seal: () => this.#seal(sum)
    }
  }

  async digest(): Promise<FileDigest> {
    if (this.#known) return this.#known
    const pass = this.read()
    for await (const _ of pass.chunks());
    return pass.seal()
  }

  async *#chunks(sum: Hash): AsyncGenerator<Buffer, void> {
    const readAt: Artifact['readAt'] = (buffer, position) => this.readAt(buffer, position)
    for await (const bytes of readAhead(readAt, this.#size)) {
      sum.update(bytes)
      yield bytes
    }
  }

  async #seal(sum: Hash): Promise<FileDigest> {
    const sealed: FileDigest = { sha256: sum.digest('hex'), size: this.#size }
    this.#known ??= sealed

    // A file that has grown was not complete.
    const now = await this.#handle.stat()
    if (this.#known.sha256 !== sealed.sha256 || now.size !== this.#size) throw this.#changed()
    return sealed
  }

  #changed(): ActionError {
    const advice = 'Look for a step or a process that still writes to it.'
    return new ActionError('file-changed', `${this.#shown} changed while it was read.`, { advice })
  }
}
