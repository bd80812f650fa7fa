// From glob patterns to the one file in the workspace that they mean. The adapter of @actions/glob.
import { glob as list, lstat, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { type PlatformPath } from 'node:path'
import { sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import {
  explainSeveral,
  FileFault,
  type FileRow,
  hintAlike,
  hintsFor,
  inTime,
  NAMES_SHOWN,
  noFile,
  patternFor,
  quoteName,
  relativeTo
} from './fault.ts'
import { escapeGlob, includes, loosen, matcherOf, pathOf } from './glob.ts'
import { type Choice, judgeVersion } from './versions.ts'

/** A plain path needs no search: loading the library takes as long as the rest of a start. */
const PLAIN = /^(?!.*\.\.)[\w-][\w./+@ -]*$/

interface Search extends Choice {
  readonly workspace: string
  /** The names of the files that are attached to the release. */
  readonly attached: readonly string[]
}

/** The absolute path of the one file that matches, not a folder. Throws a `FileFault` for none or several. */
export async function findFile(search: Search): Promise<string> {
  const { patterns, workspace } = search
  const [plain = '', ...others] = patterns
  const named = nodePath.join(workspace, plain)
  if (PLAIN.test(plain) && others.length === 0 && (await isFolder(named)) === false) return named
  const found = await findMatches(search)
  const [path, ...more] = found
  if (path === undefined) throw await explainNone(search)
  if (more.length === 0) return path
  const shown = await Promise.all(found.slice(0, NAMES_SHOWN).map(each => rowOf(workspace, each)))
  const rest = found.slice(NAMES_SHOWN).map((each): FileRow => [relativeTo(workspace, each)])
  throw explainSeveral(search, 'files', [...shown, ...rest])
}

async function rowOf(workspace: string, path: string): Promise<FileRow> {
  const name = relativeTo(workspace, path)
  const found = await stat(path).catch(() => undefined)
  return found ? [name, sizeText(found.size), `${found.mtime.toISOString().slice(0, 19)}Z`] : [name]
}

/** Undefined if nothing is there. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return (await stat(path).catch(() => undefined))?.isDirectory()
}

/** More matches are not looked at: that they are several is all that matters. */
const ENOUGH = 1000

/** The sorted paths of the files that match; the last pattern that matches a file decides. */
async function findMatches({ patterns, workspace }: Search): Promise<string[]> {
  const anchored = patterns.flatMap(pattern => anchor(pattern, workspace))
  const isWanted = await matcherOf(anchored, { nocase: nodePath.sep === '\\' })
  const found = await walk(anchored, patterns)
  const wanted = () => found.filter(path => isWanted(path.replaceAll(nodePath.sep, '/')))
  const files: string[] = []
  for (const path of inTime('file', wanted)) {
    if (files.length > ENOUGH || (await isFolder(path)) === false) files.push(path)
  }
  return files
}

/** All that match, and maybe more. Follows a link to a folder only where a pattern names it: links may lead around in circles. */
async function walk(anchored: readonly string[], given: readonly string[]): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const open = (patterns: readonly string[]) =>
    create(patterns.join('\n'), {
      implicitDescendants: false,
      matchDirectories: false,
      followSymbolicLinks: false
    })
  const direct: string[] = []
  const found = new Set<string>()
  try {
    // Throws for exclusions that are not valid, too.
    await open(anchored)
    for (const pattern of anchored.filter(includes).map(loosen)) {
      // The folder that the pattern names before its first wildcard.
      const [start = ''] = (await open([pattern])).getSearchPaths()
      const target = await linkTargetOf(start)
      if (target === undefined) {
        direct.push(pattern)
        continue
      }
      const below = pattern.split(/\/+/).slice(start.split(nodePath.sep).length)
      const search = await open([[escapeGlob(target), ...below].join('/')])
      for (const path of await search.glob()) found.add(start + path.slice(target.length))
    }
    const search = await open(direct)
    for (const path of await search.glob()) found.add(path)
    return [...found].toSorted()
  } catch (cause) {
    // Something on the way cannot be read, or a pattern is not valid.
    const said = textAt(cause, 'message')
    const dots = '"." and ".." cannot be used in a pattern. Write a path from the workspace down.'
    const why = /relative pathing/i.test(said) ? dots : said
    const message = `The search for ${given.join(' ')} stopped: ${why}`
    throw new FileFault('no-file', message, cause)
  }
}

/** Where a link to a folder leads; undefined for everything else. */
async function linkTargetOf(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined)
  const isLink = entry?.isSymbolicLink() && (await isFolder(path))
  return isLink ? realpath(path) : undefined
}

