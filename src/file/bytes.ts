// One pass over an open file: its bytes, their digest, and the proof that the file stayed as it was.
import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { FileFault, readable } from './fault.ts'

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

/** What would change if somebody wrote to the file. */
export interface Version {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

/** Large enough that system calls do not count, small enough to stay in the processor's cache. */
const CHUNK = 512 * 1024

/** What an earlier pass over the same version found out. */
export interface Known {
  digest?: Digest
}

/**
 * Starts a pass over the file that was opened in this version; `shown` is its path in messages. Only the
 * first pass to its end hashes: as long as the version stays, so do the bytes.
 */
export function readFile(
  handle: FileHandle,
  name: string,
  shown: string,
  opened: Version,
  known: Known = {}
): FilePass {
  const size = Number(opened.size)
  const hash = createHash('sha256')
  const seal = async () => {
    const now = await handle.stat({ bigint: true })
    const same =
      now.size === opened.size && now.mtimeNs === opened.mtimeNs && now.ctimeNs === opened.ctimeNs
    if (!same) throw changed(shown)
    known.digest ??= { sha256: hash.digest('hex'), size }
    return known.digest
  }
  const read: Fill = (buffer, position) => fill(handle, shown, buffer, position)
  const hashing = known.digest ? undefined : hash
  return { name, size, chunks: () => readChunks(read, size, hashing), seal }
}

/** Fills the memory with the bytes from there; throws a `FileFault` when the file is shorter. */
export async function fill(
  handle: FileHandle,
  shown: string,
  buffer: Buffer,
  position: number
): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    const part = handle.read(buffer, filled, buffer.length - filled, position + filled)
    const { bytesRead } = await readable(shown, part)
    if (bytesRead === 0) throw changed(shown)
    filled += bytesRead
  }
  return buffer
}

function changed(shown: string): FileFault {
  const message = `${shown} changed while it was read. Look for a step or a process that still writes to it.`
  return new FileFault('file-changed', message)
}

type Fill = (buffer: Buffer, position: number) => Promise<Buffer>

/** The next read is under way while the caller sends the last. */
async function* readChunks(
  read: Fill,
  size: number,
  hash: Hash | undefined
): AsyncGenerator<Buffer> {
  const chunk = Math.min(CHUNK, size)
  const buffers = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)] as const
  const start = (index: 0 | 1, position: number) => {
    const reading = read(buffers[index].subarray(0, size - position), position)
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
      hash?.update(bytes)
      yield bytes
    }
  } finally {
    // Whoever stops early may close the file next.
    await reading.catch(() => undefined)
  }
}
