// Glob patterns: how an input is split into them and filled in, and which names they match. The adapter of minimatch.
import { isAbsolute, sep } from 'node:path'
import { fill, type Names } from '../release/tag.ts'

/** Splits an input into patterns, one a line, without comments (`#`) and empty lines. */
export function splitPatterns(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

/** A path or patterns as they are read here on every system: `dist\gallery.zip` is `dist/gallery.zip`. */
export function withSlashes(text: string): string {
  return text.replaceAll('\\', '/')
}

/** Fills `{tag}` and `{version}` into a glob pattern, literally: glob characters in them are escaped. */
export function fillGlob(pattern: string, { tag, version }: Omit<Names, 'name'>): string {
  // After `./`, a value cannot exclude (`!`), leave the workspace (`/`) or mean a home folder (`~`).
  const safe = pattern.replace(/^!?\s*(?=\{(?:tag|version)\})/, '$&./')
  return fill(safe, { tag: escapeGlob(tag), version: escapeGlob(version) })
}

/** A glob pattern that matches only this text, by the rules of `@actions/glob`. */
export function escapeGlob(text: string): string {
  const classed = text.replace(/[[?*]/g, '[$&]')
  return sep === '\\' ? classed : classed.replaceAll('\\', '\\\\')
}

/**
 * The pattern for a name that has brackets. One that has other wildcards stays as it is: a file may be called `*.zip`
 * by mistake, and the pattern means all others, too.
 */
export function takeExactly(pattern: string): string {
  if (/[*?]/.test(pattern)) return pattern

  const mark = isExclusion(pattern) ? '!' : ''
  const path = pathOf(pattern)
  // After `./`, a name may begin with `!`.
  return `${mark}${isAbsolute(path) ? '' : './'}${escapeGlob(path)}`
}

/** Whether a pattern excludes. */
export function isExclusion(pattern: string): boolean {
  return pattern.startsWith('!')
}

/** A pattern without its `!`, and without a `./` at the start. */
export function pathOf(pattern: string): string {
  return pattern.replace(/^!\s*/, '').replace(/^(?:\.\/+)+/, '')
}

/** Whether a pattern has a wildcard; `[*]` is none, but an escaped asterisk. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\[[^\]]\]/g, ''))
}

/** Returns a test of names, or of paths with slashes; the last pattern that matches decides. */
export async function matcherOf(
  patterns: readonly string[],
  { nocase = false } = {}
): Promise<(name: string) => boolean> {
  const { Minimatch } = await import('minimatch')
  // The rules of `@actions/glob`, which matches paths with the same library.
  const options = {
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    nocase
  }
  const rules = patterns.map(pattern => {
    return { isWanted: !isExclusion(pattern), glob: new Minimatch(pathOf(pattern), options) }
  })
  return name => rules.findLast(({ glob }) => glob.match(name))?.isWanted ?? false
}
