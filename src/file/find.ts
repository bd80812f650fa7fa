// From glob patterns to the one file in the workspace that they mean: the door to @actions/glob.
import { isAbsolute, sep } from 'node:path'
import { FileFault, shownPath, systemError, unreadable } from './fault.ts'
import { escapeGlob } from './glob.ts'
import { explainNone, explainSeveral } from './hints.ts'

/** Splits the input into patterns: one a line, without comments and empty lines. */
export function splitPatterns(input: string): string[] {
  const lines = input.split(/\r\n|\r|\n/).map(line => line.trim())
  return lines.filter(line => line !== '' && !line.startsWith('#'))
}

/**
 * The path of the only file that matches the patterns, which are relative to the workspace. Folders do
 * not count. Throws a `FileFault` that helps to mend the patterns when there is none, or more than one.
 */
export async function findFile(patterns: readonly string[], workspace: string): Promise<string> {
  refuseClimbing(patterns)
  const [first, ...others] = await search(patterns, workspace)
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const message = await explainSeveral([first, ...others], patterns, workspace)
    throw new FileFault('several-files', message)
  }
  const included = patterns.filter(pattern => !pattern.startsWith('!'))
  const excluded = included.length < patterns.length ? await search(included, workspace) : []
  throw new FileFault('no-file', await explainNone(patterns, excluded, workspace))
}

async function search(patterns: readonly string[], workspace: string): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const lines = patterns.flatMap(pattern => anchor(pattern, workspace)).join('\n')
  const options = { implicitDescendants: false, matchDirectories: false }
  try {
    const globber = await create(lines, options)
    return (await globber.glob()).toSorted()
  } catch (cause) {
    throw new FileFault('no-file', whyStopped(cause, patterns, workspace), cause)
  }
}

/** A pattern's path made absolute. An exclusion counts for everything below the folder that it names, too. */
function anchor(pattern: string, workspace: string): string[] {
  const negated = pattern.startsWith('!')
  const given = pathOf(pattern).replaceAll(sep, '/')
  const path = given.replace(/(^|\/)(?:\.\/+)+/g, '$1')
  const absolute = isAbsolute(given) || path === '~' || path.startsWith('~/')
  const anchored = absolute ? path : `${escapeGlob(workspace)}${sep}${path}`
  return negated ? [`!${anchored}`, `!${anchored}/**`] : [anchored]
}

/** A pattern without its `!`. */
function pathOf(pattern: string): string {
  return pattern.startsWith('!') ? pattern.slice(1).trim() : pattern
}

function refuseClimbing(patterns: readonly string[]): void {
  const climbing = patterns.find(pattern => pathOf(pattern).split(/[/\\]/).includes('..'))
  if (climbing === undefined) return
  const message =
    `${JSON.stringify(climbing)} holds "..". ` +
    'Patterns start at the workspace; a file elsewhere has to be copied into it first.'
  throw new FileFault('no-file', message)
}

/** Something on the way could not be read, or the pattern is none. */
function whyStopped(cause: unknown, patterns: readonly string[], workspace: string): string {
  const { path, message } = systemError(cause)
  if (path !== undefined) {
    const fault = unreadable(shownPath(path, workspace), cause)
    return `The search stopped: ${fault.message}`
  }
  const list = patterns.map(pattern => `  ${pattern}`).join('\n')
  return `The patterns cannot be used: ${message}\n${list}`
}
