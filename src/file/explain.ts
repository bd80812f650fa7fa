// Messages for patterns that mean no file, or more than one: what was found instead, why, and what to do.
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { type PlatformPath } from 'node:path'
import { relativeTo, shownPath } from './fault.ts'
import { escapeGlob, includes, matcherOf } from './glob.ts'
import { adviseNarrowing, hintsFor, isMisplaced, tableOf } from './hints.ts'
import { judgeVersion, type Versions } from './versions.ts'

/** What was looked for. */
export interface Search {
  readonly patterns: readonly string[]
  readonly workspace: string
  readonly versions: Versions
  /** `posix` or `win32` of `node:path`; the machine's own when left out. */
  readonly paths?: PlatformPath
}

const SHOWN = 10

function more(count: number): string[] {
  return count > SHOWN ? [`  … and ${count - SHOWN} more`] : []
}

/** Why no file matches. `excluded` are the files that would, but for the exclusions. */
export async function explainNone(excluded: readonly string[], search: Search): Promise<string> {
  const { patterns, workspace, versions, paths = nodePath } = search
  const head = ['No file matches:', ...patterns.map(pattern => `  ${pattern}`)]
  const shown = (path: string) => `  ${shownPath(path, workspace, paths)}`
  if (excluded.length > 0) {
    const files = excluded.slice(0, SHOWN).map(shown)
    const cause = 'The lines that begin with "!" exclude every file that the others match:'
    return [...head, cause, ...files, ...more(excluded.length)].join('\n')
  }
  const hints = hintsFor(patterns, { input: 'file', versions, workspace, paths })
  const [wanted = ''] = patterns.filter(includes)
  const pattern = wanted.replace(/^~(?=\/|$)/, homedir())
  const way = await follow(pattern, workspace, paths)
  const files = await filesBelow(way.base)
  if (files.length === 0) return [...head, EMPTY, ...hints].join('\n')
  if (files.some(path => path.includes('\ufffd'))) hints.push(NO_UTF8)
  if (hints.length === 0) hints.push(await causeOf(pattern, way, files, search))
  const ending = paths.extname(pattern).toLowerCase()
  const alike = files.filter(path => paths.extname(path).toLowerCase() === ending)
  const listed = alike.length > 0 ? alike : files
  const title =
    alike.length > 0 && ending !== '' ? `Files that end with ${ending}:` : 'Files there:'
  const list = listed.slice(0, SHOWN).map(path => {
    const { kind } = judgeVersion(paths.basename(path), versions)
    return kind === 'other' ? `${shown(path)} (another version)` : shown(path)
  })
  return [...head, ...hints, title, ...list, ...more(listed.length)].join('\n')
}

const EMPTY =
  'The workspace is empty: every job starts without files. Check out and build before this step, ' +
  'or download what another job built (actions/checkout, actions/download-artifact).'

const NO_UTF8 =
  'A name with "\ufffd" in it is not UTF-8, and no pattern can match it: rename that file.'

/** The likely cause; what it leads to is never a file of another version. */
async function causeOf(
  pattern: string,
  { isFolder, missing }: Way,
  files: readonly string[],
  { workspace, versions, paths = nodePath }: Search
): Promise<string> {
  const shown = (path: string) => shownPath(path, workspace, paths)
  if (isFolder) return `"${pattern}" is a folder. Name the file in it, such as "${pattern}/*.zip".`
  const like = async (glob: string) => {
    const matches = await matcherOf([glob], { nocase: true })
    return files.find(path => {
      const { kind } = judgeVersion(paths.basename(path), versions)
      return kind !== 'other' && matches(relativeTo(workspace, path, paths))
    })
  }
  const otherCase = await like(pattern)
  if (otherCase !== undefined) {
    return `${shown(otherCase)} differs only in upper and lower case, which matters here.`
  }
  const elsewhere = await like(`**/${pattern.replace(/^\//, '')}`)
  if (elsewhere !== undefined) {
    return `Is it ${shown(elsewhere)}? Patterns start at the workspace, whatever the working directory of other steps is.`
  }
  if (missing !== undefined) {
    const start = paths.isAbsolute(pattern)
      ? ' The pattern starts at the root of the machine, not at the workspace.'
      : ''
    return `There is no ${shown(missing)}.${start} Was the file built, or downloaded, in this job? Every job starts without files.`
  }
  return 'Its folder has no such file. Did the build run in this job, and which name did it give the file?'
}

