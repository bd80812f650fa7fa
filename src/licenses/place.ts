// Where the file may lie: in the workspace or in RUNNER_TEMP, with links resolved.
import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Format } from './export.ts'

/** The folders that a step may write to. */
export interface Folders {
  readonly workspace: string
  /** Empty when the runner names none. */
  readonly temp: string
}

/** Where the file goes. */
export interface Place {
  /** As the user would write it, made absolute. */
  readonly path: string
  /** The same without links. */
  readonly real: string
}

/** Finds the place of a file that may not exist yet; throws an `Error` that says what is wrong with it. */
export async function findPlace(
  output: string,
  format: Exclude<Format, 'none'>,
  { workspace, temp }: Folders
): Promise<Place> {
  if (output === '' && temp === '') throw new Error('is not given, and there is no RUNNER_TEMP')
  const path = output === '' ? join(temp, `licenses.${format}`) : resolve(workspace, output)
  if (/[\\/]$/.test(output)) throw new Error(`"${output}" names a folder, not a file`)
  const real = await resolveLinks(path)
  const roots = await Promise.all([workspace, temp].filter(root => root !== '').map(resolveLinks))
  if (!roots.some(root => isInside(root, real))) {
    throw new Error(
      `"${output}" lies neither in the workspace nor in RUNNER_TEMP, where alone a file may be written`
    )
  }
  const there = await stat(real).catch(() => undefined)
  if (there && !there.isFile()) throw new Error(`"${output}" is there already, and is no file`)
  return { path, real }
}

/** The real path of what need not exist: links are resolved in what does. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw new Error(`"${path}" cannot be read (${codeOf(error)})`)
    // A link that leads nowhere is there, and would be written through.
    const link = await lstat(path).catch(() => undefined)
    if (link) throw new Error(`"${path}" is a link that leads nowhere`)
    const parent = dirname(path)
    return parent === path ? path : join(await resolveLinks(parent), basename(path))
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function codeOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode ? String(error.code) : String(error)
}
