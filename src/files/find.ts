// The one file in the workspace that glob patterns mean. The adapter of @actions/glob.
import { realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, resolve, sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/json.ts'
import { listLines, NAMES_SHOWN, quoteName, sizeText } from '../runner/words.ts'
import { relativeTo } from './artifact.ts'
import { explainHabits, explainNearest, filesBelow } from './nearest.ts'
import { escapeGlob, isExclusion, matcherOf, pathOf, takeExactly } from './patterns.ts'

/**
 * `dist/app-1.0.zip`, not `dist/*.zip` or `../app.zip`. A plain path needs no search: loading the library takes as long
 * as the rest of a start.
 */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

/**
 * The absolute path of the one file that matches; the last pattern that matches a file decides. `written` are the
 * patterns before anything was filled in. Throws an `ActionError`: `no-file` or `several-files`.
 */
export async function findFile(
  patterns: readonly string[],
  workspace: string,
  written = patterns
): Promise<string> {
  const [plain = '', ...others] = patterns
  const isPlain = PLAIN.test(plain) && others.length === 0
  const named = join(workspace, plain)
  if (isPlain && (await isFileThere(named))) return named

  // Brackets may be letters in the name of a file that is there.
  const exact: string[] = []
  for (const pattern of patterns) exact.push(await takeExactPath(pattern, workspace))

  const found: string[] = []
  for (const path of await findMatches(exact, workspace)) {
    if (await isFileThere(path)) found.push(path)
  }

  const [path, ...more] = found
  if (path === undefined) throw await explainNoMatch(patterns, workspace, written)
  if (more.length === 0) return path
  throw explainSeveral('files', await measure(found, workspace))
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
  const said = textAt(cause, 'message')
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

/** The error for no matching file, with those that are there, likely ones first. */
async function explainNoMatch(
  patterns: readonly string[],
  workspace: string,
  written: readonly string[]
): Promise<ActionError> {
  const files = (await filesBelow(workspace)).map(path => relativeTo(workspace, path))
  const endings = new Set(patterns.map(pattern => extname(pattern).toLowerCase()))
  const isUnlikely = (path: string) => Number(!endings.has(extname(path).toLowerCase()))
  const rows = files.toSorted((a, b) => isUnlikely(a) - isUnlikely(b)).map(quoteName)

  const there = rows.length === 0 ? 'The workspace is empty.' : 'The workspace has these files:'
  const why = explainHabits(written) || (await explainNearest(patterns, files))
  const message = `No file matches \`file\`:${listLines(patterns)}${why}\n${there}${listLines(rows)}`
  const advice =
    'Correct `file`, or check that a step of this job builds or downloads the file, in this version: every job ' +
    'starts with an empty workspace.'
  return new ActionError('no-file', message, { advice })
}

/** The endings that Gradle's shadow, and Maven's shade and assembly, give to a jar that has its libraries in it. */
const FULLER = ['-all', '-shaded', '-jar-with-dependencies', '-fat']

/**
 * Throws an `ActionError` (`several-files`) about a jar next to one of the same name that has its libraries in it, too:
 * the plain one does not start at buyers. An exclusion of the other one says that the plain one is meant.
 */
export async function refuseThinJar(
  path: string,
  patterns: readonly string[],
  workspace: string
): Promise<void> {
  const fuller = await findFullerJar(path)
  if (fuller === '') return

  const exclusions = patterns.filter(isExclusion).flatMap(it => anchor(it, workspace))
  const isExcluded = await matcherOf(exclusions.map(pathOf), { nocase: sep === '\\' })
  if (isExcluded(fuller.replaceAll(sep, '/'))) return

  const name = relativeTo(workspace, path)
  const other = relativeTo(workspace, fuller)
  const message = `${quoteName(other)} lies next to ${quoteName(name)}: by its name, it has the libraries in it, too.`
  throw new ActionError('several-files', message, {
    advice: `Let \`file\` match the one that buyers need; if that is the plain one, exclude the other with the line "!${other}".`
  })
}

/** The path of a jar that has its libraries in it, next to one that may not; empty if there is none. */
async function findFullerJar(path: string): Promise<string> {
  const [, stem] = /^(.*)\.jar$/i.exec(path) ?? []
  if (stem === undefined) return ''

  for (const word of FULLER) {
    const other = `${stem}${word}.jar`
    if (await isFileThere(other)) return other
  }
  return ''
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
