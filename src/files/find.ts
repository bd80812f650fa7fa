// The one file in the workspace that glob patterns mean. The adapter of @actions/glob.
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { listLines, messageOf, NAMES_SHOWN, quoteName, sizeText, visible } from '../runner/words.ts'
import { relativeTo } from './artifact.ts'
import { escapeGlob, isExclusion, matcherOf, pathOf, takeExactly } from './patterns.ts'

/**
 * `dist/app-1.0.zip`, not `dist/*.zip` or `../app.zip`. A plain path needs no search: loading the library takes as long
 * as the rest of a start.
 */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

/**
 * Finds the absolute path of the one file that matches; the last pattern that matches a file decides.
 * @throws {ActionError} `no-file` or `several-files`.
 */
export async function findFile(patterns: readonly string[], workspace: string): Promise<string> {
  const [plain = '', ...others] = patterns
  const isPlain = PLAIN.test(plain) && others.length === 0
  const named = join(workspace, plain)
  if (isPlain && (await isFileThere(named))) return asStored(named)

  // Brackets may be letters in the name of a file that is there.
  const exact: string[] = []
  for (const pattern of patterns) exact.push(await takeExactPath(pattern, workspace))

  const found: string[] = []
  for (const path of await findMatches(exact, workspace)) {
    if (await isFileThere(path)) found.push(path)
  }

  const [path, ...more] = found
  if (path === undefined) throw await explainNoMatch(patterns, workspace)
  if (more.length === 0) return asStored(path)
  throw explainSeveral('files', await measure(found, workspace))
}

/** The path with the name that the file really has: Windows and macOS find `gallery.zip` by `GALLERY.zip`, too. */
async function asStored(path: string): Promise<string> {
  const names = await readdir(dirname(path))
  const name = basename(path)
  if (names.includes(name)) return path

  const fold = (text: string) => text.normalize('NFC').toLowerCase()
  return join(dirname(path), names.find(each => fold(each) === fold(name)) ?? name)
}

/** A file that matches, as a message shows it. */
interface Match {
  readonly name: string
  /** In bytes. */
  readonly size: number
}

function measure(paths: readonly string[], workspace: string): Promise<Match[]> {
  const matches = paths.map(async (path, index) => {
    // The others are not shown.
    const size = index < NAMES_SHOWN ? (await stat(path)).size : 0
    return { name: relativeTo(workspace, path), size }
  })
  return Promise.all(matches)
}

/** The pattern; or if its brackets stand in the path of a file as they are, one that matches only that file. */
async function takeExactPath(pattern: string, workspace: string): Promise<string> {
  const path = resolve(workspace, pathOf(pattern))
  const isFile = pattern.includes('[') && (await isFileThere(path))
  return isFile ? takeExactly(pattern) : pattern
}

/** Whether there is something that is no folder. */
async function isFileThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && !found.isDirectory()
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
    throw explainStop(patterns, cause)
  }

  const paths = [...found].toSorted()
  return paths.filter(path => isWanted(path.replaceAll(sep, '/')))
}

/** The error for something on the way that cannot be read, or for a pattern that is not valid. */
function explainStop(patterns: readonly string[], cause: unknown): ActionError {
  const said = messageOf(cause)
  const dots = '"." and ".." cannot be used in a pattern'
  const why = /relative pathing/i.test(said) ? dots : said
  const message = `The search for ${patterns.join(' ')} stopped: ${why}.`
  const advice = 'Write a path relative to the workspace.'
  return new ActionError('no-file', message, { advice, cause })
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

  // The search starts where the link leads, and what it finds is named as the pattern has it.
  const below = pattern.split(/\/+/).slice(start.split(sep).length)
  const root = escapeGlob(real).replaceAll(sep, '/')
  const direct = await create([root, ...below].join('/'), options)
  const paths = await direct.glob()
  return paths.map(path => start + path.slice(real.length))
}

/** The error for no matching file, with those that are there. */
async function explainNoMatch(
  patterns: readonly string[],
  workspace: string
): Promise<ActionError> {
  const rows = (await filesBelow(workspace)).map(path => quoteName(relativeTo(workspace, path)))
  const there =
    rows.length === 0
      ? 'The workspace is empty.'
      : `The workspace has these files:${listLines(rows)}`
  const message = `No file matches \`file\`:${listLines(patterns.map(visible))}\n${there}`
  const advice =
    'Correct `file`, or check that a step of this job builds or downloads the file, in this version: every job ' +
    'starts with an empty workspace.'
  return new ActionError('no-file', message, { advice, remedy: 'correct workflow' })
}

/** More than a message shows. */
const FILES_READ_MAX = 2000

/** The files in a folder and below it, those higher up first, without those of Git and of npm. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = [folder]
  for (const each of folders) {
    const entries = await readdir(each, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const isTools = entry.name === '.git' || entry.name === 'node_modules'
      if (!entry.isDirectory()) files.push(join(each, entry.name))
      else if (!isTools) folders.push(join(each, entry.name))
    }
    if (files.length > FILES_READ_MAX || folders.length > FILES_READ_MAX) break
  }
  return files
}

/** The error for several files that match, shown with their sizes. `what`: such as `attached files`. */
export function explainSeveral(what: string, files: readonly Match[]): ActionError {
  const rows = files.map(({ name, size }) => `${quoteName(name)}  ${sizeText(size)}`)
  const message = `${files.length} ${what} match, and exactly one has to:${listLines(rows)}`
  const advice =
    'Write the whole name of the one that buyers need, with {version} for its version, or exclude the others with ' +
    'lines that begin with "!".'
  return new ActionError('several-files', message, { advice })
}