/** How far the folders of a pattern exist. */
interface Way {
  /** Where to look for what is there instead. */
  readonly base: string
  /** The first that does not exist. */
  readonly missing: string | undefined
  /** Whether the pattern has no wildcard, and is a folder. */
  readonly isFolder: boolean
}

async function follow(pattern: string, workspace: string, paths: PlatformPath): Promise<Way> {
  const { root } = paths.parse(pattern)
  const segments = pattern.slice(root.length).split(paths.sep === '\\' ? /[\\/]/ : '/')
  const wild = segments.findIndex(segment => /[*?[\]\\]/.test(segment))
  const literal = segments.slice(0, wild < 0 ? undefined : wild)
  let folder = root === '' ? workspace : root
  const base = () => (root === '' || folder === root ? workspace : folder)
  for (const [index, segment] of literal.entries()) {
    const next = paths.join(folder, segment)
    const isFolder = await stat(next).then(
      found => found.isDirectory(),
      () => false
    )
    const isLast = index === segments.length - 1
    if (isLast || !isFolder) return { base: base(), missing: isLast ? undefined : next, isFolder }
    folder = next
  }
  return { base: base(), missing: undefined, isFolder: false }
}

const SKIPPED = ['.git', 'node_modules']
const ENOUGH = 2000

/** The files of a folder and the folders in it, breadth first, until there are enough to choose from. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = [folder]
  for (const next of folders) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = nodePath.join(next, entry.name)
      if (!entry.isDirectory()) files.push(path)
      else if (!SKIPPED.includes(entry.name)) folders.push(path)
    }
    if (files.length + folders.length > ENOUGH) break
  }
  return files
}

/** Which files match, and how to narrow the patterns to the right one. */
export async function explainSeveral(
  found: readonly [string, ...string[]],
  { patterns, workspace, versions, paths = nodePath }: Search
): Promise<string> {
  const rows = await Promise.all(
    found.slice(0, SHOWN).map(path => rowOf(path, workspace, versions))
  )
  const named = (path: string) =>
    escapeGlob(relativeTo(workspace, path, paths)).replace(/^[!#]/, './$&')
  const advice = adviseNarrowing(found.map(named), versions)
  return [
    `${found.length} files match, and exactly one can be published:`,
    ...tableOf([['path', 'size', 'last changed (UTC)', ''], ...rows]),
    ...more(found.length),
    ...(advice.length > 0
      ? ['To narrow it to the right one, write lines such as these:', ...tableOf(advice)]
      : [`None of them is version "${versions[0]}": build or download that one in this job.`]),
    ...(isMisplaced(patterns)
      ? ['A line with "!" counts only for the patterns above it: move it down.']
      : [])
  ].join('\n')
}

async function rowOf(
  path: string,
  workspace: string,
  versions: Versions
): Promise<readonly string[]> {
  const shown = shownPath(path, workspace)
  try {
    const [found, target] = await Promise.all([stat(path), targetOf(path)])
    const time = found.mtime.toISOString().replace('T', ' ').slice(0, 19)
    const remarks = [remarkOn(nodePath.basename(path), versions), target]
    return [shown, bytesText(found.size), time, remarks.filter(text => text !== '').join(', ')]
  } catch {
    return [shown, '', '', 'gone meanwhile']
  }
}

/** Whether a file's name fits the version; empty when it does not tell. */
export function remarkOn(name: string, versions: Versions): string {
  const { kind } = judgeVersion(name, versions)
  if (kind === 'agrees') return `fits ${versions[0]}`
  return kind === 'other' ? 'another version' : ''
}

/** Such as `1,234 bytes`. */
export function bytesText(size: number): string {
  return size === 1 ? '1 byte' : `${size.toLocaleString('en-US')} bytes`
}

async function targetOf(path: string): Promise<string> {
  if (!(await lstat(path)).isSymbolicLink()) return ''
  return `link to ${JSON.stringify(await readlink(path))}`
}
