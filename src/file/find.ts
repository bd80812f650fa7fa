// From glob patterns to the one file in the workspace that they mean. The adapter of @actions/glob.
import { glob as list, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { type PlatformPath } from 'node:path'
import { sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import { explainSeveral, FileFault, hintsFor, noFile, quoted, relativeTo } from './fault.ts'
import { escapeGlob, includes, matcherOf, pathOf } from './glob.ts'
import { type Choice, judgeVersion } from './versions.ts'

/** A plain path needs no search: loading the library takes as long as the rest of a start. */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

type Search = Choice & { readonly workspace: string }

/** The absolute path of the one file that matches, not a folder. Throws a `FileFault` for none or several. */
export async function findFile(search: Search): Promise<string> {
  const { patterns, workspace } = search
  const [plain = '', ...others] = patterns
  const named = nodePath.join(workspace, plain)
  if (PLAIN.test(plain) && others.length === 0 && (await isFolder(named)) === false) return named
  const found = await glob(patterns, workspace)
  const [path, ...more] = found
  if (path === undefined) throw await explainNone(search)
  if (more.length === 0) return path
  const files = found.map(async each => {
    const { size, mtime } = await stat(each)
    const time = `${mtime.toISOString().slice(0, 19)}Z`
    return [relativeTo(workspace, each), sizeText(size), time] as const
  })
  throw explainSeveral(search, 'files', await Promise.all(files))
}

/** Undefined if nothing is there. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return (await stat(path).catch(() => undefined))?.isDirectory()
}

async function glob(patterns: readonly string[], workspace: string): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const lines = patterns.flatMap(pattern => anchor(pattern, workspace)).join('\n')
  try {
    const globber = await create(lines, { implicitDescendants: false, matchDirectories: false })
    return (await globber.glob()).toSorted()
  } catch (cause) {
    // Something on the way cannot be read, or a pattern is not valid.
    const said = textAt(cause, 'message')
    const dots = '"." and ".." cannot be used in a pattern. Write a path from the workspace down.'
    const why = /relative pathing/i.test(said) ? dots : said
    const message = `The search for ${patterns.join(' ')} stopped: ${why}`
    throw new FileFault('no-file', message, cause)
  }
}

/** A pattern's path made absolute. An exclusion also counts for everything below the folder that it names. */
function anchor(pattern: string, workspace: string): string[] {
  const given = pathOf(pattern).replaceAll(nodePath.sep, '/')
  const path = given.replace(/(^|\/)(?:\.\/+)+/g, '$1')
  const isAnchored = nodePath.isAbsolute(given) || /^~(?:\/|$)/.test(path)
  const anchored = isAnchored ? path : `${escapeGlob(workspace)}${nodePath.sep}${path}`
  return includes(pattern) ? [anchored] : [`!${anchored}`, `!${anchored}/**`]
}

const EMPTY =
  'The workspace is empty: every job starts without files. Check out and build before this step, ' +
  'or download what another job built (actions/checkout, actions/download-artifact).'

/** The error for no matching file, with hints; `paths` is `node:path`, or another platform's in tests. */
export async function explainNone(search: Search, paths: PlatformPath = nodePath) {
  const { patterns, workspace } = search
  const files = (await filesBelow(workspace)).map(path => relativeTo(workspace, path, paths))
  const pattern = patterns.find(includes)?.replace(/^~(?=\/|$)/, homedir()) ?? ''
  const hints = hintsFor(patterns, paths.sep, workspace)
  if (files.length === 0) return noFile(search, 'No file matches:', [EMPTY, ...hints], files)
  if (hints.length === 0) hints.push(await causeOf(search, pattern, files, paths))
  const ending = paths.extname(pattern).toLowerCase()
  const rank = (path: string) => Number(!path.toLowerCase().endsWith(ending))
  const nearest = files.toSorted((a, b) => rank(a) - rank(b))
  return noFile(search, 'No file matches:', [...hints, 'Files in the workspace:'], nearest)
}

/** The likely cause, as a sentence; it never suggests a file of another version. */
async function causeOf(
  { workspace, versions }: Search,
  pattern: string,
  files: readonly string[],
  { dirname, resolve }: PlatformPath
): Promise<string> {
  if (await isFolder(resolve(workspace, pattern))) {
    return `"${pattern}" is a folder. Name the file in it, such as "${pattern.replace(/\/$/, '')}/*.zip".`
  }
  const matches = await matcherOf([`**/${pattern.replace(/^\//, '')}`], { nocase: true })
  const isLikely = (path: string) => judgeVersion(path, versions).kind !== 'other'
  const elsewhere = files.find(path => matches(path) && isLikely(path))
  if (elsewhere !== undefined) {
    return `Is it ${quoted(elsewhere)}? Patterns start at the workspace, upper and lower case differ, and lines that begin with "!" exclude.`
  }
  const folder = dirname(pattern.replace(/[^\\/]*[*?[].*$/, 'x'))
  return (await isFolder(resolve(workspace, folder)))
    ? 'Its folder has no such file. Did the build run in this job, and what did it name the file?'
    : `There is no folder "${folder}". Was the file built, or downloaded, in this job? Every job starts without files.`
}

/** The files in a folder and below it, until there are enough to choose from. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const exclude = ({ name }: { readonly name: string }) => ['.git', 'node_modules'].includes(name)
  for await (const entry of list('**', { cwd: folder, withFileTypes: true, exclude })) {
    if (!entry.isDirectory()) files.push(nodePath.join(entry.parentPath, entry.name))
    if (files.length > 2000) break
  }
  return files.toSorted()
}
