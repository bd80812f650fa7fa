// The file with the licenses: where it may go, its format, and no partial file. The adapter of csv-stringify.
import { createHash, randomUUID } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { RunContext } from '../runner/runner.ts'
import { hostPathHint, textAt } from '../runner/values.ts'
import { FIELDS, type License } from '../shop/licenses.ts'
import { ListingError } from './pages.ts'

type Format = 'json' | 'ndjson' | 'csv'
export type Folders = Pick<RunContext, 'workspace' | 'temp'>

// The draft is in RUNNER_TEMP, which the runner empties even after a job was killed.
/** The file's absolute path, the same without links, the draft's folder. Throws an `Error` on a bad path. */
export function findDestination(output: string, format: string, folders: Folders) {
  const { workspace } = folders
  const temp = folders.temp || workspace
  if (output === '' && folders.temp === '')
    throw new Error('is required, since RUNNER_TEMP is not set')
  if (/[\\/]$/.test(output)) throw new Error(`"${output}" names a folder, not a file`)
  const path = output === '' ? join(temp, `licenses.${format}`) : resolve(workspace, output)
  const real = resolveLinks(path)
  const isInside = (root: string) => {
    const way = relative(resolveLinks(root), real)
    return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
  }
  if (statSync(real, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`"${output}" exists and is not a file`)
  }
  if (![workspace, temp].some(isInside)) {
    const hint = hostPathHint(output, workspace)
    const text = `"${output}" is in neither the workspace nor RUNNER_TEMP; choose a path there`
    throw new Error(text + (hint && `. ${hint}`))
  }
  return { path, real, draftFolder: temp }
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
export type Written = Readonly<{ path: string; size: number; sha256: string }>

/**
 * Writes the licenses into a file that only its owner can read. They go into a draft, which gets the file's
 * name once it is complete, and is removed on an error. Throws a `ListingError`, or what the pages throw.
 */
export async function writeFile(
  format: Format,
  { path, real, draftFolder }: ReturnType<typeof findDestination>,
  pages: AsyncIterable<readonly License[]>
): Promise<Written> {
  const fail = (error: unknown) => {
    const message = `${path} could not be written: ${textAt(error, 'message')}`
    throw new ListingError('output', message, 'Check the input `output`.', error)
  }
  const draft = join(draftFolder, `.${basename(real)}.${randomUUID()}.part`)
  const hash = createHash('sha256')
  let size = 0
  await mkdir(dirname(real), { recursive: true }).catch(fail)
  const handle = await open(draft, 'wx', 0o600).catch(fail)
  try {
    for await (const text of encode(format, pages)) {
      const bytes = Buffer.from(text)
      size += bytes.length
      hash.update(bytes)
      await handle.appendFile(bytes).catch(fail)
    }
    await handle.close().catch(fail)
    await moveInto(draft, real).catch(fail)
    return { path, size, sha256: hash.digest('hex') }
  } finally {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true }).catch(() => undefined)
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

async function* encode(format: Format, pages: AsyncIterable<readonly License[]>) {
  if (format === 'csv') {
    yield `${FIELDS.join(',')}\r\n`
    const { stringify } = await import('csv-stringify/sync')
    // An apostrophe in front keeps spreadsheets from running formulas. Cells with a lone CR or LF are quoted.
    const harmless = { escape_formulas: true, quote_record_delimiter: true } as const
    const options = { columns: [...FIELDS], record_delimiter: 'windows', ...harmless }
    for await (const licenses of pages) yield stringify([...licenses], options)
    return
  }
  // The start, what is between two licenses, the end, and all of a file without licenses.
  const form = format === 'json' ? ['[\n', ',\n', '\n]\n', '[\n]\n'] : ['', '\n', '\n', '']
  const [head = '', between = '', foot = '', empty = ''] = form
  let before = head
  for await (const licenses of pages) {
    if (licenses.length === 0) continue
    yield before + licenses.map(license => JSON.stringify(license)).join(between)
    before = between
  }
  yield before === head ? empty : foot
}
