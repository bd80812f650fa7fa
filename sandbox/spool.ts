/** Owns received bytes: small ones in memory, large ones in a temporary folder that goes at the end. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** Bytes that were received in full. */
export interface Kept {
  readonly size: number
  readonly sha256: string
  bytes(): Promise<Buffer>
  stream(): Readable
  discard(): Promise<void>
}

export interface Spool {
  /** Reads the source to its end; a source that fails leaves nothing behind. */
  keep(source: AsyncIterable<Buffer>): Promise<Kept>
  /** Deletes everything that is kept on disk. */
  remove(): Promise<void>
}

/** What is larger than this goes to disk. */
export const memoryLimit = 8 * 1024 * 1024

const batch = 1024 * 1024

/** Opens a spool; its folder, inside that one, comes into being with the first large file. */
export function openSpool(parent: string = tmpdir()): Spool {
  let folder: Promise<string> | undefined
  const place = async (): Promise<string> => {
    folder ??= mkdtemp(join(parent, 'sandbox-'))
    return join(await folder, randomUUID())
  }
  return {
    keep: source => keep(source, place),
    async remove() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true })
    }
  }
}

async function keep(source: AsyncIterable<Buffer>, place: () => Promise<string>): Promise<Kept> {
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let size = 0
  let written = 0
  let disk: { readonly path: string; readonly handle: FileHandle } | undefined
  try {
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.length
      chunks.push(chunk)
      if (size <= memoryLimit || size - written < batch) continue
      if (disk === undefined) {
        const path = await place()
        disk = { path, handle: await open(path, 'wx') }
      }
      await disk.handle.appendFile(Buffer.concat(chunks))
      chunks = []
      written = size
    }
    await disk?.handle.appendFile(Buffer.concat(chunks))
  } catch (error) {
    await disk?.handle.close()
    if (disk !== undefined) await rm(disk.path, { force: true })
    throw error
  }
  await disk?.handle.close()
  const bytes = { size, sha256: hash.digest('hex') }
  return disk === undefined ? inMemory(bytes, Buffer.concat(chunks)) : onDisk(bytes, disk.path)
}

type Measured = Pick<Kept, 'size' | 'sha256'>

function inMemory(measured: Measured, content: Buffer): Kept {
  return {
    ...measured,
    bytes: async () => content,
    stream: () => Readable.from([content]),
    discard: async () => {}
  }
}

function onDisk(measured: Measured, path: string): Kept {
  return {
    ...measured,
    bytes: () => readFile(path),
    stream: () => createReadStream(path),
    discard: () => rm(path, { force: true })
  }
}
