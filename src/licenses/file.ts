// The file while it is written: readable by its owner alone, and under another name until it is complete.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Place } from './place.ts'

/** The file could not be written. */
export class OutputFault extends Error {
  override readonly name = 'OutputFault'
}

/** A complete file. */
export interface Written {
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

export interface Draft {
  write(bytes: Buffer): Promise<void>
  /** Gives the file its name; nothing of it can be seen under that name before. */
  complete(): Promise<Written>
  /** Removes what is written, unless it is complete. */
  discard(): Promise<void>
}

/** Begins a file, and makes the folder for it. */
export async function openDraft({ path, real }: Place): Promise<Draft> {
  const name = join(dirname(real), `.${basename(real)}.${randomUUID()}.part`)
  const tell = (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    throw new OutputFault(`${path} could not be written: ${text}`, { cause: error })
  }
  const create = async () => {
    await mkdir(dirname(real), { recursive: true })
    // Not shared with what another step of the job may have put there.
    return open(name, 'wx', 0o600)
  }
  const handle = await create().catch(tell)
  const hash = createHash('sha256')
  let size = 0
  let done = false
  return {
    write: async bytes => {
      size += bytes.length
      hash.update(bytes)
      await handle.appendFile(bytes).catch(tell)
    },
    complete: async () => {
      await handle.close().catch(tell)
      await rename(name, real).catch(tell)
      done = true
      return { path, size, sha256: hash.digest('hex') }
    },
    discard: async () => {
      if (done) return
      await handle.close().catch(() => undefined)
      await rm(name, { force: true }).catch(() => undefined)
    }
  }
}
