// The one error for files, and the parts of its messages: names, hints about patterns, tables of files.
import defaultPaths, { type PlatformPath } from 'node:path'
import { hostPathHint } from '../runner/values.ts'
import { escapeGlob, includes, withinSeconds } from './glob.ts'
import { type Choice, judgeVersion, type VersionNames } from './versions.ts'

/** What keeps a file from being used; the message says why, and what to do, whatever the run is for. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly reason: 'no-file' | 'several-files' | 'bad-file' | 'file-changed'
  constructor(reason: FileFault['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** What `run` returns, which compares names that others chose; throws a `FileFault` after 5 seconds. */
export function inTime<Result>(input: 'file' | 'asset' | 'contents', run: () => Result): Result {
  const message = `The names of the files take too long to compare with \`${input}\`: write fewer "*" in one line.`
  const late = new FileFault(input === 'contents' ? 'bad-file' : 'no-file', message)
  return withinSeconds(5, run, late)
}

/** A path in the workspace becomes relative to it, with slashes; any other stays as it is. */
export function relativeTo(workspace: string, path: string, paths: PlatformPath = defaultPaths) {
  const { relative, isAbsolute, sep } = paths
  const way = relative(workspace, path)
  const isOutside = way === '' || way.split(sep)[0] === '..' || isAbsolute(way)
  return isOutside ? path : way.replaceAll(sep, '/')
}

/** A name that others chose, in quotes, with invisible characters escaped. */
export function quoteName(name: string): string {
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  return JSON.stringify(name).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escaped)
}

/** So many files, or names, are shown in a message. */
export const NAMES_SHOWN = 10

/** Such as `"a", "b" and 3 more`: so many names at most, each of 200 characters at most. */
export function listed(names: readonly string[], most = NAMES_SHOWN): string {
  const cut = (name: string) => quoteName(name.length > 200 ? `${name.slice(0, 200)}…` : name)
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return `${names.slice(0, most).map(cut).join(', ')}${more}`
}

