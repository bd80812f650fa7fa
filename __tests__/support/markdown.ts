// Owns how GitHub shows Markdown, for tests.
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The Markdown as HTML. */
export function render(source: string): string {
  const extensions = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  return micromark(source, { ...extensions, allowDangerousHtml: true })
}
