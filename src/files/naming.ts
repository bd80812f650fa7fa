// What the search for a file and for an attached one share: a path as it is shown, and that several match.
import defaultPaths, { type PlatformPath } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { listLines, quoteName, sizeText } from '../runner/text.ts'

/** A path in the workspace becomes relative to it, with slashes; any other stays as it is. */
export function relativeTo(workspace: string, path: string, paths: PlatformPath = defaultPaths) {
  const { relative, isAbsolute, sep } = paths
  const below = relative(workspace, path)
  const isOutside = below === '' || below.split(sep)[0] === '..' || isAbsolute(below)
  return isOutside ? path : below.replaceAll(sep, '/')
}

/** Several files match, shown with their sizes. */
export function explainSeveral(
  what: string,
  files: readonly Readonly<{ name: string; size: number }>[]
): ActionError {
  const rows = files.map(({ name, size }) => `${quoteName(name)}  ${sizeText(size)}`)
  const message = `${files.length} ${what} match, and exactly one has to:${listLines(rows)}`
  const advice =
    'Write {version} in the pattern, or exclude the others with lines that begin with "!".'
  return new ActionError('several-files', message, { advice })
}
