// The file that is written: where it may go, and that it is not there before it is complete.
import { createHash, randomUUID } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { belongsToGit, hostPathHint, textAt } from '../runner/values.ts'

export type ListFolders = Pick<RunContext, 'workspace' | 'temp'>

/** Where a file goes. */
export interface Destination {
  /** Absolute, as users know it. */
  readonly path: string
  /** The same without links. */
  readonly real: string
  /** RUNNER_TEMP, which the runner empties even after a job was killed: the draft is there. */
  readonly draftFolder: string
}

/** Returns where the list goes; without `output`, into RUNNER_TEMP. Throws an `Error` about a bad path. */
export function findDestination(output: string, format: string, folders: ListFolders): Destination {
  const { workspace } = folders
  const temp = folders.temp || workspace
  if (output === '' && folders.temp === '') {
    throw new Error('is required, since RUNNER_TEMP is not set')
  }
  if (/[\\/]$/.test(output)) throw new Error(`"${output}" names a folder, not a file`)
  const [, ending] = /\.(csv|json|ndjson|jsonl)$/i.exec(output) ?? []
  if (ending !== undefined && (ending.toLowerCase() === 'csv') !== (format === 'csv')) {
    throw new Error(`"${output}" does not fit \`format: ${format}\`: change one of them`)
  }
  const path = output === '' ? join(temp, `licenses.${format}`) : resolve(workspace, output)
  const real = resolveLinks(path)
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`"${output}" exists and is not a file`)
  }
  const ways = [workspace, temp].map(root => relative(resolveLinks(root), real)).filter(leadsDown)
  if (ways.length === 0) {
    const hint = hostPathHint(output, workspace)
    const text = `"${output}" is in neither the workspace nor RUNNER_TEMP; choose a path there`
    throw new Error(text + (hint && `. ${hint}`))
  }
  if ([...ways, relative(workspace, path)].some(belongsToGit)) {
    throw new Error(`"${output}" is in \`.git\`, which belongs to Git; choose another path`)
  }
  return { path, real, draftFolder: temp }
}

/** Whether a relative path leads to something in the folder that it starts from. */
function leadsDown(way: string): boolean {
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
}

/** The real path of a file that may not exist yet: links are resolved in the part that exists. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (textAt(error, 'code') !== 'ENOENT') {
      throw new Error(`"${path}" cannot be read: ${textAt(error, 'message')}`)
    }
    const parent = dirname(path)
    return parent === path ? path : join(resolveLinks(parent), basename(path))
  }
}

/** A complete file; its size is in bytes. */
export type WrittenFile = Readonly<{ path: string; size: number; sha256: string }>

/** A file that only its owner can read, under a temporary name until it is complete. */
export type Draft = Readonly<Awaited<ReturnType<typeof openDraft>>>

/** In characters: less is kept until there is more. */
const WRITE_SIZE = 64 * 1024

/** Opens a draft. Throws an `ActionError` if the file cannot be written. */
export async function openDraft({ path, real, draftFolder }: Destination) {
  const fail = (error: unknown) => {
    const message = `${path} could not be written: ${textAt(error, 'message')}`
    throw new ActionError('output', `${message}.`, {
      advice: 'Check the input `output`.',
      cause: error
    })
  }
  const draft = join(draftFolder, `.${basename(real)}.${randomUUID()}.part`)
  const hash = createHash('sha256')
  let pending = ''
  let size = 0
  await mkdir(dirname(real), { recursive: true }).catch(fail)
  const handle = await open(draft, 'wx', 0o600).catch(fail)
  const flush = async () => {
    const bytes = Buffer.from(pending)
    pending = ''
    size += bytes.length
    hash.update(bytes)
    await handle.appendFile(bytes).catch(fail)
  }
  return {
    async write(text: string): Promise<void> {
      pending += text
      if (pending.length >= WRITE_SIZE) await flush()
    },
    /** Renames it to its path, in place of what had it. */
    async finish(): Promise<WrittenFile> {
      await flush()
      await handle.close().catch(fail)
      await moveInto(draft, real).catch(fail)
      return { path, size, sha256: hash.digest('hex') }
    },
    /** Removes it, unless it is finished. */
    async discard(): Promise<void> {
      await handle.close().catch(() => undefined)
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }
}

/** Renames the draft. That fails across file systems; then a copy next to the destination is renamed. */
async function moveInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (textAt(error, 'code') !== 'EXDEV') throw error
    const copy = join(dirname(to), basename(from))
    try {
      await copyFile(from, copy)
      await rename(copy, to)
    } finally {
      await rm(copy, { force: true })
    }
  }
}
