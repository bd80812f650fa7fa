// Glob patterns: how an input is split into them and filled in, which names they match, and the one file in the workspace
// that they mean. The adapter of @actions/glob and minimatch.
import { readdir, realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, sep } from 'node:path'
import type { Names } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { listLines, NAMES_SHOWN, quoteName, sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import { relativeTo } from './artifact.ts'

/** A plain path needs no search: loading the library takes as long as the rest of a start. */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

/**
 * The absolute path of the one file that matches; the last pattern that matches a file decides. Throws an
 * `ActionError`: `no-file` or `several-files`.
 */
export async function findFile(patterns: readonly string[], workspace: string): Promise<string> {
  const [plain = '', ...others] = patterns
  const named = join(workspace, plain)
  if (PLAIN.test(plain) && others.length === 0 && (await isFolder(named)) === false) return named
  const found: string[] = []
  for (const path of await findMatches(patterns, workspace)) {
    if ((await isFolder(path)) === false) found.push(path)
  }
  const [path, ...more] = found
  if (path === undefined) throw await explainNone(patterns, workspace)
  if (more.length === 0) return path
  const files = await Promise.all(
    found.map(async (each, index) => {
      // The others are not shown.
      const size = index < NAMES_SHOWN ? (await stat(each)).size : 0
      return { name: relativeTo(workspace, each), size }
    })
  )
  throw explainSeveral('files', files)
}

/** Undefined if nothing is there. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return (await stat(path).catch(() => undefined))?.isDirectory()
}

/** The sorted absolute paths of what matches. */
async function findMatches(patterns: readonly string[], workspace: string): Promise<string[]> {
  const anchored = patterns.flatMap(pattern => anchor(pattern, workspace))
  const isWanted = await matcherOf(anchored, { nocase: sep === '\\' })
  const found = new Set<string>()
  try {
    // Exclusions are tried, too: the library throws for those that it does not take.
    for (const pattern of anchored) {
      for (const each of await walk(pathOf(pattern), isExclusion(pattern))) found.add(each)
    }
  } catch (cause) {
    // Something on the way cannot be read, or a pattern is not valid.
    const said = textAt(cause, 'message')
    const dots = '"." and ".." cannot be used in a pattern'
    const why = /relative pathing/i.test(said) ? dots : said
    const message = `The search for ${patterns.join(' ')} stopped: ${why}.`
    throw new ActionError('no-file', message, {
      advice: 'Write a path from the workspace down.',
      cause
    })
  }
  const paths = [...found].toSorted()
  return paths.filter(path => isWanted(path.replaceAll(sep, '/')))
}

/** A pattern’s path made absolute. An exclusion also counts for everything below the folder that it names. */
function anchor(pattern: string, workspace: string): string[] {
  const given = pathOf(pattern).replaceAll(sep, '/')
  const path = given.replace(/\/(?:\.\/+)+/g, '/')
  const root = escapeGlob(workspace).replaceAll(sep, '/').replace(/\/$/, '')
  const anchored = isAbsolute(given) ? path : `${root}/${path}`
  return isExclusion(pattern) ? [`!${anchored}`, `!${anchored}/**`] : [anchored]
}

/**
 * The paths that match one pattern. Links to folders are not followed, since they may lead around in circles; but the
 * folder that the pattern names before its first wildcard may be one.
 */
async function walk(pattern: string, onlyParse: boolean): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const options = {
    implicitDescendants: false,
    matchDirectories: false,
    followSymbolicLinks: false
  }
  const globber = await create(pattern, options)
  if (onlyParse) return []
  const [start = ''] = globber.getSearchPaths()
  const real = await realpath(start).catch(() => start)
  if (real === start) return globber.glob()
  const below = pattern.split(/\/+/).slice(start.split(sep).length)
  const direct = await create([escapeGlob(real).replaceAll(sep, '/'), ...below].join('/'), options)
  return (await direct.glob()).map(path => start + path.slice(real.length))
}

