// Tags and versions in glob patterns: put in so that they match themselves alone. Pure.
import { sep } from 'node:path'

/** A glob pattern with `{tag}` and `{version}` put in literally. */
export function fillGlob(
  pattern: string,
  { tag, version }: { readonly tag: string; readonly version: string }
): string {
  // At the start of a line, what is put in would exclude (`!`), leave the workspace (`/`) or be a home (`~`).
  const safe = pattern.replace(/^!?\s*(?=\{(?:tag|version)\})/, '$&./')
  return safe.replace(/\{(tag|version)\}/g, (_, word) => escapeGlob(word === 'tag' ? tag : version))
}

/** A text as a glob pattern that matches it alone, by the rules of `@actions/glob`. */
export function escapeGlob(text: string): string {
  const classed = text.replace(/[[?*]/g, '[$&]')
  return sep === '\\' ? classed : classed.replaceAll('\\', '\\\\')
}
