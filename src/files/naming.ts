// How names that others chose are shown in messages.
import defaultPaths, { type PlatformPath } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { sizeText } from '../runner/text.ts'

/** So many names are shown in a message. */
export const NAMES_SHOWN = 10

/** A name in quotes, with invisible characters escaped, and cut after 200 characters. */
export function quoteName(name: string): string {
  const cut = name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  return JSON.stringify(cut).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escaped)
}

/** Such as `"a", "b" and 3 more`: ten names at most. */
export function listNames(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return `${names.slice(0, NAMES_SHOWN).map(quoteName).join(', ')}${more}`
}

/** The same, with a line for each; `rows` are shown as they are. */
export function listLines(rows: readonly string[]): string {
  const lines = rows.slice(0, NAMES_SHOWN).map(row => `\n  ${row}`)
  const left = rows.length - lines.length
  return left > 0 ? `${lines.join('')}\n  … and ${left} more` : lines.join('')
}

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
