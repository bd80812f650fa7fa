// The input `contents`: what an archive must have in it, and what it must not.
import { posix } from 'node:path'
import { hintsFor, listed, quoteName } from './fault.ts'
import { hasWildcard, includes, matcherOf, pathOf } from './glob.ts'

/** A line of `contents`. */
export interface Rule {
  readonly line: string
  /** Whether it names a file so clearly that it may be what is refused otherwise. */
  readonly allows: (path: string) => boolean
  readonly matches: (path: string) => boolean
}

/** Parses a line, which matches a file, or all that is in a folder. */
export async function parseRule(line: string): Promise<Rule> {
  const path = pathOf(line).replace(/\/+$/, '')
  // A folder's line allows no file in it, unless the folder itself is what would be refused.
  const inside = /(?:^|\/)(?:\.git|node_modules|__MACOSX)$/i.test(path) ? [`${path}/**`] : []
  const isPlain = includes(line) && !hasWildcard(posix.basename(path))
  const allows = isPlain ? await matcherOf([path, ...inside]) : () => false
  // An exclusion that names no folder counts everywhere.
  const place = includes(line) || path.includes('/') ? path : `**/${path}`
  return { line, allows, matches: await matcherOf([place, `${place}/**`]) }
}

/** A sentence about each line that is broken, or by which files are. */
export function judgeRules(
  rules: readonly Rule[],
  paths: readonly string[],
  isWhole: boolean
): string[] {
  // The last line that matches decides; before the first exclusion, none needs to be asked.
  const first = rules.findIndex(({ line }) => !includes(line))
  const deciding = first < 0 ? [] : rules.slice(first)
  const lineFor = (path: string) => deciding.findLast(({ matches }) => matches(path))?.line ?? ''
  const excluded = paths.filter(path => !includes(lineFor(path)))
  const part = isWhole ? '' : ' in the part that was checked'
  const idle = rules.filter(({ matches }) => !paths.some(matches))
  const missed = idle.flatMap(({ line }) => {
    const hints = hintsFor([line], 'contents')
    const none = `contains nothing that matches ${quoteName(line)} of \`contents\`${part}.`
    // An exclusion may match nothing, unless it looks mistyped.
    const isMistake = /^!["'/]|\{.*,.*\}|[,;]\s*!|\s#\s|\\/.test(line) && hints.length > 0
    return includes(line) || isMistake ? [[none, ...hints].join(' ')] : []
  })
  const there = paths.length === 0 ? '' : ` It contains ${listed(paths, 20)}.`
  const told = missed.map((text, index) => `${text}${index === missed.length - 1 ? there : ''}`)
  return [...describeFiles(excluded, 'which a line with "!" in `contents` excludes.'), ...told]
}

/** A sentence about these files; none if there are no files. */
export function describeFiles(paths: readonly string[], what: string): string[] {
  return paths.length === 0 ? [] : [`contains ${listed(paths)}, ${what}`]
}
