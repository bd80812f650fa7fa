// The file: where it may be written, and writing it so that half a list is never taken for a whole one.
import { createHash, randomUUID } from 'node:crypto'
import { copyFile, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Format } from './export.ts'

/** The folders that a step may write to. */
export interface Folders {
  readonly workspace: string
  /** Empty when the runner names none. */
  readonly temp: string
}

/** Where the file goes. */
export interface Destination {
  /** As the user would write it, made absolute. */
  readonly path: string
  /** The same without links. */
  readonly real: string
  /** Where it is kept until it is complete: RUNNER_TEMP, which the runner empties after a job that was killed. */
  readonly draftFolder: string
}

/** The file could not be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
}

/** A complete file. */
export interface Written {
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

/** A file that is being written, under another name until it is complete. */
export interface Draft {
  write(text: string): Promise<void>
  /** Gives the file its name; nothing of it can be seen under that name before. */
  complete(): Promise<Written>
  /** Removes what is written, unless it is complete. */
  discard(): Promise<void>
}

/** Finds where a file goes that may not exist yet; throws an `Error` that says what is wrong with the path. */
export async function findDestination(
  output: string,
  format: Exclude<Format, 'none'>,
  { workspace, temp }: Folders
): Promise<Destination> {
  if (output === '' && temp === '') throw new Error('is required, since RUNNER_TEMP is not set')
  if (/[\\/]$/.test(output)) throw new Error(`"${output}" names a folder, not a file`)
  const path = output === '' ? join(temp, `licenses.${format}`) : resolve(workspace, output)
  const real = await resolveLinks(path)
  const roots = await Promise.all([workspace, temp].filter(root => root !== '').map(resolveLinks))
  if (!roots.some(root => isInside(root, real))) {
    throw new Error(`"${output}" is in neither the workspace nor RUNNER_TEMP; choose a path there`)
  }
  const there = await stat(real).catch(() => undefined)
  if (there && !there.isFile()) throw new Error(`"${output}" exists and is not a file`)
  return { path, real, draftFolder: temp === '' ? dirname(real) : temp }
}

/** The real path of what need not exist: links are resolved in what does. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw new Error(`"${path}" cannot be read: ${messageOf(error)}`)
    // A link that leads nowhere exists, and would be written through.
    const link = await lstat(path).catch(() => undefined)
    if (link) throw new Error(`"${path}" is a link to a file that does not exist`)
    const parent = dirname(path)
    return parent === path ? path : join(await resolveLinks(parent), basename(path))
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
}

/** Begins a file that only its owner can read, and makes the folder for it; throws an `OutputError`. */
export async function openDraft({ path, real, draftFolder }: Destination): Promise<Draft> {
  const fail = (error: unknown) => {
    throw new OutputError(`${path} could not be written: ${messageOf(error)}`, { cause: error })
  }
  const name = join(draftFolder, `.${basename(real)}.${randomUUID()}.part`)
  const create = async () => {
    await mkdir(dirname(real), { recursive: true })
    return open(name, 'wx', 0o600)
  }
  const handle = await create().catch(fail)
  const hash = createHash('sha256')
  let size = 0
  return {
    write: async text => {
      const bytes = Buffer.from(text)
      size += bytes.length
      hash.update(bytes)
      await handle.appendFile(bytes).catch(fail)
    },
    complete: async () => {
      await handle.close().catch(fail)
      await moveInto(name, real).catch(fail)
      return { path, size, sha256: hash.digest('hex') }
    },
    discard: async () => {
      await handle.close().catch(() => undefined)
      await rm(name, { force: true }).catch(() => undefined)
    }
  }
}

/** Renames in one step; between file systems, where no rename can, over a copy beside the destination. */
async function moveInto(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    const copy = join(dirname(to), basename(from))
    try {
      await copyFile(from, copy)
      await rename(copy, to)
    } finally {
      await rm(copy, { force: true })
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return isObject(error) && 'code' in error && error.code === code
}

function messageOf(error: unknown): string {
  return isObject(error) && 'message' in error ? String(error.message) : String(error)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