/** A pattern's path made absolute. An exclusion also counts for everything below the folder that it names. */
function anchor(pattern: string, workspace: string): string[] {
  const given = pathOf(pattern).replaceAll(nodePath.sep, '/')
  const [start, path] = /^~(?:\/|$)/.test(given)
    ? [homedir(), given.slice(2)]
    : [nodePath.isAbsolute(given) ? '' : workspace, given.replace(/(^|\/)(?:\.\/+)+/g, '$1')]
  const anchored =
    start === '' ? path : `${escapeGlob(start).replaceAll(nodePath.sep, '/')}/${path}`
  return includes(pattern) ? [anchored] : [`!${anchored}`, `!${anchored}/**`]
}

const EMPTY_WORKSPACE =
  'The workspace is empty: every job starts without files. Check out and build before this step, ' +
  'or download what another job built (actions/checkout, actions/download-artifact).'

/** The error for no matching file, with hints; `paths` is `node:path`, or another platform's in tests. */
export async function explainNone(search: Search, paths: PlatformPath = nodePath) {
  const { patterns, workspace, versions } = search
  const files = (await filesBelow(workspace)).map(path => relativeTo(workspace, path, paths))
  const pattern = patterns.find(includes)?.replace(/^~(?=\/|$)/, homedir()) ?? ''
  const hints = hintsFor(patterns, paths.sep, workspace)
  const isLikely = (name: string) => judgeVersion(name, versions).kind !== 'other'
  if (files.length === 0) hints.unshift(EMPTY_WORKSPACE)
  else if (hints.length === 0) {
    hints.push(await causeOf(search, pattern, files.filter(isLikely), paths))
  }
  const matches = await matcherOf([paths.basename(pattern)], { nocase: true })
  const fitting = inTime('file', () => search.attached.filter(matches))
  const attached = fitting.find(isLikely)
  if (attached) {
    const asset = `\`asset: ${patternFor(attached, versions[0])}\``
    hints.push(`${quoteName(attached)} is attached to the release: for that, use ${asset}.`)
  }
  if (files.length === 0) return noFile(search, 'No file matches:', hints, [])
  const ending = paths.extname(pattern).toLowerCase()
  const rank = (path: string) => Number(!path.toLowerCase().endsWith(ending))
  const nearest = files.toSorted((a, b) => rank(a) - rank(b))
  return noFile(search, 'No file matches:', [...hints, 'Files in the workspace:'], nearest)
}

/** The likely cause, as a sentence; it suggests none but the `likely` files, which are of no other version. */
async function causeOf(
  search: Search,
  pattern: string,
  likely: readonly string[],
  { dirname, resolve }: PlatformPath
): Promise<string> {
  const { workspace } = search
  if (await isFolder(resolve(workspace, pattern))) {
    return `"${pattern}" is a folder. Name the file in it, such as "${pattern.replace(/\/$/, '')}/*.zip".`
  }
  const matches = await matcherOf([`**/${pattern.replace(/^\//, '')}`], { nocase: true })
  const elsewhere = inTime('file', () => likely.find(matches))
  if (elsewhere !== undefined) {
    return `Is it ${quoteName(elsewhere)}? Patterns start at the workspace, upper and lower case differ, and lines that begin with "!" exclude.`
  }
  const [alike] = hintAlike(likely, search, 'file')
  if (alike) return alike
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
