// What messages say of patterns and the files that they mean: hints, tables, and how to narrow the patterns.
import { quoted } from './fault.ts'
import { escapeGlob } from './glob.ts'
import { judgeVersion, type Versions } from './versions.ts'

type Where = 'windows' | 'elsewhere'

/** What people write in patterns that means something else there, or only in some places. */
const HINTS: readonly (readonly [sign: RegExp, hint: string, where?: Where])[] = [
  [
    /\{[^{}]*,[^{}]*\}|[@!+?*]\([^()]*\)|\S,\s*\S*[*.]/,
    'Braces are taken literally, as are parentheses and commas: write one pattern per line.'
  ],
  [
    /\$\{?\w|%\w+%/,
    'Variables are not filled in: write {version} or {tag} without a dollar sign, or use a GitHub expression such as env.NAME in double braces.'
  ],
  [/(?<![{$])\{\w+\}/, 'Only {tag} and {version} are filled in here.'],
  [/^!?["'].*["']$/, 'The quotes are taken literally: leave them out.'],
  [
    /^[a-z]:[\\/]/i,
    'This is a Windows path, and this job runs on another system: write a path relative to the workspace, such as dist/app.zip.',
    'elsewhere'
  ],
  [/\\\w/, 'A backslash escapes the next character: write "/" between folders.', 'elsewhere'],
  [
    /^\/(?:cygdrive\/|mnt\/)?[a-z]\//i,
    'Git Bash writes drives like this, and only its own programs read them: write D:/a for /d/a, or a path relative to the workspace.',
    'windows'
  ]
]

/** A hint for each of the patterns that needs one. */
export function hintsFor(patterns: readonly string[], places: readonly Where[] = []): string[] {
  const hints = HINTS.filter(([, , where]) => !where || places.includes(where))
  return patterns.flatMap(pattern => {
    const found = hints.find(([sign]) => sign.test(pattern))
    return found ? [`${found[1]} (${pattern})`] : []
  })
}

/** A file that matches, or may have been meant. */
export interface Found {
  /** Its path or name as a pattern has it, but for escaping. */
  readonly name: string
  /** What else the table shows of it, such as its size. */
  readonly cells?: readonly string[]
}

const SHOWN = 10

/** A line for each file, ten at most, with what its name says of the version. */
export function tableOf(files: readonly Found[], versions: Versions): string[] {
  const remarks = { agrees: `fits ${versions[0]}`, other: 'another version', unclear: '' }
  const rows = files.slice(0, SHOWN).map(({ name, cells = [] }) => {
    return [quoted(name), ...cells, remarks[kindOf(name, versions)]]
  })
  const widthOf = (column: number) => Math.max(...rows.map(row => row[column]?.length ?? 0))
  const lines = rows.map(row =>
    `  ${row.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')}`.trimEnd()
  )
  return files.length > SHOWN ? [...lines, `  … and ${files.length - SHOWN} more`] : lines
}

function kindOf(name: string, versions: Versions) {
  return judgeVersion(name.slice(name.lastIndexOf('/') + 1), versions).kind
}

/**
 * Which files match, and how to narrow the patterns to the right one. What is advised goes by the version
 * where it can, and never leads to a file of another version.
 */
export function explainSeveral(
  what: 'files' | 'attached files',
  files: readonly Found[],
  versions: Versions
): string {
  const [version] = versions
  // The shortest name is the likeliest, for want of a better sign: others end in "-debug" and the like.
  const names = files.map(({ name }) => name).toSorted((a, b) => a.length - b.length)
  const likely =
    names.find(name => kindOf(name, versions) === 'agrees') ??
    names.find(name => kindOf(name, versions) !== 'other')
  const advice =
    'Name the right one, for example with this line, or exclude the others with lines that start with "!":'
  return [
    `${files.length} ${what} match, and exactly one can be published:`,
    ...tableOf(files, versions),
    ...(likely === undefined
      ? [`None of them is version "${version}": build or attach that one.`]
      : [advice, `  ${lineFor(likely, version)}`])
  ].join('\n')
}

/** The pattern of this file, with `{version}` in place of the version in its last part. */
function lineFor(name: string, version: string): string {
  const path = escapeGlob(name).replace(/^[!#]/, './$&')
  const at = path.lastIndexOf(version)
  if (version === '' || at <= path.lastIndexOf('/')) return path
  return `${path.slice(0, at)}{version}${path.slice(at + version.length)}`
}
