// What lies near a pattern that matches nothing: how far its folders exist, and which files come closest.
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path'

/** A pattern, as far as its folders exist. */
export interface Way {
  /** The deepest folder on the way that exists. */
  readonly folder: string
  /** The first that does not. */
  readonly missing: string | undefined
  /** What lies at the pattern's end, when it has no wildcard. */
  readonly end: 'folder' | 'file' | 'dangling link' | undefined
}

const WILD = /[*?[\]\\]/

/** Follows a pattern from the workspace, or from the root if it is absolute. */
export async function follow(pattern: string, workspace: string): Promise<Way> {
  const segments = pattern.split('/').filter(segment => segment !== '' && segment !== '.')
  const wild = segments.findIndex(segment => WILD.test(segment))
  const literal = wild < 0 ? segments : segments.slice(0, wild)
  let folder = isAbsolute(pattern) ? '/' : workspace
  for (const [index, segment] of literal.entries()) {
    const next = join(folder, segment)
    const kind = await kindOf(next)
    const last = index === segments.length - 1
    if (last) return { folder: kind === 'folder' ? next : folder, missing: undefined, end: kind }
    if (kind !== 'folder') return { folder, missing: next, end: undefined }
    folder = next
  }
  return { folder, missing: undefined, end: undefined }
}

async function kindOf(path: string): Promise<Way['end']> {
  const found = await stat(path).catch(() => undefined)
  if (found) return found.isDirectory() ? 'folder' : 'file'
  // What can be listed and not followed is a link to nothing.
  const names = await readdir(dirname(path)).catch((): string[] => [])
  return names.includes(basename(path)) ? 'dangling link' : undefined
}

const SKIPPED = new Set(['.git', 'node_modules'])
const ENOUGH = 2000

/** The files of a folder and the folders in it, breadth first, until there are enough to choose from. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const queue = [folder]
  for (let next = queue.shift(); next && files.length < ENOUGH; next = queue.shift()) {
    const found = await listFolder(next)
    files.push(...found.files)
    queue.push(...found.folders.slice(0, ENOUGH - queue.length))
  }
  return files
}

/** The files right in a folder, links to files among them, and its folders. */
export async function listFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files: string[] = []
  const folders: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) folders.push(...(SKIPPED.has(entry.name) ? [] : [path]))
    else if (!entry.isSymbolicLink() || (await kindOf(path)) === 'file') files.push(path)
  }
  return { files, folders }
}

const NEAREST_FIRST = [
  'other case',
  'other folder',
  'same folder and ending',
  'same ending',
  'same folder',
  'other'
] as const

/** How near a file comes to a pattern. */
export type Nearness = (typeof NEAREST_FIRST)[number]

export interface Neighbour {
  readonly path: string
  readonly nearness: Nearness
}

/** The files, the nearest first. */
export function rank(
  files: readonly string[],
  pattern: string,
  { folder }: Way,
  workspace: string
): Neighbour[] {
  const [whole, below] = [roughly(pattern), roughly(`**/${pattern}`)]
  const exact = roughly(pattern, 'u')
  const [name, ending] = [basename(pattern), extname(pattern).toLowerCase()]
  // Nearly any file has the name "*.zip".
  const telling = /[^*?[\]]{3}/.test(basename(name, extname(name)))
  const named = roughly(name)
  const nearnessOf = (path: string): Nearness => {
    const way = relative(workspace, path)
    if (whole.test(way) && !exact.test(way)) return 'other case'
    if (below.test(way) || (telling && named.test(basename(path)))) return 'other folder'
    const beside = folder !== workspace && path.startsWith(`${folder}/`)
    const alike = ending !== '' && extname(path).toLowerCase() === ending
    if (alike) return beside ? 'same folder and ending' : 'same ending'
    return beside ? 'same folder' : 'other'
  }
  const place = ({ nearness }: Neighbour) => NEAREST_FIRST.indexOf(nearness)
  return files
    .map(path => ({ path, nearness: nearnessOf(path) }))
    .toSorted((a, b) => place(a) - place(b) || a.path.localeCompare(b.path))
}

/** A glob pattern as a regular expression, without flags in any case: good enough for a hint. */
function roughly(pattern: string, flags = 'iu'): RegExp {
  const parts = pattern.replace(/^(?:\.\/)+/, '').split(/(\*\*\/|\*+|\?|\[[^\]]+\])/)
  return new RegExp(`^${parts.map(partOf).join('')}$`, flags)
}

function partOf(part: string): string {
  if (part === '**/') return '(?:.*/)?'
  if (part.startsWith('*')) return part === '*' ? '[^/]*' : '.*'
  if (part === '?' || /^\[..+\]$/.test(part)) return '[^/]'
  const literal = /^\[.\]$/.test(part) ? part.slice(1, -1) : part
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
