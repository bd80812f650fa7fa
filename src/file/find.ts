// From glob patterns to the one file in the workspace that they mean. The adapter of @actions/glob.
import { stat } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'
import { sizeText } from '../runner/text.ts'
import { type Candidate, explainNone, explainSeveral } from './explain.ts'
import { FileFault, relativeTo, shownPath, systemError } from './fault.ts'
import { escapeGlob, includes, pathOf } from './glob.ts'
import type { Versions } from './versions.ts'

/**
 * The path of the only file that matches the patterns, which are relative to the workspace. Folders do
 * not count. Throws a `FileFault` that helps to correct the patterns when there is none, or more than one.
 */
export async function findFile(
  patterns: readonly string[],
  workspace: string,
  versions: Versions
): Promise<string> {
  const slashes = sep === '\\' ? /[/\\]/ : '/'
  const climbing = patterns.find(pattern => pathOf(pattern).split(slashes).includes('..'))
  if (climbing !== undefined) {
    const message =
      `${JSON.stringify(climbing)} contains "..". ` +
      'Patterns start at the workspace; a file elsewhere has to be copied into it first.'
    throw new FileFault('no-file', message)
  }
  const found = await glob(patterns, workspace)
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const candidates = await Promise.all(found.map(path => candidateOf(path, workspace)))
    throw new FileFault('several-files', explainSeveral('files', candidates, versions))
  }
  const including = patterns.filter(includes)
  const excluded = including.length < patterns.length ? await glob(including, workspace) : []
  const search = { patterns, workspace, versions }
  throw new FileFault('no-file', await explainNone(excluded, search))
}

async function candidateOf(path: string, workspace: string): Promise<Candidate> {
  const shown = shownPath(path, workspace)
  const row = await stat(path).then(
    ({ size, mtime }) => [shown, sizeText(size), `${mtime.toISOString().slice(0, 19)}Z`],
    () => [shown, 'gone meanwhile', '']
  )
  return { name: relativeTo(workspace, path), row }
}

async function glob(patterns: readonly string[], workspace: string): Promise<string[]> {
  const { create } = await import('@actions/glob')
  const lines = patterns.flatMap(pattern => anchor(pattern, workspace)).join('\n')
  const options = { implicitDescendants: false, matchDirectories: false }
  try {
    const globber = await create(lines, options)
    return (await globber.glob()).toSorted()
  } catch (cause) {
    // Something on the way cannot be read, or a pattern is none.
    const message = `The search for ${patterns.join(' ')} stopped: ${systemError(cause).message}`
    throw new FileFault('no-file', message, cause)
  }
}

/** A pattern's path made absolute. An exclusion counts for everything below the folder that it names, too. */
function anchor(pattern: string, workspace: string): string[] {
  const given = pathOf(pattern).replaceAll(sep, '/')
  const path = given.replace(/(^|\/)(?:\.\/+)+/g, '$1')
  const absolute = isAbsolute(given) || path === '~' || path.startsWith('~/')
  const anchored = absolute ? path : `${escapeGlob(workspace)}${sep}${path}`
  return includes(pattern) ? [anchored] : [`!${anchored}`, `!${anchored}/**`]
}
