// Messages for patterns that mean no file, or more than one: what was found instead, why, and what to do.
import { lstat, readlink, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { relativeTo, shownPath } from './fault.ts'
import { escapeGlob } from './glob.ts'
import { filesBelow, follow, listFolder, type Neighbour, rank, type Way } from './nearby.ts'

const SHOWN = 10

function listOf(patterns: readonly string[]): string[] {
  return patterns.map(pattern => `  ${pattern}`)
}

function more(count: number): string[] {
  return count > SHOWN ? [`  … and ${count - SHOWN} more`] : []
}

/** Why no file matches. `excluded` are the files that would, but for the exclusions. */
export async function explainNone(
  patterns: readonly string[],
  excluded: readonly string[],
  workspace: string
): Promise<string> {
  const head = ['No file matches:', ...listOf(patterns)]
  const shown = (path: string) => `  ${shownPath(path, workspace)}`
  if (excluded.length > 0) {
    const files = excluded.slice(0, SHOWN).map(shown)
    const cause = 'The lines that begin with "!" exclude every file that the others match:'
    return [...head, cause, ...files, ...more(excluded.length)].join('\n')
  }
  const files = await filesBelow(workspace)
  const hints = patterns.flatMap(hintsFor)
  if (files.length === 0) return [...head, EMPTY, ...hints].join('\n')
  const causes: string[] = []
  const neighbours: Neighbour[] = []
  for (const line of patterns.filter(given => !given.startsWith('!'))) {
    const pattern = line.replace(/^~(?=\/|$)/, homedir())
    const way = await follow(pattern, workspace)
    const there =
      isAbsolute(pattern) && !isRoot(way.folder) ? await listFolder(way.folder) : EMPTY_FOLDER
    const ranked = rank([...new Set([...there.files, ...files])], pattern, way, workspace)
    neighbours.push(...ranked)
    if (hintsFor(pattern).length === 0) causes.push(causeOf(pattern, way, ranked[0], workspace))
  }
  if (files.some(path => path.includes('\ufffd'))) hints.push(NO_UTF8)
  const near = neighbours.filter(({ nearness }) => nearness !== 'other')
  const paths = new Set((near.length > 0 ? near : neighbours).map(({ path }) => path))
  const nearest = [...paths].slice(0, SHOWN).map(shown)
  const found = ['The nearest files that exist:', ...nearest, ...more(paths.size)]
  return [...head, ...new Set([...causes, ...hints]), ...found].join('\n')
}

const EMPTY =
  'The workspace is empty: every job starts without files. Check out and build before this step, ' +
  'or download what another job built (actions/checkout, actions/download-artifact).'

const NO_UTF8 =
  'A name with "\ufffd" in it is not UTF-8, and no pattern can mean it: rename that file.'

const EMPTY_FOLDER = { files: [], folders: [] }

function isRoot(folder: string): boolean {
  return dirname(folder) === folder
}

/** The likely cause, for one pattern. */
function causeOf(
  pattern: string,
  { folder, missing, end }: Way,
  nearest: Neighbour | undefined,
  workspace: string
): string {
  const shown = (path: string) => shownPath(path, workspace)
  const found = nearest ? shown(nearest.path) : ''
  if (end === 'folder') {
    const inside = `${pattern.replace(/\/+$/, '')}/*.zip`
    return `"${pattern}" is a folder. Name the file in it, such as "${inside}".`
  }
  if (end === 'dangling link') return `"${pattern}" is a link to a file that is not there.`
  if (isAbsolute(pattern) && isRoot(folder)) {
    return `"${pattern}" begins with a slash, at the root of the machine. Leave it out to begin at the workspace.`
  }
  if (nearest?.nearness === 'other case') {
    return `${found} differs in upper and lower case alone; here, that counts.`
  }
  if (nearest?.nearness === 'other folder') {
    return `Is it ${found}? Patterns begin at the workspace, whatever the working directory of other steps is.`
  }
  if (missing !== undefined) {
    return `There is no ${shown(missing)}. Was the file built, or downloaded, in this job? Every job starts without files.`
  }
  const where = folder === workspace ? 'The workspace' : `The folder ${shown(folder)}`
  return `${where} has no such file. Did the build run in this job, and which name did it give the file?`
}

/** What people write that these patterns do not know. */
function hintsFor(pattern: string): string[] {
  const hints: (readonly [RegExp, string])[] = [
    [/\{[^{}]*,[^{}]*\}/, 'Braces are taken literally: write one pattern a line instead.'],
    [
      /\$\{?\w|%\w+%/,
      'Variables are not filled in: write an expression of the `env` context instead.'
    ],
    [/(?<![{$])\{\w+\}/, 'In `file`, only {tag} and {version} are filled in.'],
    [/[@!+?*]\([^()]*\)/, 'Parentheses are taken literally: write one pattern a line instead.'],
    [/^!?["'].*["']$/, 'The quotes are taken literally: leave them out.'],
    [/\\[\w.-]/, 'A backslash takes the next character literally: put "/" between folders.']
  ]
  return hints.filter(([sign]) => sign.test(pattern)).map(([, hint]) => `${hint} (${pattern})`)
}

/** Which files match, and how to narrow the patterns to one of them. */
export async function explainSeveral(
  paths: readonly [string, ...string[]],
  patterns: readonly string[],
  workspace: string
): Promise<string> {
  const rows = await Promise.all(paths.slice(0, SHOWN).map(path => rowOf(path, workspace)))
  const named = (path: string) => escapeGlob(relativeTo(workspace, path)).replace(/^[!#]/, './$&')
  // The shortest name is the likeliest to be meant, for want of a better sign: others end in "-debug" and the like.
  const names = paths.map(named).toSorted((a, b) => a.length - b.length)
  const [first = ''] = names
  const numbered = names.find(name => versioned(name) !== name)
  const other = names.findLast(name => name !== first && name !== numbered) ?? names.at(-1)
  return [
    `${paths.length} files match, and exactly one can be published:`,
    ...tableOf([['path', 'size', 'last changed (UTC)', ''], ...rows]),
    ...more(paths.length),
    'To narrow it to the right one, write lines such as these:',
    ...tableOf([
      [first, 'to name one file, or', '', ''],
      ...(numbered ? [[versioned(numbered), 'to go by the version, or', '', ''] as const] : []),
      [`!${other}`, 'below the patterns, to exclude one', '', '']
    ]),
    ...(misplaced(patterns)
      ? ['A line with "!" counts only for the patterns above it: move it down.']
      : [])
  ].join('\n')
}

/** The path with `{version}` in the place of a version in its last part. */
function versioned(path: string): string {
  return path.replace(/\d+(?:\.\d+)+(?=[^/]*$)/, '{version}')
}

function misplaced(patterns: readonly string[]): boolean {
  const excluding = patterns.findIndex(pattern => pattern.startsWith('!'))
  return excluding >= 0 && patterns.slice(excluding).some(pattern => !pattern.startsWith('!'))
}

type Row = readonly [path: string, size: string, time: string, remark: string]

async function rowOf(path: string, workspace: string): Promise<Row> {
  const shown = shownPath(path, workspace)
  try {
    const [found, target] = await Promise.all([stat(path), targetOf(path)])
    const time = found.mtime.toISOString().replace('T', ' ').slice(0, 19)
    return [shown, bytesText(found.size), time, target]
  } catch {
    return [shown, '', '', 'gone meanwhile']
  }
}

function bytesText(size: number): string {
  return size === 1 ? '1 byte' : `${size.toLocaleString('en-US')} bytes`
}

async function targetOf(path: string): Promise<string> {
  if (!(await lstat(path)).isSymbolicLink()) return ''
  return `link to ${JSON.stringify(await readlink(path))}`
}

function tableOf(rows: readonly Row[]): string[] {
  const width = (column: 0 | 1 | 2) => Math.max(...rows.map(row => row[column].length))
  const [path, size, time] = [width(0), width(1), width(2)]
  return rows.map(row =>
    `  ${row[0].padEnd(path)}  ${row[1].padEnd(size)}  ${row[2].padEnd(time)}  ${row[3]}`.trimEnd()
  )
}
