// What people write in patterns that means something else there, and which line they could write instead. Pure.
import type { PlatformPath } from 'node:path'
import { includes } from './glob.ts'
import { judgeVersion, type Versions, withPlaceholder } from './versions.ts'

/** Where patterns are used, and which versions were filled in. */
export type Origin =
  | { readonly input: 'asset'; readonly versions: readonly string[] }
  | {
      readonly input: 'file'
      readonly versions: readonly string[]
      readonly workspace: string
      /** `posix` or `win32` of `node:path`. */
      readonly paths: PlatformPath
    }

const LITERAL: readonly (readonly [RegExp, string])[] = [
  [/\{[^{}]*,[^{}]*\}/, 'Braces are taken literally: write one pattern on each line.'],
  [
    /\$\{?\w|%\w+%/,
    'Variables are not filled in: write an expression of the `env` context instead.'
  ],
  [/(?<![{$])\{\w+\}/, 'Only {tag} and {version} are filled in here.'],
  [/[@!+?*]\([^()]*\)/, 'Parentheses are taken literally: write one pattern on each line.'],
  [/^!?["'].*["']$/, 'The quotes are taken literally: leave them out.'],
  [/\S,\s*\S*[*.]/, 'A comma is taken literally: write one pattern on each line.']
]

/** One hint for each pattern that holds something of the kind. */
export function hintsFor(patterns: readonly string[], origin: Origin): string[] {
  return patterns.flatMap(pattern => {
    const hint =
      dollarHint(pattern, origin) ??
      (origin.input === 'asset'
        ? assetHint(pattern)
        : pathHint(pattern, origin.workspace, origin.paths)) ??
      LITERAL.find(([sign]) => sign.test(pattern))?.[1]
    return hint === undefined ? [] : [`${hint} (${pattern})`]
  })
}

/** `${version}` comes with its version filled in, behind the dollar sign. */
function dollarHint(pattern: string, { versions }: Origin): string | undefined {
  return versions.some(version => version !== '' && pattern.includes(`$${version}`))
    ? 'Write {version} without a dollar sign.'
    : undefined
}

function assetHint(pattern: string): string | undefined {
  return /[^/]\/[^/]|\\\w/.test(pattern.replace(/^!?\.\//, ''))
    ? 'Attached files have no folder: write only the name.'
    : undefined
}

function pathHint(pattern: string, workspace: string, paths: PlatformPath): string | undefined {
  const windows = paths.sep === '\\'
  if (!windows && /^[a-z]:[\\/]/i.test(pattern)) {
    return 'This is a Windows path, but the job does not run on Windows: start at the workspace instead.'
  }
  if (!windows && /\\[\w.-]/.test(pattern)) {
    return 'A backslash escapes the next character: use "/" between folders.'
  }
  const [, drive] = /^\/([a-z])\//i.exec(pattern) ?? []
  if (windows && drive !== undefined) {
    const path = `${drive.toUpperCase()}:${pattern.slice(2)}`
    return `Git Bash writes paths like this; here it is "${path}", or better a path from the workspace.`
  }
  // A container job has the folders of its host in other places, but `github` and `runner` name the host's.
  const contained = /^\/__w(\/.+)$/.exec(workspace)?.[1]
  const ofHost = contained !== undefined && paths.isAbsolute(pattern) && !/^\/__/.test(pattern)
  if (ofHost && (pattern.includes(`${contained}/`) || pattern.includes('/_temp/'))) {
    return (
      '`github.workspace` and `runner.temp` are paths of the host, which this container does not have: ' +
      'start at the workspace, or use the variables GITHUB_WORKSPACE and RUNNER_TEMP in a `run` step.'
    )
  }
  return undefined
}

/** Whether a pattern excludes something before another includes files, so that it has no effect there. */
export function isMisplaced(patterns: readonly string[]): boolean {
  const excluding = patterns.findIndex(pattern => !includes(pattern))
  return excluding >= 0 && patterns.slice(excluding).some(includes)
}

/** A line for the input, and what it is for. */
export type Advice = readonly [line: string, purpose: string]

/**
 * Lines that mean one of several files, given as patterns. They go by the version where they can, and never
 * lead to a file of another version. Empty when each is of another version.
 */
export function adviseNarrowing(names: readonly string[], versions: Versions): readonly Advice[] {
  const kindOf = (name: string) =>
    judgeVersion(name.slice(name.lastIndexOf('/') + 1), versions).kind
  // The shortest name is the likeliest to be meant, for want of a better sign: others end in "-debug" and the like.
  const sorted = names.toSorted((a, b) => a.length - b.length)
  const fitting = sorted.filter(name => kindOf(name) === 'agrees')
  const [first, ...others] =
    fitting.length > 0 ? fitting : sorted.filter(name => kindOf(name) !== 'other')
  if (first === undefined) return []
  const byVersion = (name: string) => withPlaceholder(name, versions[0]) ?? name
  const taking = byVersion(first)
  const purpose = taking === first ? 'to name one file' : 'to go by the version'
  const last = others.at(-1)
  if (last === undefined) return [[taking, purpose]]
  return [
    [taking, `${purpose}, or`],
    [`!${byVersion(last)}`, 'below the patterns, to exclude one']
  ]
}

/** Rows with their columns below each other. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0))
  )
  return rows.map(row =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()
  )
}
