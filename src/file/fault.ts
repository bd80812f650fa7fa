// Faults of files: the one error that all of them are, and how paths and names stand in a message.
import defaultPaths, { type PlatformPath } from 'node:path'
import { textAt } from '../runner/values.ts'

/** A file that cannot be published; the message says why, and what to do. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly reason: 'no-file' | 'several-files' | 'bad-file' | 'file-changed'
  constructor(reason: FileFault['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The path from the workspace where it lies there, with slashes, or else as it is. */
export function relativeTo(
  workspace: string,
  path: string,
  { relative, isAbsolute, sep }: PlatformPath = defaultPaths
): string {
  const way = relative(workspace, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? path : way.replaceAll(sep, '/')
}

/** A name that others chose, in quotes, with everything visible that is not. */
export function quoted(name: string): string {
  return JSON.stringify(name).replace(
    /[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu,
    character => `\\u{${character.codePointAt(0)?.toString(16)}}`
  )
}

/** Such as `"a", "b" and 3 more`: ten names at most, cut where one is very long. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10)
  const cut = shown.map(name => quoted(name.length > 200 ? `${name.slice(0, 200)}…` : name))
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  return `${cut.join(', ')}${more}`
}

/** What the system says of a call that failed. */
export function systemError(cause: unknown): { readonly code: string; readonly message: string } {
  return { code: textAt(cause, 'code'), message: textAt(cause, 'message') || String(cause) }
}
