// Messages for patterns that mean no file, or more than one: what is there instead, the likely cause, what to do.
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import nodePath, { type PlatformPath } from 'node:path'
import { relativeTo, shownPath } from './fault.ts'
import { escapeGlob, includes, matcherOf } from './glob.ts'
import { judgeVersion, type Versions } from './versions.ts'

/** What was looked for. */
export interface Search {
  readonly patterns: readonly string[]
  readonly workspace: string
  readonly versions: Versions
  /** `posix` or `win32` of `node:path`; the machine's own when left out. */
  readonly paths?: PlatformPath
}

type Where = 'windows' | 'elsewhere' | 'container'

/** What people write in patterns that means something else there, or only in some places. */
const HINTS: readonly (readonly [sign: RegExp, hint: string, where?: Where])[] = [
  [
    /\{[^{}]*,[^{}]*\}|[@!+?*]\([^()]*\)|\S,\s*\S*[*.]/,
    'Braces are taken literally, as are parentheses and commas: write one pattern on each line.'
  ],
  [
    /\$\{?\w|%\w+%/,
    'Variables are not filled in: write {version} or {tag} without a dollar sign, or an expression of the `env` context.'
  ],
  [/(?<![{$])\{\w+\}/, 'Only {tag} and {version} are filled in here.'],
  [/^!?["'].*["']$/, 'The quotes are taken literally: leave them out.'],
  [
    /^[a-z]:[\\/]/i,
    'This is a path of Windows, and the job runs on another system: start at the workspace, such as dist/app.zip.',
    'elsewhere'
  ],
  [/\\\w/, 'A backslash escapes the next character: write "/" between folders.', 'elsewhere'],
  [
    /^\/(?:cygdrive\/|mnt\/)?[a-z]\//i,
    'Git Bash writes drives like this, and only its own programs read them: write D:/a for /d/a, or start at the workspace.',
    'windows'
  ],
  [
    /^\/(?!__w\/).*\/_?work\//,
    'This job runs in a container, where `github.workspace` and `runner.temp` give paths of the host: start at the workspace, such as dist/app.zip.',
    'container'
  ]
]

/** A hint for each of the patterns that needs one. */
export function hintsFor(patterns: readonly string[], places: readonly Where[] = []): string[] {
  return patterns.flatMap(pattern => {
    const [, hint] =
      HINTS.find(([sign, , where]) => (!where || places.includes(where)) && sign.test(pattern)) ??
      []
    return hint === undefined ? [] : [`${hint} (${pattern})`]
  })
}

const EMPTY =
  'The workspace is empty: every job starts without files. Check out and build before this step, ' +
  'or download what another job built (actions/checkout, actions/download-artifact).'

/** Why no file matches. `excluded` are the files that would, but for the exclusions. */
export async function explainNone(excluded: readonly string[], search: Search): Promise<string> {
  const { patterns, workspace, versions, paths = nodePath } = search
  const rowsOf = (files: readonly string[]) =>
    tableOf(
      files.map(path => {
        const { kind } = judgeVersion(paths.basename(path), versions)
        return [shownPath(path, workspace, paths), REMARKS[kind]]
      })
    )
  const head = ['No file matches:', ...patterns.map(pattern => `  ${pattern}`)]
  if (excluded.length > 0) {
    const cause = 'The lines that begin with "!" exclude every file that the others match:'
    return [...head, cause, ...rowsOf(excluded)].join('\n')
  }
  const hints = hintsFor(patterns, [
    paths.sep === '/' ? 'elsewhere' : 'windows',
    ...(workspace.startsWith('/__w/') ? (['container'] as const) : [])
  ])
  const files = await filesBelow(workspace)
  if (files.length === 0) return [...head, EMPTY, ...hints].join('\n')
  const pattern = patterns.find(includes)?.replace(/^~(?=\/|$)/, homedir()) ?? ''
  if (hints.length === 0) hints.push(await causeOf(pattern, files, search))
  const ending = paths.extname(pattern).toLowerCase()
  const alike = files.filter(path => paths.extname(path).toLowerCase() === ending)
  const isNear = alike.length > 0 && ending !== ''
  const title = isNear ? `Files that end with ${ending}:` : 'Files there:'
  return [...head, ...hints, title, ...rowsOf(isNear ? alike : files)].join('\n')
}

/** The likely cause; what it leads to is never a file of another version. */
async function causeOf(
  pattern: string,
  files: readonly string[],
  { workspace, versions, paths = nodePath }: Search
): Promise<string> {
  if (await isFolder(paths.resolve(workspace, pattern))) {
    return `"${pattern}" is a folder. Name the file in it, such as "${pattern.replace(/\/$/, '')}/*.zip".`
  }
  const matches = await matcherOf([`**/${pattern.replace(/^\//, '')}`], { nocase: true })
  const elsewhere = files.find(path => {
    const { kind } = judgeVersion(paths.basename(path), versions)
    return kind !== 'other' && matches(relativeTo(workspace, path, paths))
  })
  if (elsewhere !== undefined) {
    return `Is it ${shownPath(elsewhere, workspace, paths)}? Patterns start at the workspace, and upper and lower case differ.`
  }
  const folder = paths.dirname(pattern.replace(/[^\\/]*[*?[].*$/, 'x'))
  if (await isFolder(paths.resolve(workspace, folder))) {
    return 'Its folder has no such file. Did the build run in this job, and which name did it give the file?'
  }
  const start = paths.isAbsolute(pattern)
    ? ' The pattern starts at the root of the machine, not at the workspace.'
    : ''
  return `There is no folder "${folder}".${start} Was the file built, or downloaded, in this job? Every job starts without files.`
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false
  )
}

const SKIPPED = ['.git', 'node_modules']
const ENOUGH = 2000

/** The files of a folder and the folders in it, breadth first, until there are enough to choose from. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = []
  const folders = [folder]
  for (const next of folders) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = nodePath.join(next, entry.name)
      if (!entry.isDirectory()) files.push(path)
      else if (!SKIPPED.includes(entry.name)) folders.push(path)
    }
    if (files.length + folders.length > ENOUGH) break
  }
  return files
}

const REMARKS = { agrees: '', other: 'another version', unclear: '' }

/** One of several files that match. */
export interface Candidate {
  /** Its path or name as a pattern would have it, before characters of patterns are escaped. */
  readonly name: string
  /** What the table shows of it: the name in quotes, the size, and the like. */
  readonly row: readonly string[]
}

/**
 * Which files match, and how to narrow the patterns to the right one. What is advised goes by the version
 * where it can, and never leads to a file of another version.
 */
export function explainSeveral(
  what: 'files' | 'attached files',
  found: readonly Candidate[],
  versions: Versions
): string {
  const [version] = versions
  const judged = found.map(({ name, row }) => {
    const { kind } = judgeVersion(name.slice(name.lastIndexOf('/') + 1), versions)
    return { name, kind, row: [...row, kind === 'agrees' ? `fits ${version}` : REMARKS[kind]] }
  })
  // The shortest name is the likeliest, for want of a better sign: others end in "-debug" and the like.
  const sorted = judged.toSorted((a, b) => a.name.length - b.name.length)
  const likely =
    sorted.find(({ kind }) => kind === 'agrees') ?? sorted.find(({ kind }) => kind !== 'other')
  const line = likely && escapeGlob(likely.name).replace(/^[!#]/, './$&')
  return [
    `${found.length} ${what} match, and exactly one can be published:`,
    ...tableOf(judged.map(({ row }) => row)),
    ...(line === undefined
      ? [`None of them is version "${version}": build or attach that one.`]
      : [
          'Name the right one, for example with this line, or exclude the others with lines that start with "!":',
          `  ${withPlaceholder(line, version)}`
        ])
  ].join('\n')
}

/** The path with `{version}` in place of the version in its last part, where that is there. */
function withPlaceholder(path: string, version: string): string {
  const at = path.lastIndexOf(version)
  if (version === '' || at <= path.lastIndexOf('/')) return path
  return `${path.slice(0, at)}{version}${path.slice(at + version.length)}`
}

const SHOWN = 10

/** Rows with their columns below each other: ten at most, and how many more there are. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.slice(0, SHOWN)
  const widthOf = (column: number) => Math.max(...shown.map(row => row[column]?.length ?? 0))
  const lines = shown.map(row =>
    `  ${row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')}`.trimEnd()
  )
  return rows.length > SHOWN ? [...lines, `  … and ${rows.length - SHOWN} more`] : lines
}
