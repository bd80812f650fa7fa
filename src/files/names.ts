// Names that others chose, in messages. Pure.
import { isAbsolute, relative, sep } from 'node:path'

/** A path in the workspace becomes relative to it, with slashes; any other stays as it is. */
export function relativeTo(workspace: string, path: string): string {
  const way = relative(workspace, path)
  const isOutside = way === '' || way.split(sep)[0] === '..' || isAbsolute(way)
  return isOutside ? path : way.replaceAll(sep, '/')
}

/** A name in quotes, with invisible characters escaped; a long one is cut. */
export function quoteName(name: string): string {
  const shown = name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name
  const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
  return JSON.stringify(shown).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escaped)
}

/** So many names are shown in a message. */
export const NAMES_SHOWN = 10

/** The first names on one line, and how many more there are. */
export function listed(names: readonly string[]): string {
  const left = names.length - NAMES_SHOWN
  const more = left > 0 ? ` and ${left} more` : ''
  return `${names.slice(0, NAMES_SHOWN).map(quoteName).join(', ')}${more}`
}
