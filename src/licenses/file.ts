// The file that the licenses are written to: not there before it is complete, and its owner's alone.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/values.ts'

/** A file under a temporary name in the same folder, until it is complete. */
export type Draft = Readonly<Awaited<ReturnType<typeof openDraft>>>

/** In characters: less is kept until there is more. */
const WRITE_SIZE = 64 * 1024

/** Opens a draft. It and its methods throw an `ActionError` (`output`) if the file cannot be written. */
export async function openDraft(path: string) {
  const fail = (cause: unknown) => {
    const message = `${path} could not be written: ${textAt(cause, 'message')}.`
    throw new ActionError('output', message, { advice: 'Check the input `output`.', cause })
  }
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === false) fail(new Error('it exists and is not a file'))
  await mkdir(dirname(path), { recursive: true }).catch(fail)
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  const handle = await open(draft, 'wx', 0o600).catch(fail)
  let pending = ''
  let size = 0
  const flush = async () => {
    const bytes = Buffer.from(pending)
    pending = ''
    size += bytes.length
    await handle.appendFile(bytes).catch(fail)
  }
  return {
    async write(text: string): Promise<void> {
      pending += text
      if (pending.length >= WRITE_SIZE) await flush()
    },
    /** Renames it to its path, in place of what had it; resolves with its size in bytes. */
    async finish(): Promise<number> {
      await flush()
      await handle.close().catch(fail)
      await rename(draft, path).catch(fail)
      return size
    },
    /** Removes it, unless it is finished. */
    async discard(): Promise<void> {
      await handle.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }
}
