// From glob patterns to the one file in the workspace that they mean: the door to @actions/glob.
import { lstat, readdir, stat } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { FileFault } from './artifact.ts'
import { escapeGlob } from './tag.ts'

/** Splits the input into patterns: one a line, without comments and empty lines. */
export function splitPatterns(input: string): string[] {
  const lines = input.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

/** A pattern's path without its `!`, made absolute. */
function anchor(pattern: string, workspace: string): string {
  const negated = pattern.startsWith('!')
  const path = negated ? pattern.slice(1).trim() : pattern
  const absolute = isAbsolute(path) || path === '~' || path.startsWith('~/')
  const anchored = absolute ? path : `${escapeGlob(workspace)}${sep}${path.replace(/^\.[/\\]/, '')}`
  return negated ? `!${anchored}` : anchored
}

/**
 * The path of the only file that matches the patterns, which are relative to the workspace. Folders do
 * not count. Throws a `FileFault` that helps to mend the patterns when there is none, or more than one.
 */
export async function findFile(patterns: readonly string[], workspace: string): Promise<string> {
  const { create } = await import('@actions/glob')
  const lines = patterns.map(pattern => anchor(pattern, workspace)).join('\n')
  const options = { implicitDescendants: false, matchDirectories: false }
  const found = await create(lines, options)
    .then(globber => globber.glob())
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const message = `The input \`file\` cannot be used: ${reason}\n${listOf(patterns)}`
      throw new FileFault('no-file', message, cause)
    })
  const [first, ...others] = found.toSorted()
  if (first === undefined) throw new FileFault('no-file', await explainNone(patterns, workspace))
  if (others.length === 0) return first
  throw new FileFault('several-files', await explainSeveral([first, ...others], workspace))
}

function listOf(patterns: readonly string[]): string {
  return patterns.map(pattern => `  ${pattern}`).join('\n')
}

const SHOWN = 10

async function explainNone(patterns: readonly string[], workspace: string): Promise<string> {
  const brace = patterns.find(pattern => /\{[^{}]*,[^{}]*\}/.test(pattern))
  const { folder, files, missing } = await nearest(patterns, workspace)
  const where = relative(workspace, folder) || 'the workspace'
  return [
    'No file matches the input `file`:',
    listOf(patterns),
    likelyCause(files.length, where, missing),
    ...(files.length > 0 ? [`Files in ${quoteFolder(where)}:`, ...files.slice(0, SHOWN)] : []),
    ...(files.length > SHOWN ? [`  … and ${files.length - SHOWN} more`] : []),
    ...(brace
      ? [`Braces are taken literally in "${brace}": write one pattern a line instead.`]
      : [])
  ].join('\n')
}

function quoteFolder(where: string): string {
  return where === 'the workspace' ? where : `"${where}"`
}

function likelyCause(count: number, where: string, missing: string | undefined): string {
  if (count === 0 && where === 'the workspace') {
    return 'The workspace is empty. Check out and build before this step, or download the built file with actions/download-artifact.'
  }
  if (missing !== undefined) {
    return `There is no "${missing}". Was the file built, or downloaded, in this job? Every job starts with an empty workspace.`
  }
  if (count === 0)
    return `The folder ${quoteFolder(where)} is empty. Did the build step run in this job?`
  return 'Look whether the build gave the file another name, or put it elsewhere.'
}

/** The deepest existing folder on the way to the first pattern, and the files in it that come nearest. */
async function nearest(patterns: readonly string[], workspace: string) {
  const pattern = patterns.find(line => !line.startsWith('!')) ?? ''
  const fixed = pattern.split(/[/\\]/).slice(0, -1)
  const wild = fixed.findIndex(segment => /[*?[]/.test(segment))
  const literal = wild < 0 ? fixed : fixed.slice(0, wild)
  let folder = isAbsolute(pattern) ? sep : workspace
  let missing: string | undefined
  for (const segment of literal) {
    const next = join(folder, segment)
    if (!(await isFolder(next))) {
      missing = relative(workspace, next)
      break
    }
    folder = next
  }
  const files = await filesBelow(folder)
  const wanted = extname(pattern)
  const ranked = files.toSorted(
    (a, b) => Number(extname(b) === wanted) - Number(extname(a) === wanted) || a.localeCompare(b)
  )
  return { folder, missing, files: ranked.map(file => `  ${relative(workspace, file)}`) }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false
  )
}

const SKIPPED = new Set(['.git', 'node_modules'])
const ENOUGH = 500

/** The files of a folder and the folders in it, breadth first, until there are enough to choose from. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const queue = [folder]
  for (let next = queue.shift(); next && files.length < ENOUGH; next = queue.shift()) {
    const parent = next
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(parent, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && queue.length < ENOUGH) queue.push(path)
      } else files.push(path)
    }
  }
  return files
}

async function explainSeveral(paths: readonly string[], workspace: string): Promise<string> {
  const rows = await Promise.all(
    paths.slice(0, SHOWN).map(async path => {
      const { size, mtime } = await lstat(path)
      return `  ${relative(workspace, path) || path}  ${size} bytes  ${mtime.toISOString()}`
    })
  )
  const folders = new Set(paths.map(path => dirname(path)))
  return [
    `The input \`file\` matches ${paths.length} files, and exactly one can be published:`,
    ...rows,
    ...(paths.length > SHOWN ? [`  … and ${paths.length - SHOWN} more`] : []),
    `Name one of them, put the version into the pattern as in "dist/*-{version}.zip", or exclude the others with a line such as "!${
      folders.size > 1 ? relative(workspace, dirname(paths.at(-1) ?? '')) : '**'
    }/${folders.size > 1 ? '**' : '*-debug.zip'}".`
  ].join('\n')
}