/** The error for no matching file, with those that are there, likely ones first. */
async function explainNone(patterns: readonly string[], workspace: string): Promise<ActionError> {
  const files = (await filesBelow(workspace)).map(path => relativeTo(workspace, path))
  const endings = new Set(patterns.map(pattern => extname(pattern).toLowerCase()))
  const isUnlikely = (path: string) => Number(!endings.has(extname(path).toLowerCase()))
  const rows = files.toSorted((a, b) => isUnlikely(a) - isUnlikely(b)).map(quoteName)
  const there = rows.length === 0 ? 'The workspace is empty.' : 'The workspace has these files:'
  const message = `No file matches \`file\`:${listLines(patterns)}\n${there}${listLines(rows)}`
  const advice =
    'Correct `file`, or check that a step of this job builds or downloads the file: every job starts with an ' +
    'empty workspace.'
  return new ActionError('no-file', message, { advice })
}

/** The error for several files that match, shown with their sizes. `what`: such as `attached files`. */
export function explainSeveral(
  what: string,
  files: readonly Readonly<{ name: string; size: number }>[]
): ActionError {
  const rows = files.map(({ name, size }) => `${quoteName(name)}  ${sizeText(size)}`)
  const message = `${files.length} ${what} match, and exactly one has to:${listLines(rows)}`
  const advice =
    'Name the one file, with {version}, or exclude the others with lines that begin with "!".'
  return new ActionError('several-files', message, { advice })
}

/** In files: enough to choose from. */
const ENOUGH = 2000

/** The files in a folder and below it, those higher up first. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = [folder]
  for (const each of folders) {
    const entries = await readdir(each, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const isTools = entry.name === '.git' || entry.name === 'node_modules'
      if (!entry.isDirectory()) files.push(join(each, entry.name))
      else if (!isTools) folders.push(join(each, entry.name))
    }
    if (files.length > ENOUGH || folders.length > ENOUGH) break
  }
  return files
}

/** Splits an input into patterns, one a line, without comments (`#`) and empty lines. */
export function splitPatterns(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

/** Fills `{tag}` and `{version}` into a glob pattern, literally: glob characters in them are escaped. */
export function fillGlob(pattern: string, { tag, version }: Omit<Names, 'name'>): string {
  // After `./`, a value cannot exclude (`!`), leave the workspace (`/`) or mean a home folder (`~`).
  const safe = pattern.replace(/^!?\s*(?=\{(?:tag|version)\})/, '$&./')
  return safe.replace(/\{(tag|version)\}/g, (_, word) => escapeGlob(word === 'tag' ? tag : version))
}

/** A glob pattern that matches only this text, by the rules of `@actions/glob`. */
function escapeGlob(text: string): string {
  const classed = text.replace(/[[?*]/g, '[$&]')
  return sep === '\\' ? classed : classed.replaceAll('\\', '\\\\')
}

/** Whether a pattern excludes. */
export function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!')
}

/** A pattern without its `!`, and without a `./` at the start. */
export function pathOf(pattern: string): string {
  return pattern.replace(/^!\s*/, '').replace(/^(?:\.\/+)+/, '')
}

/** Whether a pattern has a wildcard; `[*]` is none, but an escaped asterisk. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\[[^\]]\]/g, ''))
}

/** Returns a test of names, or of paths with slashes; the last pattern that matches decides. */
export async function matcherOf(patterns: readonly string[], { nocase = false } = {}) {
  const { Minimatch } = await import('minimatch')
  // The rules of `@actions/glob`, which matches paths with the same library.
  const options = { dot: true, nobrace: true, nocomment: true, noext: true, nonegate: true, nocase }
  const rules = patterns.map(pattern => {
    return { isWanted: !isExclusion(pattern), glob: new Minimatch(pathOf(pattern), options) }
  })
  return (name: string) => rules.findLast(({ glob }) => glob.match(name))?.isWanted ?? false
}
