// Reading an open file in whole passes, which must find what was found before: its size and times alone do not tell, as a
// process that has it mapped into memory changes none of them.
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/values.ts'
import type { FileReading } from '../shop/body.ts'

/** What was read: its SHA-256 in hexadecimal digits, and its size in bytes. */
export interface Digest {
  readonly sha256: string
  readonly size: number
}

/** One pass over the file. Chunks share memory. */
export interface FilePass extends FileReading {
  /** The digest of the chunks, after the last. Throws if the file, or an earlier pass, differs. */
  seal(): Promise<Digest>
}

/** An open file; all methods throw an `ActionError` once it has changed. */
export interface Reading {
  /** What is sent as its name. */
  readonly name: string
  /** In bytes, at least 1. */
  readonly size: number
  /** The file's descriptor, for libraries that read at positions. */
  readonly fd: number
  /** The first 1,000 bytes, as Latin-1. */
  readStart(): Promise<string>
  read(): FilePass
  /** Takes a pass, unless one was completed before. */
  digest(): Promise<Digest>
}

/** In bytes: few system calls, yet in the CPU's cache; a multiple of 3, so that base64 copies nothing. */
const CHUNK = 510 * 1024

/** Opens the reading of a file; `shown` is its path in messages, `opened` what it was like at first. */
export function openReading(
  handle: FileHandle,
  name: string,
  shown: string,
  opened: BigIntStats
): Reading {
  const size = Number(opened.size)
  const changed = () => {
    const advice = 'Look for a step or a process that still writes to it.'
    return new ActionError('file-changed', `${shown} changed while it was read.`, { advice })
  }
  const checkTimes = async () => {
    const now = await handle.stat({ bigint: true })
    const isSame = (['size', 'mtimeNs', 'ctimeNs'] as const).every(it => now[it] === opened[it])
    if (!isSame) throw changed()
  }
  const fill = openFill(handle, shown, changed)
  let known: Digest | undefined
  const read = (): FilePass => {
    const sum = createHash('sha256')
    async function* chunks() {
      for await (const bytes of readChunks(fill, size)) {
        sum.update(bytes)
        yield bytes
      }
    }
    const seal = async () => {
      await checkTimes()
      const sealed = { sha256: sum.digest('hex'), size }
      known ??= sealed
      if (known.sha256 !== sealed.sha256) throw changed()
      return sealed
    }
    return { name, size, chunks, seal }
  }
  const readStart = async () => {
    const bytes = await fill(Buffer.alloc(Math.min(size, 1000)), 0)
    return bytes.toString('latin1')
  }
  const digest = async () => {
    if (known) {
      await checkTimes()
      return known
    }
    const pass = read()
    for await (const _ of pass.chunks());
    return pass.seal()
  }
  return { name, size, fd: handle.fd, readStart, read, digest }
}

type Fill = (buffer: Buffer, position: number) => Promise<Buffer>

function openFill(handle: FileHandle, shown: string, changed: () => Error): Fill {
  return async (buffer, position) => {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await handle
        .read(buffer, filled, buffer.length - filled, position + filled)
        .catch(cause => throwUnreadable(shown, cause))
      if (bytesRead === 0) throw changed()
      filled += bytesRead
    }
    return buffer
  }
}

/** Throws the `ActionError` of a file that cannot be read. */
export function throwUnreadable(shown: string, cause: unknown): never {
  const message = `${shown} cannot be read: ${textAt(cause, 'message')}.`
  throw new ActionError('bad-file', message, { advice: 'Check the step that builds it.', cause })
}

/** The next read is under way while the caller sends the last chunk. */
async function* readChunks(fill: Fill, size: number) {
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
      yield bytes
    }
  } finally {
    // Whoever stops early may close the file next.
    await reading.catch(() => undefined)
  }
}