/** Mistakes in patterns; `where` limits a hint to one input, or to platforms with one folder separator. */
const HINTS: readonly (readonly [sign: RegExp, hint: string, where?: string])[] = [
  [/\{.*,.*\}|\S,\s*\S*[*.]/, 'Braces and commas are taken literally: write one pattern per line.'],
  [/\$\{?\w|%\w+%|\{(?!(?:tag|version)\})\w+\}/, 'Only {version} and {tag} are filled in.'],
  [/^!?["']|["']$/, 'Quotes are taken literally: leave them out.'],
  [/;|\s#|^- /, 'Write one pattern per line, without "-", ";" or a comment behind it.'],
  [/^https?:/i, 'An address is not a path: download the file in a step before this one.'],
  [/[^/!.]\/[^/]/, 'Attached files have no folders: write only the file’s name.', 'asset'],
  [/\\\w|\w\\|^[a-z]:/i, 'Write a path relative to the workspace, with "/" between folders.', '/'],
  [/\\(?![[\]{}!?()])/, 'Write "/" between folders.', 'contents'],
  [/^!?\//, 'Write paths as they are in the archive, without "/" at the start.', 'contents'],
  [/^\/(?:cygdrive\/|mnt\/)?[a-z]\//i, 'Only Git Bash reads that: write D:/a for /d/a.', '\\']
]

/** A hint for each pattern that needs one; `where` is `asset` or `contents`, or what separates folders. */
export function hintsFor(patterns: readonly string[], where: string, workspace = ''): string[] {
  return patterns.flatMap(pattern => {
    const found = HINTS.find(([sign, , only = where]) => only === where && sign.test(pattern))
    const host = hostPathHint(pattern, workspace)
    const hint = found?.[1] ?? (host && `${host}.`)
    return hint === '' ? [] : [`${hint} (${pattern})`]
  })
}

/** A file's name, and what is told of it. */
export type FileRow = readonly [name: string, ...cells: string[]]

/** A line for each file, ten at most, with what its name says about the version. */
function fileTable(files: readonly FileRow[], versions: VersionNames): string[] {
  const remarks = { agrees: `fits ${versions[0]}`, other: 'another version', unclear: '' }
  const lines = files.slice(0, NAMES_SHOWN).map(([name, ...cells]) => {
    const remark = remarks[judgeVersion(name, versions).kind]
    return `  ${[quoteName(name), ...cells, remark].join('  ')}`.trimEnd()
  })
  return files.length > NAMES_SHOWN
    ? [...lines, `  … and ${files.length - NAMES_SHOWN} more`]
    : lines
}

/** No file matches: the patterns, hints about them, and the files that are there. */
export function noFile(
  { patterns, versions }: Choice,
  head: string,
  hints: readonly string[],
  names: readonly string[]
): FileFault {
  const given = patterns.map(pattern => `  ${pattern}`)
  const files = names.map((name): FileRow => [name])
  const lines = [head, ...given, ...hints, ...fileTable(files, versions)]
  return new FileFault('no-file', lines.join('\n'))
}

/** Which files match, and how to narrow the patterns; the advice never leads to a file of another version. */
export function explainSeveral({ versions }: Choice, what: string, files: readonly FileRow[]) {
  const [version] = versions
  // The shortest first: others end in "-debug" and the like.
  const names = files.map(([name]) => name).toSorted((a, b) => a.length - b.length)
  const isOf = (kind: string) => (name: string) => judgeVersion(name, versions).kind === kind
  // A name that may be another version's is not shown as an example: people copy those.
  const isPlain = (name: string) => isOf('unclear')(name) && !/\d[._-]?\d/.test(name)
  const agreeing = names.filter(isOf('agrees'))
  const likely = agreeing.length > 0 ? agreeing : names.filter(isPlain)
  const none = names.some(isOf('unclear'))
    ? `Write a pattern that only the file of version "${version}" matches, with {version} in place of the version.`
    : `None of them is version "${version}": build or attach that one.`
  const lines = likely.slice(0, NAMES_SHOWN).map(name => `\n  ${patternFor(name, version)}`)
  const left = likely.length - lines.length
  const more = left > 0 ? `\n  … and ${left} more such lines` : ''
  const which =
    lines.length === 1 ? 'this line' : 'the one of these lines that names the right file'
  const use = `Use ${which}, or exclude the others with lines that start with "!":${lines.join('')}${more}`
  const advice = lines.length === 0 ? none : use
  const head = `${files.length} ${what} match, and exactly one has to:`
  return new FileFault('several-files', [head, ...fileTable(files, versions), advice].join('\n'))
}

/** A hint if the name of a file of this version differs from a pattern in signs alone, or in a `v` before the version. */
export function hintAlike(names: readonly string[], { patterns, versions }: Choice, input: string) {
  const [version] = versions
  const wordsOf = (text: string) => {
    const words = text
      .toLowerCase()
      .replaceAll(version.toLowerCase(), ' ')
      .split(/[^\p{L}\p{N}]+/u)
    return words.filter(word => word !== '' && word !== 'v').join(' ')
  }
  const wanted = patterns.filter(includes).map(wordsOf)
  const isAlike = (name: string) =>
    wanted.includes(wordsOf(name)) && judgeVersion(name, versions).kind === 'agrees'
  const alike = version === '' ? undefined : names.find(isAlike)
  return alike ? [`Is it \`${patternFor(alike, version)}\`? Correct \`${input}\`.`] : []
}

/** A pattern for this file alone, with `{version}` for the version in its name; `./` protects `!` and `#`. */
export function patternFor(name: string, version: string): string {
  const path = escapeGlob(name).replace(/^[!#]/, './$&')
  const at = path.lastIndexOf(version)
  if (version === '' || at <= path.lastIndexOf('/')) return path
  return `${path.slice(0, at)}{version}${path.slice(at + version.length)}`
}
