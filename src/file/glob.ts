// Glob patterns: how an input is split into them, filled in, and matched against names. The adapter of minimatch.
import { sep } from 'node:path'
import type { Names } from '../release/tag.ts'

/** Splits an input into patterns: one on each line, without comments and empty lines. */
export function splitPatterns(input: string): string[] {
  const lines = input.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

/** Whether a pattern includes files, rather than excluding some. */
export function includes(pattern: string): boolean {
  return !pattern.startsWith('!')
}

/** A pattern without its `!`. */
export function pathOf(pattern: string): string {
  return includes(pattern) ? pattern : pattern.slice(1).trim()
}

/** Whether a pattern has a wildcard, so that the file's name is not spelled out in it. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\[[^\]]\]/g, ''))
}

/** A glob pattern with `{tag}` and `{version}` put in literally. */
export function fillGlob(pattern: string, { tag, version }: Omit<Names, 'name'>): string {
  // At the start of a line, what is put in would exclude (`!`), leave the workspace (`/`) or be a home (`~`).
  const safe = pattern.replace(/^!?\s*(?=\{(?:tag|version)\})/, '$&./')
  return safe.replace(/\{(tag|version)\}/g, (_, word) => escapeGlob(word === 'tag' ? tag : version))
}

/** A text as a glob pattern that matches it alone, by the rules of `@actions/glob`. */
export function escapeGlob(text: string): string {
  const classed = text.replace(/[[?*]/g, '[$&]')
  return sep === '\\' ? classed : classed.replaceAll('\\', '\\\\')
}

/** The rules of `@actions/glob`, which matches paths with the same library. */
const RULES = { dot: true, nobrace: true, nocomment: true, noext: true, nonegate: true }

/**
 * Tells whether a name, or a path with slashes, matches the patterns. As `@actions/glob` has it, the last
 * pattern that matches decides.
 */
export async function matcherOf(patterns: readonly string[], { nocase = false } = {}) {
  const { Minimatch } = await import('minimatch')
  const rules = patterns.map(pattern => {
    // A filled-in template may start like a path.
    const glob = pathOf(pattern).replace(/^(?:\.\/)+/, '')
    return { wanted: includes(pattern), rule: new Minimatch(glob, { ...RULES, nocase }) }
  })
  return (name: string) => rules.findLast(({ rule }) => rule.match(name))?.wanted ?? false
}
