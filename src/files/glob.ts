// Glob patterns: splitting an input into them, filling them in, matching names. The adapter of minimatch.
import { sep } from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Names } from '../release/tag.ts'
import { ActionError } from '../runner/action-error.ts'
import { textAt } from '../runner/values.ts'

/** Splits an input into patterns, one per line, without comments and empty lines. */
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

/** Whether a pattern has a wildcard; `[*]` is none, but an escaped asterisk. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\[[^\]]\]/g, ''))
}

/** Fills `{tag}` and `{version}` into a glob pattern, literally. */
export function fillGlob(pattern: string, { tag, version }: Omit<Names, 'name'>): string {
  // After `./`, a value cannot exclude (`!`), leave the workspace (`/`) or mean a home folder (`~`).
  const safe = pattern.replace(/^!?\s*(?=\{(?:tag|version)\})/, '$&./')
  return safe.replace(/\{(tag|version)\}/g, (_, word) => escapeGlob(word === 'tag' ? tag : version))
}

/** A glob pattern that matches only this text, by the rules of `@actions/glob`. */
export function escapeGlob(text: string): string {
  const classed = text.replace(/[[?*]/g, '[$&]')
  return sep === '\\' ? classed : classed.replaceAll('\\', '\\\\')
}

/** Matches names, or paths with slashes; as in `@actions/glob`, the last pattern that matches decides. */
export async function matcherOf(patterns: readonly string[], { nocase = false } = {}) {
  const { Minimatch } = await import('minimatch')
  // The rules of `@actions/glob`, which matches paths with the same library.
  const options = { dot: true, nobrace: true, nocomment: true, noext: true, nonegate: true, nocase }
  const rules = patterns.map(pattern => {
    // `fillGlob` may have put a `./` at the start.
    const glob = pathOf(pattern).replace(/^(?:\.\/)+/, '')
    return { wanted: includes(pattern), rule: new Minimatch(glob, options) }
  })
  return (name: string) => rules.findLast(({ rule }) => rule.match(name))?.wanted ?? false
}

/** In seconds: so long names may be compared with patterns. */
const MATCHING = 5

/** What `run` returns, which compares names that others chose. Throws an `ActionError` when that takes too long. */
export function inTime<Result>(input: string, run: () => Result): Result {
  try {
    // The only way to end a single expression that takes minutes, as one with many `*` can.
    return runInNewContext('run()', { run }, { timeout: MATCHING * 1000 })
  } catch (error) {
    if (textAt(error, 'code') !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const message = `${input}: the names of the files take too long to compare.`
    throw new ActionError('bad-input', message, { advice: 'Write fewer "*" in one line.' })
  }
}
